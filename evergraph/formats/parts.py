"""Assembles tensors from the slices that a checkpoint stores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.formats.slice_keys import Extent
from evergraph.formats.tensor_messages import proto_to_shape

_MOST_AXES = 64  # NumPy's maximal rank

Array = np.ndarray[Any, Any]
Region = tuple[slice, ...]


def stored_dtype(number: int, what: str) -> dtypes.DType:
    """The dtype of a tensor in a checkpoint.

    Raises:
        DataLossError: the dtype is unknown, or has no storable values.
    """
    try:
        dtype = dtypes.as_dtype(number)
    except TypeError:
        dtype = dtypes.resource
    if dtype.is_ref or dtype.np.hasobject and dtype not in (dtypes.string, dtypes.variant):
        raise errors.DataLossError(None, None, f"{what} is of type {number}, which is not one that is stored")
    return dtype


def stored_shape(message: Any, what: str) -> tuple[int, ...]:
    """The shape of a tensor in a checkpoint.

    Raises:
        DataLossError: the shape is missing or not fully known.
    """
    try:
        shape = proto_to_shape(message)
    except ValueError:
        shape = None
    if shape is None or len(shape) > _MOST_AXES or None in shape:
        raise errors.DataLossError(None, None, f"{what} has no full shape")
    return tuple(size for size in shape if size is not None)


def shaped(array: Array, shape: tuple[int, ...], what: str) -> Array:
    """The array reshaped to `shape`.

    Raises:
        DataLossError: NumPy has no array of this shape, such as one without elements but with axes of absurd size.
    """
    try:
        return array.reshape(shape)
    except ValueError:
        raise errors.DataLossError(None, None, f"{what} cannot have the shape {shape}") from None


def region(extents: Sequence[Extent], shape: Sequence[int]) -> Region:
    """The range of each axis that a slice covers."""
    return tuple(slice(0, size) if length == -1 else slice(start, start + length)
                 for (start, length), size in zip(extents, shape, strict=True))


def size_of(place: Region) -> tuple[int, ...]:
    return tuple(axis.stop - axis.start for axis in place)


def assemble(
    what: str, shape: tuple[int, ...], stored: Sequence[Sequence[Extent]], wanted: Sequence[Extent],
    read: Callable[[Sequence[Extent]], Array],
) -> Array:  # fmt: skip
    """A region of a tensor that is stored in slices.

    Args:
        what: the tensor's name in error messages.
        shape: its shape.
        stored: the extents of the stored slices.
        wanted: the region.
        read: returns the value of a slice; called only for slices that intersect the region.

    Raises:
        DataLossError: a slice does not fit the tensor.
        InternalError: slices overlap.
        InvalidArgumentError: the slices do not cover the region.
        ResourceExhaustedError: there is not enough memory for the region.
    """
    _check_disjoint(what, shape, stored)
    target = region(wanted, shape)
    result, covered = None, 0
    for extents in stored:
        place = region(extents, shape)
        common = tuple(slice(max(a.start, b.start), min(a.stop, b.stop)) for a, b in zip(target, place))
        if place != target and any(axis.start >= axis.stop for axis in common):
            continue
        part = read(extents)
        if part.shape != size_of(place):
            raise errors.DataLossError(None, None, f"a part of {what} has shape {part.shape}, which does not fit")
        if place == target:
            return part
        if result is None:
            result = _room(what, size_of(target), part.dtype)
        result[_seen_from(target, common)] = part[_seen_from(place, common)]
        covered += int(np.prod(size_of(common)))
    if result is None or covered != result.size:
        raise errors.InvalidArgumentError(None, None, f"not all parts of {what} are there")
    return result


def _room(what: str, shape: tuple[int, ...], dtype: Any) -> Array:
    try:
        return np.empty(shape, dtype)
    except (MemoryError, ValueError):  # ValueError: more bytes than the address space has
        raise errors.ResourceExhaustedError(None, None, f"no memory for {what} of shape {shape}") from None


def _seen_from(place: Region, inner: Region) -> Region:
    return tuple(slice(a.start - b.start, a.stop - b.start) for a, b in zip(inner, place))


def _check_disjoint(what: str, shape: tuple[int, ...], stored: Sequence[Sequence[Extent]]) -> None:
    if any(len(part) != len(shape) for part in stored):
        raise errors.DataLossError(None, None, f"{what} has parts of another rank")
    places = [region(part, shape) for part in stored]
    starts = np.array([[axis.start for axis in place] for place in places]).reshape(len(places), len(shape))
    stops = np.array([[axis.stop for axis in place] for place in places]).reshape(len(places), len(shape))
    for i in range(1, len(places)):
        shared = np.maximum(starts[:i], starts[i]) < np.minimum(stops[:i], stops[i])
        if shared.all(axis=1).any():
            raise errors.InternalError(None, None, f"parts of {what} overlap")
