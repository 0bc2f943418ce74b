"""Programs of a few lines that use most of evergraph, to see that it works on this machine."""

from __future__ import annotations

import importlib
import os
import tempfile
from typing import Any

import numpy as np

tf: Any = importlib.import_module("evergraph")


def trains() -> str:
    """Fits a plane, compiled; raises when the loss does not fall."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        x = np.linspace(-1, 1, 60, dtype=np.float32).reshape(20, 3)
        loss = tf.reduce_mean(tf.square(tf.layers.dense(tf.constant(x), 1) - x.sum(1, keepdims=True)))
        step = tf.train.AdamOptimizer(0.1).minimize(loss)
        session.run(tf.global_variables_initializer())
        before = session.run(loss)
        for _ in range(30):
            session.run(step)
        after = session.run(loss)
    if not after < before:
        raise RuntimeError(f"the loss of a small model went from {before} to {after} in 30 steps")
    return "30 steps of training"


def saves() -> str:
    """Writes a checkpoint and restores it."""
    with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default(), tf.Session() as session:
        held = tf.get_variable("held", initializer=np.arange(6.0))
        saver = tf.train.Saver()
        session.run(held.initializer)
        prefix = saver.save(session, os.path.join(folder, "model"))
        session.run(held.assign(np.zeros(6)))
        saver.restore(session, prefix)
        if not np.array_equal(session.run(held), np.arange(6.0)):
            raise RuntimeError("a checkpoint came back with other values")
    return "a checkpoint"


def reads() -> str:
    """Reads a dataset of strings, mapped and batched."""
    with tf.Graph().as_default(), tf.Session() as session:
        lines = tf.data.Dataset.from_tensor_slices(["1 2", "3 4", "5 6"])
        numbers = lines.map(lambda line: tf.strings.to_number(tf.string_split([line]).values)).batch(3)
        total = session.run(tf.reduce_sum(numbers.make_one_shot_iterator().get_next()))
    if total != 21:
        raise RuntimeError(f"a dataset of strings adds up to {total}, not 21")
    return "a dataset"
