"""What programs take from the insides of TensorFlow's cells."""

import numpy as np

import evergraph as tf
from evergraph.contrib.rnn.inside import Linear, joined, like_cell


def test_a_matrix_made_once():
    x, y = tf.ones([2, 3]), tf.ones([2, 1])
    with tf.variable_scope("gates"):
        linear = Linear([x, y], 5, True, bias_initializer=tf.constant_initializer(1.0))
    first, second = linear([x, y]), linear([2.0 * x, 2.0 * y])
    assert [v.op.name for v in tf.global_variables()] == ["gates/kernel", "gates/bias"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        kernel, one, two = session.run([tf.global_variables()[0], first, second])
    np.testing.assert_allclose(one, np.ones((2, 4)) @ kernel + 1, rtol=1e-5)
    np.testing.assert_allclose(two, 2 * np.ones((2, 4)) @ kernel + 1, rtol=1e-5)


def test_shapes_put_together():
    assert joined(4, [3, 2], static=True) == [4, 3, 2] and joined(None, 3, static=True) == [None, 3]
    size = tf.placeholder_with_default(7, [])
    assert joined(size, tf.TensorShape([3]), static=True) == [None, 3]
    with tf.Session() as session:
        assert session.run(joined(size, 5)).tolist() == [7, 5]


def test_what_is_a_cell():
    assert like_cell(tf.nn.rnn_cell.GRUCell(3)) and not like_cell(len)
