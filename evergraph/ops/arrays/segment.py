"""Segment reductions, which reduce the rows of a tensor by segment: row i belongs to segment `segment_ids[i]`.

The number of output rows of the sorted and sparse forms depends on the value of the last id, so they run on the host.
They can join a device stage that gets their ids from the host, which tells the last one before the stage runs, or whose
ids are constants: see passes/padding.py. The unsorted forms have the number of segments as an input and run on the
device.
"""
from __future__ import annotations

import numpy as np

from evergraph import native
from evergraph.base import errors
from evergraph.base.dtypes import as_dtype
from evergraph.graph import shaping
from evergraph.graph.opdef import op
from evergraph.graph.registry import lookup
from evergraph.graph.traits import ANY, Kind, Memory, Padded, TypeOf
from evergraph.kernel import native_reduce
from evergraph.kernel.context import check_now
from evergraph.kernel.ids import are_below, segments
from evergraph.kernel.values import array_module, is_padding, is_traced
from evergraph.ops.arrays.basic import cast, ones_like, shape, zeros_like
from evergraph.ops.arrays.limits import highest, lowest
from evergraph.ops.arrays.row_access import sums_of_rows, take_rows
from evergraph.ops.math.elementwise import equal, greater_equal, maximum, mul, real_div, select, select_v2


def _invalid(message):
    return errors.InvalidArgumentError(None, None, message)


def _row_count(tensor):
    return lookup("StridedSlice")(shape(tensor), [0], [1], [1], shrink_axis_mask=1)


def _gather(rows, ids):
    return lookup("GatherV2")(rows, ids, 0)


# ---- sorted ids

def _reduce_sorted(ufunc, data, ids, count, empty):
    """Reduces runs of equal ids; empty segments get `empty`."""
    if is_summed_in_c(data, ids):
        start = np.full((count, *data.shape[1:]), _STARTS[ufunc](data.dtype), data.dtype)
        result = reduced_in_c(ufunc, start, data, ids)
        if ufunc is not np.add:
            result[np.bincount(ids, minlength=count) == 0] = empty
        return result
    half = data.dtype.itemsize == 2 and data.dtype.kind in "fV"
    result = np.full((count, *data.shape[1:]), empty, np.float32 if half else data.dtype)
    if ids.size:
        starts = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]]))
        result[ids[starts]] = ufunc.reduceat(data.astype(result.dtype, copy=False), starts, axis=0)
    return result


_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_INTEGERS = (np.dtype(np.int32), np.dtype(np.int64))
_IN_C = {np.add: 0, np.multiply: 1, np.maximum: 2, np.minimum: 3}


def is_summed_in_c(data, *ids):
    """Whether native/sparse.c adds up such rows by such ids."""
    return native.sparse is not None and data.dtype in _FLOATS and data.size > 0 \
        and all(each.dtype in _INTEGERS for each in ids)


def sum_in_c(data, ids, count, picks=None):
    """The sums of the rows of each segment, or of the rows at `picks`; rows with negative ids are left out."""
    return add_in_c(np.zeros((count, *data.shape[1:]), data.dtype), data, ids, picks)


def add_in_c(result, data, ids, picks=None):
    """Adds to each row of `result` the rows of `data`, or the rows at `picks`, that have its number as their id."""
    return reduced_in_c(np.add, result, data, ids, picks)


def reduced_in_c(ufunc, result, data, ids, picks=None):
    """The same, where the ufunc takes the numbers of a row, those that it has and those of one row after the other."""
    given = None if picks is None else np.ascontiguousarray(picks)
    is_wide = picks is not None and picks.itemsize == 8
    native.sparse.reduce_rows(np.ascontiguousarray(data), data.itemsize == 8, data[0].size, given, is_wide,
                              np.ascontiguousarray(ids), ids.itemsize == 8, result, _IN_C[ufunc])
    return result


def _divide_in_c(kind, rows, ids, exact=False):
    """Divides rows, which are floats, in place by what `_weights` gives for the number of ids of each."""
    if kind != "Sum" and rows.size:
        native.sparse.divide_rows(rows, rows.itemsize == 8, rows[0].size, np.ascontiguousarray(ids), ids.itemsize == 8,
                                  kind == "SqrtN", exact)
    return rows


def _counts(ids, count, data):
    """The number of rows of each segment, at least 1, in the shape of a divisor of `data`."""
    number = np.maximum(np.bincount(ids, minlength=count), 1)
    return number.reshape((-1,) + (1,) * (data.ndim - 1))


def _towards_zero(xp, total, counts):
    """The quotients of integers, rounded towards zero; floats have too few bits for large ones."""
    counts = counts.astype(total.dtype)
    quotients = total // counts
    return quotients + ((total % counts != 0) & (quotients < 0)).astype(total.dtype)


def _divided(xp, total, counts):
    if total.dtype.kind in "iu":
        return _towards_zero(xp, total, counts)
    return total / counts.astype(total.dtype)


def _check_sorted(ids):
    if ids.size and ids[-1] < 0:
        raise _invalid("segment ids must be >= 0")
    if ids.size and (ids[0] < 0 or (np.diff(ids) < 0).any()):
        _check_indices(ids, ids[-1] + 1, "Segment id {value}")
        raise _invalid("segment ids are not increasing")


def _check_rows(data, segment_ids):
    if segment_ids.ndim != 1:
        raise _invalid(f"segment_ids should be a vector, not of shape {list(segment_ids.shape)}")
    if data.ndim < 1 or data.shape[0] != segment_ids.size:
        raise _invalid(f"segment_ids should be the same size as the first axis of the data: {segment_ids.size} and "
                       f"{list(data.shape)}")
    _check_sorted(segment_ids)


def _sorted(name, domain, ufunc, empty, doc, mean=False):
    def run(data, segment_ids):
        if ufunc is np.add and (total := _sorted_in_c(data, segment_ids)) is not None:
            return _divide_in_c("Mean", total, segment_ids) if mean else total
        count = _checked_count(data, segment_ids)
        result = _reduce_sorted(ufunc, data, segment_ids, count, empty)
        return _divided(np, result, _counts(segment_ids, count, data)) if mean else result

    def run_padded(data, segment_ids, known):
        if array_module(data, segment_ids) is np:
            return run(data, segment_ids)
        count = known.count if is_traced(segment_ids) else _checked_count(data, segment_ids)
        return _sorted_traced(ufunc, data, segment_ids, count, empty, mean)
    run.__doc__ = doc
    public = f"segment_{name.removeprefix('Segment').lower()}"
    declared = op(
        f"{name}(data: T, segment_ids: Tindices, *, T: {domain}, Tindices: index) -> output: T", on="host",
        shape=_sorted_shape, memory=Memory.STORED, export=(public, f"math.{public}"),
        padding=Padded(("data", "segment_ids"), alike=("data", "segment_ids"), counts="segment_ids"))(run)
    declared.fixed_size_kernel = run_padded
    return declared


def _sorted_in_c(data, segment_ids):
    """The sums of the rows of each segment; None where the ids do not ascend, or the loop in C takes no such rows."""
    is_plain = data.ndim and segment_ids.ndim == 1 and data.shape[0] == segment_ids.size \
        and is_summed_in_c(data, segment_ids)
    count = segments([segment_ids])[0] if is_plain else -1
    return None if count < 0 else sum_in_c(data, segment_ids, count)


def _checked_count(data, segment_ids):
    """The number of segments."""
    _check_rows(data, segment_ids)
    return int(segment_ids[-1]) + 1 if segment_ids.size else 0


_SCATTERS = {np.add: "add", np.multiply: "multiply", np.minimum: "min", np.maximum: "max"}
_STARTS = {np.add: lambda dtype: 0, np.multiply: lambda dtype: 1, np.minimum: highest, np.maximum: lowest}


def _sorted_traced(ufunc, data, ids, count, empty, mean):
    """The same in a compiled program, where ids may be padding."""
    from jax import numpy

    half = data.dtype.itemsize == 2 and data.dtype.kind in "fV"
    rows = numpy.asarray(data).astype(np.float32 if half else data.dtype)
    total = _scattered(ufunc, rows, ids, count, empty)
    return _divided(numpy, total, numpy.maximum(_row_counts(rows, ids, count), 1)) if mean else total


def _scattered(ufunc, rows, ids, count, empty):
    """Rows reduced by ids that ascend; empty segments get `empty`."""
    from jax import numpy

    def scattered(rows):
        if ufunc is np.add:
            return sums_of_rows(rows, ids, count)
        start = numpy.full((count, *rows.shape[1:]), _STARTS[ufunc](rows.dtype), rows.dtype)
        result = getattr(start.at[ids], _SCATTERS[ufunc])(rows, mode="drop", indices_are_sorted=True)
        return numpy.where(_row_counts(rows, ids, count) > 0, result, np.array(empty, rows.dtype))

    if native_reduce.takes_rows(rows, count):
        return native_reduce.segments(ufunc, rows, ids, count, scattered)
    return scattered(rows)


def _row_counts(rows, ids, count):
    """The number of rows of each segment, in the shape of a divisor of `rows`."""
    from jax import numpy

    if is_traced(ids):
        number = sums_of_rows(numpy.ones(ids.shape, np.int32), ids, count)
    else:
        number = np.bincount(ids, minlength=count)
    return number.reshape((-1,) + (1,) * (rows.ndim - 1))


def _sorted_shape(data, segment_ids):
    shaping.require_rank(segment_ids, 1)
    shaping.at_least_rank(data, 1)
    return None if data is None else (None, *data[1:])


segment_sum = _sorted("SegmentSum", "number", np.add, 0, "The sum of the rows of each segment.")
segment_mean = _sorted("SegmentMean", "number", np.add, 0, "The mean of the rows of each segment.", mean=True)
segment_prod = _sorted("SegmentProd", "number", np.multiply, 1, "The product of the rows of each segment.")
segment_min = _sorted("SegmentMin", "real", np.minimum, 0, "The minimum of the rows of each segment.")
segment_max = _sorted("SegmentMax", "real", np.maximum, 0, "The maximum of the rows of each segment.")


@segment_sum.grad
def _(op, dy):
    return _gather(dy, op.inputs[1]), None


@segment_mean.grad
def _(op, dy):
    data, ids = op.inputs
    ones = ones_like(data)
    return _gather(real_div(dy, maximum(segment_sum(ones, ids), ones_like(dy))), ids), None


@segment_prod.grad
def _(op, dy):
    data, ids = op.inputs
    return _prod_grad(op, dy, spread=lambda x: _gather(x, ids), total=lambda x: segment_sum(x, ids),
                      product=lambda x: segment_prod(x, ids)), None


def _prod_grad(op, dy, spread, total, product):
    """Each row gets the product of the others: the product over the row, or for a zero that without zeros.

    The product over the row is differentiable by all rows, zeros too.
    """
    data, kind = op.inputs[0], op.inputs[0].dtype.base_dtype
    is_zero = equal(data, zeros_like(data))
    solid = select(is_zero, ones_like(data), data)
    is_only = equal(spread(total(cast(is_zero, kind))), ones_like(data))
    without = mul(spread(product(solid)), cast(is_only, kind))
    others = select(is_zero, without, real_div(spread(op.outputs[0]), solid))
    return mul(spread(dy), others)


def _sorted_extreme_grad(op, dy):
    """The gradient of segment max and min: rows that tie share it."""
    data, ids = op.inputs
    chosen = equal(data, _gather(op.outputs[0], ids))
    number = segment_sum(cast(chosen, dy.dtype.base_dtype), ids)
    return select(chosen, _gather(real_div(dy, number), ids), zeros_like(data)), None


segment_min.grad(_sorted_extreme_grad)
segment_max.grad(_sorted_extreme_grad)


# ---- unsorted ids with a given number of segments

def _check_below(check, inside, segment_ids, count):
    """Fails if an id is too large; says which one, where they are known."""
    holds, wrong = inside.all(), f"segment_ids must be less than num_segments, which is {count}"
    if not is_traced(segment_ids) and not holds:
        place = tuple(np.argwhere(~inside)[0])
        wrong = f"segment_ids[{','.join(map(str, place))}] = {segment_ids[place]} is out of range [0, {count})"
    check(holds, wrong)


def _unsorted(name, domain, ufunc, scatter, empty, doc, **traits):
    def run(xp, data, segment_ids, num_segments, check):
        count = _segment_number(num_segments)
        if data.size == 0:  # TensorFlow looks at no ids then
            return reduce(xp, data, xp.full_like(segment_ids, -1), count)
        _check_below(check, segment_ids < count, segment_ids, count)
        return reduce(xp, data, segment_ids, count)

    def run_padded(xp, data, segment_ids, num_segments, check, known):
        if ufunc is np.add and (found := _summed(data, segment_ids, num_segments)) is not None:
            return found
        count = _segment_number(num_segments)
        if data.size == 0:
            return run(xp, data, segment_ids, num_segments, check)
        if not is_traced(segment_ids) or not known.are_below("segment_ids", count):
            inside = (segment_ids < count) | is_padding(segment_ids)
            _check_below(check, inside, segment_ids, count)
        return reduce(xp, data, segment_ids, count, is_padded=True)

    def reduce(xp, data, segment_ids, count, is_padded=False):
        prefix = segment_ids.ndim
        if data.shape[:prefix] != segment_ids.shape:
            raise _invalid(f"data.shape = {list(data.shape)} does not start with segment_ids.shape = "
                           f"{list(segment_ids.shape)}")
        if is_traced(data) and _is_range(segment_ids, count):
            return data
        rows, ids = data.reshape((segment_ids.size, *data.shape[prefix:])), xp.ravel(segment_ids)
        if xp is np:
            return _reduce_unsorted(ufunc, rows, ids, count, data.dtype.type(empty(data.dtype)))
        if scatter == "add" and rows.ndim and is_padded:
            return sums_of_rows(rows, ids, count)
        start = xp.full((count, *rows.shape[1:]), empty(data.dtype), data.dtype)
        target = start.at[xp.where(ids < 0, count, ids)]  # rows with negative ids are dropped
        return getattr(target, scatter)(rows, mode="drop")
    run.__doc__ = doc
    public = f"unsorted_segment_{name.removeprefix('UnsortedSegment').lower()}"
    declared = op(
        f"{name}(data: T, segment_ids: Tindices, num_segments: Tnumsegments, *, T: {domain}, Tindices: index, "
        f"Tnumsegments: index = int32) -> output: T", static=("num_segments",), shape=_unsorted_shape,
        memory=Memory.STORED, export=(public, f"math.{public}"), **traits)(run)
    declared.fixed_size_kernel = run_padded if declared.padding else None
    return declared


def _is_range(ids, count):
    """Whether segment i has row i and no other, for every i."""
    return not is_traced(ids) and np.array_equal(ids, np.arange(count))


def _segment_number(num_segments):
    if np.ndim(num_segments) or num_segments < 0:
        raise _invalid(f"num_segments should be a scalar that is not negative, got {num_segments}")
    return int(num_segments)


def _reduce_unsorted(ufunc, rows, ids, count, start):
    """Reduces rows, of which those with negative ids are left out; `start` counts in every segment."""
    if is_summed_in_c(rows, ids):
        return reduced_in_c(ufunc, np.full((count, *rows.shape[1:]), start, rows.dtype), rows, ids)
    order = np.argsort(ids, kind="stable")
    order = order[np.searchsorted(ids[order], 0):]
    return ufunc(_reduce_sorted(ufunc, rows[order], ids[order], count, start), start)


def _unsorted_shape(data, segment_ids, num_segments, value_of):
    shaping.require_rank(num_segments, 0)
    count = value_of("num_segments")
    if count is not None and count < 0:
        raise ValueError(f"Dimension size, given by scalar input 2, must be non-negative but is {int(count)}")
    if data is None or segment_ids is None:
        return None
    if len(segment_ids) > len(data):
        raise ValueError(f"Shape must be at least rank {len(segment_ids)} but is rank {len(data)}")
    shaping.merge(data[:len(segment_ids)], segment_ids)
    return (None if count is None else int(count), *data[len(segment_ids):])


def _lowest(dtype):
    return as_dtype(dtype).min


def _highest(dtype):
    return as_dtype(dtype).max


unsorted_segment_sum = _unsorted("UnsortedSegmentSum", "number", np.add, "add", lambda dtype: 0,
                                 "The sum of the rows of each segment.", kind=Kind.SEGMENT_SUM,
                                 padding=Padded(("data", "segment_ids"), "num_segments", ("data", "segment_ids")))
unsorted_segment_prod = _unsorted("UnsortedSegmentProd", "number", np.multiply, "multiply", lambda dtype: 1,
                                  "The product of the rows of each segment.")
unsorted_segment_min = _unsorted("UnsortedSegmentMin", "real", np.minimum, "min", _highest,
                                 "Segment minimum; the dtype's highest value for an empty segment.")
unsorted_segment_max = _unsorted("UnsortedSegmentMax", "real", np.maximum, "max", _lowest,
                                 "Segment maximum; the dtype's lowest value for an empty segment.")


@unsorted_segment_sum.bind
def _(node, known):
    if native.sparse is None:
        return None

    def summed(data, segment_ids, num_segments):
        found = _summed(data, segment_ids, num_segments)
        return unsorted_segment_sum.kernel(np, data, segment_ids, num_segments, check_now) if found is None else found
    return summed


def _summed(data, segment_ids, num_segments):
    """The sums of rows by ids, by a loop in C; None where the kernel has to look at them, or nothing is concrete."""
    is_plain = type(data) is type(segment_ids) is np.ndarray and data.size and segment_ids.ndim == 1 \
        and data.shape[0] == segment_ids.size and not np.ndim(num_segments)
    if is_plain and is_summed_in_c(data, segment_ids) and num_segments >= 0:
        try:
            return sum_in_c(data, segment_ids, int(num_segments))
        except IndexError:  # the kernel says what is wrong
            return None
    return None


def _gather_present(rows, ids):
    """The row of each id, zeros for negative ids; and whether ids are non-negative, in the result's shape."""
    gathered = _gather(rows, maximum(ids, zeros_like(ids)))
    present = greater_equal(ids, zeros_like(ids))
    extra = _trailing_ones(gathered, ids)
    if extra is None or extra:
        present = lookup("Reshape")(present, lookup("ConcatV2")([shape(ids), _ones_vector(gathered, ids, extra)], 0))
    return select_v2(present, gathered, zeros_like(gathered)), present


def _trailing_ones(gathered, ids):
    if gathered._shape is None or ids._shape is None:
        return None
    return len(gathered._shape) - len(ids._shape)


def _ones_vector(gathered, ids, extra):
    if extra is not None:
        return np.ones(extra, np.int32)
    missing = lookup("Sub")(lookup("Rank")(gathered), lookup("Rank")(ids))
    return lookup("Fill")(lookup("Reshape")(missing, [1]), 1)


@unsorted_segment_sum.grad
def _(op, dy):
    return _gather_present(dy, op.inputs[1])[0], None, None


@unsorted_segment_prod.grad
def _(op, dy):
    _, ids, count = op.inputs
    return _prod_grad(op, dy, spread=lambda x: _gather_present(x, ids)[0],
                      total=lambda x: unsorted_segment_sum(x, ids, count),
                      product=lambda x: unsorted_segment_prod(x, ids, count)), None, None


def _unsorted_extreme_grad(op, dy):
    data, ids, count = op.inputs
    best, present = _gather_present(op.outputs[0], ids)
    kind = dy.dtype.base_dtype
    chosen = mul(cast(equal(data, best), kind), cast(present, kind))
    number = unsorted_segment_sum(chosen, ids, count)
    return mul(chosen, _gather_present(real_div(dy, maximum(number, ones_like(number))), ids)[0]), None, None


unsorted_segment_min.grad(_unsorted_extreme_grad)
unsorted_segment_max.grad(_unsorted_extreme_grad)


# ---- sparse forms: rows gathered by `indices` first

def _weights(kind, counts):
    """The divisor of each segment's sum."""
    return {"Sum": np.ones_like(counts), "Mean": counts, "SqrtN": np.sqrt(counts)}[kind]


def _check_indices(indices, rows, what="indices[{at}] == {value}"):
    outside = (indices < 0) | (indices >= rows)
    if outside.any():
        at = int(np.flatnonzero(outside)[0])
        raise _invalid(f"{what.format(at=at, value=indices[at])} out of range [0, {rows})")


def _check_rows_traced(check, indices, count, known):
    """Fails the step unless each index is a row number or padding, where the host has not looked already."""
    if not is_traced(indices) or not known.are_below("indices", count):
        check((indices >= 0) & (indices < count) | is_padding(indices), f"indices must be in [0, {count})")


def _sparse_traced(kind, data, indices, segment_ids, check, known):
    """The sums of rows in a compiled program, where ids may be padding."""
    from jax import numpy

    if is_traced(segment_ids):
        count = known.count
    else:
        _check_sorted(segment_ids)
        count = int(segment_ids[-1]) + 1 if segment_ids.size else 0
    _check_rows_traced(check, indices, data.shape[0], known)
    sums = _scattered(np.add, take_rows(numpy.asarray(data), indices), segment_ids, count, 0)
    return sums if kind == "Sum" else sums / _traced_weights(kind, segment_ids, count, data)


def _traced_weights(kind, segment_ids, count, like):
    """The divisor of each segment's sum, in the shape of a divisor of rows like those of `like`."""
    from jax import numpy

    number = sums_of_rows(numpy.ones(segment_ids.shape, like.dtype), segment_ids, count)
    number = numpy.maximum(number, 1).reshape((-1,) + (1,) * (like.ndim - 1))
    return numpy.sqrt(number) if kind == "SqrtN" else number


def _sparse_in_c(kind, data, indices, segment_ids):
    """What the kernel gives for ids as they should be; None if something is wrong with them, which the kernel says."""
    is_plain = indices.ndim == 1 and indices.shape == segment_ids.shape and is_summed_in_c(data, indices, segment_ids)
    count = segments([segment_ids])[0] if is_plain else -1
    if count < 0:
        return None
    try:
        return _divide_in_c(kind, sum_in_c(data, segment_ids, count, indices), segment_ids)
    except IndexError:
        return None


def _sparse_total(kind, data, indices, segment_ids, count):
    if indices.shape != segment_ids.shape or indices.ndim != 1:
        raise _invalid(f"each index needs its segment id: segment_ids and indices have the shapes "
                       f"{list(segment_ids.shape)} and {list(indices.shape)}")
    _check_sorted(segment_ids)
    _check_indices(indices, data.shape[0])
    if segment_ids.size and segment_ids[-1] >= count:
        raise _invalid(f"segment ids must be < num_segments: {segment_ids[-1]} and {count}")
    if is_summed_in_c(data, indices, segment_ids):
        total = sum_in_c(data, segment_ids, count, indices)
    else:
        total = _reduce_sorted(np.add, data[indices], segment_ids, count, 0)
    return total if kind == "Sum" else total / _weights(kind, _counts(segment_ids, count, data)).astype(total.dtype)


_SEGMENT_IDS = {"Tsegmentids": TypeOf("segment_ids")}


_IDS = ("indices", "segment_ids")


def _sparse(kind, domain, doc):
    def run(data, indices, segment_ids, check):
        total = _sparse_in_c(kind, data, indices, segment_ids)
        if total is not None:
            return total
        count = int(segment_ids[-1]) + 1 if segment_ids.size else 0
        return _sparse_total(kind, data, indices, segment_ids, max(count, 0))

    def run_padded(data, indices, segment_ids, check, known):
        if array_module(data, indices, segment_ids) is np:
            return run(data, indices, segment_ids, check)
        return _sparse_traced(kind, data, indices, segment_ids, check, known)
    run.__doc__ = doc
    declared = op(
        f"SparseSegment{kind}(data: T, indices: Tidx, segment_ids: int32, *, T: {domain}, Tidx: index = int32) "
        f"-> output: T", on="host", shape=_sparse_shape, grad=_sparse_grad(kind),
        padding=Padded(("data", *_IDS), alike=_IDS, counts="segment_ids", below=("indices", "data")),
        later={**_SEGMENT_IDS, "sparse_gradient": ANY})(run)
    declared.fixed_size_kernel = run_padded
    return declared


def _sparse_numbered(kind, domain, doc):
    def run(data, indices, segment_ids, num_segments):
        return _sparse_total(kind, data, indices, segment_ids, _segment_number(num_segments))
    run.__doc__ = doc
    return op(f"SparseSegment{kind}WithNumSegments(data: T, indices: Tidx, segment_ids: int32, "
              f"num_segments: Tnumsegments, *, T: {domain}, Tidx: index = int32, Tnumsegments: index = int32) "
              f"-> output: T", on="host", shape=_sparse_numbered_shape, grad=_sparse_grad(kind),
              later={**_SEGMENT_IDS, "sparse_gradient": ANY})(run)


def _sparse_shape(data, indices, segment_ids):
    shaping.at_least_rank(data, 1)
    shaping.merge(shaping.with_rank(indices, 1), shaping.with_rank(segment_ids, 1))
    return None if data is None else (None, *data[1:])


def _sparse_numbered_shape(data, indices, segment_ids, num_segments, value_of):
    shaping.require_rank(num_segments, 0)
    rest = _sparse_shape(data, indices, segment_ids)
    count = value_of("num_segments")
    if count is not None and count < 0:
        raise ValueError("Cannot specify a negative value for num_segments")
    return None if rest is None else (None if count is None else int(count), *rest[1:])


def _sparse_grad(kind):
    def grad(op, dy):
        data, indices, ids, *number = op.inputs
        rows = _row_count(data)
        if kind == "Sum":
            result = unsorted_segment_sum(_gather(dy, ids), indices, rows)
        else:
            grad_op = sparse_segment_mean_grad if kind == "Mean" else sparse_segment_sqrt_n_grad
            result = grad_op(dy, indices, ids, rows)
        return [result, None, None, *(None for _ in number)]
    return grad


_real = "real"
_floats = "{float, double}"

sparse_segment_sum = _sparse("Sum", _real, "Segment sum of the rows at `indices`.")
sparse_segment_mean = _sparse("Mean", _floats, "Segment mean of the rows at `indices`.")
sparse_segment_sqrt_n = _sparse("SqrtN", _floats,
                                "Segment sum of the rows at `indices`, divided by the square root of their number.")
sparse_segment_sum_with_num_segments = _sparse_numbered("Sum", _real, "SparseSegmentSum for a number of segments.")
sparse_segment_mean_with_num_segments = _sparse_numbered("Mean", _floats, "SparseSegmentMean for a number of segments.")
sparse_segment_sqrt_n_with_num_segments = _sparse_numbered("SqrtN", _floats,
                                                           "SparseSegmentSqrtN for a number of segments.")


def _sparse_grad_op(kind, doc):
    def run_padded(grad, indices, segment_ids, output_dim0, check, known):
        if array_module(grad, indices, segment_ids) is np:
            return run(grad, indices, segment_ids, output_dim0, check)
        return _sparse_grad_traced(kind, grad, indices, segment_ids, int(output_dim0), check, known)

    def run(grad, indices, segment_ids, output_dim0, check):
        rows = int(output_dim0)
        if is_summed_in_c(grad, indices, segment_ids) and are_below([indices, segment_ids], [rows, grad.shape[0]]):
            scaled = _divide_in_c(kind, np.array(grad, order="C"), segment_ids, exact=True)
            return sum_in_c(scaled, indices, rows, segment_ids)
        _check_indices(indices, rows, "Index {value}")
        _check_indices(segment_ids, grad.shape[0], "Segment id {value}")
        counts = _counts(segment_ids, grad.shape[0], grad)
        scaled = (grad / _weights(kind, counts)).astype(grad.dtype)
        return _reduce_unsorted(np.add, scaled[segment_ids], indices, rows, 0)
    run.__doc__ = doc
    declared = op(
        f"SparseSegment{kind}Grad(grad: T, indices: Tidx, segment_ids: int32, output_dim0: int32, *, "
        f"T: {_floats}, Tidx: index = int32) -> output: T", on="host", static=("output_dim0",),
        shape=_sparse_grad_shape, padding=Padded(_IDS, "output_dim0", _IDS), later=_SEGMENT_IDS)(run)
    declared.fixed_size_kernel = run_padded
    return declared


def _sparse_grad_traced(kind, grad, indices, segment_ids, rows, check, known):
    _check_rows_traced(check, indices, rows, known)
    if not is_traced(segment_ids) or not known.are_below("segment_ids", grad.shape[0]):
        check((segment_ids >= 0) & (segment_ids < grad.shape[0]) | is_padding(segment_ids),
              f"segment ids must be in [0, {grad.shape[0]})")
    scaled = grad / _traced_weights(kind, segment_ids, grad.shape[0], grad)
    return sums_of_rows(take_rows(scaled, segment_ids), indices, rows)


def _sparse_grad_shape(grad, indices, segment_ids, output_dim0, value_of):
    shaping.require_rank(output_dim0, 0)
    shaping.merge(shaping.with_rank(indices, 1), shaping.with_rank(segment_ids, 1))
    rows = value_of("output_dim0")
    return None if grad is None else (None if rows is None else int(rows), *grad[1:])


sparse_segment_mean_grad = _sparse_grad_op("Mean", "The gradient of SparseSegmentMean by its data.")
sparse_segment_sqrt_n_grad = _sparse_grad_op("SqrtN", "The gradient of SparseSegmentSqrtN by its data.")
