"""tf.linalg.LinearOperatorZeros: zero matrices."""
from __future__ import annotations

from evergraph.base import dtypes, errors
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.linalg.batches import adjoint_if, common_shape, common_sizes
from evergraph.linalg.identity import SizedOperator
from evergraph.linalg.operator import static_shape
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise


class LinearOperatorZeros(SizedOperator):
    """The zero matrix.

    Args:
        num_rows: the number of rows.
        num_columns: the number of columns; by default `num_rows`.
        batch_shape: the batch dimensions; by default none.
        dtype: float32 by default.
        is_non_singular: always false.
        is_self_adjoint: true if square.
        is_positive_definite: always false.
        is_square: whether it is square; must match the sizes.
        assert_proper_shapes: whether to check at run time what is not static.
        name: a name for the operator.

    Raises:
        ValueError: a hint is impossible, or a size is negative or of another rank.
        TypeError: a size is not an integer, or is a variable.
    """

    def __init__(self, num_rows, num_columns=None, batch_shape=None, dtype=None, is_non_singular=False,
                 is_self_adjoint=True, is_positive_definite=False, is_square=True, assert_proper_shapes=False,
                 name="LinearOperatorZeros"):
        with name_scope(name):
            if not is_self_adjoint and is_square:
                raise ValueError("A zero operator is always self adjoint.")
            if is_non_singular:
                raise ValueError("A zero operator is always singular.")
            if is_positive_definite:
                raise ValueError("Zeros have no positive eigenvalue: the operator is not positive definite.")
            super().__init__(dtype or dtypes.float32, None, False, is_self_adjoint, False, is_square, name)
            self._set_sizes(num_rows, batch_shape, assert_proper_shapes)
            self._columns, self._known_columns = self._rows, self._known_rows
            if num_columns is not None:
                self._columns, self._known_columns = self._sized(num_columns, 0, "num_columns")
            known = None not in (self._known_rows, self._known_columns)
            if known and (self._known_rows == self._known_columns) != bool(is_square):
                raise ValueError(f"LinearOperatorZeros was said to be {'' if is_square else 'not '}square, but has "
                                 f"{self._known_rows} rows and {self._known_columns} columns.")

    def _shape(self):
        rows, columns = (None if size is None else int(size) for size in (self._known_rows, self._known_columns))
        return static_shape(self._static_batch(), rows, columns)

    def _shape_tensor(self):
        return array.concat([self._batch_sizes(), array.stack([self._rows, self._columns])], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = self._check_rows(adjoint_if(adjoint_arg, x), self._rows if adjoint else self._columns)
        rows = self.domain_dimension if adjoint else self.range_dimension
        columns = None if x.shape.ndims is None else x.shape.dims[-1].value
        static = self._common_batch(x)
        if static is not None and None not in (rows.value, columns):
            return array.zeros([*static.as_list(), rows.value, columns], dtype=self.dtype)
        rows = self.domain_dimension_tensor() if adjoint else self.range_dimension_tensor()
        sizes = array.concat([common_sizes([self._batch_sizes(), array.shape(x)[:-2]]),
                              array.stack([rows, array.shape(x)[-1]])], 0)
        return array.zeros(sizes, dtype=self.dtype)

    def _common_batch(self, x):
        if x.shape.ndims is None or not x.shape[:-2].is_fully_defined() or not self._static_batch().is_fully_defined():
            return None
        return common_shape([self._static_batch(), x.shape[:-2]])

    def _determinant(self):
        return self._per_batch(0)

    def _log_abs_determinant(self):
        return elementwise.log(self._per_batch(0))

    def _trace(self):
        return self._per_batch(0)

    def _diag_part(self):
        if self.shape.is_fully_defined():
            *batch, rows, columns = self.shape.as_list()
            return array.zeros([*batch, min(rows, columns)], dtype=self.dtype)
        shorter = elementwise.minimum(self._rows, self._columns)
        return array.zeros(array.concat([self._batch_sizes(), array.reshape(shorter, [1])], 0), dtype=self.dtype)

    def _to_dense(self):
        return array.zeros(self._sizes_for(self.shape, self.shape_tensor()), dtype=self.dtype)

    def _add_to_tensor(self, x):
        return self._spread(x)

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """`mat`, broadcast over the operator's batch dimensions."""
        return super().add_to_tensor(mat, name)

    def _assert_non_singular(self):
        raise errors.InvalidArgumentError(None, None, "Zero operators are always non-invertible.")

    def _assert_positive_definite(self):
        raise errors.InvalidArgumentError(None, None, "Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self):
        return basic.no_op()
