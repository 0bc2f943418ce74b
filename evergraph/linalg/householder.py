"""tf.linalg.LinearOperatorHouseholder: Householder reflections."""
from __future__ import annotations

from evergraph.frontend import array, math, ordering
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg.batches import adjoint_if, operand, require_rank
from evergraph.linalg.hints import always
from evergraph.linalg.operator import LinearOperator, static_shape
from evergraph.ops.arrays import basic


class LinearOperatorHouseholder(LinearOperator):
    """The Householder reflection about the hyperplane orthogonal to a vector v: I - 2 v v^H / |v|^2.

    Args:
        reflection_axis: v, [B1, ..., Bb, N].
        is_non_singular: see `tf.linalg.LinearOperator`, as the other hints.
        is_self_adjoint: always true.
        is_positive_definite: never true.
        is_square: always true.
        name: a name for the operator.

    Raises:
        ValueError: a hint is impossible, or `reflection_axis` is a scalar.
    """

    def __init__(self, reflection_axis, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name="LinearOperatorHouseholder"):
        with name_scope(name, values=[reflection_axis]):
            self._axis = operand(reflection_axis, name="reflection_axis")
        require_rank(self._axis, 1, "reflection_axis")
        always(is_self_adjoint, "self adjoint", "A Householder operator")
        if is_positive_definite:
            raise ValueError("A reflection has the eigenvalue -1, so a Householder operator is non-positive definite.")
        always(is_square, "square", "A Householder operator")
        super().__init__(self._axis.dtype, None, is_non_singular, True, False, True, name)

    @property
    def reflection_axis(self):
        """The vectors v."""
        return self._axis

    def _unit(self):
        """The reflection axes, normalized."""
        axis = convert_to_tensor(self._axis)
        squares = reduce_sum(axis * math.conj(axis), axis=-1, keepdims=True)
        return axis / squares ** 0.5

    def _shape(self):
        shape = self._axis.shape
        return shape if shape.ndims is None else static_shape(shape[:-1], shape.dims[-1], shape.dims[-1])

    def _shape_tensor(self):
        sizes = array.shape(self._axis)
        return array.concat([sizes, sizes[-1:]], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x, column = adjoint_if(adjoint_arg, x), array.expand_dims(self._unit(), -1)
        return x - 2 * column * matmul(column, x, adjoint_a=True)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint, adjoint_arg)  # a reflection is its own inverse

    def _per_batch(self, value):
        return array.ones_like(self._axis[..., 0]) * value

    def _determinant(self):
        return -self._per_batch(1)

    def _log_abs_determinant(self):
        return self._per_batch(0)

    def _trace(self):
        return self._per_batch(1) * (math.cast(self.domain_dimension_tensor(), self.dtype) - 2)

    def _diag_part(self):
        unit = self._unit()
        return 1 - 2 * unit * math.conj(unit)

    def _to_dense(self):
        column = array.expand_dims(self._unit(), -1)
        product = -2 * matmul(column, column, adjoint_b=True)
        return ordering.matrix_set_diag(product, 1 + ordering.matrix_diag_part(product))

    def _assert_non_singular(self):
        return basic.no_op()

    def _assert_positive_definite(self):
        raise NotImplementedError("A Householder operator is never positive definite.")

    def _assert_self_adjoint(self):
        return basic.no_op()
