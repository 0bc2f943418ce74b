"""Branches of conditionals that could not run: the predicate keeps them from it, also while the graph is built."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import TIERS

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


@TIERS
def test_tensors_of_a_branch_that_are_used_outside(tier):
    """As losses and summaries are that a branch adds to collections."""
    x, taken, kept = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.bool, []), []

    def branch():
        kept.append(x * 3.0)
        tf.losses.add_loss(tf.reduce_sum(kept[0]))
        tf.cond(taken, lambda: kept.append(kept[0] + 1.0) or kept[1], lambda: x)
        tf.summary.scalar("sum", tf.reduce_sum(kept[0]))
        return kept[0]

    y = tf.cond(taken, branch, lambda: x)
    summary, total = tf.summary.merge_all(), tf.losses.get_total_loss()
    slope, = tf.gradients(tf.reduce_sum(kept[0] ** 2) + total, x)
    with tf.Session(tier=tier) as session:
        feeds = {x: [1.0, 2.0], taken: True}
        assert session.run([total, kept[0] - y, y + kept[1]], feeds)[0] == 9.0
        assert session.run(kept[0] + kept[1], feeds).tolist() == [7.0, 13.0]
        assert session.run(slope, feeds).tolist() == [21.0, 39.0]
        assert b"sum" in session.run(summary, feeds)
        assert session.run(y, {x: [1.0, 2.0], taken: False}).tolist() == [1.0, 2.0]
        for tensor in (total, kept[1] * 2.0, slope):
            with pytest.raises(tf.errors.InvalidArgumentError, match="not have a value: its branch of cond was not"):
                session.run(tensor, {x: [1.0, 2.0], taken: False})


@TIERS
def test_tensors_of_a_switch_that_are_used_outside(tier):
    index, kept = tf.placeholder(tf.int32, []), []
    branches = [lambda i=i: kept.append(tf.constant(i) * 2) or kept[-1] for i in range(3)]
    chosen = tf.switch_case(index, branches)
    v = tf.Variable(5)
    keep = tf.assign(v, kept[1] + chosen)
    with tf.Session(tier=tier) as session:
        session.run(v.initializer)
        for at in (0, 2):
            with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
                session.run(keep, {index: at})
        assert session.run(v) == 5
        assert session.run([keep, chosen, kept[2] + 1][:2], {index: 1}) == [4, 2]


USES = {
    "op": (lambda tensor: tf.add(tensor, 1), "Cannot use 'while/.*' outside of the while loop"),
    "list": (lambda tensor: tf.stack([tf.constant(1), tensor]), "Cannot use 'while/.*' outside of the while loop"),
    "cond": (lambda tensor: tf.cond(tf.less(1, 2), lambda: tensor + 1, lambda: 0), "not in a graph around"),
    "loop": (lambda tensor: tf.while_loop(lambda i: i < 3, lambda i: i + tensor, [0]), "not in a graph around"),
}


@pytest.mark.parametrize("name", USES)
def test_tensors_of_a_loop_are_not_used_outside(name):
    kept, (use, message) = [], USES[name]
    tf.while_loop(lambda i: i < 3, lambda i: kept.extend([tf.constant(1), i * 2]) or i + 1, [0])
    for tensor in kept:
        with pytest.raises(ValueError, match=message):
            use(tensor)


class Alone(NamedTuple):
    value: Any


def test_a_branch_of_one_tensor_in_a_named_tuple(session):
    pred = tf.constant(True)
    branches = [lambda: Alone(tf.constant(1)), lambda: Alone(tf.constant(2))]
    assert session.run([tf.cond(pred, *branches), tf.cond(pred, *branches, strict=True)]) == [1, Alone(1)]
