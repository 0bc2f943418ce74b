"""tf.linalg.LinearOperatorDiag: diagonal matrices."""
from __future__ import annotations

from evergraph.frontend import array, math, ordering
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.reduce import reduce_prod, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg.batches import adjoint_if, operand, require_rank
from evergraph.linalg.hints import always
from evergraph.linalg.operator import LinearOperator, static_shape
from evergraph.linalg.spectra import assert_no_zero, assert_positive_real, assert_real, log_abs


class LinearOperatorDiag(LinearOperator):
    """A diagonal matrix.

    Args:
        diag: the diagonal, [B1, ..., Bb, N].
        is_non_singular: see `tf.linalg.LinearOperator`, as the other hints.
        is_self_adjoint: always true for a real diagonal.
        is_positive_definite: see there.
        is_square: always true.
        name: a name for the operator.

    Raises:
        ValueError: a hint is impossible, or `diag` is a scalar.
    """

    def __init__(self, diag, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name="LinearOperatorDiag"):
        with name_scope(name, values=[diag]):
            self._diag = operand(diag, name="diag")
        require_rank(self._diag, 1, "diag")
        if not self._diag.dtype.is_complex:
            is_self_adjoint = always(is_self_adjoint, "self adjoint", "A real diagonal operator")
        is_square = always(is_square, "square", "A diagonal operator")
        super().__init__(self._diag.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                         name)

    @property
    def diag(self):
        """The diagonal."""
        return self._diag

    def _shape(self):
        shape = self._diag.shape
        if shape.ndims is None:
            return shape
        return static_shape(shape[:-1], shape.dims[-1], shape.dims[-1])

    def _shape_tensor(self):
        sizes = array.shape(self._diag)
        return array.concat([sizes, sizes[-1:]], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._rows(adjoint) * adjoint_if(adjoint_arg, x)

    def _matvec(self, x, adjoint=False):
        return (math.conj(self._diag) if adjoint else self._diag) * x

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return adjoint_if(adjoint_arg, rhs) * (1.0 / self._rows(adjoint))

    def _solvevec(self, rhs, adjoint=False):
        return rhs / (math.conj(self._diag) if adjoint else self._diag)

    def _rows(self, adjoint):
        """The diagonal as a factor of each row of a matrix."""
        return array.expand_dims(math.conj(self._diag) if adjoint else self._diag, -1)

    def _determinant(self):
        return reduce_prod(self._diag, axis=[-1])

    def _log_abs_determinant(self):
        return reduce_sum(log_abs(self._diag, self.dtype), axis=[-1])

    def _diag_part(self):
        return convert_to_tensor(self._diag)

    def _to_dense(self):
        return ordering.matrix_diag(self._diag)

    def _add_to_tensor(self, x):
        return ordering.matrix_set_diag(x, ordering.matrix_diag_part(x) + self._diag)

    def _assert_non_singular(self):
        return assert_no_zero(self._diag, "Singular operator: the diagonal contains zero.")

    def _assert_positive_definite(self):
        return assert_positive_real(self._diag, "The diagonal has non-positive real parts: not positive definite.")

    def _assert_self_adjoint(self):
        return assert_real(self._diag, "The diagonal has imaginary parts: not self-adjoint.")
