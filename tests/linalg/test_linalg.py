"""Linear algebra at values that LAPACK is not made for."""

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
