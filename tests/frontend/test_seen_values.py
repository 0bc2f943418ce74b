"""Values that a program sees while it builds its graph: those of few ops, as in TensorFlow 1.15."""

import numpy as np
import pytest

import evergraph as tf


@pytest.mark.parametrize("make, value", [
    (lambda: tf.constant([1, 2]), [1, 2]),
    (lambda: tf.shape(tf.placeholder(tf.float32, [2, 3])), [2, 3]),
    (lambda: tf.size(tf.placeholder(tf.float32, [2, 3])), 6),
    (lambda: tf.rank(tf.placeholder(tf.float32, [2, 3])), 2),
    (lambda: tf.range(3), [0, 1, 2]),
    (lambda: tf.cast(tf.range(3), tf.int64), [0, 1, 2]),
    (lambda: tf.concat([[1], [2]], 0), [1, 2]),
    (lambda: tf.stack([tf.constant(1), tf.rank(tf.zeros([1, 1]))]), [1, 2]),
    (lambda: tf.fill([2], 7), [7, 7]),
    (lambda: tf.equal(tf.constant([1, 2]), [1, 3]), [True, False]),
    (lambda: tf.constant([1, 2]) + 1, None),
    (lambda: tf.reduce_sum(tf.constant([1, 2])), None),
    (lambda: tf.range(3)[1:], None),
    (lambda: tf.stack([tf.constant(1) * 2, 3]), None),
    (lambda: tf.identity(tf.constant(1)), None),
    (lambda: tf.logical_and(True, False), None),
])  # fmt: skip
def test_ops_that_are_looked_through(make, value):
    found = tf.contrib.util.constant_value(make())
    assert (found is None) == (value is None) and (value is None or np.asarray(found).tolist() == value)


@pytest.mark.parametrize("check", [tf.assert_equal, tf.assert_less, tf.assert_greater])
def test_checks_of_what_is_not_seen_wait_for_the_step(session, check):
    x = tf.constant([2, 1])
    op = check(x - 1, tf.constant([0, 1]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="did not hold"):
        session.run(op)
    with pytest.raises(tf.errors.InvalidArgumentError, match="did not hold"):
        check(x, tf.constant([3, 0]))
