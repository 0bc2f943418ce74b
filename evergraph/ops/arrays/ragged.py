"""Ops on ragged tensors: rows of different lengths, stored as concatenated values and row splits.

`splits` of n rows are n + 1 non-decreasing numbers that start with 0; row i is values[splits[i]:splits[i + 1]].
"""
import math

import numpy as np

from evergraph.base import dtypes
from evergraph.base.errors import invalid
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import constant
from evergraph.graph.opdef import STOP, op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import at_least_rank, at_most_rank, merge_size, with_rank
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.reshape import reshape, shape_tensor

# ---- rows of numbers


@op("RaggedRange(starts: T, limits: T, deltas: T, *, T: {bfloat16, float, double, int32, int64} = int32, "
    "Tsplits: index = int64) -> rt_nested_splits: Tsplits, rt_dense_values: T", on="host", grad=STOP)
def ragged_range(starts, limits, deltas, T, Tsplits):
    """A ragged tensor of ranges, one row for each start, limit and delta; scalars apply to all rows."""
    if len({np.size(x) for x in (starts, limits, deltas) if np.ndim(x)}) > 1:
        raise invalid("vectors of starts, limits and deltas need one length")
    starts, limits, deltas = (np.atleast_1d(x) for x in np.broadcast_arrays(starts, limits, deltas))
    if not deltas.all():
        raise invalid("Requires delta != 0")
    sizes = np.ceil((limits.astype(np.float64) - starts.astype(np.float64)) / deltas.astype(np.float64))
    ends = _ends_of(np.maximum(sizes, 0).astype(np.int64))
    rows, places = _rows_of(ends)
    return ends.astype(Tsplits), (starts[rows] + places * deltas[rows]).astype(T)


@ragged_range.shape
def _(starts, limits, deltas):
    count = 1 if all(shape == () for shape in (starts, limits, deltas)) else None
    for shape in (starts, limits, deltas):
        if at_most_rank(shape, 1):
            count = merge_size(count, shape[0])
    return [(None if count is None else count + 1,), (None,)]


def _ends_of(sizes):
    """The splits of rows of these sizes."""
    ends = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends


def _rows_of(splits):
    """The row of each value, and its position in the row."""
    splits = np.asarray(splits)
    sizes = splits[1:] - splits[:-1]
    return np.repeat(np.arange(len(sizes)), sizes), np.arange(splits[-1]) - np.repeat(splits[:-1], sizes)


# ---- ragged to sparse


@op("RaggedTensorToSparse(rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: T, *, RAGGED_RANK: int >= 1, "
    "T: type, Tsplits: index = int64) -> sparse_indices: int64, sparse_values: T, sparse_dense_shape: int64",
    on="host")
def ragged_tensor_to_sparse(rt_nested_splits, rt_dense_values):
    """Converts a ragged tensor to a sparse one: the values with their coordinates, and the bounding shape."""
    splits, values = [np.asarray(s) for s in rt_nested_splits], np.asarray(rt_dense_values)
    for level, ends in enumerate(splits):
        _check_ends(ends, len(splits[level + 1]) - 1 if level + 1 < len(splits) else len(values))
    coordinates = np.arange(len(splits[0]) - 1)[:, None]
    for ends in splits:
        rows, places = _rows_of(ends)
        coordinates = np.concatenate([coordinates[rows], places[:, None]], axis=1)
    inner = values.shape[1:]
    if inner:
        within = np.indices(inner).reshape(len(inner), -1).T
        coordinates = np.concatenate([np.repeat(coordinates, len(within), axis=0),
                                      np.tile(within, (len(coordinates), 1))], axis=1)
    shape = [len(splits[0]) - 1, *(int(np.diff(ends).max(initial=0)) for ends in splits), *inner]
    return coordinates.astype(np.int64), values.reshape(-1), np.array(shape, np.int64)


def _check_ends(ends, size):
    if not ends.size:
        raise invalid("ragged splits may not be empty.")
    if ends[0]:
        raise invalid("First value of ragged splits must be 0.")
    falls = np.flatnonzero(np.diff(ends) < 0)
    if falls.size:
        raise invalid(f"ragged splits may not decrease: {ends[falls[0]]} is followed by {ends[falls[0] + 1]}")
    if ends[-1] != size:
        raise invalid(f"Final value of ragged splits must match: there are {size} values, and it is {ends[-1]}")


@ragged_tensor_to_sparse.shape
def _(rt_nested_splits, rt_dense_values):
    for shape in rt_nested_splits:
        with_rank(shape, 1)
    values = at_least_rank(rt_dense_values, 1)
    if values is None:
        return [(None, None), (None,), (None,)]
    count = None if None in values else math.prod(values)
    rank = len(rt_nested_splits) + len(values)
    return [(count, rank), (count,), (rank,)]


@ragged_tensor_to_sparse.grad
def _(op, _, dvalues, __):
    held = op.inputs[-1]
    return [*[None] * (len(op.inputs) - 1), reshape(dvalues, shape_tensor(held))]


# ---- ragged to dense

_PARTITIONS = ("ROW_SPLITS", "VALUE_ROWIDS", "FIRST_DIM_SIZE")


@op("RaggedTensorToTensor(shape: Tshape, values: T, default_value: T, "
    "row_partition_tensors: num_row_partition_tensors * Tindex, *, T: type, Tindex: index, Tshape: index, "
    "num_row_partition_tensors: int >= 1, row_partition_types: list(string)) -> result: T", on="host")
def ragged_tensor_to_tensor(shape, values, default_value, row_partition_tensors, row_partition_types):
    """Converts a ragged tensor to a dense one: pads short rows with the default value and truncates long ones.

    Args:
        shape: the shape of the result; -1 means the length of the longest row.
        values: the concatenated values of all rows.
        default_value: the padding value; broadcast to the shape of one value.
        row_partition_tensors: for each ragged axis its splits, or the first size and for each axis the row ids.
        row_partition_types: their encodings: ROW_SPLITS, or FIRST_DIM_SIZE and VALUE_ROWIDS.
    """
    values = np.asarray(values)
    levels = _levels(row_partition_tensors, row_partition_types)
    wanted = _wanted(np.asarray(shape), len(levels) + values.ndim, values.shape[1:])
    size = len(levels[0]) - 1 if wanted[0] < 0 else int(wanted[0])
    widths = [_longest(ends) if given < 0 else int(given) for ends, given in zip(levels, wanted[1:])]
    kept, place = _kept(levels, size, widths)
    if len(place) and (len(place) if kept is None else kept[-1] + 1) > len(values):
        raise invalid("Invalid row split size.")
    result = np.empty((math.prod([size, *widths]), *values.shape[1:]), values.dtype)
    result[...] = default_value
    result[place] = values[:len(place)] if kept is None else values[kept]
    return result.reshape(size, *widths, *values.shape[1:])


def _longest(ends):
    """The length of the longest row."""
    return int((ends[1:] - ends[:-1]).max(initial=0))


def _kept(levels, size, widths):
    """(which values are within the sizes of a dense tensor, None for all; the flat places of those in it)."""
    place = np.arange(len(levels[0]) - 1)
    is_cut = size < len(place)
    place[size:] = -1
    for ends, width in zip(levels, widths):
        rows, at = _rows_of(ends)
        outer = place[rows]
        place = outer * width + at
        if is_cut or width < _longest(ends):
            is_cut = True
            place[(outer < 0) | (at >= width)] = -1
    kept = np.flatnonzero(place >= 0) if is_cut else None
    return kept, place if kept is None else place[kept]


def _levels(tensors, kinds):
    """The splits of every ragged axis."""
    if kinds[0] != "FIRST_DIM_SIZE":
        levels = [np.asarray(t) for t in tensors]
        for ends in levels:
            if not ends.size or ends[0] or (np.diff(ends) < 0).any():
                raise invalid("Invalid row split size.")
        return levels
    levels, count = [], int(np.asarray(tensors[0]))
    for ids in tensors[1:]:
        ids = np.asarray(ids)
        if ids.size and (ids[0] < 0 or ids[-1] >= count or (np.diff(ids) < 0).any()):
            raise invalid("Invalid value rowids.")
        levels.append(np.concatenate([[0], np.cumsum(np.bincount(ids, minlength=count))]))
        count = len(ids)
    return levels


def _wanted(shape, rank, inner):
    """The requested size of every axis, -1 for the size of the longest row."""
    sizes = np.full(rank, -1) if not shape.ndim else shape
    if len(sizes) != rank:
        raise invalid(f"rt_input.shape and shape={shape.tolist()} are incompatible: rt_input.rank = {rank} but "
                      f"shape.rank = {len(sizes)}")
    for given, size in zip(sizes[rank - len(inner):], inner):
        if given not in (-1, size):
            raise invalid(f"rt_input.shape and shape={shape.tolist()} are incompatible: {size} and {given}")
    return sizes.tolist()


@ragged_tensor_to_tensor.shape
def _(shape, values, default_value, row_partition_tensors, row_partition_types, value_of, shape_of):
    unknown = [kind for kind in row_partition_types if kind not in _PARTITIONS]
    if unknown:
        raise ValueError(f"Unknown string for partition info type: {unknown[0]}")
    if len(row_partition_types) != len(row_partition_tensors):
        raise ValueError(f"{len(row_partition_tensors)} row partitions were given with "
                         f"{len(row_partition_types)} row partition types.")
    if values is not None and default_value is not None and len(default_value) >= max(len(values), 1):
        raise ValueError(f"default_value.rank = {len(default_value)} must be less than rt_input.flat_values.rank = "
                         f"{len(values)}")
    return _dense_shape(value_of("shape"), shape_of("shape"), values, row_partition_tensors, row_partition_types)


def _dense_shape(value, sizes, values, partitions, kinds):
    ragged = len(partitions) - (kinds[0] == "FIRST_DIM_SIZE")
    if value is not None and not value.ndim:
        sizes = None
    if values is not None:
        known = (None,) * (ragged + 1) + tuple(values[1:])
        as_many_as_rows = value is not None and (not value.ndim or value[0] == -1)
        if as_many_as_rows and kinds[0] == "ROW_SPLITS" and partitions[0] and partitions[0][0] is not None:
            known = (partitions[0][0] - 1, *known[1:])
        if sizes is not None and len(sizes) != len(known):
            raise ValueError(f"rt_input.shape and shape are incompatible: rt_input.rank = {len(known)} but shape.rank "
                             f"= {len(sizes)}")
        for a, b in zip(known[ragged + 1:], (sizes or known)[ragged + 1:]):
            merge_size(a, b)
        return known if sizes is None else tuple(k if s is None else s for k, s in zip(known, sizes))
    return sizes


@ragged_tensor_to_tensor.grad
def _(op, dy):
    """Each value gets the gradient of its cell, the default value that of all padded cells."""
    values, default = op.inputs[1], op.inputs[2]
    count = _length(values)
    outer = len(op.inputs) - 3 - (op.get_attr("row_partition_types")[0] in (b"FIRST_DIM_SIZE", "FIRST_DIM_SIZE")) + 1
    sizes = basic.shape(op.outputs[0], out_type=dtypes.int64)
    begin, stop = constant([0], dtypes.int32), constant([outer], dtypes.int32)
    holder = ragged_tensor_to_tensor(lookup("StridedSlice")(sizes, begin, stop, constant([1], dtypes.int32)),
                                     basic.range_(constant(0, dtypes.int64), count, constant(1, dtypes.int64)),
                                     constant(-1, dtypes.int64), list(op.inputs[3:]),
                                     row_partition_types=op.get_attr("row_partition_types"))
    cells = reshape(dy, _listed_shape(values))
    holder = reshape(holder, constant([-1], dtypes.int32))
    one = constant(1, dtypes.int64)  # there is a row to gather from, also for the gradient of nothing
    sums = lookup("UnsortedSegmentSum")(cells, holder, lookup("Maximum")(count, one))
    dvalues = lookup("StridedSlice")(sums, [0], reshape(basic.cast(count, DstT="int32"), [1]), [1])
    empty = lookup("Select")(lookup("Less")(holder, constant(0, dtypes.int64)), cells, basic.zeros_like(cells))
    return [None, dvalues, _summed_to(empty, default), *[None] * (len(op.inputs) - 3)]


def _length(values):
    """The number of values, as a constant if it is static."""
    if values._shape is not None and values._shape[0] is not None:
        return constant(values._shape[0], dtypes.int64)
    return reshape(lookup("Slice")(basic.shape(values, out_type=dtypes.int64), constant([0], dtypes.int32),
                                   constant([1], dtypes.int32)), constant([], dtypes.int32))


def _listed_shape(values):
    """The shape of a list of such values, as a constant if it is static."""
    if values._shape is not None and None not in values._shape[1:]:
        return constant([-1, *values._shape[1:]], dtypes.int32)
    inner = lookup("Slice")(basic.shape(values), constant([1], dtypes.int32), constant([-1], dtypes.int32))
    return lookup("ConcatV2")([constant([-1], dtypes.int32), inner], constant(0, dtypes.int32))


def _summed_to(dy, target):
    """`dy` summed over the axes along which `target` was broadcast."""
    axes, _ = basic.broadcast_gradient_args(shape_tensor(target), basic.shape(dy))
    return reshape(lookup("Sum")(dy, axes), shape_tensor(target))


# ---- gathering rows

@op("RaggedGather(params_nested_splits: PARAMS_RAGGED_RANK * Tsplits, params_dense_values: Tvalues, "
    "indices: Tindices, *, Tvalues: type, Tindices: index, Tsplits: index = int64, PARAMS_RAGGED_RANK: int >= 1, "
    "OUTPUT_RAGGED_RANK: int >= 0) -> output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits, output_dense_values: Tvalues",
    on="host")
def ragged_gather(params_nested_splits, params_dense_values, indices, Tsplits):
    """Gathers rows of a ragged tensor; the result has the shape of the indices, then the rows."""
    splits, values = [np.asarray(s) for s in params_nested_splits], np.asarray(params_dense_values)
    indices = np.asarray(indices)
    count = len(splits[0]) - 1
    wrong = np.flatnonzero((indices.reshape(-1) < 0) | (indices.reshape(-1) >= count))
    if wrong.size:
        at = ",".join(str(i) for i in np.unravel_index(wrong[0], indices.shape)) if indices.ndim else ""
        raise invalid(f"indices[{at}] = {indices.reshape(-1)[wrong[0]]} is not in [0, {count})")
    out = [np.arange(math.prod(indices.shape[:axis]) + 1) * size
           for axis, size in enumerate(indices.shape) if axis]
    chosen = indices.reshape(-1).astype(np.int64)
    for level, ends in enumerate(splits):
        limit = len(splits[level + 1]) - 1 if level + 1 < len(splits) else len(values)
        if ends[-1] > limit:
            raise invalid("a split is past the end of the values")
        sizes = (ends[1:] - ends[:-1])[chosen]
        new = _ends_of(sizes)
        if level or indices.ndim:
            out.append(new)
        rows, places = _rows_of(new)
        chosen = ends[chosen[rows]] + places
    return [o.astype(Tsplits) for o in out], values[chosen]


@ragged_gather.shape
def _(params_nested_splits, params_dense_values, indices, PARAMS_RAGGED_RANK, OUTPUT_RAGGED_RANK):
    with_rank(indices, OUTPUT_RAGGED_RANK - PARAMS_RAGGED_RANK + 1)
    values = at_least_rank(params_dense_values, 1)
    ends = [(None,)] * OUTPUT_RAGGED_RANK
    known = 1
    for axis, size in enumerate(indices or ()):
        known = None if known is None or size is None else known * size
        if axis < OUTPUT_RAGGED_RANK:
            ends[axis] = (None if known is None else known + 1,)
    return [*ends, None if values is None else (None, *values[1:])]


@ragged_gather.grad
def _(op, *dys):
    values = op.inputs[-2]
    numbers = basic.range_(constant(0, dtypes.int64), _length(values), constant(1, dtypes.int64))
    _, rows = ragged_gather(list(op.inputs[:-2]), numbers, op.inputs[-1],
                            OUTPUT_RAGGED_RANK=op.get_attr("OUTPUT_RAGGED_RANK"))
    return [*[None] * (len(op.inputs) - 2), IndexedSlices(dys[-1], rows, shape_tensor(values)), None]


# ---- as variants, one value for several tensors

@op("RaggedTensorToVariant(rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: Tvalues, *, "
    "RAGGED_RANK: int >= 1, Tvalues: type, Tsplits: index, batched_input: bool) -> encoded_ragged: variant", on="host",
    grad=None)
def ragged_tensor_to_variant(rt_nested_splits, rt_dense_values, batched_input):
    """Encodes a ragged tensor as one variant, or with `batched_input` each of its rows as one."""
    splits, values = [np.asarray(s) for s in rt_nested_splits], np.asarray(rt_dense_values)
    for level, ends in enumerate(splits):
        _check_ends(ends, len(splits[level + 1]) - 1 if level + 1 < len(splits) else len(values))
    if not batched_input:
        return _held([(splits, values)], ())
    rows = [_row(splits, values, i) for i in range(len(splits[0]) - 1)]
    return _held(rows, (len(rows),))


@ragged_tensor_to_variant.shape
def _(rt_nested_splits, batched_input):
    if not batched_input:
        return ()
    ends = with_rank(rt_nested_splits[0], 1)
    return (None if ends[0] is None else ends[0] - 1,)


def _row(splits, values, number):
    """One row as splits and values; without splits if the row is not ragged."""
    first, last = splits[0][number], splits[0][number + 1]
    inner = []
    for ends in splits[1:]:
        part = ends[first:last + 1]
        inner.append(part - part[0])
        first, last = part[0], part[-1]
    return inner, values[first:last]


def _held(items, shape):
    array = np.empty(len(items), object)
    for i, item in enumerate(items):  # one by one: NumPy would unpack the items
        array[i] = item
    return array.reshape(shape)


@op("RaggedTensorFromVariant(encoded_ragged: variant, *, input_ragged_rank: int >= -1, output_ragged_rank: int >= 1, "
    "Tvalues: type, Tsplits: index) -> output_nested_splits: output_ragged_rank * Tsplits, "
    "output_dense_values: Tvalues", on="host", grad=None)
def ragged_tensor_from_variant(encoded_ragged, input_ragged_rank, output_ragged_rank, Tvalues, Tsplits):
    """Decodes variants of ragged tensors and stacks them as the rows of one."""
    encoded = np.asarray(encoded_ragged, object)
    rank = output_ragged_rank - encoded.ndim if input_ragged_rank == -1 else input_ragged_rank
    if rank < 0 or rank + encoded.ndim != output_ragged_rank:
        raise invalid(f"values of ragged rank {rank} in a tensor of rank {encoded.ndim} are no ragged tensor of ragged "
                      f"rank {output_ragged_rank}")
    items = list(encoded.reshape(-1))
    for splits, values in items:
        if len(splits) != rank or values.dtype != Tvalues or any(ends.dtype != Tsplits for ends in splits):
            raise invalid(f"a value has ragged rank {len(splits)} and dtype {values.dtype}, expected {rank}, {Tvalues}")
    if not encoded.ndim:
        return items[0]
    uniform = [np.arange(math.prod(encoded.shape[:axis]) + 1) * size
               for axis, size in enumerate(encoded.shape) if axis]
    splits, values = _stacked(items, rank, Tvalues)
    return [ends.astype(Tsplits) for ends in [*uniform, *splits]], values


def _stacked(items, rank, dtype):
    """Stacks ragged tensors as the rows of one."""
    levels = []
    for level in range(rank + 1):
        lengths = [len(splits[level]) - 1 if level < rank else len(values) for splits, values in items]
        before = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        if not level:
            levels.append(before)
        if level < rank:
            below = [len(splits[level + 1]) - 1 if level + 1 < rank else len(values) for splits, values in items]
            starts = np.concatenate([[0], np.cumsum(below)])
            levels.append(np.concatenate([[0], *(splits[level][1:] + start
                                                 for (splits, _), start in zip(items, starts))]).astype(np.int64))
    inner = [values for _, values in items]
    return levels, np.concatenate(inner) if inner else np.zeros(0, dtype)


@ragged_tensor_from_variant.shape
def _(encoded_ragged, output_ragged_rank):
    return [*[(None,)] * output_ragged_rank, None]
