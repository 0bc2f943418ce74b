"""tf.linalg.LinearOperatorLowRankUpdate: an operator plus a low-rank matrix."""
from __future__ import annotations

from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math, ordering
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg.batches import (
    adjoint_if,
    common_shape,
    common_sizes,
    operand,
    require_rank,
    solve_factored,
    solve_with,
)
from evergraph.linalg.diagonal import LinearOperatorDiag
from evergraph.linalg.hints import always
from evergraph.linalg.identity import LinearOperatorIdentity
from evergraph.linalg.operator import LinearOperator, static_shape
from evergraph.ops.math import elementwise, linalg


class LinearOperatorLowRankUpdate(LinearOperator):
    """A low-rank update of an operator: L + U D V^H. U and V have few columns.

    Solves use the Woodbury identity, determinants the matrix determinant lemma: beyond L they cost a K x K matrix.

    Args:
        base_operator: L, [..., M, N].
        u: U, [..., M, K].
        diag_update: the diagonal of D, [..., K]; by default ones.
        v: V, [..., N, K]; by default U.
        is_diag_update_positive: a hint: whether `diag_update` is real and positive.
        is_non_singular: see `tf.linalg.LinearOperator`, as the other hints.
        is_self_adjoint: see above.
        is_positive_definite: see above.
        is_square: see above.
        name: a name for the operator.

    Raises:
        ValueError: shapes do not match, or a hint is impossible.
    """

    def __init__(self, base_operator, u, diag_update=None, v=None, is_diag_update_positive=None, is_non_singular=None,
                 is_self_adjoint=None, is_positive_definite=None, is_square=None, name="LinearOperatorLowRankUpdate"):
        self._base = base_operator
        if diag_update is None:
            is_diag_update_positive = always(is_diag_update_positive, "positive", "The default diagonal, of ones,")
        with name_scope(name, values=[u, diag_update, v]):
            self._u = operand(u, dtype=base_operator.dtype, name="u")
            self._v = self._u if v is None else operand(v, dtype=base_operator.dtype, name="v")
            self._diag_update = None if diag_update is None else operand(diag_update, name="diag_update")
        self._is_diag_update_positive = is_diag_update_positive
        self._require_shapes()
        hints = self._implied(v is None, is_self_adjoint, is_positive_definite, is_non_singular, is_square)
        super().__init__(base_operator.dtype, base_operator.graph_parents, name=name, **hints)
        with name_scope(name):
            self._diag_operator = self._diagonal_operator()
        self._use_cholesky = bool(v is None and base_operator.is_self_adjoint and base_operator.is_positive_definite
                                  and is_diag_update_positive)

    def _require_shapes(self):
        for x, rank, what in ((self._u, 2, "u"), (self._v, 2, "v"), (self._diag_update, 1, "diag_update")):
            if x is not None:
                require_rank(x, rank, what)
        u, v = self._u.shape.with_rank_at_least(2), self._v.shape.with_rank_at_least(2)
        self._base.range_dimension.assert_is_compatible_with(u[-2])
        self._base.domain_dimension.assert_is_compatible_with(v[-2])
        u[-1:].assert_is_compatible_with(v[-1:])
        if self._diag_update is not None:
            u[-1:].assert_is_compatible_with(self._diag_update.shape.with_rank_at_least(1)[-1:])
        self._static_batch()

    def _implied(self, symmetric, is_self_adjoint, is_positive_definite, is_non_singular, is_square):
        """The hints, with those that the parts imply."""
        base = self._base
        if symmetric:
            real = self._diag_update is None or not self._diag_update.dtype.is_complex or self._is_diag_update_positive
            if base.is_self_adjoint and real:
                is_self_adjoint = always(is_self_adjoint, "self-adjoint", "A symmetric update of such an operator")
            if base.is_positive_definite and self._is_diag_update_positive:
                is_positive_definite = always(is_positive_definite, "positive definite",
                                              "A positive update of such an operator")
        if base.is_square:
            is_square = True if is_square is None else is_square
        return {"is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                "is_non_singular": is_non_singular, "is_square": is_square}

    def _diagonal_operator(self):
        """D as an operator."""
        if self._diag_update is not None:
            return LinearOperatorDiag(self._diag_update, is_positive_definite=self._is_diag_update_positive)
        rank = self._u.shape.tuple[-1] if self._u.shape.ndims is not None else None
        return LinearOperatorIdentity(array.shape(self._u)[-1] if rank is None else rank, dtype=self.dtype)

    @property
    def base_operator(self):
        """L."""
        return self._base

    @property
    def u(self):
        """The left factor of the update."""
        return self._u

    @property
    def v(self):
        """The right factor of the update."""
        return self._v

    @property
    def diag_update(self):
        """The diagonal of D, or None for ones."""
        return self._diag_update

    @property
    def diag_operator(self):
        """D as an operator."""
        return self._diag_operator

    @property
    def is_diag_update_positive(self):
        """Whether the diagonal of the update is positive, if that is known."""
        return self._is_diag_update_positive

    def _static_batch(self):
        batches = [self._base.batch_shape, self._u.shape[:-2], self._v.shape[:-2]]
        if self._diag_update is not None:
            batches.append(self._diag_update.shape[:-1])
        if any(batch.ndims is None for batch in batches):
            return TensorShape(None)
        return common_shape(batches)

    def _shape(self):
        rows = self._base.range_dimension.merge_with(self._u.shape.with_rank_at_least(2)[-2])
        columns = self._base.domain_dimension.merge_with(self._v.shape.with_rank_at_least(2)[-2])
        return static_shape(self._static_batch(), rows, columns)

    def _shape_tensor(self):
        batches = [self._base.batch_shape_tensor(), array.shape(self._u)[:-2], array.shape(self._v)[:-2]]
        if self._diag_update is not None:
            batches.append(array.shape(self._diag_update)[:-1])
        sizes = array.stack([self._base.range_dimension_tensor(), self._base.domain_dimension_tensor()])
        return array.concat([common_sizes(batches), sizes], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        inner = matmul(right, x, adjoint_a=True, adjoint_b=adjoint_arg)
        return (self._base.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
                + matmul(left, self._diag_operator.matmul(inner, adjoint=adjoint)))

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        """The Woodbury identity: inv(L) rhs - inv(L) U inv(C) V^H inv(L) rhs, where C = inv(D) + V^H inv(L) U."""
        rhs = adjoint_if(adjoint_arg, rhs)
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        plain = self._base.solve(rhs, adjoint=adjoint)
        inner = matmul(right, plain, adjoint_a=True)
        small = self._small_matrix()
        if self._use_cholesky:
            inner = solve_factored(linalg.cholesky(small), inner)
        else:
            inner = solve_with(small, inner, adjoint=adjoint)
        return plain - self._base.solve(matmul(left, inner), adjoint=adjoint)

    def _small_matrix(self):
        middle = matmul(self._v, self._base.solve(convert_to_tensor(self._u)), adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(middle)

    def _diag_part(self):
        if not self.is_square:
            return super()._diag_part()
        scaled = self._u * math.conj(self._v)
        if self._diag_update is not None:
            scaled = scaled * array.expand_dims(self._diag_update, -2)
        return self._base.diag_part() + reduce_sum(scaled, axis=-1)

    def _determinant(self):
        if self.is_positive_definite:
            return elementwise.exp(self.log_abs_determinant())
        small = linalg.matrix_determinant(self._small_matrix())
        return small * self._diag_operator.determinant() * self._base.determinant()

    def _log_abs_determinant(self):
        parts = self._diag_operator.log_abs_determinant() + self._base.log_abs_determinant()
        if self._use_cholesky:
            diagonal = ordering.matrix_diag_part(linalg.cholesky(self._small_matrix()))
            return 2 * reduce_sum(elementwise.log(diagonal), axis=[-1]) + parts
        return linalg.log_matrix_determinant(self._small_matrix())[1] + parts
