"""Functions with the arguments that they took before TensorFlow 1.0: both orders mean what they say."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.frontend import old_arguments as old
from tests.harness.session import run

ROWS = [[1, 2], [3, 4]]
SCORES = np.arange(8, dtype=np.float32).reshape([2, 1, 4])


def both(one, other):
    one, other = run([one, other])
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("call", [
    lambda: old.concat(1, [ROWS, ROWS]), lambda: old.concat(concat_dim=1, values=[ROWS, ROWS]),
    lambda: old.concat(tf.constant(1), [ROWS, ROWS]), lambda: old.concat([ROWS, ROWS], 1),
    lambda: old.concat(values=[ROWS, ROWS], axis=1),
])  # fmt: skip
def test_concat(call):
    both(call(), tf.concat([ROWS, ROWS], 1))


@pytest.mark.parametrize("call", [
    lambda: old.split(1, 2, ROWS), lambda: old.split(split_dim=1, num_split=2, value=ROWS),
    lambda: old.split(1, num_split=2, value=ROWS), lambda: old.split(ROWS, 2, 1),
    lambda: old.split(value=ROWS, num_or_size_splits=[1, 1], axis=1),
])  # fmt: skip
def test_split(call):
    both(call(), tf.split(ROWS, 2, 1))


@pytest.mark.parametrize("call", [
    lambda: old.reverse(ROWS, [False, True]), lambda: old.reverse(ROWS, dims=[False, True]),
    lambda: old.reverse(ROWS, [1]), lambda: old.reverse(tensor=ROWS, axis=[1]),
])  # fmt: skip
def test_reverse(call):
    both(call(), tf.reverse(ROWS, [1]))


def test_resize_images():
    images = np.arange(16.0).reshape([1, 4, 4, 1])
    both(old.resize_images(images, 2, 3, 1), tf.image.resize_images(images, [2, 3], 1))
    both(old.resize_images(images, new_height=2, new_width=3), old.resize_images(images, [2, 3]))


@pytest.mark.parametrize("ours, theirs", [
    (old.nce_loss, tf.nn.nce_loss), (old.sampled_softmax_loss, tf.nn.sampled_softmax_loss),
])  # fmt: skip
def test_sampled_losses(ours, theirs):
    weights, biases = np.eye(4, 3, dtype=np.float32), np.arange(4, dtype=np.float32)
    inputs, labels = np.ones([2, 3], np.float32), np.array([[1], [2]])
    drawn = tf.constant([3], tf.int64), tf.constant([[0.5], [0.5]]), tf.constant([0.5])
    wanted = theirs(weights, biases, labels, inputs, 1, 4, sampled_values=drawn)
    both(ours(weights, biases, inputs, labels, 1, 4, sampled_values=drawn), wanted)
    both(ours(weights, biases, labels, inputs, 1, 4, sampled_values=drawn), wanted)


def test_ctc_loss():
    labels = tf.SparseTensor([[0, 0]], [1], [1, 1])
    wanted = tf.nn.ctc_loss(labels, SCORES, [2])
    both(old.ctc_loss(SCORES, labels, [2]), wanted)
    both(old.ctc_loss(labels=labels, inputs=SCORES, sequence_length=[2]), wanted)
