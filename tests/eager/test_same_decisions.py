"""A function and a session's step of the same nodes are stages of the same engine: they get the same decisions."""

import re

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import explain
from tests.harness.tiers import compile_after

ROWS = np.random.RandomState(0).randn(4, 6).astype(np.float32)
SQUARE = np.random.RandomState(1).rand(5, 5).astype(np.float32) + np.eye(5, dtype=np.float32)
IMAGE = np.random.RandomState(2).rand(2, 8, 8, 3).astype(np.float32)
RUNS = 10


def branched(x):
    return tf.cond(tf.reduce_sum(x) > 0, lambda: tf.tanh(x) * 2, lambda: tf.exp(x) - 1)


def looped(x):
    return tf.while_loop(lambda i, _: i < 5, lambda i, y: (i + 1, tf.tanh(y + x)), [0, x])[1]


def masked(x):
    return tf.reduce_sum(tf.boolean_mask(tf.tanh(x), x[:, 0] > 0)) + tf.reduce_mean(tf.exp(x))


def from_python(x):
    y = tf.py_function(lambda value: value * 2, [tf.tanh(x)], tf.float32)
    y.set_shape(x.shape)
    return tf.reduce_sum(tf.exp(y) * x)


def chained(count):
    def chain(x):
        for _ in range(count):
            x = tf.tanh(x) + 0.5
        return x
    return chain


PROGRAMS = {
    "add": (lambda x: x + 1, ROWS), "chain of 3": (chained(3), ROWS), "chain of 8": (chained(8), ROWS),
    "chain of 20": (chained(20), ROWS), "chain of 60": (chained(60), ROWS), "sum": (tf.reduce_sum, ROWS),
    "mean and variance": (lambda x: tf.nn.moments(x, [0])[1], ROWS), "softmax": (tf.nn.softmax, ROWS),
    "log of sums": (tf.reduce_logsumexp, ROWS), "norm": (tf.norm, ROWS), "top": (lambda x: tf.nn.top_k(x, 2)[0], ROWS),
    "argmax": (lambda x: tf.argmax(x, 1), ROWS), "gather": (lambda x: tf.gather(x, [0, 2]), ROWS),
    "transposed": (lambda x: tf.transpose(x) * 2, ROWS), "slices": (lambda x: x[1:, ::2] + x[:-1, 1::2], ROWS),
    "joined": (lambda x: tf.concat([x, tf.exp(x)], 1), ROWS),
    "one hot": (lambda x: tf.one_hot(tf.argmax(x, 1), 6), ROWS),
    "padded": (lambda x: tf.pad(x, [[1, 1], [0, 2]]), ROWS), "sums along": (lambda x: tf.cumsum(x, 1), ROWS),
    "clipped": (lambda x: tf.clip_by_value(x, -1, 1) * x, ROWS), "where": (lambda x: tf.where(x > 0, x, -x), ROWS),
    "product": (lambda x: tf.matmul(x, x), SQUARE), "products": (lambda x: tf.matmul(tf.matmul(x, x), x) + x, SQUARE),
    "inverse": (tf.matrix_inverse, SQUARE), "determinant": (tf.matrix_determinant, SQUARE),
    "convolution": (lambda x: tf.nn.conv2d(x, tf.ones([3, 3, 3, 4]), [1, 1, 1, 1], "SAME"), IMAGE),
    "pooling": (lambda x: tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID"), IMAGE),
    "resized": (lambda x: tf.image.resize_bilinear(x, [4, 4]), IMAGE),
    "branch": (branched, ROWS), "loop": (looped, ROWS),
    "mask": (masked, ROWS), "Python": (from_python, ROWS),
}


@pytest.fixture
def said(monkeypatch):
    lines = []
    monkeypatch.setattr(explain.setting, "is_on", True)
    monkeypatch.setattr(explain, "say", lambda line: lines.append(re.sub(r"stage \S+", "stage", line)))
    return lines


def session_says(build, value, said):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, value.shape)
        y = build(x)
        with tf.Session() as session:
            del said[:]
            results = [session.run(y, {x: value}) for _ in range(RUNS)]
    return results, list(said)


def function_says(build, value, said):
    function = tf.function(build, input_signature=[tf.TensorSpec(value.shape, tf.float32)])
    x = tf.constant(value)
    function.get_concrete_function()
    del said[:]
    return [function(x).numpy() for _ in range(RUNS)], list(said)


@pytest.mark.parametrize("name", PROGRAMS)
def test_decisions(name, said, monkeypatch):
    compile_after(monkeypatch, 6, start=2, load=-12)  # so that some of these programs are compiled on the way
    build, value = PROGRAMS[name]
    expected, by_session = session_says(build, value, said)
    found, by_function = function_says(build, value, said)
    assert by_function == by_session and by_session
    for ours, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, wanted, rtol=1e-5, atol=1e-6)


def test_there_are_thirty_programs_and_both_tiers(said, monkeypatch):
    compile_after(monkeypatch, 6, start=2, load=-12)
    assert len(PROGRAMS) >= 30
    lines = [line for name in ("add", "chain of 20", "mask") for line in function_says(*PROGRAMS[name], said)[1]]
    assert any("XLA" in line for line in lines) and any("no faster" in line for line in lines)
