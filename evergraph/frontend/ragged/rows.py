"""Functions that join, select and repeat the rows of ragged tensors."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes, errors, nest
from evergraph.base.export import export
from evergraph.frontend import array, functional, indexing, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_equal, assert_less, assert_non_negative
from evergraph.frontend.ordering import argsort
from evergraph.frontend.ragged.elements import KINDS, map_flat_values, same_rows
from evergraph.frontend.ragged.index import gathered
from evergraph.frontend.ragged.tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, tensors_in
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.overloads import overload
from evergraph.ops.arrays import basic, pad, ragged
from evergraph.ops.arrays.gather import gather_v2
from evergraph.ops.arrays.segment import unsorted_segment_sum

# ---- joining

@overload(array.concat, *KINDS)
def _(values: Any, axis: Any, name: str = "concat") -> Any:
    with name_scope(name, "RaggedConcat", []):
        values = _listed(values)
        return _joined(values, _axis(axis, _rank(values)), stacked=False)


@overload(array.stack, *KINDS)
def _(values: Any, axis: int = 0, name: str = "stack") -> Any:
    return stack(values, axis, name)


@export("ragged.stack")
def stack(values: Any, axis: int = 0, name: str | None = None) -> Any:
    """Tensors as the rows, or along another axis, of one with an axis more; their sizes may differ.

    >>> tf.Session().run(tf.ragged.stack([tf.constant([1, 2]), tf.constant([3])])).to_list()
    [[1, 2], [3]]

    Args:
        values: a list of tensors or ragged tensors of one rank and dtype.
        axis: where the new axis is.
        name: a prefix for the names of the operations.
    """
    with name_scope(name, "RaggedConcat", []):
        values = _listed(values)
        rank = _rank(values)
        return _joined(values, _axis(axis, None if rank is None else rank + 1), stacked=True)


def _listed(values: Any) -> list[Any]:
    if isinstance(values, (list, tuple)) and not values:
        raise ValueError("rt_inputs may not be empty. One tensor or more is to be joined")
    return [convert_to_tensor_or_ragged_tensor(v) for v in (values if isinstance(values, (list, tuple)) else [values])]


def _rank(values: list[Any]) -> int | None:
    ranks = {v.shape.rank for v in values} - {None}
    if len(ranks) > 1:
        raise ValueError(f"tensors of the ranks {sorted(ranks)} cannot be joined")
    return ranks.pop() if ranks else None


def _axis(axis: Any, rank: int | None) -> int:
    if isinstance(axis, str) or not isinstance(axis, (int, np.integer)):
        raise TypeError(f"axis must be an int, got {axis!r}")
    axis = int(axis)
    if rank is None:
        if axis < 0:
            raise ValueError("an axis counted from the end needs tensors of known rank")
    elif not -rank <= axis < rank:
        raise ValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
    return axis + rank if axis < 0 else axis


def _joined(values: list[Any], axis: int, stacked: bool) -> Any:
    if not any(isinstance(v, RaggedTensor) for v in values) and (axis or not stacked or values[0].shape.rank == 0):
        return array.stack(values, axis) if stacked else array.concat(values, axis)
    if stacked and not axis and values[0].shape.rank == 1:
        return RaggedTensor.from_row_lengths(array.concat(values, 0), array.stack([_length(v) for v in values]),
                                             validate=False)
    values = _alike(values)
    if axis == 0:
        return _below(values, stacked)
    if axis == 1:
        return _side_by_side(values, stacked)
    with control_dependencies([check for v in values[1:] for check in _same_outer_rows(values[0], v)]):
        first = RaggedTensor(values[0].values, basic.identity(values[0].row_splits), internal=True)
    return first.with_values(_joined([v.values for v in values], axis - 1, stacked))


def _same_outer_rows(a: RaggedTensor, b: RaggedTensor) -> list[Any]:
    return [assert_equal(a.row_splits, b.row_splits, message="Inputs must have identical ragged splits")]


def _length(tensor: Any) -> Tensor:
    if isinstance(tensor, RaggedTensor):
        return tensor.nrows()
    return array.shape_of(tensor, None, dtypes.int64)[0]


def _alike(values: list[Any]) -> list[RaggedTensor]:
    """Everything with as many ragged axes as the one that has most."""
    rank = max(1, *(v.ragged_rank for v in values if isinstance(v, RaggedTensor)), 0)
    kinds = [v.row_splits.dtype for v in values if isinstance(v, RaggedTensor)]
    return [with_ragged_rank(v, rank, kinds[0] if kinds else dtypes.int64) for v in values]


def with_ragged_rank(tensor: Any, rank: int, kind: dtypes.DType = dtypes.int64) -> Any:
    """The same with uniform axes made ragged, so that `rank` of them are."""
    if not isinstance(tensor, RaggedTensor):
        return RaggedTensor.from_tensor(tensor, ragged_rank=rank, row_splits_dtype=kind) if rank else tensor
    if tensor.ragged_rank >= rank:
        return tensor
    return tensor.with_values(with_ragged_rank(tensor.values, rank - 1, tensor.row_splits.dtype))


def _below(values: list[RaggedTensor], stacked: bool) -> RaggedTensor:
    """The rows of one after those of the other; stacked, each is a row of rows."""
    inner = _joined([v.values for v in values], 0, stacked=False)
    ends, before = [values[0].row_splits[:1]], 0
    for v in values:
        ends.append(v.row_splits[1:] + before)
        before = before + v.row_splits[-1]
    rows = RaggedTensor(inner, array.concat(ends, 0), internal=True)
    return RaggedTensor.from_row_lengths(rows, array.stack([v.nrows() for v in values]), validate=False) \
        if stacked else rows


def _side_by_side(values: list[RaggedTensor], stacked: bool) -> RaggedTensor:
    """The first rows of all, then the second ones, ...; each such group is one row, or stacked a row of rows."""
    count = values[0].nrows()
    checks = [assert_equal(count, v.nrows(), message="Inputs must have the same number of rows") for v in values[1:]]
    zero, one = basic.zeros_like(count), basic.ones_like(count)
    with control_dependencies(checks):
        numbers = array.reshape(basic.range_(zero, count * len(values), one), [len(values), -1])
    rows = gathered(_below(values, stacked=False), array.reshape(array.transpose(numbers), [-1]))
    if stacked:
        ends = basic.range_(zero, count * len(values) + 1, one * len(values))
        return RaggedTensor(rows, _known(ends, values[0].row_splits), internal=True)
    return RaggedTensor(rows.values, _known(rows.row_splits[::len(values)], values[0].row_splits), internal=True)


def _known(ends: Tensor, like: Tensor) -> Tensor:
    ends.set_shape(like.shape)
    return ends


# ---- selecting

@overload(indexing.gather, *KINDS)
def _(params: Any, indices: Any, validate_indices: Any = None, name: str | None = None, axis: Any = None,
      batch_dims: int = 0) -> Any:
    params, indices = map(convert_to_tensor_or_ragged_tensor, (params, indices))
    if batch_dims == 1 and axis in (None, 1):
        return indexing.batch_gather(params, indices, name)
    if batch_dims or axis not in (None, 0):
        raise errors.UnimplementedError(None, None, f"gather from a RaggedTensor with axis={axis}, "
                                                    f"batch_dims={batch_dims}")
    with name_scope(name, "RaggedGather", tensors_in(params, indices)):
        return _gathered(params, indices)


def _gathered(params: Any, indices: Any) -> Any:
    if isinstance(indices, RaggedTensor):
        return indices.with_values(_gathered(params, indices.values))
    if not isinstance(params, RaggedTensor):
        return gather_v2(params, indices, 0)
    if indices.shape.rank is None:
        raise ValueError("gather from a RaggedTensor needs indices of known rank")
    return gathered(params, indices)


@overload(indexing.batch_gather, *KINDS)
def _(params: Any, indices: Any, name: str | None = None) -> Any:
    params, indices = map(convert_to_tensor_or_ragged_tensor, (params, indices))
    with name_scope(name, "RaggedBatchGather", tensors_in(params, indices)):
        if not isinstance(indices, RaggedTensor) and indices.shape.rank == 1:
            return _gathered(params, indices)
        if not isinstance(indices, RaggedTensor) and indices.shape.rank == 2:  # as many from each row
            starts = array.expand_dims(params.row_starts(), 1)
            return _gathered(params.values, math.cast(indices, starts.dtype) + starts)
        params, indices = with_ragged_rank(params, 1), with_ragged_rank(indices, 1)
        if isinstance(indices.values, RaggedTensor) or indices.values.shape.rank != 1:
            alike = [assert_equal(params.row_splits, indices.row_splits,
                                  message="the batch shape of the indices is not that of the params")]
            with control_dependencies(alike):
                splits = basic.identity(indices.row_splits)
            return RaggedTensor(indexing.batch_gather(params.values, indices.values), splits, internal=True)
        starts = gather_v2(params.row_starts(), indices.value_rowids(), 0)
        return indices.with_values(_gathered(params.values, math.cast(indices.values, starts.dtype) + starts))


@overload(indexing.gather_nd, *KINDS)
def _(params: Any, indices: Any, name: str | None = None, batch_dims: int = 0) -> Any:
    if not isinstance(batch_dims, int) or batch_dims:
        raise errors.UnimplementedError(None, None, f"gather_nd from a RaggedTensor with batch_dims={batch_dims}")
    params, indices = map(convert_to_tensor_or_ragged_tensor, (params, indices))
    if indices.shape.rank is None:
        raise ValueError("gather_nd from a RaggedTensor needs that indices.rank be statically known.")
    if indices.shape.rank < 1:
        raise ValueError("indices.rank must be at least 1.")
    if isinstance(indices, RaggedTensor) and indices.shape.rank == indices.ragged_rank + 1:
        raise ValueError("gather_nd cannot take indices whose innermost axis is ragged")
    if isinstance(indices, RaggedTensor):
        with name_scope(name, "RaggedGatherNd", tensors_in(params, indices)):
            return indices.with_values(indexing.gather_nd(params, indices.values))
    if indices.shape.tuple[-1] is None:
        raise ValueError("gather_nd from a RaggedTensor needs indices of known depth")
    with name_scope(name, "RaggedGatherNd", tensors_in(params, indices)):
        if indices.shape.tuple[-1] == 0:
            nowhere = array.zeros(array.shape_of(indices, None, dtypes.int64)[:-1], dtypes.int64)
            nowhere.set_shape(indices.shape[:-1])
            return _gathered(array.expand_dims(params, 0), nowhere)
        while isinstance(params, RaggedTensor) and indices.shape.tuple[-1] > 1:
            indices = math.cast(indices, params.row_splits.dtype)
            place = gather_v2(params.row_starts(), indices[..., 0], 0) + indices[..., 1]
            params, indices = params.values, array.concat([place[..., None], indices[..., 2:]], axis=-1)
        if not isinstance(params, RaggedTensor):
            return indexing.gather_nd(params, indices)
        return _gathered(params, indices[..., 0])


@export("ragged.boolean_mask")
def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """The elements for which a mask is true; those of one row stay in one row.

    >>> rows = tf.ragged.boolean_mask([[1, 2, 3], [4, 5, 6]], [[True, False, True], [False, False, False]])
    >>> tf.Session().run(rows).to_list()
    [[1, 3], []]

    Args:
        data: a tensor or ragged tensor.
        mask: bool, of the shape of some of its first axes.
        name: a prefix for the names of the operations.

    Returns:
        As many axes as `data`, those of the mask after the first ragged; of a tensor a mask of one axis makes a tensor.
    """
    data = convert_to_tensor_or_ragged_tensor(data, name="data")
    mask = convert_to_tensor_or_ragged_tensor(mask, dtypes.bool, name="mask")
    with name_scope(name, "RaggedMask", tensors_in(data, mask)):
        if mask.shape.rank is None or mask.shape.rank == 0:
            raise ValueError("mask.shape.ndims must be known statically, and at least 1")
        mask = with_ragged_rank(mask, mask.shape.rank - 1)
        return _masked(data, mask)


def _masked(data: Any, mask: Any) -> Any:
    if not isinstance(mask, RaggedTensor):
        if not isinstance(data, RaggedTensor):
            return indexing.boolean_mask(data, mask)
        return gathered(data, array.squeeze(indexing.where(mask), axis=[1]))
    data = with_ragged_rank(data, mask.ragged_rank, mask.row_splits.dtype)
    with control_dependencies(same_rows(mask, data)):
        values = _masked(data.values, mask.values)
    if isinstance(mask.values, RaggedTensor):
        return mask.with_values(values)
    counts = unsorted_segment_sum(math.cast(mask.values, mask.row_splits.dtype), mask.value_rowids(),
                                          mask.nrows())
    return RaggedTensor.from_row_lengths(values, _known(counts, mask.row_splits[1:]), validate=False)


@overload(indexing.where, *KINDS)
def _(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    if (x is None) != (y is None):
        raise ValueError("x and y must both be given, or neither")
    condition = convert_to_tensor_or_ragged_tensor(condition, dtypes.bool)
    with name_scope(name, "RaggedWhere", tensors_in(condition)):
        if x is None:
            places, flags, _ = ragged.ragged_tensor_to_sparse(list(condition.nested_row_splits), condition.flat_values)
            return indexing.boolean_mask(places, flags)
        x, y = map(convert_to_tensor_or_ragged_tensor, (x, y))
        if isinstance(condition, RaggedTensor):
            return map_flat_values(indexing.where, condition, x, y)
        count = _length(x)  # a flag for each row
        numbers = math.cast(basic.range_(basic.zeros_like(count), count, basic.ones_like(count)), dtypes.int64)
        rows = indexing.where(condition, numbers, numbers + math.cast(count, dtypes.int64))
        return indexing.gather(array.concat([x, y], axis=0), rows)


@export("ragged.stack_dynamic_partitions")
def stack_dynamic_partitions(data: Any, partitions: Any, num_partitions: Any, name: str | None = None) -> Any:
    """The elements of `data` by the partition that each is said to be in.

    >>> rows = tf.ragged.stack_dynamic_partitions(["a", "b", "c"], [1, 0, 1], 3)
    >>> tf.Session().run(rows).to_list()
    [[b'b'], [b'a', b'c'], []]

    Args:
        data: a tensor or ragged tensor.
        partitions: int32 or int64, of the shape of some of its first axes.
        num_partitions: how many rows the result has; a scalar.
        name: a prefix for the names of the operations.
    """
    data, partitions = map(convert_to_tensor_or_ragged_tensor, (data, partitions))
    with name_scope(name, "SegmentStack", tensors_in(data, partitions)):
        while isinstance(partitions, RaggedTensor):
            data = with_ragged_rank(data, partitions.ragged_rank, partitions.row_splits.dtype)
            alike = [assert_equal(data.row_splits, partitions.row_splits,
                                  message="data and partitions have incompatible ragged shapes")]
            with control_dependencies(alike):
                data, partitions = data.values, map_flat_values(basic.identity, partitions.values)
        if partitions.shape.rank is None:
            raise ValueError("partitions must have known rank")
        if partitions.shape.rank == 0:
            data, partitions = array.expand_dims(data, 0), array.expand_dims(partitions, 0)
        partitions.shape.assert_is_compatible_with(data.shape[:partitions.shape.rank])
        if isinstance(data, RaggedTensor):
            partitions = math.cast(partitions, data.row_splits.dtype)
        count = math.cast(convert_to_tensor(num_partitions, name="num_partitions"), partitions.dtype)
        with control_dependencies([assert_non_negative(partitions, message="partitions must be non-negative"),
                                   assert_less(partitions, count, message="partitions must be less than "
                                                                          "num_partitions")]):
            partitions = basic.identity(partitions)
        if partitions.shape.rank != 1:
            sizes = array.shape_of(data, None, dtypes.int32)[partitions.shape.rank:]
            data = array.reshape(data, array.concat([[-1], sizes], axis=0))
            partitions = array.reshape(partitions, [-1])
        order = argsort(partitions, stable=True)
        return RaggedTensor.from_value_rowids(_gathered(data, order), gather_v2(partitions, order, 0),
                                              nrows=count if isinstance(num_partitions, Tensor) else num_partitions,
                                              validate=False)


# ---- axes

@overload(array.expand_dims, *KINDS)
def _(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    rows = convert_to_tensor_or_ragged_tensor(input)
    rank = rows.shape.rank
    place = _axis(dim if axis is None else axis, None if rank is None else rank + 1)
    with name_scope(name, "RaggedExpandDims", rows._components()):
        return rows[(slice(None),) * place + (None,)] if place <= rows.ragged_rank else \
            rows.with_flat_values(array.expand_dims(rows.flat_values, place - rows.ragged_rank))


@overload(array.squeeze, *KINDS)
def _(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Any:
    axis = squeeze_dims if axis is None else axis
    if axis is None:
        raise ValueError("squeeze of a RaggedTensor needs an axis")
    if isinstance(axis, Tensor):
        raise TypeError(f"squeeze of a RaggedTensor takes axes as numbers, not {axis}")
    rows = convert_to_tensor_or_ragged_tensor(input)
    axes = {_axis(a, rows.shape.rank) for a in (axis if isinstance(axis, (list, tuple)) else [axis])}
    with name_scope(name, "RaggedSqueeze", rows._components()):
        return _squeezed(rows, sorted(axes))


def _squeezed(rows: Any, axes: list[int]) -> Any:
    if not axes or not isinstance(rows, RaggedTensor):
        return array.squeeze(rows, axes) if axes else rows
    inner = _squeezed(rows.values, [a - 1 for a in axes if a > 1])
    lengths = [(rows.nrows(), 0), (rows.row_lengths(), 1)]
    checks = [assert_equal(size, basic.ones_like(size), message="only axes of size 1 can be squeezed")
              for size, axis in lengths if axis in axes]
    with control_dependencies(checks):
        if 0 not in axes and 1 not in axes:
            return rows.with_values(inner)
        values = map_flat_values(basic.identity, inner)
    return array.squeeze(values, [0]) if {0, 1} <= set(axes) else values


@overload(pad.tile, *KINDS)
def _(input: Any, multiples: Any, name: str | None = None) -> Any:
    rows = convert_to_tensor_or_ragged_tensor(input)
    with name_scope(name, "RaggedTile", rows._components()):
        return _tiled(rows, math.cast(multiples, rows.row_splits.dtype))


def _tiled(rows: Any, times: Tensor) -> Any:
    if not isinstance(rows, RaggedTensor):
        return pad.tile(rows, times)
    inner = array.concat([basic.ones_like(times[:1]), times[2:]], axis=0)
    rows = rows.with_values(_tiled(rows.values, inner))
    count = rows.nrows()
    zero, one = basic.zeros_like(count), basic.ones_like(count)
    numbers = array.reshape(pad.tile(basic.range_(zero, count, one), times[:1]), [-1, 1])
    numbers = array.reshape(pad.tile(numbers, array.stack([one, times[1]])), [-1])
    longer = gathered(rows, numbers)
    ends = basic.range_(zero, count * times[0] + 1, one) * times[1]
    return RaggedTensor(longer.values, gather_v2(longer.row_splits, ends, 0), internal=True)


# ---- row by row

@overload(functional.map_fn, *KINDS)
def _(fn: Any, elems: Any, dtype: Any = None, **options: Any) -> Any:
    rows = nest.map_structure(convert_to_tensor_or_ragged_tensor, elems)
    count = _length(nest.flatten(rows)[0])
    numbers = basic.range_(basic.zeros_like(count), count, basic.ones_like(count))
    kinds = nest.map_structure(lambda each: each.dtype, rows) if dtype is None else dtype
    return functional.map_fn(lambda i: fn(nest.map_structure(lambda each: each[i], rows)), numbers, kinds, **options)
