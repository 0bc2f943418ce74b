"""Models train on pipelines from files and generators; what fails in one ends training and leaves nothing behind."""

import gc
import os
import threading
import time
import traceback
import weakref

import numpy as np
import pytest

import evergraph as tf


@pytest.fixture(autouse=True)
def _leaves_no_thread():
    before = set(threading.enumerate())
    yield
    left = set(threading.enumerate()) - before
    for thread in left:
        if thread.name == "evergraph compiler":  # a program is compiled to its end
            thread.join(60)
    assert not [thread.name for thread in left if thread.name.startswith("evergraph") and thread.is_alive()]


def iris(folder):
    """A file of 150 flowers in three kinds: four measurements and the name of the kind; one has a field missing."""
    generator = np.random.RandomState(0)
    lines = ["sepal_length,sepal_width,petal_length,petal_width,species"]
    for kind, (name, centre) in enumerate([("setosa", 1.5), ("versicolor", 4.3), ("virginica", 6.5)] * 50):
        row = [5.0 + 0.5 * kind, 3.0, centre, centre / 3] + generator.randn(4) * 0.2
        lines.append(",".join(f"{value:.2f}" for value in row) + f",{name}")
    lines[7] = lines[7].replace(lines[7].split(",")[1], "", 1)
    path = folder / "iris.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_iris_from_a_csv_file(tmp_path):
    kinds = tf.contrib.lookup.index_table_from_tensor(["setosa", "versicolor", "virginica"])

    def parsed(line):
        *measured, name = tf.decode_csv(line, [[0.0], [3.0], [0.0], [0.0], [""]])
        return tf.stack(measured), kinds.lookup(name)

    dataset = tf.data.TextLineDataset(iris(tmp_path)).skip(1).map(parsed).shuffle(150, seed=1).repeat().batch(30)
    iterator = tf.data.make_initializable_iterator(dataset)
    features, labels = iterator.get_next()
    logits = tf.layers.dense(features, 3, kernel_initializer=tf.zeros_initializer())
    train = tf.train.AdamOptimizer(0.1).minimize(tf.losses.sparse_softmax_cross_entropy(labels, logits))
    right = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.float32))
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer(), iterator.initializer])
        for _ in range(100):
            session.run(train)
        assert np.mean([session.run(right) for _ in range(5)]) > 0.95


def images_in_records(folder, count=64):
    """Files of records: 8 x 8 images, bright on the left or on the right."""
    generator, paths = np.random.RandomState(0), []
    for part in range(2):
        paths.append(str(folder / f"images-{part}"))
        with tf.python_io.TFRecordWriter(paths[-1]) as writer:
            for place in range(count // 2):
                image = generator.randint(0, 100, [8, 8, 1])
                image[:, :4] += 120 * (place % 2)
                image[:, 4:] += 120 * (1 - place % 2)
                writer.write(tf.train.Example(features=tf.train.Features(feature={
                    "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image.astype(np.uint8).tobytes()])),
                    "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[place % 2]))})).SerializeToString())
    return paths


def test_images_from_records(tmp_path):
    features = {"image": tf.FixedLenFeature([], tf.string), "label": tf.FixedLenFeature([], tf.int64)}

    def prepared(record):
        example = tf.parse_single_example(record, features)
        image = tf.cast(tf.reshape(tf.decode_raw(example["image"], tf.uint8), [8, 8, 1]), tf.float32) / 255.0
        return tf.image.random_flip_up_down(tf.random_crop(image, [7, 7, 1], seed=1), seed=2), example["label"]

    dataset = tf.data.Dataset.from_tensor_slices(images_in_records(tmp_path)).interleave(
        tf.data.TFRecordDataset, cycle_length=2)
    dataset = dataset.repeat().shuffle(32, seed=1).map(prepared, num_parallel_calls=2).batch(16).prefetch(1)
    images, labels = tf.data.make_one_shot_iterator(dataset).get_next()
    images.set_shape([None, 7, 7, 1])
    logits = tf.layers.dense(tf.layers.flatten(images), 2, kernel_initializer=tf.zeros_initializer())
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    with tf.train.MonitoredSession() as session:
        losses = [session.run([train, loss])[1] for _ in range(60)]
    assert losses[-1] < 0.2 < losses[0]


def test_bucketed_text(tmp_path):
    """Which of two words is in the text: an average of embeddings tells."""
    generator = np.random.RandomState(0)
    words = [b"a", b"b", b"good", b"bad"]
    path = tmp_path / "text"
    with open(path, "wb") as file:
        for _ in range(80):
            text = [words[place] for place in generator.randint(0, 2, generator.randint(1, 12))]
            text.insert(generator.randint(0, len(text) + 1), words[generator.randint(2, 4)])
            file.write(b" ".join(text) + b"\n")
    table = tf.contrib.lookup.index_table_from_tensor(words, default_value=0)

    def ids_of(line):
        found = table.lookup(tf.string_split([line]).values)
        return found + 1, tf.reduce_any(tf.equal(found, 2))

    dataset = tf.data.TextLineDataset(str(path)).map(ids_of).repeat().apply(
        tf.data.experimental.bucket_by_sequence_length(
            lambda ids, _: tf.size(ids), [7, 14], [8] * 3, padded_shapes=([None], []), pad_to_bucket_boundary=True))
    iterator = tf.data.make_initializable_iterator(dataset)
    ids, labels = iterator.get_next()
    embedding = tf.get_variable("embedding", [5, 4], initializer=tf.random_normal_initializer(seed=1))
    logits = tf.layers.dense(tf.reduce_sum(tf.nn.embedding_lookup(embedding, ids), 1), 1)[:, 0]
    loss = tf.losses.sigmoid_cross_entropy(labels, logits)
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer(), iterator.initializer])
        losses = [session.run([train, loss])[1] for _ in range(70)]
    assert np.mean(losses[-10:]) < 0.2 < losses[0]


def pairs():
    """Points on a line, for ever."""
    generator = np.random.RandomState(0)
    while True:
        x = generator.rand(2).astype(np.float32)
        yield x, 3 * x[:1] - x[1:] + 0.5


def fitted(dataset):
    """The loss of a linear model and the step that trains it."""
    x, y = tf.data.make_one_shot_iterator(dataset).get_next()
    loss = tf.losses.mean_squared_error(y, tf.layers.dense(x, 1, kernel_initializer=tf.zeros_initializer()))
    return loss, tf.train.AdamOptimizer(0.1).minimize(loss)


def points(generator=pairs):
    return tf.data.Dataset.from_generator(generator, (tf.float32, tf.float32), ([2], [1]))


def test_points_from_a_generator():
    loss, train = fitted(points().batch(20).prefetch(1))
    with tf.train.MonitoredSession() as session:
        losses = [session.run([train, loss])[1] for _ in range(150)]
    assert losses[-1] < 0.01 < losses[0]


# ---- what fails


class Mistake(Exception):
    """What a user's function raises."""


def failing_map(value):
    raise_if_big(value)
    return value


def raise_if_big(value):
    if value[0, 0] > 0.9:
        raise Mistake(f"{value[0, 0]} is too big")


def failing_generator():
    for place, pair in enumerate(pairs()):
        if place == 70:
            raise Mistake("there is no seventieth pair")
        yield pair


def broken_records(folder):
    paths = images_in_records(folder)
    content = bytearray((folder / "images-1").read_bytes())
    content[500] ^= 1
    (folder / "images-1").write_bytes(content)
    return tf.data.TFRecordDataset(paths).map(lambda record: (
        tf.ones([2]) * tf.cast(tf.strings.length(record), tf.float32) / 1e3, tf.ones([1])))


def with_function(dataset):
    def checked(x, y):
        x.set_shape([None, 2])
        found = tf.py_func(failing_map, [x], tf.float32)
        found.set_shape([None, 2])
        return found, y
    return dataset.batch(5).map(checked, num_parallel_calls=2)


FAULTS = {
    "function": (lambda folder: with_function(points()).prefetch(2), tf.errors.UnknownError, "too big", "raise_if_big"),
    "generator": (lambda folder: points(failing_generator).batch(5).prefetch(2), tf.errors.UnknownError, "seventieth",
                  "failing_generator"),
    "reader": (lambda folder: broken_records(folder).repeat().batch(5), tf.errors.DataLossError, "corrupted", None),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_fails_ends_training(name, tmp_path):
    make, kind, text, function = FAULTS[name]
    loss, train = fitted(make(tmp_path))
    with pytest.raises(kind, match=text) as raised, tf.train.MonitoredSession() as session:
        for _ in range(200):
            session.run([train, loss])
    if function is not None:
        assert function in "".join(traceback.format_exception(raised.value))
        assert any(isinstance(each, Mistake) for each in causes(raised.value))


def causes(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def test_a_step_that_fails_leaves_the_variables():
    variable = tf.get_variable("v", [], initializer=tf.zeros_initializer())
    dataset = tf.data.Dataset.from_tensor_slices(["1", "2", "x", "4"]).map(tf.string_to_number).batch(1)
    train = variable.assign_add(tf.data.make_one_shot_iterator(dataset).get_next()[0])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run([train])
        session.run([train])
        with pytest.raises(tf.errors.InvalidArgumentError, match="x"):
            session.run([train])
        assert session.run(variable) == 3.0
        assert session.run(train) == 7.0


def open_files():
    return {os.readlink(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")
            if os.path.exists(f"/proc/self/fd/{name}")}


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="the system does not list open files")
def test_closing_a_session_in_the_middle_frees_everything(tmp_path):
    closed, others = [], threading.enumerate()

    def generated():
        try:
            while True:
                yield np.zeros(1000)
        finally:
            closed.append(True)

    paths = images_in_records(tmp_path)
    records = tf.data.Dataset.from_tensor_slices(paths).interleave(tf.data.TFRecordDataset, 2, num_parallel_calls=2)
    numbers = tf.data.Dataset.from_generator(generated, tf.float64, [1000]).map(lambda x: x + 1, num_parallel_calls=3)
    both = tf.data.Dataset.zip((records.repeat(), numbers)).shuffle(20).batch(4).prefetch(2)
    element = tf.data.make_one_shot_iterator(both).get_next()
    session = tf.Session()
    session.run(element)
    assert open_files() & set(paths)
    batch = session.run(element)[1]
    kept = weakref.ref(batch)
    del batch
    session.close()
    gc.collect()
    assert closed == [True]
    assert not open_files() & set(paths)
    assert kept() is None
    own = [thread for thread in threading.enumerate() if thread.name.startswith("evergraph") and thread not in others]
    for thread in own:
        thread.join(10)
        assert not thread.is_alive()


def test_closing_a_session_ends_waiting():
    """A step waits for an element that never comes, in another thread, when the session is closed."""
    release = threading.Event()
    dataset = tf.data.Dataset.range(3).map(lambda x: tf.py_func(lambda v: release.wait(20) or v, [x], tf.int64))
    element = tf.data.make_one_shot_iterator(dataset.prefetch(1)).get_next()
    session, found = tf.Session(), []

    def draw():
        try:
            session.run(element)
        except tf.errors.OpError as error:
            found.append(type(error))

    waiting = threading.Thread(target=draw)
    waiting.start()
    time.sleep(0.1)
    closing = threading.Thread(target=session.close)
    closing.start()
    waiting.join(10)
    assert found == [tf.errors.CancelledError]
    release.set()
    closing.join(10)
    assert not closing.is_alive()
