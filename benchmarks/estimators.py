"""Rows about tf.estimator: a custom model is trained, evaluated and asked for predictions; the time to a first step."""

import functools
import itertools
import tempfile
import threading
import time

import numpy as np

from benchmarks.rows import STARTED, process, step

BATCH, STEPS = 32, 50


@step("Estimator: train, per step")
def trained(tf):
    return paced(tf, lambda pace: estimator(tf).train(lambda: examples(tf), hooks=[pace]), STEPS)


@step("Estimator: evaluate, per batch")
def evaluated(tf):
    model = estimator(tf).train(lambda: examples(tf), steps=1)
    return paced(tf, lambda pace: model.evaluate(lambda: examples(tf), hooks=[pace]), STEPS)


@step("Estimator: predict, per example")
def predicted(tf):
    predictions = estimator(tf).train(lambda: examples(tf), steps=1).predict(lambda: examples(tf))

    def run():
        return sum(1 for _ in itertools.islice(predictions, STEPS * BATCH))
    return run


@step("Estimator: train_and_evaluate, 10 steps and 10 batches")
def alternated(tf):
    """Trains, saves, evaluates, and goes on training."""
    config = tf.estimator.RunConfig(save_checkpoints_steps=10)

    def work(pace):
        train_spec = tf.estimator.TrainSpec(lambda: examples(tf), max_steps=10**9)
        eval_spec = tf.estimator.EvalSpec(lambda: examples(tf), steps=10, throttle_secs=0, hooks=[pace])
        tf.estimator.train_and_evaluate(estimator(tf, config), train_spec, eval_spec)
    return paced(tf, work, 10, units=1)


@step("Estimator: train() of one step in a new directory")
def trained_anew(tf):
    def run():
        estimator(tf).train(lambda: examples(tf), steps=1)
    return run


@process("Estimator: import to the first step, cold cache", cache="cold")
@process("Estimator: import to the first step, warm cache")
def first_step(tf):
    """The time with that of the import, which one package spends in `import` and the other when a name is used."""
    class Watch(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            ends.append(time.perf_counter())
    ends = []
    estimator(tf).train(lambda: examples(tf), steps=1, hooks=[Watch()])
    return ends[0] - STARTED


def estimator(tf, config=None):
    return tf.estimator.Estimator(functools.partial(model_fn, tf), tempfile.mkdtemp(), config)


def model_fn(tf, features, labels, mode):
    """A classifier with two hidden layers of 64 units."""
    hidden = features["x"]
    for _ in range(2):
        hidden = tf.layers.dense(hidden, 64, tf.nn.relu)
    logits = tf.layers.dense(hidden, 10)
    predictions = {"class": tf.argmax(logits, 1), "probabilities": tf.nn.softmax(logits)}
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train = tf.train.AdamOptimizer(1e-3).minimize(loss, tf.train.get_global_step())
    accuracy = tf.metrics.accuracy(labels, predictions["class"])
    return tf.estimator.EstimatorSpec(mode, predictions, loss, train, {"accuracy": accuracy})


def examples(tf):
    """Vectors of 20 numbers, shuffled, in batches, without end."""
    generator = np.random.RandomState(0)
    slices = {"x": generator.rand(1000, 20).astype(np.float32)}, generator.randint(0, 10, 1000)
    return tf.data.Dataset.from_tensor_slices(slices).shuffle(1000, seed=1).repeat().batch(BATCH).prefetch(1)


def paced(tf, work, runs, units=None):
    """A function that lets `work`, which another thread does, go on for so many runs of its session.

    `work` gets the hook by which it waits, and the process ends in the middle of it.
    """
    go, done = threading.Semaphore(0), threading.Semaphore(0)

    class Pace(tf.train.SessionRunHook):
        left = 0

        def before_run(self, run_context):
            if self.left == 0:
                done.release()
                go.acquire()
                self.left = runs
            self.left -= 1

    threading.Thread(target=work, args=[Pace()], daemon=True).start()
    done.acquire()

    def run():
        go.release()
        done.acquire()
        return units or runs
    return run
