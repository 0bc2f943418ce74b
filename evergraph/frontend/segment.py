"""Means of segments, and sums of the rows that indices pick, as `tf.*` offers them."""
from __future__ import annotations

import numpy as np

from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope
from evergraph.graph.convert import to_tensor
from evergraph.ops.arrays import basic, segment
from evergraph.ops.arrays.reshape import concat_v2, reshape
from evergraph.ops.math import elementwise


def _row_counts(data, segment_ids, num_segments):
    """The number of rows of each segment, at least 1, in a shape that broadcasts with the segments' sums."""
    kind = data.dtype.base_dtype
    ones = basic.fill(basic.shape(segment_ids), np.ones((), kind.np))
    number = segment.unsorted_segment_sum(ones, segment_ids, num_segments)
    extra = elementwise.sub(basic.rank(data), basic.rank(segment_ids))
    tail = basic.fill(reshape(extra, [1]), 1)
    wide = reshape(number, concat_v2([reshape(num_segments, [1]), tail], 0))
    return elementwise.maximum(wide, basic.ones_like(wide))


@export("unsorted_segment_mean", "math.unsorted_segment_mean")
def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    """The mean of the rows of each segment.

    Args:
        data: rows.
        segment_ids: the segment of each row, in any order; rows with negative ids are left out.
        num_segments: how many segments there are; empty ones give 0.
        name: a name for the operations.
    """
    with name_scope(name, "UnsortedSegmentMean"):
        data, ids, count = to_tensor(data), to_tensor(segment_ids), basic.cast(to_tensor(num_segments), "int32")
        number = _row_counts(data, ids, count)
        return elementwise.real_div(segment.unsorted_segment_sum(data, ids, count), number, name="truediv")


@export("unsorted_segment_sqrt_n", "math.unsorted_segment_sqrt_n")
def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    """The sum of the rows of each segment, divided by the root of their number.

    Args:
        data: rows.
        segment_ids: the segment of each row, in any order; rows with negative ids are left out.
        num_segments: how many segments there are; empty ones give 0.
        name: a name for the operations.
    """
    with name_scope(name, "UnsortedSegmentSqrtN"):
        data, ids, count = to_tensor(data), to_tensor(segment_ids), basic.cast(to_tensor(num_segments), "int32")
        number = elementwise.sqrt(_row_counts(data, ids, count))
        return elementwise.real_div(segment.unsorted_segment_sum(data, ids, count), number, name="truediv")


def _of_picked_rows(public, plain, numbered, what):
    def function(data, indices, segment_ids, name=None, num_segments=None):
        if num_segments is None:
            return plain(data, indices, segment_ids, name=name)
        return numbered(data, indices, segment_ids, num_segments, name=name)
    function.__name__ = function.__qualname__ = f"sparse_{public}"
    function.__doc__ = f"""{what}

    Args:
        data: rows.
        indices: which rows to take, one after another.
        segment_ids: the segment of each row taken, sorted.
        name: a name for the operation.
        num_segments: how many segments there are; by default the last id says.
    """
    return export(f"sparse_{public}", f"sparse.{public}")(function)


sparse_segment_sum = _of_picked_rows(
    "segment_sum", segment.sparse_segment_sum, segment.sparse_segment_sum_with_num_segments,
    "The sum over each segment of the rows that `indices` pick.")
sparse_segment_mean = _of_picked_rows(
    "segment_mean", segment.sparse_segment_mean, segment.sparse_segment_mean_with_num_segments,
    "The mean over each segment of the rows that `indices` pick.")
sparse_segment_sqrt_n = _of_picked_rows(
    "segment_sqrt_n", segment.sparse_segment_sqrt_n, segment.sparse_segment_sqrt_n_with_num_segments,
    "The sum over each segment of the rows that `indices` pick, divided by the root of their number.")
