"""Branches of conditionals that could not run: the predicate keeps them from it, also while the graph is built."""

import numpy as np
import pytest

import evergraph as tf

IMPOSSIBLE = {
    "reshape": (lambda x, n: tf.reshape(x, tf.stack([n, 2])), [5, 2]),
    "slice": (lambda x, n: x[n], [4]),
    "fill": (lambda x, n: tf.zeros([n - 9]), [2]),
    "broadcast": (lambda x, n: tf.broadcast_to(x, [n, n]), [2, 2]),
    "pad": (lambda x, n: tf.pad(x, [[0, n - 9], [0, 0]]), [2, 2]),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_branch_that_is_not_taken_may_be_impossible_for_constants_around_it(session, name):
    impossible, shape = IMPOSSIBLE[name]
    x, n = tf.placeholder(tf.float32, [3, 4]), tf.constant(5)
    y = tf.cond(tf.shape(x)[0] > n, lambda: impossible(x, n), lambda: tf.zeros(shape))
    assert session.run(y, {x: np.zeros([3, 4])}).shape == tuple(shape)


def test_a_branch_that_is_taken_fails_when_it_runs(session):
    x, n, taken = tf.zeros([3, 4]), tf.constant(5), tf.placeholder(tf.bool, [])
    y = tf.cond(taken, lambda: tf.reshape(x, [n, 2]), lambda: tf.zeros([5, 2]))
    assert y.shape.as_list() == [None, None]
    with pytest.raises(tf.errors.InvalidArgumentError, match="12 values, but the requested shape has 10"):
        session.run(y, {taken: True})


def test_what_a_branch_itself_says_is_checked_at_once():
    x, taken = tf.zeros([3, 4]), tf.placeholder(tf.bool, [])
    with pytest.raises(ValueError, match="Cannot reshape"):
        tf.cond(taken, lambda: tf.reshape(x, [5, 2]), lambda: tf.zeros([5, 2]))
    with pytest.raises(ValueError, match="Cannot reshape"):
        tf.reshape(x, tf.stack([tf.constant(5), 2]))


@pytest.mark.parametrize("choose, told", [
    (lambda branches: tf.cond(tf.constant(True), *branches), "Tensor mine:0 in true_fn is accessed from false_fn"),
    (lambda branches: tf.switch_case(tf.constant(1), branches), "Tensor mine:0 in branch 0 is accessed from branch 1"),
])  # fmt: skip
def test_a_branch_cannot_use_what_another_one_makes(choose, told):
    held = []

    def make():
        held.append(tf.identity(tf.constant([1.0]), name="mine"))
        return held[0]

    with pytest.raises(ValueError, match=told):
        tf.function(lambda: choose([make, lambda: held[0] + 1.0]))()


def test_outputs_that_a_compiled_branch_does_not_have_cross_to_later_stages():
    """The gradient of batch normalization with a flag takes what both branches keep for it; a mask makes two stages."""
    x, is_training = tf.placeholder(tf.float32, [None, 8, 8, 3]), tf.placeholder_with_default(True, [])
    hidden = tf.layers.batch_normalization(tf.layers.conv2d(x, 4, 3), training=is_training)
    loss = tf.reduce_mean(tf.square(tf.boolean_mask(hidden, hidden[:, 0, 0, 0] > -100.0)))
    slopes = tf.gradients(loss, tf.trainable_variables())
    feed = {x: np.random.RandomState(0).randn(2, 8, 8, 3)}
    with tf.Session(tier="xla") as session, tf.Session(tier="numpy") as other:
        session.run(tf.global_variables_initializer())
        values = session.run(tf.global_variables())
        other.run([tf.assign(variable, value) for variable, value in zip(tf.global_variables(), values, strict=True)])
        for more in ({}, {is_training: True}, {is_training: False}):
            found = [each.run(slopes, feed | more) for each in (session, other)]
            for ours, expected in zip(*found, strict=True):
                np.testing.assert_allclose(ours, expected, rtol=1e-4, atol=1e-5)
