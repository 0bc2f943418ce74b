"""The whole system in two seconds: a graph, a session, a gradient, a variable, a training step."""

import numpy as np
import pytest

import evergraph as tf


def test_a_graph_is_built_before_it_runs(graph):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.add(x, 1.0, name="y")
    assert [op.name for op in graph.get_operations()] == ["x", "y/y", "y"]
    assert y.name == "y:0"
    assert y.dtype == tf.float32
    assert y.shape.as_list() == [None, 2]


def test_a_session_computes_what_is_fetched():
    x = tf.placeholder(tf.float32, [None])
    with tf.Session() as session:
        total, doubled = session.run([tf.reduce_sum(x), 2 * x], feed_dict={x: [1, 2, 3]})
    assert total == 6
    assert doubled.tolist() == [2, 4, 6]


def test_a_gradient_is_a_tensor():
    x = tf.constant([1.0, 2.0, 3.0])
    (gradient,) = tf.gradients(x * x, [x])
    with tf.Session() as session:
        assert session.run(gradient).tolist() == [2, 4, 6]


def test_a_variable_keeps_its_value_between_runs():
    v = tf.Variable([1.0, 2.0])
    increment = tf.assign_add(v, [10.0, 10.0])
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(v)
        session.run(tf.global_variables_initializer())
        session.run(increment)
        session.run(increment)
        assert session.run(v).tolist() == [21, 22]


def test_training_finds_the_line():
    points = np.linspace(-1, 1, 20, dtype=np.float32)
    slope, offset = tf.Variable(0.0), tf.Variable(0.0)
    loss = tf.reduce_mean(tf.square(slope * points + offset - (3 * points + 2)))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(60):
            session.run(train)
        np.testing.assert_allclose(session.run([slope, offset]), [3, 2], atol=1e-3)
