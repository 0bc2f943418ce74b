"""Real SIGINTs while elements are drawn: `python -m tests.datasets.interrupted SEED MOMENTS FOLDER [NAME]`.

For each transformation, a program draws elements until it is interrupted, so many times. What it got is what a program
without interrupts gets, apart from at most one element for each interrupt, which a step had got that then ended.
"""

import itertools
import json
import os
import random
import signal
import sys

import numpy as np

import evergraph as tf
from tests.run.interrupted import interrupted

exp = tf.data.experimental
MANY = 10**7


def R(count=MANY):
    return tf.data.Dataset.range(count)


def rows(dataset):
    return dataset.map(lambda x: tf.fill([x % 3 + 1], x))


def written(folder, name, write):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        write(path)
    return path


def lines(folder):
    return written(folder, "lines", lambda path: open(path, "w").writelines(f"{n},{n % 7}\n" for n in range(20_000)))


def records(folder):
    def write(path):
        with tf.python_io.TFRecordWriter(path) as writer:
            for n in range(20_000):
                writer.write(b"%d" % n)

    return written(folder, "records", write)


def groups(dataset):
    return dataset.apply(exp.group_by_window(lambda x: x % 3, lambda _, window: window.batch(4), 4))


TRANSFORMATIONS = {
    "apply": lambda f: R().apply(lambda d: d.map(lambda x: x + 1)),
    "batch": lambda f: R().batch(3),
    "batch_dropped": lambda f: R().batch(3, drop_remainder=True),
    "bucket": lambda f: rows(R()).apply(exp.bucket_by_sequence_length(tf.size, [2, 3], [3, 4, 5])),
    "cache": lambda f: R(500).cache().repeat(),
    "cache_in_file": lambda f: R(500).cache(os.path.join(f, f"cache{next(numbers)}")).repeat(),
    "choose": lambda f: exp.choose_from_datasets([R(), R().map(lambda x: -x)], R().map(lambda x: x % 2)),
    "concatenate": lambda f: R(50).concatenate(R(70)).repeat(),
    "copied": lambda f: R().apply(exp.copy_to_device("/cpu:0")),
    "csv": lambda f: exp.CsvDataset([lines(f)], [tf.int64, tf.int64]).repeat(),
    "dense_to_sparse": lambda f: rows(R()).apply(exp.dense_to_sparse_batch(4, [3])).map(lambda s: s.values),
    "enumerate": lambda f: R().enumerate(7).map(lambda n, x: n * x),
    "filter": lambda f: R().filter(lambda x: x % 3 < 2),
    "fixed_length": lambda f: tf.data.FixedLengthRecordDataset([lines(f)], 5).repeat(),
    "flat_map": lambda f: R().flat_map(lambda x: tf.data.Dataset.from_tensors(x).repeat(3)),
    "from_generator": lambda f: tf.data.Dataset.from_generator(lambda: iter(range(MANY)), tf.int64),
    "from_tensor_slices": lambda f: tf.data.Dataset.from_tensor_slices(np.arange(5000)).repeat(),
    "from_tensors": lambda f: tf.data.Dataset.from_tensors(7).repeat(),
    "group_by_reducer": lambda f: R(600).apply(exp.group_by_reducer(
        lambda x: x % 5, exp.Reducer(lambda _: np.int64(0), lambda s, x: s + x, lambda s: s))).repeat(),
    "group_by_window": lambda f: groups(R()),
    "ignore_errors": lambda f: R().map(lambda x: tf.check_numerics(1.0 / tf.cast(x % 5, tf.float32), "")).apply(
        exp.ignore_errors()),
    "interleave": lambda f: R().interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(3), 4, 2),
    "map": lambda f: R().map(lambda x: x * 2),
    "map_and_batch": lambda f: R().apply(exp.map_and_batch(lambda x: x * 2, 4)),
    "map_with_python": lambda f: R().map(lambda x: tf.py_func(lambda y: y + 1, [x], tf.int64)),
    "map_with_random_numbers": lambda f: R().map(lambda x: tf.random_uniform([], seed=3)),
    "padded_batch": lambda f: rows(R()).padded_batch(4, [None]),
    "parallel_interleave": lambda f: R().apply(exp.parallel_interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(3), 4)),
    "parallel_map": lambda f: R().map(lambda x: x * 2, num_parallel_calls=2),
    "parse_example": lambda f: R().map(lambda x: tf.constant(b"")).batch(2).apply(
        exp.parse_example_dataset({"a": tf.FixedLenFeature([], tf.int64, 5)})).map(lambda e: e["a"]),
    "prefetch": lambda f: R().prefetch(3),
    "random": lambda f: exp.RandomDataset(5),
    "range": lambda f: R(),
    "rebatch": lambda f: R().batch(4).apply(exp.unbatch()).batch(3),
    "rejection_resample": lambda f: R().apply(exp.rejection_resample(
        lambda x: tf.cast(x % 2, tf.int32), [0.5, 0.5], [0.5, 0.5], seed=3)).map(lambda c, x: x),
    "repeat": lambda f: R(50).repeat(),
    "sample": lambda f: exp.sample_from_datasets([R(), R().map(lambda x: -x)], [0.5, 0.5], seed=3),
    "scan": lambda f: R().apply(exp.scan(np.int64(0), lambda s, x: (s + x, s))),
    "shard": lambda f: R().shard(3, 1),
    "shuffle": lambda f: R().shuffle(100, seed=3),
    "shuffle_and_batch": lambda f: R().shuffle(100, seed=3).batch(5),
    "shuffle_and_repeat": lambda f: R(300).apply(exp.shuffle_and_repeat(50, seed=3)),
    "shuffle_of_rows": lambda f: rows(R()).shuffle(100, seed=3).padded_batch(5, [None]),
    "skip": lambda f: R().skip(1000),
    "take": lambda f: R().take(MANY - 1),
    "take_while": lambda f: R().apply(exp.take_while(lambda x: x >= 0)),
    "text_lines": lambda f: tf.data.TextLineDataset([lines(f)]).repeat(),
    "tfrecords": lambda f: tf.data.TFRecordDataset([records(f)]).repeat(),
    "unbatch": lambda f: R().batch(4).apply(exp.unbatch()),
    "unique": lambda f: R().map(lambda x: x // 2).apply(exp.unique()),
    "window": lambda f: R().window(3, 2).flat_map(lambda w: w.batch(3)),
    "without_rewrites": lambda f: plain(R().map(lambda x: x * 2).shuffle(100, seed=3).batch(5)),
    "zip": lambda f: tf.data.Dataset.zip((R(), R().map(lambda x: -x))).map(lambda a, b: tf.stack([a, b])),
}
numbers = itertools.count()


def plain(dataset):
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    return dataset.with_options(options)


def as_text(value):
    return repr(value.tolist() if hasattr(value, "tolist") else value)


def fault(name, delays, folder):
    """What is wrong with the elements that were drawn between interrupts; None where nothing is."""
    got = []
    with tf.Graph().as_default(), tf.Session() as session:
        element = tf.data.make_one_shot_iterator(TRANSFORMATIONS[name](folder)).get_next()
        got.append(as_text(session.run(element)))
        for delay in delays:
            interrupted(lambda: got.append(as_text(session.run(element))), delay)
            got.append(as_text(session.run(element)))
    with tf.Graph().as_default(), tf.Session() as session:
        element = tf.data.make_one_shot_iterator(TRANSFORMATIONS[name](folder)).get_next()
        lost = 0
        for place, value in enumerate(got):
            while (wanted := as_text(session.run(element))) != value:
                lost += 1
                if lost > len(delays):
                    return f"element {place} is {value}, and should be {wanted} or so"
    return None


def main(seed, moments, folder, *names):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has background jobs ignore SIGINT
    choose, found = random.Random(int(seed)), {}
    for name in names or TRANSFORMATIONS:
        delays = [choose.uniform(0, 0.01) for _ in range(int(moments))]
        try:
            found[name] = fault(name, delays, folder)
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}"
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
