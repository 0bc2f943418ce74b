"""Linear algebra at values that LAPACK is not made for."""

import subprocess
import sys

import numpy as np
import pytest

import evergraph as tf


@pytest.mark.parametrize("tier", ["numpy", "xla"])
@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan])
def test_least_squares_of_a_matrix_that_is_not_finite(tier, odd):
    """LAPACK searches for singular values of infinity without end; TensorFlow gives zeros."""
    matrix = np.random.RandomState(0).rand(2, 3, 3).astype(np.float32)
    matrix[0, 0, 0] = odd
    solved = tf.matrix_solve_ls(tf.constant(matrix), np.ones((2, 3, 1), np.float32), fast=False)
    with tf.Session(tier=tier) as session:
        found = session.run(solved)
    assert not found[0].any()
    np.testing.assert_allclose(matrix[1] @ found[1], np.ones((3, 1)), rtol=1e-3)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_singular_values_of_a_matrix_that_is_not_finite(tier):
    """LAPACK searches for them without end; the other matrices of the stack are decomposed."""
    matrices = np.stack([np.full((2, 2), np.inf), np.diag([3.0, 2.0])])
    values = tf.svd(tf.constant(matrices), compute_uv=False)
    with tf.Session(tier=tier) as session:
        np.testing.assert_allclose(session.run(values), [[np.nan, np.nan], [3, 2]])


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_exponential_of_an_infinite_matrix_ends(tier):
    with tf.Session(tier=tier) as session:
        found = session.run(tf.linalg.expm(tf.constant([[[np.inf, 0], [0, 1]], [[0, 0], [0, 0]]], tf.float64)))
    assert np.isnan(found[0]).any()
    np.testing.assert_array_equal(found[1], np.eye(2))


def test_square_root_that_is_not_real():
    """As in Eigen, a real matrix without a real square root gives NaN, not the real part of a complex one."""
    with tf.Session() as session:
        found = session.run(tf.linalg.sqrtm(tf.constant([[[-1.0, 0.0], [0.0, 1.0]], [[4.0, 0.0], [0.0, 9.0]]])))
    assert np.isnan(found[0]).all()
    np.testing.assert_allclose(found[1], [[2, 0], [0, 3]], rtol=1e-6)


@pytest.mark.parametrize("function", [tf.linalg.logm, tf.linalg.sqrtm])
@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan, 0.0])
def test_functions_of_matrices_that_are_infinite_or_singular_end(function, number):
    given = tf.constant([[[1, number], [0, number]], [[1, 0], [0, 1]]], tf.complex128)
    with tf.Session() as session:
        bad, unit = session.run(function(given))
    assert np.isnan(bad).all() or (function, number) == (tf.linalg.sqrtm, 0)
    np.testing.assert_allclose(unit, np.zeros([2, 2]) if function == tf.linalg.logm else np.eye(2))


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_diagonals_are_not_read_outside_of_the_matrix(tier):
    nan, ones = np.nan, np.ones((3, 1))
    product = tf.linalg.tridiagonal_matmul(tf.constant([[1, 1, nan], [2, 2, 2], [nan, 1, 1]], tf.float64), ones)
    with tf.Session(tier=tier) as session:
        np.testing.assert_array_equal(session.run(product), [[3], [4], [3]])


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_decomposing_a_singular_matrix(tier):
    with tf.Session(tier=tier) as session, pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        session.run(tf.linalg.lu(tf.zeros([2, 2])))


MANY_AT_ONCE = """
import numpy as np
import evergraph as tf

x = tf.placeholder(tf.float32, [16, 64, 64])
matrices = [tf.matmul(x, x, transpose_b=True) + (64.0 + i) * tf.eye(64) for i in range(4)]
diagonals = [tf.linalg.tridiagonal_solve(m[:, :3], m[:, 0, :, None], "compact") for m in matrices]
fetches = [[tf.cholesky(m), tf.matrix_inverse(m), tf.qr(m)[0]] for m in matrices] + diagonals
with tf.Session(tier="xla") as session:
    for _ in range(30):
        session.run(fetches, {x: np.random.RandomState(0).randn(16, 64, 64)})
"""


def test_as_many_decompositions_at_once_as_there_are_threads():
    """Versions of jaxlib wait without end for threads that are waiting, too."""
    subprocess.run([sys.executable, "-c", MANY_AT_ONCE], check=True, timeout=120)
