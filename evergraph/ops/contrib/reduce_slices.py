"""Reductions of many slices of one axis, each given by its start and its end."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op
from evergraph.graph.shaping import require_equal, with_rank


def _spans(indices):
    """The starts and the ends; a vector has the borders between neighbouring slices."""
    if indices.ndim == 1:
        return indices[:-1], indices[1:]
    if indices.ndim != 2 or indices.shape[1] != 2:
        raise invalid(f"indices must be a vector or have two columns, but are of shape {list(indices.shape)}")
    return indices[:, 0], indices[:, 1]


def _reduced(data, indices, axis, reduce, nothing):
    axis = int(axis)
    if not 0 <= axis < data.ndim:
        raise invalid(f"axis must be from 0 to {data.ndim - 1}, got {axis}")
    starts, ends = _spans(indices)
    rows = np.moveaxis(data, axis, 0)
    found = np.full((len(starts), *rows.shape[1:]), nothing, data.dtype)
    for place, (start, end) in enumerate(zip(starts, ends)):
        part = rows[max(int(start), 0):max(int(end), 0)]
        if len(part):
            found[place] = reduce(part, axis=0)
    return np.moveaxis(found, 0, axis)


def _shape(data, indices, axis, value_of):
    if data is None:
        return None
    count = None
    if indices is not None and len(indices) == 1:
        count = None if indices[0] is None else max(indices[0], 1) - 1
    elif indices is not None:
        indices = with_rank(indices, 2)
        require_equal(indices[1], 2, "indices must have two columns")
        count = indices[0]
    at = value_of("axis")
    return (None,) * len(data) if at is None else (*data[:int(at)], count, *data[int(at) + 1:])


def _limit(dtype, which):
    kind = np.iinfo if np.issubdtype(dtype, np.integer) else np.finfo
    return getattr(kind(dtype), which)


_SIGNATURE = "(data: T, indices: Tindices, axis: int64, *, T: number, Tindices: index) -> output: T"


def _signature(name):
    return name + _SIGNATURE


@op(_signature("ReduceSliceSum"), shape=_shape, on="host",
    export=("contrib.reduce_slice_ops.reduce_slice_sum",))
def reduce_slice_sum(data, indices, axis):
    """The sums of slices; 0 for an empty one."""
    return _reduced(data, indices, axis, np.sum, 0)


@op(_signature("ReduceSliceProd"), shape=_shape, on="host",
    export=("contrib.reduce_slice_ops.reduce_slice_prod",))
def reduce_slice_prod(data, indices, axis):
    """The products of slices; 1 for an empty one."""
    return _reduced(data, indices, axis, np.prod, 1)


@op(_signature("ReduceSliceMax"), shape=_shape, on="host",
    export=("contrib.reduce_slice_ops.reduce_slice_max",))
def reduce_slice_max(data, indices, axis):
    """The greatest elements of slices; for an empty one the least number of the dtype."""
    return _reduced(data, indices, axis, np.max, _limit(data.dtype, "min"))


@op(_signature("ReduceSliceMin"), shape=_shape, on="host",
    export=("contrib.reduce_slice_ops.reduce_slice_min",))
def reduce_slice_min(data, indices, axis):
    """The least elements of slices; for an empty one the greatest number of the dtype."""
    return _reduced(data, indices, axis, np.min, _limit(data.dtype, "max"))
