"""Gradients of TensorArrays that grow while elements of theirs are read, as in networks over trees."""

import numpy as np
import pytest

import evergraph as tf

LEAVES, LEFT, RIGHT = 4, [0, 2, 4], [1, 3, 5]  # inner node number i has two children with smaller numbers


def slope(loss, x, feed, **how):
    with tf.Session(**how) as session:
        return session.run(tf.gradients(loss, x)[0], feed)


def unrolled(rows, pairs):
    """The rows, and one more for each pair of earlier ones."""
    rows = list(rows)
    for left, right in pairs:
        rows.append(tf.tanh(rows[left] + 2.0 * rows[right]))
    return rows


@pytest.mark.parametrize("how", [{}, {"tier": "numpy"}])
def test_elements_that_were_unstacked_and_then_combined_have_gradients(how):
    x = tf.placeholder(tf.float32, [None, 2])
    array = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False).unstack(x)

    def combined(at, array):
        left, right = array.read(tf.gather(LEFT, at)), array.read(tf.gather(RIGHT, at))
        return at + 1, array.write(LEAVES + at, tf.tanh(left + 2.0 * right))
    _, array = tf.while_loop(lambda at, _: at < len(LEFT), combined, [0, array])
    feed = {x: np.linspace(-1.0, 1.0, 8).reshape(4, 2)}
    rows = tf.stack(unrolled(tf.unstack(x, LEAVES), zip(LEFT, RIGHT)))
    found = slope(tf.reduce_sum(tf.square(array.stack())), x, feed, **how)
    assert found.shape == (4, 2)
    np.testing.assert_allclose(found, slope(tf.reduce_sum(tf.square(rows)), x, feed), rtol=1e-5)


@pytest.mark.parametrize("infers", [False, True])
def test_a_network_over_a_tree_has_gradients(infers):
    x, is_leaf = tf.placeholder(tf.float32, [None, 2]), tf.constant([True, True, True, True, False, False, False])
    left, right = tf.constant([0] * 4 + LEFT), tf.constant([0] * 4 + RIGHT)
    array = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False, infer_shape=infers)

    def node(array, at):
        value = tf.cond(tf.gather(is_leaf, at), lambda: tf.gather(x, [at]), lambda: tf.tanh(
            tf.reshape(array.read(tf.gather(left, at)), [1, 2]) +
            2.0 * tf.reshape(array.read(tf.gather(right, at)), [1, 2])))
        return array.write(at, value), at + 1
    array, _ = tf.while_loop(lambda _, at: at < 7, node, [array, 0])
    feed = {x: np.linspace(-1.0, 1.0, 8).reshape(4, 2)}
    rows = tf.stack(unrolled(tf.unstack(x, LEAVES), zip(LEFT, RIGHT)))
    found = slope(tf.reduce_sum(tf.square(array.concat())), x, feed)
    np.testing.assert_allclose(found, slope(tf.reduce_sum(tf.square(rows)), x, feed), rtol=1e-5)


def test_a_loop_over_elements_of_unknown_shape_is_no_mistake_for_the_compiler():
    """While it is traced, no element has been written yet."""
    array = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False, infer_shape=False)
    x = tf.placeholder(tf.float32, [2])

    def body(array, at):
        before = lambda: tf.reshape(array.read(at - 1), [2])
        return array.write(at, tf.cond(at > 0, lambda: 2.0 * before(), lambda: x)), at + 1
    array, _ = tf.while_loop(lambda _, at: at < 3, body, [array, 0])
    y = array.stack()
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(y, {x: [1.0, 2.0]}), [[1.0, 2.0], [2.0, 4.0], [4.0, 8.0]])
    with tf.Session(tier="xla") as session, pytest.raises(tf.errors.UnimplementedError, match="not known yet"):
        session.run(y, {x: [1.0, 2.0]})
