"""Sparse tensors made of dense ones, and what contrib.layers asks of them."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.contrib.layers.names import collect_named_outputs
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import gather_nd, where
from evergraph.frontend.reduce import cumsum, reduce_max
from evergraph.frontend.sparse.shape import sparse_reshape
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.segment import unsorted_segment_max
from evergraph.ops.math import elementwise


def _left_out(tensor: Tensor, ignore_value: Any) -> Tensor:
    """The value that stands for nothing: by default an empty string, or zero."""
    if ignore_value is None:
        ignore_value = "" if tensor.dtype.base_dtype is dtypes.string else tensor.dtype.as_numpy_dtype(0)
    return math.cast(ignore_value, tensor.dtype) if tensor.dtype.base_dtype is not dtypes.string else \
        convert_to_tensor(ignore_value, dtypes.string)


def dense_to_sparse_tensor(dense_tensor: Any, ignore_value: Any = None) -> SparseTensor:
    """A sparse tensor of the elements of a dense one.

    Args:
        dense_tensor: a tensor.
        ignore_value: the value of elements that are left out; by default an empty string, zero or False.
    """
    with name_scope("DenseToSparseTensor"):
        dense = convert_to_tensor(dense_tensor)
        places = where(elementwise.not_equal(dense, _left_out(dense, ignore_value)), name="indices")
        return SparseTensor(places, gather_nd(dense, places, name="values"),
                            array.shape(dense, name="dense_shape", out_type=dtypes.int64))


def indicators_to_sparse_ids(indicators: Any, ignore_value: Any = None, dtype: Any = dtypes.int64) -> SparseTensor:
    """The places of the elements along the last axis, one after another.

    Args:
        indicators: a tensor [..., classes], in which an element that is not left out stands for its class.
        ignore_value: see `dense_to_sparse_tensor`.
        dtype: of the result, whose shape is [..., the most classes of any row].
    """
    with name_scope("indicators_to_sparse_ids"):
        dense = convert_to_tensor(indicators, name="indicators")
        present = elementwise.not_equal(dense, _left_out(dense, ignore_value))
        places = where(present)
        count = math.cast(present, dtypes.int64)
        before = gather_nd(cumsum(count, axis=-1, exclusive=True), places)
        most = reduce_max(cumsum(count, axis=-1)) if dense.shape.ndims != 0 else 1
        indices = array.concat([places[:, :-1], array.expand_dims(before, 1)], 1)
        shape = array.concat([array.shape(dense, out_type=dtypes.int64)[:-1], array.expand_dims(most, 0)], 0)
        return SparseTensor(indices, math.cast(places[:, -1], dtype), shape)


def sparse_row_envelope(sparse_input: Any, row_axis: int = 0, col_axis: int = 1, name: str | None = None) -> Tensor:
    """The length of each row: one more than the place of its last element, or 0 for an empty row.

    Args:
        sparse_input: a sparse tensor.
        row_axis: the axis of rows.
        col_axis: the axis that is measured.
        name: a name for the operation.
    """
    rows = sparse_input.indices[:, row_axis]
    ends = sparse_input.indices[:, col_axis] + 1
    count = math.cast(sparse_input.dense_shape[row_axis], dtypes.int32)
    lengths = unsorted_segment_max(math.cast(ends, dtypes.int32), rows, count)
    return elementwise.maximum(lengths, 0, name=name)


def inner_flatten(inputs: Any, new_rank: int, output_collections: Any = None, scope: str | None = None) -> Any:
    """A tensor whose last axes are put together, so that `new_rank` axes are left.

    Args:
        inputs: a dense or sparse tensor.
        new_rank: the rank of the result.
        output_collections: collections for it.
        scope: a name prefix for the operations.

    Raises:
        ValueError: it has fewer axes.
    """
    with name_scope(scope, "InnerFlatten", [inputs]) as inner:
        if not isinstance(inputs, SparseTensor):
            return collect_named_outputs(output_collections, inner, _dense_flatten(convert_to_tensor(inputs), new_rank))
        rank = inputs.indices.shape.as_list()[1]
        if rank is not None and rank < new_rank:
            raise ValueError(f"Inputs has rank less than new_rank: {rank} axes, of which {new_rank} should be left")
        shape = array.concat([inputs.dense_shape[:new_rank - 1], [-1]], 0)
        return collect_named_outputs(output_collections, inner, sparse_reshape(inputs, shape))


def _dense_flatten(inputs: Tensor, new_rank: int) -> Tensor:
    if inputs.shape.ndims is not None and inputs.shape.ndims < new_rank:
        raise ValueError(f"inputs has rank less than new_rank: {inputs.shape} should be left with {new_rank} axes")
    flat = array.reshape(inputs, array.concat([array.shape(inputs)[:new_rank - 1], [-1]], 0))
    if inputs.shape.ndims is not None:
        known = inputs.shape.as_list()
        last = inputs.shape[new_rank - 1:].num_elements()
        flat.set_shape([*known[:new_rank - 1], last])
    return flat
