"""Operators with a dense matrix: tf.linalg.LinearOperatorFullMatrix and LinearOperatorLowerTriangular."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.frontend import array, ordering
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul
from evergraph.frontend.reduce import reduce_prod, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg.batches import adjoint_if, operand, require_rank, solve_triangular
from evergraph.linalg.operator import LinearOperator
from evergraph.linalg.spectra import assert_no_zero, log_abs
from evergraph.ops.arrays.diagonal import matrix_band_part

FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)


def require_float(x, what):
    if x.dtype.base_dtype not in FLOATS:
        raise TypeError(f"Argument {what} must have one of the dtypes {[each.name for each in FLOATS]}. Found: "
                        f"{x.dtype.name}")


class LinearOperatorFullMatrix(LinearOperator):
    """A dense matrix as an operator.

    Args:
        matrix: [B1, ..., Bb, M, N].
        is_non_singular: see `tf.linalg.LinearOperator`, as the other hints.
        is_self_adjoint: together with `is_positive_definite`, selects the Cholesky solver.
        is_positive_definite: see there.
        is_square: see there.
        name: a name for the operator.

    Raises:
        TypeError: the dtype is not floating-point, real or complex.
    """

    def __init__(self, matrix, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name="LinearOperatorFullMatrix"):
        with name_scope(name, values=[matrix]):
            self._matrix = operand(matrix, name="matrix")
        require_rank(self._matrix, 2, "matrix")
        require_float(self._matrix, "matrix")
        super().__init__(self._matrix.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                         name)

    def _shape(self):
        return self._matrix.shape

    def _shape_tensor(self):
        return array.shape(self._matrix)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self):
        return convert_to_tensor(self._matrix)


class LinearOperatorLowerTriangular(LinearOperator):
    """A lower triangular matrix, solved by substitution.

    Args:
        tril: [B1, ..., Bb, N, N]; entries above the diagonal are ignored.
        is_non_singular: see `tf.linalg.LinearOperator`, as the other hints.
        is_self_adjoint: true only for a diagonal matrix; not used.
        is_positive_definite: see there.
        is_square: always true.
        name: a name for the operator.

    Raises:
        ValueError: `is_square` is False.
    """

    def __init__(self, tril, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name="LinearOperatorLowerTriangular"):
        if is_square is False:
            raise ValueError("Only square lower triangular operators are supported.")
        with name_scope(name, values=[tril]):
            self._given = operand(tril, name="tril")
        require_rank(self._given, 2, "tril")
        require_float(self._given, "tril")
        super().__init__(self._given.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    def _lower(self):
        return matrix_band_part(self._given, -1, 0)

    def _diagonal(self):
        return ordering.matrix_diag_part(self._given)

    def _shape(self):
        return self._given.shape

    def _shape_tensor(self):
        return array.shape(self._given)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return matmul(self._lower(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return solve_triangular(self._lower(), adjoint_if(adjoint_arg, rhs), adjoint=adjoint)

    def _determinant(self):
        return reduce_prod(self._diagonal(), axis=[-1])

    def _log_abs_determinant(self):
        return reduce_sum(log_abs(self._diagonal(), self.dtype), axis=[-1])

    def _to_dense(self):
        return self._lower()

    def _assert_non_singular(self):
        return assert_no_zero(self._diagonal(), "Singular operator: the diagonal contains zero.")
