"""Rows about files: reading, parsing, saving and restoring."""

import glob
import itertools
import os
import tempfile

import numpy as np

from benchmarks.rows import run_pipeline, step

EXAMPLES = 4096


@step("save 250 MB")
def save(tf):
    """Until it is on the disk: TensorFlow leaves that to the operating system, so here it is asked to."""
    saver, session, prefix = variables_of_250_mb(tf)

    def run():
        saver.save(session, prefix, write_meta_graph=False, write_state=False)
        for path in glob.glob(f"{prefix}.*"):
            with open(path, "rb") as file:
                os.fsync(file.fileno())
    return run


@step("restore 250 MB")
def restore(tf):
    saver, session, prefix = variables_of_250_mb(tf)
    saver.save(session, prefix, write_meta_graph=False, write_state=False)
    return lambda: saver.restore(session, prefix)


@step("TFRecord read, per record")
def read(tf):
    path = file_of_examples(tf)
    return lambda: sum(1 for _ in tf.python_io.tf_record_iterator(path))  # how many it read


@step("TFRecord read + parse_example, batch 128, per example")
def read_and_parse(tf):
    path = file_of_examples(tf)
    serialized = tf.placeholder(tf.string, [None])
    parsed, session = parse(tf, serialized), tf.Session()

    def run():
        records = tf.python_io.tf_record_iterator(path)
        while batch := list(itertools.islice(records, 128)):
            session.run(parsed, {serialized: batch})
        return EXAMPLES
    return run


@step("queue: TFRecordReader + shuffle_batch, per example")
def read_by_queue(tf):
    """By 2 threads, batches of 32."""
    _, serialized = tf.TFRecordReader().read(tf.train.string_input_producer([file_of_examples(tf)]))
    parsed = tf.parse_single_example(serialized, {
        "label": tf.FixedLenFeature([], tf.int64), "x": tf.FixedLenFeature([8], tf.float32)})
    batch = tf.train.shuffle_batch(parsed, 32, capacity=400, min_after_dequeue=200, num_threads=2)
    return run_pipeline(tf, batch, 32)


@step("TFRecord write, per record")
def write(tf):
    records, path = [example(tf, place).SerializeToString() for place in range(EXAMPLES)], scratch("written")

    def run():
        with tf.python_io.TFRecordWriter(path) as writer:
            for record in records:
                writer.write(record)
        return EXAMPLES
    return run


@step("Example build + TFRecord write, per example")
def build_and_write(tf):
    path = scratch("written")

    def run():
        with tf.python_io.TFRecordWriter(path) as writer:
            for place in range(500):
                writer.write(example(tf, place).SerializeToString())
        return 500
    return run


def variables_of_250_mb(tf):
    """(saver, session, prefix to save under): 10 variables of 25 MB."""
    generator = np.random.RandomState(0)
    session = tf.Session()
    for place in range(10):
        value = generator.rand(2500, 2500).astype(np.float32)
        tf.Variable(tf.zeros([2500, 2500]), name=f"v{place}").load(value, session)
    return tf.train.Saver(), session, scratch("model")


def scratch(name):
    """A path in a directory that goes away with the process."""
    folder = tempfile.TemporaryDirectory()
    _folders.append(folder)
    return os.path.join(folder.name, name)


_folders = []


def file_of_examples(tf):
    path = scratch("examples")
    with tf.python_io.TFRecordWriter(path) as writer:
        for place in range(EXAMPLES):
            writer.write(example(tf, place).SerializeToString())
    return path


def example(tf, place):
    """A small one of five features, about 140 bytes."""
    integers = lambda *values: tf.train.Feature(int64_list=tf.train.Int64List(value=values))
    floats = lambda *values: tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Example(features=tf.train.Features(feature={
        "label": integers(place % 10),
        "x": floats(*(place * 0.1 + i for i in range(8))),
        "text": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"some text %d" % place])),
        "ids": integers(*(place * 7919 * i % 100_000 for i in range(4))),
        "weight": floats(1.5),
    }))  # fmt: skip


def parse(tf, serialized):
    return tf.parse_example(serialized, {
        "label": tf.FixedLenFeature([], tf.int64),
        "x": tf.FixedLenFeature([8], tf.float32),
        "text": tf.FixedLenFeature([], tf.string),
        "ids": tf.VarLenFeature(tf.int64),
        "weight": tf.FixedLenFeature([], tf.float32, default_value=0.0),
    })
