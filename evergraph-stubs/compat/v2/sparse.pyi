# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.sparse."""

from evergraph import (
    sparse_fill_empty_rows, sparse_mask, sparse_maximum, sparse_minimum, sparse_reorder, sparse_reset_shape,
    sparse_reshape, sparse_retain, sparse_slice, sparse_softmax, sparse_tensor_dense_matmul,
    sparse_tensor_to_dense, sparse_to_indicator, sparse_transpose,
)
from typing import Any

from evergraph import SparseTensor as SparseTensor

def concat(
    axis: Any, sp_inputs: Any, expand_nonconcat_dims: Any = None, name: str | None = None,
) -> Any:
    """Concatenates sparse tensors along an axis."""

from evergraph.sparse import cross as cross
from evergraph.sparse import cross_hashed as cross_hashed
from evergraph.sparse import expand_dims as expand_dims
from evergraph.sparse import eye as eye
fill_empty_rows = sparse_fill_empty_rows
from evergraph.sparse import from_dense as from_dense
mask = sparse_mask
maximum = sparse_maximum
minimum = sparse_minimum
reorder = sparse_reorder
reset_shape = sparse_reset_shape
reshape = sparse_reshape
retain = sparse_retain

def segment_mean(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None,
) -> Any:
    """The mean over each segment of the rows that `indices` pick."""

def segment_sqrt_n(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None,
) -> Any:
    """The sum over each segment of the rows that `indices` pick, divided by the root of their number."""

def segment_sum(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None,
) -> Any:
    """The sum over each segment of the rows that `indices` pick."""

slice = sparse_slice
softmax = sparse_softmax
sparse_dense_matmul = sparse_tensor_dense_matmul

def split(sp_input: Any, num_split: Any, axis: Any, name: str | None = None) -> Any:
    """Splits a sparse tensor along an axis."""

to_dense = sparse_tensor_to_dense
to_indicator = sparse_to_indicator
transpose = sparse_transpose
