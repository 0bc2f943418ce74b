"""Operators derived from another one: tf.linalg.LinearOperatorAdjoint and LinearOperatorInversion."""
from __future__ import annotations

from evergraph.frontend import array, math
from evergraph.linalg.batches import adjoint_if
from evergraph.linalg.hints import agreed
from evergraph.linalg.operator import LinearOperator


class _DerivedOperator(LinearOperator):
    """An operator that takes its hints from another."""

    def __init__(self, operator, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name):
        self._operator = operator
        super().__init__(operator.dtype, operator.graph_parents,
                         agreed(is_non_singular, operator.is_non_singular, "non-singular"),
                         agreed(is_self_adjoint, operator.is_self_adjoint, "self-adjoint"),
                         agreed(is_positive_definite, operator.is_positive_definite, "positive-definite"),
                         agreed(is_square, operator.is_square, "square"), name)

    @property
    def operator(self):
        """The underlying operator."""
        return self._operator

    def _assert_non_singular(self):
        return self._operator.assert_non_singular()

    def _assert_positive_definite(self):
        return self._operator.assert_positive_definite()

    def _assert_self_adjoint(self):
        return self._operator.assert_self_adjoint()


class LinearOperatorAdjoint(_DerivedOperator):
    """The adjoint (conjugate transpose) of an operator.

    Args:
        operator: the operator, of shape [..., M, N]; the adjoint has [..., N, M].
        is_non_singular: must agree with the operator's hint, as the other hints.
        is_self_adjoint: see above.
        is_positive_definite: see above.
        is_square: see above.
        name: by default that of the operator and "_adjoint".

    Raises:
        ValueError: a hint contradicts that of the operator.
    """

    def __init__(self, operator, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name=None):
        super().__init__(operator, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                         name or f"{operator.name}_adjoint")

    def _shape(self):
        shape = self._operator.shape
        return shape if shape.ndims is None else shape[:-2].concatenate([shape.dims[-1], shape.dims[-2]])

    def _shape_tensor(self):
        sizes = self._operator.shape_tensor()
        return array.concat([sizes[:-2], array.stack([sizes[-1], sizes[-2]])], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x, adjoint=False):
        return self._operator.matvec(x, adjoint=not adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs, adjoint=False):
        return self._operator.solvevec(rhs, adjoint=not adjoint)

    def _determinant(self):
        return math.conj(self._operator.determinant())

    def _log_abs_determinant(self):
        return self._operator.log_abs_determinant()

    def _trace(self):
        return math.conj(self._operator.trace())

    def _diag_part(self):
        return math.conj(self._operator.diag_part())

    def _to_dense(self):
        return adjoint_if(True, self._operator.to_dense())


class LinearOperatorInversion(_DerivedOperator):
    """The inverse of an operator.

    Args:
        operator: the operator, square.
        is_non_singular: always true when the operator has an inverse.
        is_self_adjoint: must agree with the operator's hint, as the hints below.
        is_positive_definite: see above.
        is_square: see above.
        name: by default that of the operator and "_inv".

    Raises:
        ValueError: the operator is not square or is singular, or a hint contradicts its hints.
    """

    def __init__(self, operator, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name=None):
        if operator.is_square is False or is_square is False:
            raise ValueError("An operator that is not square has no inverse.")
        if False in (operator.is_non_singular, is_non_singular):
            raise ValueError("An operator whose hint is_non_singular is False has no inverse.")
        super().__init__(operator, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                         name or f"{operator.name}_inv")

    def _shape(self):
        return self._operator.shape

    def _shape_tensor(self):
        return self._operator.shape_tensor()

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self):
        return 1.0 / self._operator.determinant()

    def _log_abs_determinant(self):
        return -1.0 * self._operator.log_abs_determinant()
