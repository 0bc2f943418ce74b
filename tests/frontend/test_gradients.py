"""Functions that change what a gradient is: recompute_grad, grad_pass_through."""

import numpy as np
import pytest

import evergraph as tf

X = np.float32([1.0, 2.0])


@pytest.mark.parametrize("use_resource", [False, True])
def test_recomputed_gradients_are_those_of_the_function(graph, session, use_resource):
    x = tf.constant(X)
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(3.0), use_resource=use_resource)
    y = tf.recompute_grad(lambda a: tf.sin(a) * w)(x)
    before = sum(op.type == "Sin" for op in graph.get_operations())
    dx, dw = tf.gradients(y, [x, w])
    assert before == 1 and sum(op.type == "Sin" for op in graph.get_operations()) == 2
    session.run(w.initializer)
    np.testing.assert_allclose(session.run(dx), 3 * np.cos(X), rtol=1e-6)
    np.testing.assert_allclose(session.run(dw), np.sin(X).sum(), rtol=1e-6)


def test_gradients_pass_through(session):
    x, w = tf.constant([1.4, 2.6]), tf.Variable(2.0)
    y = tf.grad_pass_through(tf.round)(x)
    np.testing.assert_allclose(session.run(tf.gradients(y * y, x)[0]), [2.0, 6.0])
    scaled = tf.grad_pass_through(lambda a: a * w)(x)
    assert tf.gradients(scaled, w) == [None]
    np.testing.assert_allclose(session.run(tf.gradients(scaled, x)[0]), [1.0, 1.0])


def test_the_time(session):
    now = tf.timestamp()
    assert now.dtype == tf.float64 and now.shape == []
    first = session.run(now)
    assert 1.7e9 < first <= session.run(now)


@pytest.mark.parametrize("function", [tf.exp, tf.identity, lambda x: x * x])
def test_gradients_of_another_shape_are_refused(function):
    x = tf.constant(3.0)
    with pytest.raises(ValueError):
        tf.gradients(function(x), x, grad_ys=[tf.constant([1.0, 2.0])])
