# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.sparse."""

from evergraph import (
    SparseTensor as _SparseTensor, sparse_add, sparse_concat, sparse_fill_empty_rows, sparse_mask,
    sparse_maximum, sparse_merge, sparse_minimum, sparse_placeholder, sparse_reduce_max,
    sparse_reduce_max_sparse, sparse_reduce_sum, sparse_reduce_sum_sparse, sparse_reorder,
    sparse_reset_shape, sparse_reshape, sparse_retain, sparse_segment_mean, sparse_segment_sqrt_n,
    sparse_segment_sum, sparse_slice, sparse_softmax, sparse_split, sparse_tensor_dense_matmul,
    sparse_tensor_to_dense, sparse_to_indicator, sparse_transpose,
)
from typing import Any

from evergraph import SparseConditionalAccumulator as SparseConditionalAccumulator
from evergraph import SparseTensor as SparseTensor
add = sparse_add
concat = sparse_concat

def cross(inputs: Any, name: str | None = None) -> _SparseTensor:
    """Crosses features: every combination of a value from each input, row by row, joined by "_X_"."""

def cross_hashed(
    inputs: Any, num_buckets: Any = 0, hash_key: Any = None, name: str | None = None,
) -> _SparseTensor:
    """Crosses features: every combination of a value from each input, row by row, hashed to a bucket."""

def expand_dims(sp_input: Any, axis: Any = None, name: str | None = None) -> _SparseTensor:
    """Inserts an axis of size 1 into a sparse tensor."""

def eye(
    num_rows: Any, num_columns: Any = None, dtype: Any = ..., name: str | None = None,
) -> _SparseTensor:
    """A sparse identity matrix."""

fill_empty_rows = sparse_fill_empty_rows

def from_dense(tensor: Any, name: str | None = None) -> _SparseTensor:
    """Converts a dense tensor to a sparse one, of its nonzero elements."""

mask = sparse_mask
matmul = sparse_tensor_dense_matmul
maximum = sparse_maximum
merge = sparse_merge
minimum = sparse_minimum
placeholder = sparse_placeholder
reduce_max = sparse_reduce_max
reduce_max_sparse = sparse_reduce_max_sparse
reduce_sum = sparse_reduce_sum
reduce_sum_sparse = sparse_reduce_sum_sparse
reorder = sparse_reorder
reset_shape = sparse_reset_shape
reshape = sparse_reshape
retain = sparse_retain
segment_mean = sparse_segment_mean
segment_sqrt_n = sparse_segment_sqrt_n
segment_sum = sparse_segment_sum
slice = sparse_slice
softmax = sparse_softmax
sparse_dense_matmul = sparse_tensor_dense_matmul
split = sparse_split
to_dense = sparse_tensor_to_dense
to_indicator = sparse_to_indicator
transpose = sparse_transpose
