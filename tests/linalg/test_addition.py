"""Sums of linear operators, and the solvers and checks of `linear_operator_util`."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.linalg import addition
from tests.harness.session import run

L = tf.linalg
LOWER = np.float32([[2, 0], [1, 3]])
FULL = np.float32([[2, 1], [1, 3]])


@pytest.mark.parametrize("operators, kind, matrix", [
    (lambda: [L.LinearOperatorIdentity(2), L.LinearOperatorScaledIdentity(2, 2.0)], "ScaledIdentity", 3 * np.eye(2)),
    (lambda: [L.LinearOperatorDiag([1.0, 2.0]), L.LinearOperatorScaledIdentity(2, 2.0)], "Diag", np.diag([3, 4])),
    (lambda: [L.LinearOperatorDiag([1.0, 2.0]), L.LinearOperatorLowerTriangular(LOWER)], "LowerTriangular",
     [[3, 0], [1, 5]]),
    (lambda: [L.LinearOperatorLowerTriangular(LOWER), L.LinearOperatorFullMatrix(FULL), L.LinearOperatorIdentity(2)],
     "FullMatrix", [[5, 1], [2, 7]]),
])
def test_a_sum_is_of_the_simplest_kind(operators, kind, matrix):
    (found,) = addition.add_operators(operators())
    assert type(found).__name__ == f"LinearOperator{kind}"
    np.testing.assert_array_equal(run(found.to_dense()), matrix)


def test_a_sum_of_positive_definite_operators_is_not_singular():
    one = L.LinearOperatorDiag([1.0, 2.0], is_positive_definite=True)
    (both,) = addition.add_operators([one, L.LinearOperatorIdentity(2)], operator_name="both")
    assert both.is_positive_definite and both.is_non_singular and both.name == "both"
    assert addition.add_operators([one]) == [one]


@pytest.mark.parametrize("operators, error, told", [
    (lambda: [], ValueError, "at least one"),
    (lambda: [1, 2], TypeError, "only LinearOperator"),
    (lambda: [L.LinearOperatorIdentity(2), L.LinearOperatorIdentity(3)], ValueError, "same range dimension"),
    (lambda: [L.LinearOperatorDiag(np.ones([2, 3])), L.LinearOperatorDiag(np.ones([4, 3]))], ValueError,
     "broadcast"),
])
def test_sums_are_refused(operators, error, told):
    with pytest.raises(error, match=told):
        addition.add_operators(operators())


@pytest.mark.parametrize("lower, adjoint", [(True, False), (True, True), (False, False)])
def test_batches_of_both_sides_broadcast(lower, adjoint):
    matrix = LOWER if lower else LOWER.T
    rhs = np.random.RandomState(0).randn(3, 2, 1).astype(np.float32)
    found = run(addition.matrix_triangular_solve_with_broadcast(matrix, rhs, lower=lower, adjoint=adjoint))
    np.testing.assert_allclose((matrix.T if adjoint else matrix) @ found, rhs, rtol=1e-5, atol=1e-6)


def test_checks_fail_when_they_run():
    run(addition.assert_no_entries_with_modulus_zero([1.0, -2.0]))
    run(addition.assert_zero_imag_part(np.complex64([1, 2])))
    with pytest.raises(tf.errors.InvalidArgumentError, match="a zero"):
        run(addition.assert_no_entries_with_modulus_zero([1.0, 0.0], message="a zero"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="not real"):
        run(addition.assert_zero_imag_part(np.complex64([1, 2j]), message="not real"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="not compatible"):
        run(addition.assert_compatible_matrix_dimensions(L.LinearOperatorIdentity(2), tf.ones([3, 1])))
