"""tf.linalg.LinearOperator, the base class of operators."""
from __future__ import annotations

import numpy as np

from evergraph.base import dtypes
from evergraph.base.shapes import Dimension, TensorShape
from evergraph.frontend import array, checks, math, ordering
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.linalg import svd
from evergraph.frontend.reduce import reduce_max, reduce_min, reduce_sum
from evergraph.frontend.variables.module import Module
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.linalg import rules
from evergraph.linalg.batches import adjoint_if, solve_factored, solve_with
from evergraph.linalg.hints import always
from evergraph.ops.math import elementwise, linalg


class LinearOperator(Module):
    """A matrix, or a batch of matrices, of shape [B1, ..., Bb, M, N], that need not be stored densely.

    A subclass defines `_shape`, `_shape_tensor` and `_matmul`, and overrides the methods that it can do better than by
    densifying the matrix: `_solve`, `_determinant`, `_log_abs_determinant`, `_trace`, `_diag_part`, `_to_dense`,
    `_add_to_tensor`, `_matvec`, `_solvevec`, `_assert_non_singular`, `_assert_positive_definite`,
    `_assert_self_adjoint`.

    >>> operator = tf.linalg.LinearOperatorDiag([1.0, 2.0])
    >>> tf.Session().run(operator.matvec([3.0, 4.0]))
    array([3., 8.], dtype=float32)

    Args:
        dtype: the dtype of the matrix and of its operands.
        graph_parents: tensors that the operator depends on.
        is_non_singular: a hint: True, False, or None if unknown. Hints are not verified.
        is_self_adjoint: a hint, likewise.
        is_positive_definite: a hint that Re(x^H A x) > 0 for all nonzero x; A need not be self-adjoint.
        is_square: a hint, likewise.
        name: a name for the operator, the prefix of its operations' names.

    Raises:
        ValueError: hints contradict each other, or a parent is not a tensor.
    """

    def __init__(self, dtype, graph_parents=None, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=None, name=None):
        if is_positive_definite:
            is_non_singular = always(is_non_singular, "non-singular", "A positive definite matrix")
        if is_non_singular:
            is_square = always(is_square, "square", "A non-singular matrix")
        if is_self_adjoint:
            is_square = always(is_square, "square", "A self-adjoint matrix")
        self._graph_parents = list(graph_parents or [])
        for position, parent in enumerate(self._graph_parents):
            if not isinstance(parent, Tensor):
                raise ValueError(f"Graph parent item {position} is not a Tensor; {parent}.")
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
        self._is_non_singular, self._is_self_adjoint = is_non_singular, is_self_adjoint
        self._is_positive_definite, self._is_square_set_or_implied_by_hints = is_positive_definite, is_square
        self._name = name or type(self).__name__

    def _scope(self, name):
        return name_scope(f"{self.name}/{name}")

    # ---- static properties

    @property
    def graph_parents(self):
        """The tensors that the operator depends on, as given."""
        return self._graph_parents

    @property
    def name(self):
        return self._name

    @property
    def dtype(self):
        """The dtype of the entries."""
        return self._dtype

    @property
    def is_non_singular(self):
        """Whether there is an inverse, if that is known."""
        return self._is_non_singular

    @property
    def is_self_adjoint(self):
        """Whether the matrix is its own adjoint, if that is known."""
        return self._is_self_adjoint

    @property
    def is_positive_definite(self):
        """Whether the matrix is positive definite, if that is known."""
        return self._is_positive_definite

    @property
    def is_square(self):
        """Whether the matrix is square, by the hint or the shape; None if unknown.

        Raises:
            ValueError: hint and shape contradict each other.
        """
        rows, columns = self.range_dimension.value, self.domain_dimension.value
        told = self._is_square_set_or_implied_by_hints
        if rows is None or columns is None:
            return told
        if told is False and rows == columns:
            raise ValueError("The hint is_square was set to False, but the operator was square.")
        return rows == columns if told is None else told

    @property
    def _can_use_cholesky(self):
        return bool(self.is_self_adjoint and self.is_positive_definite)

    # ---- shapes

    def _shape(self):
        raise NotImplementedError("_shape is not implemented.")

    def _shape_tensor(self):
        raise NotImplementedError("_shape_tensor is not implemented.")

    @property
    def shape(self):
        """The static shape, [B1, ..., Bb, M, N]."""
        return self._shape()

    @property
    def batch_shape(self):
        """The static shape without the last two axes."""
        return self.shape[:-2]

    @property
    def tensor_rank(self):
        """The number of axes, or None."""
        return self.shape.ndims

    @property
    def domain_dimension(self):
        """The dimension of the domain: N."""
        return self._size(-1)

    @property
    def range_dimension(self):
        """The dimension of the range: M."""
        return self._size(-2)

    def _size(self, axis):
        shape = self.shape
        return Dimension(None) if shape.ndims is None else shape.dims[axis]

    def shape_tensor(self, name="shape_tensor"):
        """The shape as a tensor."""
        with self._scope(name):
            if self.shape.is_fully_defined():
                return array.constant(self.shape.as_list(), dtypes.int32)
            return self._shape_tensor()

    def batch_shape_tensor(self, name="batch_shape_tensor"):
        """The shape without the last two axes, as a tensor."""
        with self._scope(name):
            if self.shape.ndims is not None and self.batch_shape.is_fully_defined():
                return array.constant(self.batch_shape.as_list(), dtypes.int32)
            return self.shape_tensor()[:-2]

    def tensor_rank_tensor(self, name="tensor_rank_tensor"):
        """The number of axes as a tensor."""
        with self._scope(name):
            if self.tensor_rank is not None:
                return array.constant(self.tensor_rank, dtypes.int32)
            return array.size(self.shape_tensor())

    def domain_dimension_tensor(self, name="domain_dimension_tensor"):
        """`domain_dimension` as a tensor."""
        with self._scope(name):
            return self._size_tensor(-1)

    def range_dimension_tensor(self, name="range_dimension_tensor"):
        """`range_dimension` as a tensor."""
        with self._scope(name):
            return self._size_tensor(-2)

    def _size_tensor(self, axis):
        known = self._size(axis).value
        return self.shape_tensor()[axis] if known is None else array.constant(known, dtypes.int32)

    # ---- products

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        raise NotImplementedError("_matmul is not implemented.")

    def _matvec(self, x, adjoint=False):
        return array.squeeze(self.matmul(array.expand_dims(x, -1), adjoint=adjoint), axis=-1)

    def matmul(self, x, adjoint=False, adjoint_arg=False, name="matmul"):
        """Multiplies the operator by `x`.

        Args:
            x: matrices [..., N, R], whose batch axes broadcast with the operator's; or another operator.
            adjoint: whether to use the operator's adjoint.
            adjoint_arg: whether to use the adjoint of `x`.
            name: a name for the operations.

        Returns:
            A tensor; an operator if `x` is one.
        """
        if isinstance(x, LinearOperator):
            left, right = (self.adjoint() if adjoint else self), (x.adjoint() if adjoint_arg else x)
            left._require_fit(left.domain_dimension, right.range_dimension)
            with self._scope(name):
                return rules.product(left, right)
        with self._scope(name):
            x = self._argument(x, "x")
            size = self.range_dimension if adjoint else self.domain_dimension
            self._require_rows(size, x, -1 if adjoint_arg else -2)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def __matmul__(self, other):
        return self.matmul(other)

    def matvec(self, x, adjoint=False, name="matvec"):
        """Multiplies the operator by vectors [..., N]."""
        with self._scope(name):
            x = self._argument(x, "x")
            self._require_rows(self.range_dimension if adjoint else self.domain_dimension, x, -1)
            return self._matvec(x, adjoint=adjoint)

    def _argument(self, x, name):
        x = convert_to_tensor(x, name=name)
        if self.dtype is not None and x.dtype.base_dtype != self.dtype:
            raise TypeError(f"The operator has dtype {self.dtype.name}, but {name} has {x.dtype.base_dtype.name}: {x}")
        return x

    @staticmethod
    def _require_rows(size, x, axis):
        if x.shape.ndims is not None:
            size.assert_is_compatible_with(x.shape.dims[axis])

    @staticmethod
    def _require_fit(size, other):
        if not size.is_compatible_with(other):
            raise ValueError(f"Operators are incompatible: one takes vectors of {size}, the other gives {other}.")

    # ---- linear systems

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = adjoint_if(adjoint_arg, rhs)
        if self._can_use_cholesky:
            return solve_factored(linalg.cholesky(self.to_dense()), rhs)
        return solve_with(self.to_dense(), rhs, adjoint=adjoint)

    def _solvevec(self, rhs, adjoint=False):
        return array.squeeze(self.solve(array.expand_dims(rhs, -1), adjoint=adjoint), axis=-1)

    def solve(self, rhs, adjoint=False, adjoint_arg=False, name="solve"):
        """Solves the linear system operator * x = rhs.

        Args:
            rhs: matrices [..., M, R], whose batch axes broadcast with the operator's; or another operator.
            adjoint: whether to use the operator's adjoint.
            adjoint_arg: whether to use the adjoint of `rhs`.
            name: a name for the operations.

        Raises:
            NotImplementedError: the operator's hints say that it is singular or not square.
        """
        self._require_solvable()
        if isinstance(rhs, LinearOperator):
            left, right = (self.adjoint() if adjoint else self), (rhs.adjoint() if adjoint_arg else rhs)
            left._require_fit(left.range_dimension, right.range_dimension)
            with self._scope(name):
                return rules.quotient(left, right)
        with self._scope(name):
            rhs = self._argument(rhs, "rhs")
            size = self.domain_dimension if adjoint else self.range_dimension
            self._require_rows(size, rhs, -1 if adjoint_arg else -2)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def solvevec(self, rhs, adjoint=False, name="solve"):
        """Solves the linear system operator * x = rhs for vectors, [..., M]."""
        self._require_solvable()
        with self._scope(name):
            rhs = self._argument(rhs, "rhs")
            self._require_rows(self.domain_dimension if adjoint else self.range_dimension, rhs, -1)
            return self._solvevec(rhs, adjoint=adjoint)

    def _require_solvable(self):
        if self.is_non_singular is False:
            raise NotImplementedError("An operator that is said to be singular cannot be solved exactly.")
        self._require_square("be solved exactly")

    def _require_square(self, what):
        if self.is_square is False:
            raise NotImplementedError(f"An operator that may not be square cannot {what}.")

    # ---- scalars and parts of the matrix

    def _determinant(self):
        if self._can_use_cholesky:
            return elementwise.exp(self.log_abs_determinant())
        return linalg.matrix_determinant(self.to_dense())

    def _log_abs_determinant(self):
        if self._can_use_cholesky:
            diagonal = ordering.matrix_diag_part(linalg.cholesky(self.to_dense()))
            return 2 * reduce_sum(elementwise.log(diagonal), axis=[-1])
        return linalg.log_matrix_determinant(self.to_dense())[1]

    def _trace(self):
        return reduce_sum(self.diag_part(), axis=-1)

    def _diag_part(self):
        return ordering.matrix_diag_part(self.to_dense())

    def _to_dense(self):
        known = self.shape.ndims is not None and self.batch_shape.is_fully_defined()
        batch = self.batch_shape.as_list() if known else self.batch_shape_tensor()
        size = self.domain_dimension.value
        unit = array.eye(self.domain_dimension_tensor() if size is None else size, batch_shape=batch, dtype=self.dtype)
        return self.matmul(unit)

    def _add_to_tensor(self, x):
        return self.to_dense() + x

    def determinant(self, name="det"):
        """The determinants of the matrices."""
        self._require_square("have a determinant")
        with self._scope(name):
            return self._determinant()

    def log_abs_determinant(self, name="log_abs_det"):
        """The logarithms of the absolute values of the determinants."""
        self._require_square("have a determinant")
        with self._scope(name):
            return self._log_abs_determinant()

    def trace(self, name="trace"):
        """The sums of the main diagonals."""
        with self._scope(name):
            return self._trace()

    def diag_part(self, name="diag_part"):
        """The main diagonals, [..., min(M, N)]."""
        with self._scope(name):
            return self._diag_part()

    def to_dense(self, name="to_dense"):
        """The matrices as dense tensors."""
        with self._scope(name):
            dense = self._to_dense()
            dense.set_shape(self.shape)
            return dense

    def add_to_tensor(self, x, name="add_to_tensor"):
        """The matrices plus `x`, which must have their dtype and a shape that broadcasts with theirs."""
        with self._scope(name):
            return self._add_to_tensor(self._argument(x, "x"))

    # ---- derived operators

    @property
    def H(self):  # noqa: N802 - TensorFlow's own spelling
        """The adjoint operator."""
        return self.adjoint()

    def adjoint(self, name="adjoint"):
        """The adjoint operator; a self-adjoint operator itself."""
        if self.is_self_adjoint is True:
            return self
        with self._scope(name):
            return rules.adjoint(self)

    def inverse(self, name="inverse"):
        """The inverse operator.

        Raises:
            ValueError: the operator's hints say that it is singular or not square.
        """
        if self.is_square is False:
            raise ValueError("Cannot take the inverse: the operator's matrix is not square.")
        if self.is_non_singular is False:
            raise ValueError("Cannot take the inverse: the operator's matrix is singular.")
        with self._scope(name):
            return rules.inverse(self)

    def cholesky(self, name="cholesky"):
        """The Cholesky factor as an operator.

        Raises:
            ValueError: the operator's hints do not say that it is self-adjoint and positive definite.
        """
        if not self._can_use_cholesky:
            raise ValueError("Only a matrix that is known to be positive definite and self adjoint has a Cholesky "
                             "factor.")
        with self._scope(name):
            return rules.cholesky(self)

    # ---- assertions

    def _assert_non_singular(self):
        if self._can_use_cholesky:
            return self.assert_positive_definite()
        values = svd(self.to_dense(), compute_uv=False)
        condition = reduce_max(values, axis=-1) / reduce_min(values, axis=-1)
        return checks.assert_less(condition, self._max_condition_number(condition.dtype.base_dtype),
                                  message="Singular matrix up to the precision of its dtype.")

    def _max_condition_number(self, dtype):
        return np.array(1.0 / np.finfo(self.dtype.real_dtype.as_numpy_dtype).eps, dtype.as_numpy_dtype)

    def _assert_positive_definite(self):
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite of an operator that is not known to be self-adjoint.")
        diagonal = math.real(ordering.matrix_diag_part(linalg.cholesky(self.to_dense())))
        return checks.assert_positive(diagonal, message="Matrix was not positive definite.")

    def _assert_self_adjoint(self):
        dense = self.to_dense()
        return checks.assert_equal(dense, adjoint_if(True, dense), message="Matrix was not equal to its adjoint.")

    def assert_non_singular(self, name="assert_non_singular"):
        """An operation that fails if the operator is singular up to the precision of its dtype."""
        with self._scope(name):
            return self._assert_non_singular()

    def assert_positive_definite(self, name="assert_positive_definite"):
        """An operation that fails if the operator is not positive definite."""
        with self._scope(name):
            return self._assert_positive_definite()

    def assert_self_adjoint(self, name="assert_self_adjoint"):
        """An operation that fails if the operator is not exactly self-adjoint."""
        with self._scope(name):
            return self._assert_self_adjoint()


def static_shape(batch, rows, columns):
    """The static shape of matrices, unknown when the batch is."""
    if batch is None or batch.ndims is None:
        return TensorShape(None)
    return batch.concatenate([Dimension(rows), Dimension(columns)])
