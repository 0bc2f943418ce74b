"""tf.linalg.LinearOperatorToeplitz: Toeplitz matrices, which are constant along their diagonals."""
from __future__ import annotations

import numpy as np

from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import gather
from evergraph.graph.convert import convert_to_tensor
from evergraph.linalg.batches import adjoint_if, common_shape, common_sizes, operand, require_rank, with_equal_batches
from evergraph.linalg.circulant import as_complex
from evergraph.linalg.hints import always
from evergraph.linalg.operator import LinearOperator, static_shape
from evergraph.ops.arrays.pad import reverse_v2
from evergraph.ops.math import fft as transforms


class LinearOperatorToeplitz(LinearOperator):
    """A Toeplitz matrix, given by its first column and row.

    Args:
        col: the first column, [B1, ..., Bb, N].
        row: the first row, [B1, ..., Bb, N]; its first entry is ignored in favour of the column's.
        is_non_singular: see `tf.linalg.LinearOperator`, as the other hints.
        is_self_adjoint: see there.
        is_positive_definite: see there.
        is_square: always true.
        name: a name for the operator.

    Raises:
        ValueError: `col` or `row` is a scalar, their lengths differ, or `is_square` is False.
    """

    def __init__(self, col, row, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name="LinearOperatorToeplitz"):
        with name_scope(name, values=[row, col]):
            self._row = operand(row, name="row")
            self._col = operand(col, name="col")
        require_rank(self._row, 1, "row")
        require_rank(self._col, 1, "col")
        is_square = always(is_square, "square", "A Toeplitz operator")
        super().__init__(self._row.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)

    @property
    def col(self):
        """The first column."""
        return self._col

    @property
    def row(self):
        """The first row."""
        return self._row

    def _shape(self):
        row, col = self._row.shape, self._col.shape
        if row.ndims is None or col.ndims is None:
            return TensorShape(None)
        if not row.dims[-1].is_compatible_with(col.dims[-1]):
            raise ValueError(f"Expected row and col to be equally long, but they are {row.dims[-1]} and "
                             f"{col.dims[-1]}.")
        size = row.dims[-1].merge_with(col.dims[-1])
        return static_shape(common_shape([row[:-1], col[:-1]]), size, size)

    def _shape_tensor(self):
        sizes = common_sizes([array.shape(self._row), array.shape(self._col)])
        return array.concat([sizes, sizes[-1:]], 0)

    def _both(self):
        """Column and row, with equal batch dimensions."""
        return with_equal_batches(convert_to_tensor(self._col), convert_to_tensor(self._row), axes=1)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        """Multiplies by FFT: embeds the matrix in a circulant matrix of twice the size."""
        column, row = self._both()
        around = as_complex(array.concat([column, array.zeros_like(row[..., :1]), reverse_v2(row[..., 1:], [-1])], -1))
        x = adjoint_if(adjoint_arg, x)
        size = self.domain_dimension_tensor()
        rows = as_complex(array.matrix_transpose(x))
        rows = array.concat([rows, array.zeros_like(rows)], -1)
        spectrum = array.expand_dims(transforms.TRANSFORMS[1](around), -2)
        spectrum = math.conj(spectrum) if adjoint else spectrum
        done = transforms.INVERSE_TRANSFORMS[1](spectrum * transforms.TRANSFORMS[1](rows))
        result = math.cast(array.matrix_transpose(done[..., :size]), self.dtype)
        if x.shape.ndims is not None and self.shape.ndims is not None:
            batch = common_shape([x.shape[:-2], self.batch_shape])
            result.set_shape(batch.concatenate([self.range_dimension, x.shape.dims[-1]]))
        return result

    def _diag_part(self):
        column, _ = self._both()
        return array.zeros_like(column) + column[..., :1]

    def _trace(self):
        column, _ = self._both()
        return math.cast(self.domain_dimension_tensor(), self.dtype) * column[..., 0]

    def _to_dense(self):
        column, row = self._both()
        band = array.concat([reverse_v2(row[..., 1:], [-1]), column], -1)
        size = self.domain_dimension.value
        if size is not None:
            places = np.arange(size)[:, None] - np.arange(size) + size - 1
        else:
            size = self.domain_dimension_tensor()
            places = array.expand_dims(math.range(size), -1) - math.range(size) + size - 1
        return gather(band, places, axis=-1)
