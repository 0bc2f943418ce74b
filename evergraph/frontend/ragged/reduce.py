"""Sums, means and other reductions of ragged tensors, and of their rows by segment."""
from __future__ import annotations

import functools
from typing import Any

from evergraph.base import dtypes
from evergraph.frontend import array, math, reduce
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.ragged.elements import KINDS, same_rows
from evergraph.frontend.ragged.tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor
from evergraph.graph.convert import to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.overloads import overload
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import basic, segment
from evergraph.ops.arrays.gather import gather_v2
from evergraph.ops.math.elementwise import maximum
from evergraph.ops.math.reduce import cumsum, max_
from evergraph.ops.strings import strings

# ---- rows by segment

def by_segment(op: Any, data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """An unsorted segment op of ragged rows: values at the same place in rows of the same segment are combined."""
    data, segment_ids = map(convert_to_tensor_or_ragged_tensor, (data, segment_ids))
    with name_scope(name, op.name, [segment_ids] if isinstance(segment_ids, Tensor) else segment_ids._components()):
        while isinstance(segment_ids, RaggedTensor):
            if not isinstance(data, RaggedTensor):
                raise ValueError("data of ragged segment_ids must be ragged too")
            with control_dependencies(same_rows(segment_ids, data)):
                data, segment_ids = _identity(data.values), _identity(segment_ids.values)
        return _combined(op, data, segment_ids, num_segments)


def _identity(values: Any) -> Any:
    return values.with_flat_values(basic.identity(values.flat_values)) if isinstance(values, RaggedTensor) else \
        basic.identity(values)


def _combined(op: Any, data: Any, ids: Tensor, count: Any) -> Any:
    if not isinstance(data, RaggedTensor):
        return op(data, ids, count)
    lengths = data.row_lengths()
    count = basic.cast(to_tensor(count), dtypes.int32)
    longest = segment.unsorted_segment_max(lengths, ids, count)
    longest = maximum(longest, basic.zeros_like(longest))  # a segment without rows has an empty one
    ends = array.concat([array.zeros([1], longest.dtype), cumsum(longest, 0)], axis=0)
    rows = data.value_rowids()
    starts = gather_v2(ends, gather_v2(ids, rows, 0), 0)
    return RaggedTensor(_combined(op, data.values, starts + _places(data), ends[-1]), ends, internal=True)


def _places(rows: RaggedTensor) -> Tensor:
    """For each value its place in its row."""
    zero = array.zeros([], rows.row_splits.dtype)
    numbers = basic.range_(zero, rows.row_splits[-1], basic.ones_like(zero))
    return numbers - gather_v2(rows.row_splits, rows.value_rowids(), 0)


for _op in (segment.unsorted_segment_sum, segment.unsorted_segment_prod, segment.unsorted_segment_max,
            segment.unsorted_segment_min):
    overload(_op, *KINDS)(functools.partial(by_segment, _op))


# ---- along axes

def _reduced(function: Any, op: Any, rows: Any, axis: Any) -> Any:
    """One reduction after the other, the innermost axis first."""
    if not isinstance(rows, RaggedTensor):
        return function(rows, axis)
    if axis is None:
        return function(rows.flat_values)
    if isinstance(axis, (list, tuple)):
        for each in sorted((_positive(a, rows) for a in axis), reverse=True):
            rows = _reduced(function, op, rows, each)
        return rows
    axis = _positive(axis, rows)
    if axis == 0:
        longest = max_(array.concat([array.zeros([1], rows.row_splits.dtype), rows.row_lengths()], axis=0), 0)
        return _combined(op, rows.values, _places(rows), longest)
    if axis == 1:
        return _combined(op, rows.values, rows.value_rowids(), rows.nrows())
    return rows.with_values(_reduced(function, op, rows.values, axis - 1))


def _positive(axis: Any, rows: Any) -> int:
    if isinstance(axis, str):
        raise TypeError(f"axis must be an int; got {type(axis).__name__} {axis!r}")
    axis, rank = int(axis), rows.shape.rank
    if axis < 0 and rank is None:
        raise ValueError("an axis counted from the end needs a RaggedTensor of known rank")
    if rank is not None and not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is not one of a RaggedTensor of rank {rank}")
    return axis + rank if axis < 0 else axis


def _reduction(function: Any, combine: Any) -> None:
    @overload(function, *KINDS)
    def _(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None,
          reduction_indices: Any = None, keep_dims: Any = None) -> Any:
        axis = reduce.either("axis", axis, "reduction_indices", reduction_indices)
        kept = reduce.either("keepdims", keepdims, "keep_dims", keep_dims)
        rows = convert_to_tensor_or_ragged_tensor(input_tensor)
        axis = _known(axis)
        with name_scope(name, "RaggedReduce", rows._components()):
            result = combine(rows, axis)
            return result if not kept else _with_axes(result, rows, axis)


def _with_axes(result: Any, rows: RaggedTensor, axis: Any) -> Any:
    """The result with axes of size 1 where it was reduced."""
    if axis is None:
        axis = list(range(rows.shape.rank))
    for each in sorted(_positive(a, rows) for a in (axis if isinstance(axis, (list, tuple)) else [axis])):
        result = array.expand_dims(result, each)
    return result


def _known(axis: Any) -> Any:
    """An axis, or several, as numbers."""
    if not isinstance(axis, Tensor):
        return axis
    value = static_value(axis)
    if value is None:
        raise ValueError("an axis of a RaggedTensor must be known at graph construction time")
    return value.tolist()


def _simple(function: Any, op: Any) -> None:
    _reduction(function, functools.partial(_reduced, function, op))


_simple(reduce.reduce_sum, segment.unsorted_segment_sum)
_simple(reduce.reduce_prod, segment.unsorted_segment_prod)
_simple(reduce.reduce_max, segment.unsorted_segment_max)
_simple(reduce.reduce_min, segment.unsorted_segment_min)


def _mean(rows: RaggedTensor, axis: Any) -> Any:
    total = _reduced(reduce.reduce_sum, segment.unsorted_segment_sum, rows, axis)
    ones = rows.with_flat_values(basic.ones_like(rows.flat_values))
    count = _reduced(reduce.reduce_sum, segment.unsorted_segment_sum, ones, axis)
    if isinstance(total, RaggedTensor):
        return total.with_flat_values(math.truediv(total.flat_values, count.flat_values))
    return math.truediv(total, count)


def _of_flags(op: Any, function: Any, rows: RaggedTensor, axis: Any) -> Any:
    """Booleans as numbers: all hold when their product is not 0, any when their sum is not."""
    return math.cast(_reduced(function, op, math.cast(rows, dtypes.int32), axis), dtypes.bool)


_reduction(reduce.reduce_mean, _mean)
_reduction(reduce.reduce_all, functools.partial(_of_flags, segment.unsorted_segment_prod, reduce.reduce_prod))
_reduction(reduce.reduce_any, functools.partial(_of_flags, segment.unsorted_segment_sum, reduce.reduce_sum))


# ---- strings

def joined(rows: RaggedTensor, axis: Any, keepdims: bool, separator: str, name: str | None = None) -> Any:
    """The strings joined along an axis, or along several in this order; by default along all, the last first."""
    axes = _known(axis)
    axes = list(range(rows.shape.rank))[::-1] if axes is None else axes
    inside = functools.partial(strings.reduce_join, keep_dims=False, separator=separator)
    by_id = functools.partial(strings.unsorted_segment_join, separator=separator)
    with name_scope(name, "RaggedSegmentJoin", rows._components()):
        result = _reduced(inside, by_id, rows, axes)
        return _with_axes(result, rows, axes) if keepdims else result
