"""Sums of linear operators, and the checks and solvers that programs import from `linear_operator_util`."""
from __future__ import annotations

import functools

from evergraph.base import errors
from evergraph.frontend import array, checks, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import group
from evergraph.frontend.matmul import matmul
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg import batches
from evergraph.linalg.diagonal import LinearOperatorDiag
from evergraph.linalg.full_matrix import LinearOperatorFullMatrix, LinearOperatorLowerTriangular
from evergraph.linalg.hints import all_true
from evergraph.linalg.identity import LinearOperatorIdentity, LinearOperatorScaledIdentity
from evergraph.linalg.operator import LinearOperator
from evergraph.ops.math import linalg

_IDENTITIES = (LinearOperatorIdentity, LinearOperatorScaledIdentity)


def add_operators(operators, operator_name=None, addition_tiers=None, name=None):
    """The sum of operators as a list of one operator: scaled identity, diagonal, lower triangular or a full matrix.

    Args:
        operators: operators with the same sizes and with batch shapes that broadcast.
        operator_name: a name for the sum.
        addition_tiers: only None: the sum is of the first of those kinds that can hold it.
        name: a name scope.

    Raises:
        TypeError: one of them is no operator.
        ValueError: there are none, or their shapes do not fit.
        UnimplementedError: `addition_tiers` is given.
    """
    if addition_tiers is not None:
        raise errors.UnimplementedError(None, None, "add_operators with addition_tiers: only the default ones are here")
    operators = list(operators)
    if not operators:
        raise ValueError("a sum must contain at least one operator; operators is empty")
    for each in operators:
        if not isinstance(each, LinearOperator):
            raise TypeError(f"operators must contain only LinearOperator objects, got {each!r}")
    _require_equal_sizes(operators)
    if len(operators) == 1:
        return operators
    with name_scope(name or "add_operators"):
        return [_sum(operators, operator_name or f"Add/{'__'.join(each.name for each in operators)}/")]


def _require_equal_sizes(operators):
    for what in ("range", "domain"):
        sizes = {getattr(each, f"{what}_dimension").value for each in operators} - {None}
        if len(sizes) > 1:
            raise ValueError(f"what is added must have the same {what} dimension, got {sorted(sizes)}")
    batches.common_shape([each.batch_shape for each in operators])


def _sum(operators, name):
    hints = {hint: all_true(operators, hint) for hint in ("is_self_adjoint", "is_positive_definite", "is_square")}
    hints["is_non_singular"] = hints["is_positive_definite"]
    if all(isinstance(each, _IDENTITIES) for each in operators):
        multipliers = [array.ones([], each.dtype) if isinstance(each, LinearOperatorIdentity) else each.multiplier
                       for each in operators]
        return LinearOperatorScaledIdentity(operators[0].range_dimension_tensor(), _added(multipliers), name=name,
                                            **hints)
    if all(isinstance(each, (*_IDENTITIES, LinearOperatorDiag)) for each in operators):
        return LinearOperatorDiag(_added([each.diag_part() for each in operators]), name=name, **hints)
    kinds = (*_IDENTITIES, LinearOperatorDiag, LinearOperatorLowerTriangular)
    kind = LinearOperatorLowerTriangular if all(isinstance(each, kinds) for each in operators) else None
    return (kind or LinearOperatorFullMatrix)(_added([each.to_dense() for each in operators]), name=name, **hints)


def _added(tensors):
    return functools.reduce(lambda a, b: a + b, tensors)


# ---- broadcasting

def broadcast_matrix_batch_dims(batch_matrices, name=None):
    """The matrices with their batch dimensions broadcast to a common shape.

    Raises:
        ValueError: one of them has less than two axes, or the shapes do not broadcast.
    """
    with name_scope(name or "broadcast_matrix_batch_dims"):
        matrices = [convert_to_tensor(each) for each in batch_matrices]
        for each in matrices:
            batches.require_rank(each, 2, "batch_matrices")
        return matrices if len(matrices) < 2 else batches.with_equal_batches(*matrices)


def matmul_with_broadcast(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False,
                          a_is_sparse=False, b_is_sparse=False, name=None):
    """`tf.matmul` of matrices whose batch dimensions broadcast."""
    return matmul(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, a_is_sparse, b_is_sparse, name)


def matrix_solve_with_broadcast(matrix, rhs, adjoint=False, name=None):
    """`tf.linalg.solve` of sides whose batch dimensions broadcast."""
    with name_scope(name or "MatrixSolveWithBroadcast"):
        return batches.solve_with(matrix, rhs, adjoint=adjoint)


def matrix_triangular_solve_with_broadcast(matrix, rhs, lower=True, adjoint=False, name=None):
    """`tf.linalg.triangular_solve` of sides whose batch dimensions broadcast."""
    with name_scope(name or "MatrixTriangularSolve"):
        matrix, rhs = broadcast_matrix_batch_dims([matrix, rhs])
        return linalg.matrix_triangular_solve(matrix, rhs, lower=lower, adjoint=adjoint)


def cholesky_solve_with_broadcast(chol, rhs, name=None):
    """`tf.linalg.cholesky_solve` of sides whose batch dimensions broadcast."""
    with name_scope(name or "CholeskySolveWithBroadcast"):
        return batches.solve_factored(chol, rhs)


# ---- checks

def assert_no_entries_with_modulus_zero(x, message=None, name="assert_no_entries_with_modulus_zero"):
    """An operation that fails where an entry is zero."""
    with name_scope(name, values=[x]):
        size = math.abs(convert_to_tensor(x, name="x"))
        return checks.assert_less(array.zeros([], size.dtype), size, message=message)


def assert_zero_imag_part(x, message=None, name="assert_zero_imag_part"):
    """An operation that fails where an entry has an imaginary part."""
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_complex:
            return group()
        part = math.imag(x)
        return checks.assert_equal(array.zeros([], part.dtype), part, message=message)


def assert_compatible_matrix_dimensions(operator, x):
    """An operation that fails where `operator.matmul(x)` does not fit."""
    told = f"Dimensions are not compatible: the argument must have as many rows as {operator.name} has columns."
    return checks.assert_equal(array.shape(x)[-2], operator.domain_dimension_tensor(), message=told)
