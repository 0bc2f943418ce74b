"""Rows about tf.data: pipelines from files and generators, by the example, and how input overlaps with steps."""

import time

import numpy as np

from benchmarks.files import EXAMPLES, file_of_examples, scratch
from benchmarks.rows import step

BATCH = 128
BUFFER = 1000
COLUMNS = 10
STEP_MS, INPUT_MS = 5, 4


@step("data: TFRecord + parse_single_example, per example")
def parsed_examples(tf):
    """Shuffled in a buffer of 1,000, batches of 128, prefetched."""
    features = {"label": tf.FixedLenFeature([], tf.int64), "x": tf.FixedLenFeature([8], tf.float32),
                "weight": tf.FixedLenFeature([], tf.float32, default_value=0.0)}
    dataset = tf.data.TFRecordDataset(file_of_examples(tf)).repeat()
    dataset = dataset.map(lambda record: tf.parse_single_example(record, features))
    return drawn(tf, dataset.shuffle(BUFFER, seed=1).batch(BATCH).prefetch(2), BATCH)


@step("data: TextLine + decode_csv, per line")
def parsed_lines(tf):
    """Ten numbers and a label in a line, shuffled in a buffer of 1,000, batches of 128."""
    path, generator = scratch("lines"), np.random.RandomState(0)
    with open(path, "w") as file:
        for place in range(EXAMPLES):
            file.write(",".join(f"{value:.4f}" for value in generator.rand(COLUMNS)) + f",{place % 10}\n")
    parse = lambda line: tf.decode_csv(line, [[0.0]] * COLUMNS + [[0]])
    dataset = tf.data.TextLineDataset(path).repeat().map(lambda line: tuple(parse(line)))
    return drawn(tf, dataset.shuffle(BUFFER, seed=1).batch(BATCH), BATCH)


@step("data: from_generator + batch, per element")
def generated(tf):
    """A vector of ten numbers and a label, batches of 128."""
    row = np.arange(10, dtype=np.float32)

    def elements():
        place = 0
        while True:
            yield row, place % 10
            place += 1
    dataset = tf.data.Dataset.from_generator(elements, (tf.float32, tf.int64), ([10], []))
    return drawn(tf, dataset.batch(BATCH), BATCH)


@step("data: decode_raw + crop + flip, per image")
def augmented(tf):
    """Images of 32 x 32, random crops of 28 x 28, normalised, batches of 64, four calls in parallel."""
    pixels = np.random.RandomState(0).randint(0, 256, [512, 32 * 32 * 3]).astype(np.uint8)

    def prepared(content):
        image = tf.reshape(tf.decode_raw(content, tf.uint8), [32, 32, 3])
        image = tf.image.random_flip_left_right(tf.random_crop(image, [28, 28, 3], seed=1), seed=2)
        return (tf.cast(image, tf.float32) - 120.0) / 64.0
    dataset = tf.data.Dataset.from_tensor_slices([row.tobytes() for row in pixels]).repeat()
    return drawn(tf, dataset.map(prepared, num_parallel_calls=4).batch(64).prefetch(1), 64)


@step("data: map of 20 ops on a small image, per element")
def mapped(tf):
    """One element after another, because the function branches."""
    def prepared(place):
        image = tf.fill([64, 64], tf.cast(place % 256, tf.float32))
        image = tf.cond(place % 2 > 0, lambda: image, lambda: 255.0 - image)
        for _ in range(4):
            image = tf.nn.relu(image * 0.5 + 1.0) - tf.reduce_mean(image)
        return image
    return drawn(tf, tf.data.Dataset.range(10 ** 9).map(prepared), 1)


@step("data: bucket_by_sequence_length, per sequence")
def bucketed(tf):
    """Sequences of up to 50 numbers, five buckets, batches of 32."""
    lengths = np.random.RandomState(0).randint(1, 50, 2000)
    dataset = tf.data.Dataset.from_tensor_slices(lengths.astype(np.int64)).repeat().map(tf.range)
    dataset = dataset.apply(tf.data.experimental.bucket_by_sequence_length(
        tf.size, [10, 20, 30, 40], [32] * 5, padded_shapes=[None]))
    return drawn(tf, dataset, 32)


@step("data: JPEG decode + resize, per image")
def decoded(tf):
    """Files of 160 x 120, made 64 x 64, batches of 32, four calls in parallel."""
    coarse = tf.constant(np.random.RandomState(0).randint(0, 256, [64, 12, 16, 3]), tf.float32)
    smooth = tf.cast(tf.image.resize_bilinear(coarse, [120, 160]), tf.uint8)
    files = tf.Session().run([tf.image.encode_jpeg(image) for image in tf.unstack(smooth)])

    def prepared(content):
        return tf.image.resize_images(tf.image.decode_jpeg(content, channels=3), [64, 64])
    dataset = tf.data.Dataset.from_tensor_slices(files).repeat().map(prepared, num_parallel_calls=4)
    return drawn(tf, dataset.batch(32).prefetch(1), 32)


@step(f"data: a step of {STEP_MS} ms with an input of {INPUT_MS} ms, per step")
def overlapped(tf):
    """Both wait without computing, as a step on an accelerator and a read from a distant disk do."""
    def waiting(milliseconds):
        def wait(value):
            time.sleep(milliseconds / 1000)
            return value
        return lambda value: tf.py_func(wait, [value], tf.int64)
    dataset = tf.data.Dataset.range(10**9).map(waiting(INPUT_MS)).prefetch(1)
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    return session_step(tf, waiting(STEP_MS)(element))


def drawn(tf, dataset, size):
    """A function that draws a batch of so many elements."""
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    return session_step(tf, element, size)


def session_step(tf, fetches, count=1):
    session = tf.Session()

    def run():
        session.run(fetches)
        return count
    return run
