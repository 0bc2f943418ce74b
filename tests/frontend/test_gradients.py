"""Functions that change what a gradient is (recompute_grad, grad_pass_through), and Jacobians."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.frontend.gradients import batch_jacobian, jacobian

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


def test_jacobians_have_a_row_for_each_element(session):
    x, scale = tf.constant(X), tf.constant(3.0)
    by_x, by_scale, by_none = jacobian(tf.sin(x) * scale, [x, scale, tf.constant(1.0)])
    np.testing.assert_allclose(session.run(by_x), np.diag(3 * np.cos(X)), rtol=1e-6)
    np.testing.assert_allclose(session.run(by_scale), np.sin(X), rtol=1e-6)
    assert by_none is None


def test_jacobians_of_rows_need_no_batch_size(session):
    x = tf.placeholder(tf.float32, [None, 2])
    weights = np.float32([[1, 2, 3], [4, 5, 6]])
    found = batch_jacobian(tf.matmul(x, weights), x)
    np.testing.assert_allclose(session.run(found, {x: np.ones([5, 2])}), np.tile(weights.T, [5, 1, 1]))
    assert batch_jacobian(tf.ones([4, 1]), x) is None
    with pytest.raises(ValueError, match="Need first dimension"):
        batch_jacobian(tf.ones([4, 1]), tf.ones([3, 1]))
