"""stop_gradients: tensors that count as constants, also those that are differentiated by."""

import evergraph as tf


def slopes(ys, xs, **options):
    with tf.Session() as session:
        return session.run(tf.gradients(ys, xs, **options))


def test_partial_derivatives():
    a = tf.constant(0.0)
    b = 2 * a
    assert slopes(a + b, [a, b]) == [3.0, 1.0]
    assert slopes(a + b, [a, b], stop_gradients=[a, b]) == [1.0, 1.0]


def test_a_constant_in_between():
    x = tf.constant(3.0)
    y = x * x
    assert slopes(y * x, [x], stop_gradients=[y]) == [9.0]
    assert slopes(y * x, [x, y], stop_gradients=[y]) == [9.0, 3.0]
