"""An hour of everything that comes and goes: `python -m tests.run.soak --minutes 60`.

Rounds of work repeat until the time is over: an Estimator that trains and evaluates, functions that are made, called
and dropped, sessions that are opened and closed, datasets that are drawn in graphs, eagerly and inside of functions.
Memory is printed once a minute. What it grows by after the first sixth of the time, in which caches fill, must be below
1 MiB.
"""

import argparse
import collections
import gc
import statistics
import tempfile
import threading
import time

import numpy as np

import evergraph as tf
from evergraph.eager.graph import EAGER
from tests.datasets.soak import memory

MIB = 2**20


def train_and_evaluate(turn):
    """A small network of an Estimator: 30 steps and two evaluations, with checkpoints and summaries."""
    rows = np.random.RandomState(turn).rand(64, 4).astype(np.float32)

    def inputs():
        labels = (rows.sum(1) > 2).astype(np.int32)
        dataset = tf.data.Dataset.from_tensor_slices(({"x": rows}, labels)).shuffle(64, seed=1).repeat().batch(8)
        return dataset.prefetch(2)

    with tempfile.TemporaryDirectory() as folder:
        config = tf.estimator.RunConfig(folder, tf_random_seed=1, save_checkpoints_steps=15, log_step_count_steps=10)
        model = tf.estimator.DNNClassifier([8], [tf.feature_column.numeric_column("x", [4])], config=config)
        tf.estimator.train_and_evaluate(
            model, tf.estimator.TrainSpec(inputs, 30), tf.estimator.EvalSpec(inputs, steps=3, throttle_secs=0))
        tf.summary.FileWriterCache.clear()  # it keeps the event files of every folder open until then


def functions(turn):
    """Functions with variables, loops and iterators inside, called eagerly under tapes and then dropped."""
    with EAGER.as_default():
        for at in range(5):
            v = tf.Variable(np.ones([16], np.float32))

            @tf.function
            def step(x, v=v, at=at):
                total = tf.constant(0.0)
                for i in tf.data.Dataset.range(3).prefetch(1):
                    total += tf.reduce_sum(v * x) * tf.cast(i, tf.float32)
                v.assign_add(x * 0.01)
                return total + at

            for size in range(4):
                with tf.GradientTape() as tape:
                    y = step(tf.constant(np.full([16], size, np.float32)))
                tape.gradient(y, v)


def sessions(turn):
    """Graphs with training steps, each in a session of its own: half of them are compiled, half of them closed."""
    for at in range(4):
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [None, 8])
            w = tf.get_variable("w", [8, 8])
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - x))
            train = tf.train.AdamOptimizer().minimize(loss)
            session = tf.Session(tier="xla" if at % 2 else None)
            session.run(tf.global_variables_initializer())
            for size in (2, 3, 4):
                session.run([train, loss], {x: np.ones([size, 8], np.float32)})
            if at < 2:
                session.close()
            del session


def datasets(turn):
    """Pipelines with threads, Python functions and shuffles, drawn in a session and eagerly, some not to their ends."""
    def pipeline(count):
        numbers = tf.data.Dataset.range(count).map(lambda x: x + 1, num_parallel_calls=2).filter(lambda x: x > 3)
        python = tf.data.Dataset.range(count).map(lambda x: tf.py_func(lambda v: v, [x], tf.int64))
        return tf.data.Dataset.zip((numbers, python)).shuffle(10).repeat(2).batch(4).prefetch(2)

    with tf.Graph().as_default(), tf.Session() as session:
        element = tf.data.make_one_shot_iterator(pipeline(100)).get_next()
        for _ in range(20):
            session.run(element)
    with EAGER.as_default():
        for at, _ in enumerate(pipeline(40)):
            if at > 5 and turn % 2:
                break


SCENES = (train_and_evaluate, functions, sessions, datasets)


def soak(minutes, scenes=SCENES, told=print):
    """Repeats the scenes for so long; returns the memory at the end of each minute, and the threads that are left."""
    before = {thread.ident for thread in threading.enumerate()}
    start, found, turns = time.monotonic(), [], collections.Counter()
    tf.logging.set_verbosity(tf.logging.ERROR)
    while len(found) < minutes:
        for scene in scenes:
            scene(turns[scene.__name__])
            turns[scene.__name__] += 1
        if time.monotonic() - start > 60 * (len(found) + 1):
            found.append(memory())
            told(f"minute {len(found)}: {found[-1] / MIB:.2f} MiB, {sum(turns.values())} scenes, "
                 f"{threading.active_count()} threads")
    return found, [thread for thread in threading.enumerate() if thread.ident not in before]


def growth(found):
    """How much memory grew after the first sixth: from the median of the next sixth to that of the last one."""
    part = max(1, len(found) // 6)
    return statistics.median(found[-part:]) - statistics.median(found[part:2 * part])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--scenes", nargs="*", choices=[scene.__name__ for scene in SCENES])
    options = parser.parse_args()
    chosen = [scene for scene in SCENES if not options.scenes or scene.__name__ in options.scenes]
    found, left = soak(options.minutes, chosen, told=lambda line: print(line, flush=True))
    grown = growth(found)
    gc.collect()
    print(f"{options.minutes} minutes: memory grew by {grown / MIB:.2f} MiB after the first sixth; threads: {left}")
    raise SystemExit(grown > MIB)


if __name__ == "__main__":
    main()
