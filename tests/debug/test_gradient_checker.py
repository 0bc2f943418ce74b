"""tf.test.compute_gradient finds gradients that are right, and those that are not."""

import contextlib

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER

pytestmark = pytest.mark.usefixtures("session")


def test_right_gradients():
    x = tf.constant(np.arange(1, 7).reshape(2, 3), tf.float64)
    y = tf.matmul(x * x, tf.constant([[1.0], [2.0], [3.0]], tf.float64))
    ours, differences = tf.test.compute_gradient(x, [2, 3], y, [2, 1], x_init_value=np.ones((2, 3)))
    assert ours.shape == differences.shape == (6, 2)
    assert tf.test.compute_gradient_error(x, [2, 3], y, [2, 1]) < 1e-6


def test_wrong_gradients():
    @tf.custom_gradient
    def wrong(x):
        return x * x, lambda dy: dy * x

    x = tf.constant([1.0, 2.0])
    assert tf.test.compute_gradient_error(x, [2], wrong(x), [2], x_init_value=np.float32([1, 2])) > 0.9


def test_several_xs_and_rows():
    table, scale = tf.constant(np.ones((3, 2))), tf.constant(2.0, tf.float64)
    y = tf.gather(table, [0, 2, 0]) * scale
    pairs = tf.test.compute_gradient([table, scale], [[3, 2], []], y, [3, 2])
    for ours, differences in pairs:
        np.testing.assert_allclose(ours, differences, atol=1e-6)


def test_integers_have_none():
    with pytest.raises(ValueError, match="no gradient"):
        tf.test.compute_gradient(tf.constant(1), [], tf.constant(1.0), [])


def test_jacobians_of_a_function():
    x, y = np.float64([1.0, 2.0]), np.float64([[3.0, 4.0]])
    exact, measured = tf.compat.v2.test.compute_gradient(lambda a, b: tf.reduce_sum(a * b, axis=1), [x, y])
    np.testing.assert_allclose(exact[0], [[3, 4]])
    np.testing.assert_allclose(exact[1], [[1, 2]])
    for one, other in zip(exact, measured):
        np.testing.assert_allclose(one, other, rtol=1e-6)
    with pytest.raises(ValueError, match="list"):
        tf.compat.v2.test.compute_gradient(tf.sin, x)


def test_an_empty_gradient_must_have_the_right_shape():
    @tf.custom_gradient
    def turned(x):
        return tf.identity(x), lambda dy: tf.transpose(dy)

    x = tf.placeholder(tf.float32)
    with pytest.raises(ValueError, match="wrong shape"):
        tf.test.compute_gradient(x, (0, 3), turned(x), (0, 3))
    assert tf.test.compute_gradient_error(x, (0, 3), tf.identity(x), (0, 3)) == 0


def test_one_slope_that_is_not_a_number_is_the_largest_difference():
    x, y = tf.constant([1.0]), tf.constant([2.0])
    with tf.Session():
        odd = y * x + 0.0 * tf.sqrt(y - 2.0)
        assert np.isnan(tf.test.compute_gradient_error([x, y], [[1], [1]], odd, [1], [[1.0], [2.0]]))


@pytest.mark.parametrize("is_eager", [False, True])
def test_complex_numbers_count_twice_in_jacobians_of_functions(is_eager):
    with EAGER.as_default() if is_eager else contextlib.nullcontext():
        x = tf.constant(0.5 - 2.0j, tf.complex64)
        (ours,), (differences,) = tf.compat.v2.test.compute_gradient(tf.conj, [x])
    assert ours.tolist() == [[1, 0], [0, -1]]
    np.testing.assert_allclose(differences, ours, rtol=1e-3)
