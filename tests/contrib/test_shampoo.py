"""tf.contrib.opt.ShampooOptimizer, against powers of matrices in NumPy."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.opt.shampoo import matrix_inverse_pth_root, matrix_square_root
from tests.harness.session import KINDS, evaluated

RANDOM = np.random.RandomState(5)


def power(matrix, alpha):
    values, vectors = np.linalg.eigh(matrix + 1e-4 * np.eye(len(matrix)))
    return vectors * values ** alpha @ vectors.T


def moved(shape, gradients, resource=False, **options):
    """The variable after each step."""
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        var = tf.Variable(tf.zeros(shape), use_resource=resource)
        grad = tf.placeholder(tf.float32, shape)
        train = tf.contrib.opt.ShampooOptimizer(step, **options).apply_gradients([(grad, var)], step)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            found = []
            for each in gradients:
                session.run(train, {grad: each})
                found.append(session.run(var))
            return found


@KINDS
@pytest.mark.parametrize("shape", [[6], [4, 3], [2, 3, 4]])
def test_each_axis_has_a_matrix(shape, resource):
    gradients = RANDOM.rand(2, *shape)
    found = moved(shape, gradients, resource)
    wanted, moments = np.zeros(shape), [np.zeros([size, size]) for size in shape]
    for each, after in zip(gradients, found):
        step = each
        for axis, size in enumerate(shape):
            others = [other for other in range(len(shape)) if other != axis]
            moments[axis] = moments[axis] + np.tensordot(each, each, (others, others)) / size
            step = np.moveaxis(np.tensordot(step, power(moments[axis], -0.5 / len(shape)), ([axis], [0])), -1, axis)
        wanted = wanted - step
        np.testing.assert_allclose(after, wanted, rtol=2e-3, atol=2e-3)


def test_long_axes_have_a_diagonal():
    [after] = moved([6], RANDOM.rand(1, 6) + 0.1, max_matrix_size=5)
    np.testing.assert_allclose(after, -1, rtol=1e-5)
    gradient = RANDOM.rand(6, 2) + 0.1
    [after] = moved([6, 2], [gradient], max_matrix_size=5)
    left = ((gradient ** 2).sum(1, keepdims=True) / 6) ** -0.25
    np.testing.assert_allclose(after, -(gradient * left) @ power(gradient.T @ gradient / 2, -0.25), rtol=1e-3)


def test_averages_and_intervals():
    first, second = np.float32([1, 2]), np.float32([3, 1])
    found = moved([2], [first, second], svd_interval=2, precond_update_interval=2, gbar_decay=0.5, gbar_weight=2.0,
                  learning_rate=0.1)
    np.testing.assert_allclose(found[0], -0.2 * first, rtol=1e-6)
    average = first + 2 * second
    step = power(np.outer(second, second), -0.5) @ average
    np.testing.assert_allclose(found[1], found[0] - 0.1 * step, rtol=1e-3)


def test_powers():
    rows = RANDOM.rand(5, 5)
    matrix = rows @ rows.T
    np.testing.assert_allclose(evaluated(matrix_square_root(matrix, 5)) @ evaluated(matrix_square_root(matrix, 5)),
                               matrix, rtol=1e-6)
    root = evaluated(matrix_inverse_pth_root(matrix + np.eye(5), 5, -0.5))
    np.testing.assert_allclose(root @ root @ (matrix + np.eye(5)), np.eye(5), atol=1e-4)


def test_rows_of_a_table():
    with tf.Graph().as_default():
        table = tf.Variable(tf.zeros([4, 2]))
        train = tf.contrib.opt.ShampooOptimizer(max_matrix_size=3).minimize(tf.reduce_sum(tf.gather(table, [1, 1])))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(train)
            after = session.run(table)
    assert (after[1] < 0).all() and (after[[0, 2, 3]] == 0).all()
