"""`tf.*` functions that pick parts of tensors: slices, rows, masks; and what Python's indexing means on tensors."""
from __future__ import annotations

import numbers
import sys
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import Dimension
from evergraph.frontend.array import (
    concat,
    expand_dims,
    ones,
    ones_like,
    reshape,
    shape_of,
    size,
    squeeze,
    stack,
    zeros,
)
from evergraph.frontend.blocks import name_scope
from evergraph.graph import convert, shaping
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.overloads import overloadable
from evergraph.ops.arrays import basic, index, pad, search
from evergraph.ops.arrays import gather as gather_ops
from evergraph.ops.math.elementwise import less, maximum, select, select_v2
from evergraph.ops.math.reduce import max_, prod

newaxis = export("newaxis")(None)
"""Puts in an axis of size 1, in an indexing expression: x[:, tf.newaxis]."""


# ---- slices

@export("slice")
def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:  # noqa: A001 - TensorFlow's name
    """Extracts the box of a tensor that begins at `begin` and has the shape `size`; `x[i:j, k:l]` is easier to read.

    Args:
        input_: the tensor.
        begin: for each axis, the index of the first element.
        size: for each axis, how many elements; -1 for all up to the end.
        name: a name for the operation.
    """
    return index.slice_(input_, begin, size, name=name)


@export("strided_slice")
def strided_slice(input_: Any, begin: Any, end: Any, strides: Any = None, begin_mask: int = 0, end_mask: int = 0,
                  ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, var: Any = None,
                  name: str | None = None) -> Tensor:
    """What `input_[begin[0]:end[0]:strides[0], ...]` means; bit i of a mask is about item i.

    Args:
        input_: the tensor.
        begin, end, strides: 1-D int tensors; strides are 1 by default.
        begin_mask, end_mask: where the bound is left out.
        ellipsis_mask: where `...` stands.
        new_axis_mask: where an axis of size 1 is put in.
        shrink_axis_mask: where a single index stands, which takes its axis away.
        var: the variable that `input_` is the value of: the result then has `assign(value)`.
        name: a name for the operation.
    """
    strides = ones_like(begin) if strides is None else strides
    masks = {"begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask,
             "new_axis_mask": new_axis_mask, "shrink_axis_mask": shrink_axis_mask}
    part = index.strided_slice(input_, begin, end, strides, name=name, **masks)
    if var is not None:
        bounds = (begin, end, strides) if part.graph.is_eager else part.op.inputs[1:]
        part.assign = lambda value, name=None: var._assign_strided(
            *bounds, value, name=name or f"{part.source.name}/_assign/", **masks)
    return part


_NO_INDEX = "an index is an integer, a scalar integer tensor, a slice, `...` or tf.newaxis, got {!r}"


def _checked(item: Any) -> Any:
    """An index or bound, as it goes into a list of them."""
    if isinstance(item, Dimension):
        return item.value
    if isinstance(item, (numbers.Integral, np.integer)) and not isinstance(item, (bool, np.bool_)):
        return int(item)
    dtype = getattr(item, "dtype", None)
    try:
        allowed = dtype is not None and dtypes.as_dtype(dtype).base_dtype in (dtypes.int32, dtypes.int64)
    except TypeError:
        allowed = False
    if not allowed or len(getattr(item, "_shape", None) or np.shape(item) if isinstance(item, np.ndarray) else ()):
        raise TypeError(_NO_INDEX.format(item))
    return item


def _is_mask(spec: Any) -> bool:
    return isinstance(spec, bool) or isinstance(spec, (Tensor, np.ndarray)) \
        and dtypes.as_dtype(spec.dtype).base_dtype is dtypes.bool


def getitem(tensor: Any, spec: Any, var: Any = None) -> Tensor:
    """`tensor[spec]`; with `var`, the variable that `tensor` is the value of, the result has `assign(value)`."""
    if _is_mask(spec):
        return boolean_mask(tensor, spec)
    items = list(spec) if isinstance(spec, (list, tuple)) else [spec]
    begin, end, strides, masks = _spelled_out(items)
    with name_scope(None, "strided_slice", [tensor, *begin, *end, *strides]) as scope:
        if items:
            bounds = _same_dtype([stack(begin), stack(end), stack(strides)])
        else:
            bounds = [convert.constant([], dtypes.int32)] * 3
        return strided_slice(tensor, *bounds, var=var, name=scope, **masks)


def _spelled_out(items: list[Any]) -> tuple[list[Any], list[Any], list[Any], dict[str, int]]:
    """An indexing expression as bounds and masks."""
    begin, end, strides = [], [], []
    masks = dict.fromkeys(index.MASKS, 0)
    for at, item in enumerate(items):
        first, last, step = 0, 0, 1
        if isinstance(item, _SLICE):
            if item.start is None or item.start is sys.maxsize:
                masks["begin_mask"] |= 1 << at
            else:
                first = _checked(item.start)
            if item.stop is None or item.stop == sys.maxsize:
                masks["end_mask"] |= 1 << at
            else:
                last = _checked(item.stop)
            step = 1 if item.step is None else _checked(item.step)
        elif item is Ellipsis:
            masks["ellipsis_mask"] |= 1 << at
        elif item is newaxis:
            masks["new_axis_mask"] |= 1 << at
        else:
            first = _checked(item)
            last = first + 1
            masks["shrink_axis_mask"] |= 1 << at
        begin.append(first)
        end.append(last)
        strides.append(step)
    return begin, end, strides, masks


def _same_dtype(bounds: list[Tensor]) -> list[Tensor]:
    if all(each.dtype is dtypes.int32 for each in bounds):
        return bounds
    return [each if each.dtype is dtypes.int64 else basic.cast(each, DstT=dtypes.int64) for each in bounds]


_SLICE = type(np.s_[:])  # `slice` is the public function here

Tensor._override_operator("__getitem__", getitem)


# ---- rows and points

@export("gather")
@overloadable
def gather(params: Any, indices: Any, validate_indices: Any = None, name: str | None = None, axis: Any = None,
           batch_dims: int = 0) -> Tensor:
    """Selects slices of a tensor by their indices along `axis`; by default rows, result[i] = params[indices[i]].

    Args:
        params: the tensor; a variable is read only where it is asked for.
        indices: int32 or int64, of any shape.
        validate_indices: has no meaning: indices are always checked.
        name: a name for the operation.
        axis: the axis; by default the first after the batch.
        batch_dims: how many axes, the first ones, `params` and `indices` have in common.
    """
    axis = batch_dims if axis is None else axis
    if not isinstance(axis, Tensor) and int(axis) == 0 and hasattr(params, "handle"):
        return params.sparse_read(indices, name=name)
    return gather_ops.gather_v2(params, indices, axis, batch_dims=batch_dims, name=name)


@export("batch_gather")
@overloadable
def batch_gather(params: Any, indices: Any, name: str | None = None) -> Tensor:
    """`tf.gather` in which all axes but the last of `indices` are in common."""
    with name_scope(name, "BatchGather", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        if indices.shape.rank is None:
            raise ValueError("batch_gather needs to know the rank of the indices")
        batch = indices.shape.rank - 1
        return gather_ops.gather_v2(params, indices, batch, batch_dims=batch)


@export("gather_nd", "manip.gather_nd")
@overloadable
def gather_nd(params: Any, indices: Any, name: str | None = None, batch_dims: int = 0) -> Tensor:
    """Selects elements or slices of a tensor by coordinates: result[i] = params[indices[i, 0], indices[i, 1], ...].

    Args:
        params: the tensor; a variable is read only where it is asked for.
        indices: int32 or int64.
        name: a name for the operation.
        batch_dims: how many axes, the first ones, `params` and `indices` have in common.
    """
    batch = shaping.static_value(batch_dims) if isinstance(batch_dims, Tensor) else batch_dims
    batch = None if batch is None else int(np.ravel(batch)[0])
    if batch is None or batch < 0:
        raise ValueError(f"batch_dims must be known and not negative, got {batch_dims}")
    if batch:
        return _batch_gather_nd(params, indices, batch, name)
    if hasattr(params, "handle"):
        return params.gather_nd(indices, name=name)
    return gather_ops.gather_nd(params, indices, name=name)


def _batch_gather_nd(params: Any, indices: Any, batch: int, name: str | None) -> Tensor:
    """Makes the batch one axis and its number part of each index."""
    with name_scope(name, "BatchGatherND", [params, indices]):
        params, indices = convert_to_tensor(params, name="params"), convert_to_tensor(indices, name="indices")
        rank = indices.shape.rank
        if rank is not None and rank <= batch:
            raise ValueError(f"batch_dims = {batch} must be less than rank(indices) = {rank}")
        whole, points = shape_of(params), shape_of(indices)
        depth = points[-1] if rank is None or indices.shape.tuple[-1] is None else indices.shape.tuple[-1]
        count = prod(points[:batch], [0])
        places = reshape(indices, concat([[-1], points[batch:]], 0))
        # The number of the batch entry becomes the first coordinate of each point.
        behind = [1] * (rank - batch) if rank is not None else ones([basic.rank(indices) - batch], dtypes.int32)
        numbers_of_batch = reshape(basic.range_(0, count, 1), concat([[-1], behind], 0))
        column = concat([[count], points[batch:-1], [1]], 0)
        numbered = basic.broadcast_to(basic.cast(numbers_of_batch, DstT=places.dtype), column)
        flat = reshape(params, concat([[-1], whole[batch:]], 0))
        found = gather_ops.gather_nd(flat, concat([numbered, places], -1))
        return reshape(found, concat([points[:-1], whole[batch + depth:]], 0))


# ---- masks

@export("where")
@overloadable
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """Selects elementwise between `x` and `y` by a condition; without them, returns the coordinates of true elements.

    Args:
        condition: bool; of the shape of `x`, or one element for each of its rows.
        x, y: tensors of one shape, or both left out.
        name: a name for the operation.

    Raises:
        ValueError: one of `x` and `y` is given alone.
    """
    return _where(condition, x, y, name, select)


@export("where_v2")
def where_v2(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """`tf.where` in which condition, x and y broadcast."""
    return _where(condition, x, y, name, select_v2)


def _where(condition: Any, x: Any, y: Any, name: str | None, choose: Any) -> Tensor:
    if x is not None and y is not None:
        return choose(condition, x, y, name=name)
    if x is not None or y is not None:
        raise ValueError("tf.where takes both x and y or neither")
    with name_scope(name, "Where", [condition]) as scope:
        condition = convert_to_tensor(condition, preferred_dtype=dtypes.bool, name="condition")
        return search.where(condition, name=scope)


@export("boolean_mask")
def boolean_mask(tensor: Any, mask: Any, name: str = "boolean_mask", axis: int | None = None) -> Tensor:
    """Selects the elements, or slices, of a tensor at which a boolean mask is true; their number depends on the mask.

    Args:
        tensor: the tensor.
        mask: bool; its shape is that of some axes of `tensor`, which become one.
        name: a prefix for the names of the operations.
        axis: the first of these axes, 0 by default.

    Raises:
        ValueError: the mask is a scalar, or its rank is not known.
    """
    with name_scope(name, "boolean_mask", [tensor, mask]):
        tensor, mask = convert_to_tensor(tensor, name="tensor"), convert_to_tensor(mask, name="mask")
        count = mask.shape.rank
        if count == 0:
            raise ValueError("mask cannot be scalar.")
        if count is None:
            raise ValueError("the number of mask dimensions must be specified; their sizes need not be known")
        axis = _static_axis(axis)
        if tensor.shape.rank is not None:
            tensor.shape[axis:axis + count].assert_is_compatible_with(mask.shape)
        together = prod(shape_of(tensor)[axis:axis + count], [0])
        sizes = concat([shape_of(tensor)[:axis], [together], shape_of(tensor)[axis + count:]], 0)
        flat = reshape(tensor, sizes)
        if tensor.shape.rank is not None:
            leading = tensor.shape[axis:axis + count].num_elements()
            flat.set_shape([*tensor.shape[:axis].as_list(), leading, *tensor.shape[axis + count:].as_list()])
        places = squeeze(where(reshape(mask, [-1])), axis=[1])
        return gather(flat, places, axis=axis)


def _static_axis(axis: Any) -> int:
    value = shaping.static_value(axis) if isinstance(axis, Tensor) else axis
    if isinstance(axis, Tensor) and value is None:
        raise ValueError("axis must be known while the graph is built")
    return 0 if value is None else int(value)


@export("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool, name: str | None = None) -> Tensor:
    """Converts sequence lengths to masks: row i is true at its first lengths[i] positions and false behind them.

    Args:
        lengths: an int tensor of any shape.
        maxlen: the length of a row; by default the largest of `lengths`.
        dtype: the dtype of the result.
        name: a prefix for the names of the operations.
    """
    with name_scope(name, "SequenceMask", [lengths, maxlen]):
        lengths = convert_to_tensor(lengths)
        if maxlen is None:
            rank = lengths.shape.rank
            axes = basic.range_(0, basic.rank(lengths), 1) if rank is None else np.arange(rank, dtype=np.int32)
            longest = max_(lengths, convert_to_tensor(axes))
            maxlen = maximum(convert.constant(0, longest.dtype), longest)
        else:
            maxlen = convert_to_tensor(maxlen)
        if maxlen.shape.rank not in (None, 0):
            raise ValueError("maxlen must be scalar for sequence_mask")
        steps = basic.range_(convert.constant(0, maxlen.dtype), maxlen, convert.constant(1, maxlen.dtype))
        limits = basic.cast(expand_dims(lengths, -1), DstT=maxlen.dtype)
        mask = less(steps, limits)
        return mask if dtypes.as_dtype(dtype) is dtypes.bool else basic.cast(mask, DstT=dtype)


# ---- copies

@export("one_hot")
@overloadable
def one_hot(indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: int | None = None,
            dtype: Any = None, name: str | None = None) -> Tensor:
    """Encodes indices as one-hot vectors along a new axis: `on_value` at position index, `off_value` elsewhere.

    Args:
        indices: uint8, int32 or int64; indices outside of [0, depth) name no place.
        depth: the size of the new axis.
        on_value, off_value: 1 and 0 by default.
        axis: where the axis goes; by default behind the last.
        dtype: the dtype of the result; by default that of the values, or float32.
        name: a name for the operation.

    Raises:
        TypeError: the dtypes of the values and of the result differ.
    """
    with name_scope(name, "one_hot", [indices, depth, on_value, off_value, axis, dtype]) as scope:
        given = [None if value is None else convert_to_tensor(value, preferred_dtype=dtype)
                 for value in (on_value, off_value)]
        found = next((value.dtype.base_dtype for value in given if value is not None), dtypes.float32)
        dtype = found if dtype is None else dtypes.as_dtype(dtype).base_dtype
        values = []
        for value, default, what in zip(given, (1, 0), ("on_value", "off_value"), strict=True):
            if value is None:
                value = convert.constant(default, dtype, name=what)
            elif value.dtype.base_dtype is not dtype:
                raise TypeError(f"dtype {value.dtype.name} of {what} does not match dtype {dtype.name}")
            values.append(value)
        return gather_ops.one_hot(indices, depth, *values, axis=-1 if axis is None else axis, name=scope)


@export("repeat")
def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each element (or slice) of a tensor several times in a row.

    >>> tf.Session().run(tf.repeat([1, 2, 3], repeats=[1, 2, 0]))
    array([1, 2, 2], dtype=int32)

    Args:
        input: the tensor.
        repeats: how many times: a number, or one for each slice along `axis`.
        axis: the axis; by default the tensor is flattened first.
        name: a prefix for the names of the operations.
    """
    if axis is None:
        input, axis = reshape(input, [-1]), 0
    with name_scope(name, "Repeat", [input, repeats]):
        data = convert_to_tensor(input, name="data")
        if axis == 0 and data.shape.rank == 0:  # NumPy takes a number for a list of one
            data = reshape(data, [1])
        counts = convert_to_tensor(repeats, name="repeats")
        counts = counts if counts.dtype is dtypes.int64 else basic.cast(counts, DstT=dtypes.int32)
        axis = _axis_from_front(axis, data.shape.rank)
        if counts.shape.num_elements() == 1:
            return _repeated_alike(data, reshape(counts, zeros([0], dtypes.int32)), axis)
        return _repeated(data, counts, axis)


def _repeated_alike(data: Tensor, count: Tensor, axis: int) -> Tensor:
    """Every slice along an axis as often as the scalar `count` says."""
    whole = shape_of(data, None, count.dtype)
    copies = _copied(data, count, axis)
    return reshape(copies, concat([whole[:axis], [count * whole[axis]], whole[axis + 1:]], 0))


def _repeated(data: Tensor, counts: Tensor, axis: int) -> Tensor:
    """Slice i along an axis as often as counts[i] says: makes the most copies of each and masks some out."""
    counts = basic.broadcast_to(counts, [shape_of(data, None, counts.dtype)[axis]])
    most = maximum(max_(counts, [0]), convert.constant(0, counts.dtype))
    mask = sequence_mask(counts, most)
    return boolean_mask(_copied(data, most, axis), mask, axis=axis)


def _copied(data: Tensor, count: Tensor, axis: int) -> Tensor:
    """`data` with a new axis behind `axis` that holds `count` copies."""
    rank = data.shape.rank
    if rank is not None:
        multiples: Any = [count if at == axis + 1 else 1 for at in range(rank + 1)]
    else:
        behind = ones([basic.rank(data) - axis - 1], count.dtype)
        multiples = concat([ones([axis + 1], count.dtype), [count], behind], 0)
    return pad.tile(expand_dims(data, axis + 1), multiples)


def _axis_from_front(axis: int, rank: int | None) -> int:
    if rank is None and axis < 0:
        raise ValueError("a negative axis needs a tensor of known rank")
    return axis if rank is None else shaping.normal_axis(axis, rank)


@export("meshgrid")
def meshgrid(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Coordinate grids of N vectors: N tensors of rank N, in which each vector runs along one axis.

    Args:
        *args: the vectors.
        **kwargs: `indexing`, "xy" (the default: the first two axes exchanged, as for pictures) or "ij"; `name`.

    Raises:
        TypeError: another keyword.
        ValueError: another indexing.
    """
    indexing = kwargs.pop("indexing", "xy")
    name = kwargs.pop("name", "meshgrid")
    if kwargs:
        raise TypeError(f"meshgrid has no argument '{next(iter(kwargs))}'")
    if indexing not in ("xy", "ij"):
        raise ValueError("indexing is 'xy' or 'ij'")
    if not args:
        return []
    with name_scope(name, "meshgrid", args):
        rank = len(args)
        along = list(range(rank))
        if indexing == "xy" and rank > 1:
            along[0], along[1] = 1, 0
        lines = [reshape(stack(each), [-1 if at == axis else 1 for at in range(rank)])
                 for each, axis in zip(args, along, strict=True)]
        sizes = [size(each) for each in args]
        grid = ones([sizes[along.index(at)] for at in range(rank)], lines[0].dtype.base_dtype)
        return [line * grid for line in lines]
