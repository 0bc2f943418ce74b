"""Ops that gather elements by index, and ops that scatter elements to indices."""
import math

import numpy as np

from evergraph import native
from evergraph.base import dtypes
from evergraph.base.errors import invalid
from evergraph.base.shapes import text
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.opdef import STOP, op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import at_least_rank, merge, normal_axis, product, same_as, static_value, with_rank
from evergraph.graph.traits import Memory, Padded
from evergraph.kernel.context import check_now
from evergraph.kernel.rows import Rows, along_first, behind, even, one_by_one
from evergraph.kernel.values import is_padding, is_traced
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.index import joined_vectors, part_of
from evergraph.ops.arrays.limits import beside_nan
from evergraph.ops.arrays.reshape import (
    axis_within,
    expand_dims,
    reshape,
    shape_tensor,
    size_tensor,
    transpose,
)
from evergraph.ops.arrays.row_access import take_rows
from evergraph.ops.arrays.segment import is_summed_in_c, reduced_in_c


def check_indices(check, indices, limit, what="indices"):
    """Fails the step unless all of `indices` are in [0, limit)."""
    if type(indices) is np.ndarray and are_inside(indices, limit):
        return
    inside = (indices >= 0) & (indices < limit)
    if not is_traced(inside):
        if inside.all():
            return
        at = np.argwhere(~np.atleast_1d(inside))[0].tolist()
        place = f"[{','.join(map(str, at))}]" if np.ndim(indices) else ""
        check(False, f"{what}{place} = {np.atleast_1d(indices)[tuple(at)]} is not in [0, {limit})")
    check(inside, f"{what} must be in [0, {limit})")


def are_inside(indices, limit):
    """Whether concrete indices are in [0, limit); as unsigned numbers, negative ones are large."""
    if indices.ndim == 0:
        return 0 <= indices.item() < limit
    if indices.dtype not in _UNSIGNED:
        return False
    if type(indices) is not np.ndarray:
        return bool(((indices >= 0) & (indices < limit)).all())
    if native.sparse is not None and indices.flags.c_contiguous:
        return native.sparse.are_below([indices], [limit])
    return bool((indices.view(_UNSIGNED[indices.dtype]) < limit).all())


_UNSIGNED = {np.dtype(np.int32): np.uint32, np.dtype(np.int64): np.uint64}


# ---- gather

@op("Gather(params: Tparams, indices: Tindices, *, validate_indices: bool = True, Tparams: type, Tindices: index) -> "
    "output: Tparams", memory=Memory.STORED, reads_rows="params")
def gather(xp, params, indices, check):
    """Gathers the slices of `params` along its first axis at `indices`."""
    if np.ndim(params) < 1:
        raise invalid("params must be at least 1 dimensional")
    if not _takes_nothing(params, 0):
        check_indices(check, indices, np.shape(params)[0])
    return _taken(xp, params, indices, 0)


def _takes_nothing(params, axis):
    """Whether the slices of `params` along an axis have no elements, so that no index is looked at."""
    return 0 in np.shape(params)[:axis] or 0 in np.shape(params)[axis + 1:]


def _nothing(xp, params, indices, axis, batch=0):
    """The result of gathering slices without elements."""
    shape = np.shape(params)
    return xp.zeros((*shape[:axis], *np.shape(indices)[batch:], *shape[axis + 1:]), params.dtype)


def _taken(xp, params, indices, axis):
    """Gathers at indices that are in range; an array's method dispatches faster than the function."""
    if _takes_nothing(params, axis):
        return _nothing(xp, params, indices, axis)
    return params.take(indices, axis, mode="clip") if xp is np else xp.take(params, indices, axis=axis, mode="clip")


@gather.shape
def _(params, indices):
    at_least_rank(params, 1)
    return None if params is None or indices is None else (*indices, *params[1:])


@gather.grad
def _(op, dy):
    return [_rows(*op.inputs, dy), None]


def _rows(params, indices, dy):
    """The gradient of gathering rows, as IndexedSlices."""
    shape = basic.cast(shape_tensor(params, dtypes.int64), DstT=dtypes.int32)
    count = expand_dims(size_tensor(indices), 0)
    values = reshape(dy, joined_vectors([count, part_of(shape, 1)]))
    return IndexedSlices(values, reshape(indices, count), shape)


@even
def _gathered_rows(call, node, values, count):
    """From one tensor for all rows along its first axis, or from each row the same places."""
    params, indices, axis = values
    if node.attrs["batch_dims"] or isinstance(axis, Rows) or isinstance(params, Rows) == isinstance(indices, Rows):
        return one_by_one(call, node, values, count)
    if isinstance(params, Rows):
        axes = np.asarray(behind(axis, params.values.ndim - 1), axis.dtype)
        return [Rows(output) for output in call(params.values, indices, axes)]
    return [Rows(output) for output in call(params, indices.values, axis)] if axis == 0 else one_by_one(
        call, node, values, count)


@op("GatherV2(params: Tparams, indices: Tindices, axis: Taxis, *, batch_dims: int = 0, Tparams: type, "
    "Tindices: index, Taxis: index) -> output: Tparams", static=("axis",), memory=Memory.STORED,
    padding=Padded(("indices",), like="indices", below=("indices", "params")), reads_rows="params",
    in_batches=_gathered_rows)
def gather_v2(xp, params, indices, axis, batch_dims, check):
    """Gathers the slices of `params` along `axis` at `indices`, with `batch_dims` leading batch dimensions in both."""
    if np.ndim(axis):
        raise invalid(f"axis must be scalar, not of shape {list(np.shape(axis))}")
    axis = axis_within(axis, np.ndim(params))
    batch = 0 if not batch_dims else axis_within(batch_dims, np.ndim(indices) + (batch_dims > 0), "batch_dims")
    if batch > axis:
        raise invalid(f"batch_dims ({batch}) is at most the axis ({axis}).")
    if not _takes_nothing(params, axis):
        check_indices(check, indices, np.shape(params)[axis])
    if not batch:
        return _taken(xp, params, indices, axis)
    return _gathered_in_batches(xp, params, indices, axis, batch)


@gather_v2.bind
def _(node, known):
    axis = known(2)
    if axis is None or axis.ndim or axis or node.attrs["batch_dims"]:
        return None

    def gathered(params, indices, axis):
        if not params.ndim or not are_inside(indices, params.shape[0]):
            return gather_v2.kernel(np, params, indices, axis, 0, check_now)
        return params.take(indices, 0, mode="clip")
    return gathered


def _gather_padded(xp, params, indices, axis, batch_dims, check, known):
    """Gathers rows; an index that is padding gives any row."""
    if type(params) is type(indices) is np.ndarray and params.ndim and not batch_dims and axis.ndim == 0 == axis \
            and are_inside(indices, params.shape[0]):
        return params.take(indices, 0, mode="clip")
    if not is_traced(indices) or axis or batch_dims:
        return gather_v2.kernel(xp, params, indices, axis, batch_dims, check)
    if not known.are_below("indices", params.shape[0]):
        inside = (indices >= 0) & (indices < params.shape[0]) | is_padding(indices)
        check(inside, f"indices must be in [0, {params.shape[0]})")
    return take_rows(xp.asarray(params), indices)


gather_v2.fixed_size_kernel = _gather_padded


def _gathered_in_batches(xp, params, indices, axis, batch):
    """Gathers with `batch` batch dimensions: one fancy index with an arange for each of them."""
    shape = np.shape(params)
    if shape[:batch] != np.shape(indices)[:batch]:
        raise invalid(f"params.shape[:{batch}] {list(shape[:batch])} should be equal to indices.shape[:{batch}] "
                      f"{list(np.shape(indices)[:batch])}")
    if _takes_nothing(params, axis):
        return _nothing(xp, params, indices, axis, batch)
    # Axes between the batch and the gathered axis are moved behind it, so that the index comes first.
    order = [*range(batch), axis, *range(batch, axis), *range(axis + 1, len(shape))]
    moved = xp.transpose(params, order)
    extra = np.ndim(indices) - batch
    steps = [np.arange(size).reshape([-1] + [1] * (np.ndim(indices) - 1 - at)) for at, size in enumerate(shape[:batch])]
    inside = xp.clip(indices, 0, max(shape[axis] - 1, 0))
    found = moved[(*steps, inside)]
    back = [*range(batch), *range(batch + extra, batch + extra + axis - batch), *range(batch, batch + extra),
            *range(extra + axis, found.ndim)]
    return xp.transpose(found, back)


@gather_v2.shape
def _(params, indices, batch_dims, value_of):
    axis = value_of("axis")
    at_least_rank(params, 1)
    if params is None or indices is None:
        return None
    batch = batch_dims + len(indices) if batch_dims < 0 else batch_dims
    if not 0 <= batch <= len(indices):
        raise ValueError(f"batch_dims {batch_dims} must be in [{-len(indices)}, {len(indices)}]")
    if axis is None:
        return (None,) * (len(params) - 1 + len(indices) - batch)
    at = normal_axis(int(axis), len(params))
    if batch > at:
        raise ValueError(f"batch_dims {batch} must be at most axis {at}")
    return (*merge(params[:batch], indices[:batch]), *params[batch:at], *indices[batch:], *params[at + 1:])


@gather_v2.grad
def _(op, dy):
    params, indices, axis = op.inputs
    known = static_value(axis)
    if known is not None and int(known) == 0 and op.attrs["batch_dims"] == 0:
        return [_rows(params, indices, dy), None, None]
    return [_scattered(params, indices, axis, op.attrs["batch_dims"], dy), None, None]


def _scattered(params, indices, axis, batch_dims, dy):
    """The gradient of gathering along any axis: moves that axis behind the batch, sums segments, moves it back."""
    rank = basic.rank(params) if params._shape is None else len(params._shape)
    at = _axis_of(axis, rank)
    batch = batch_dims if batch_dims >= 0 else _plus(_rank_of(indices), batch_dims)
    shape, next_one = shape_tensor(params), _plus(at, 1)
    size, inner = part_of(shape, at, next_one), part_of(shape, next_one)
    before, between, behind = _axes(0, batch), _axes(batch, at), _axes(next_one, rank)
    # dy is [batch, between, indices, behind]; flattened, the indices are axis `at`.
    picked = _product(part_of(shape_tensor(indices), batch))
    flat = reshape(dy, joined_vectors([part_of(shape, None, at), picked, inner]))
    moved = transpose(flat, joined_vectors([before, _vector(at), between, behind]))
    batches, rows = _product(part_of(shape, None, batch)), joined_vectors([part_of(shape, batch, at), inner])
    offsets = lookup("Mul")(basic.range_(0, reshape(batches, []), 1), reshape(size, []))
    numbers = reshape(_as_int32(indices), joined_vectors([batches, _vector(-1)]))
    places = reshape(lookup("AddV2")(numbers, expand_dims(offsets, 1)), [-1])
    total = reshape(lookup("Mul")(batches, size), [])
    summed = lookup("UnsortedSegmentSum")(reshape(moved, joined_vectors([_vector(-1), rows])), places, total)
    whole = reshape(summed, joined_vectors([part_of(shape, None, batch), size, rows]))
    return transpose(whole, joined_vectors([before, _plus(between, 1), _vector(batch), behind]))


# Axes and ranks are ints (or arrays of them) where they are static, and tensors elsewhere.

def _axis_of(axis, rank):
    known = static_value(axis)
    if known is not None and isinstance(rank, int):
        return int(known) % rank
    return lookup("FloorMod")(_as_int32(axis), rank)


def _rank_of(tensor):
    return basic.rank(tensor) if tensor._shape is None else len(tensor._shape)


def _plus(a, b):
    return a + b if isinstance(a, int | np.ndarray) else lookup("AddV2")(a, b)


def _axes(start, stop):
    if isinstance(start, int) and isinstance(stop, int):
        return np.arange(start, stop, dtype=np.int32)
    return basic.range_(start, stop, 1)


def _vector(number):
    return np.array([number], np.int32) if isinstance(number, int) else reshape(number, [1])


def _as_int32(tensor):
    return tensor if tensor.dtype.base_dtype is dtypes.int32 else basic.cast(tensor, DstT=dtypes.int32)


def _product(vector):
    """The product of a vector's elements, as a vector of length 1."""
    return reshape(lookup("Prod")(vector, [0]), [1])


@op("GatherNd(params: Tparams, indices: Tindices, *, Tparams: type, Tindices: index) -> output: Tparams",
    reads_rows="params")
def gather_nd(xp, params, indices, check):
    """Gathers the slices of `params` at the index vectors in the last axis of `indices`."""
    shape = np.shape(params)
    depth = np.shape(indices)[-1] if np.ndim(indices) else 0
    if not shape or not np.ndim(indices):
        raise invalid("params and indices must be at least a vector")
    if depth > len(shape):
        raise invalid(f"an index has at most one number for each axis of params: {depth} numbers, {len(shape)} axes")
    if not math.prod(shape) and math.prod(np.shape(indices)[:-1]):
        raise invalid("Requested more than 0 entries, but params is empty.")
    if depth and xp is np:
        found = _gathered(params, indices, depth)
        if found is not None:
            return found
    _check_points(check, indices, shape[:depth], "param shape", shape)
    if not depth:
        return xp.broadcast_to(params, (*np.shape(indices)[:-1], *shape))
    return xp.asarray(params)[(*_inside(xp, indices, shape[:depth]), ...)]


def _gathered(params, indices, depth):
    """What `gather_nd` of NumPy arrays returns; None if some index is not inside."""
    shape = params.shape
    try:
        places = np.ravel_multi_index(tuple(indices.reshape(-1, depth).T), shape[:depth])
    except ValueError:
        return None
    found = params.reshape(-1, *shape[depth:]).take(places, axis=0)
    return found if indices.ndim == 2 else found.reshape((*indices.shape[:-1], *shape[depth:]))


def _check_points(check, indices, shape, what, whole):
    """Fails the step unless the index vectors in the last axis of `indices` are within `shape`, a prefix of `whole`."""
    inside = (indices >= 0) & (indices < np.asarray(shape, np.int64))
    if not is_traced(inside):
        if inside.all():
            return
        at = np.argwhere(~np.all(inside, axis=-1))[0].tolist()
        place = f"[{','.join(map(str, at))}]" if at else ""
        check(False, f"indices{place} = {indices[tuple(at)].tolist()} does not index into {what} {text(whole)}")
    check(inside, f"indices must index into {what} {text(whole)}")


def _inside(xp, indices, shape):
    """The columns of `indices`, clamped to their axes, in the form of a fancy index."""
    columns = [indices[..., at] for at in range(len(shape))]
    return columns if not is_traced(indices) else \
        [xp.clip(column, 0, max(size - 1, 0)) for column, size in zip(columns, shape, strict=True)]


@gather_nd.shape
def _(params, indices):
    at_least_rank(params, 1)
    at_least_rank(indices, 1)
    if params is None or indices is None or indices[-1] is None:
        return None
    if indices[-1] > len(params):
        raise ValueError(f"the last axis of indices ({list(indices)}) is longer than params ({list(params)}) has axes")
    return (*indices[:-1], *params[indices[-1]:])


@gather_nd.grad
def _(op, dy):
    params, indices = op.inputs
    shape = shape_tensor(params, indices.dtype.base_dtype)
    if indices._shape is not None and len(indices._shape) == 2 and indices._shape[1] == 1:
        return [IndexedSlices(dy, lookup("Squeeze")(indices, axis=[-1]), shape), None]
    return [scatter_nd(indices, dy, shape), None]


# ---- scatter

def _check_updates(shape, indices, updates):
    """The length of the index vectors in `indices`, after checking that it fits `shape` and `updates`."""
    if not np.ndim(indices):
        raise invalid("indices must be at least a vector")
    depth = np.shape(indices)[-1]
    if depth > len(shape):
        raise invalid(f"the last axis of indices has {depth} elements, but the output has only {len(shape)} dimensions")
    wanted = (*np.shape(indices)[:-1], *shape[depth:])
    if np.shape(updates) != wanted:
        raise invalid(f"updates must have shape {list(wanted)} (indices.shape[:-1] + shape[{depth}:]), not "
                      f"{list(np.shape(updates))}")
    return depth


def _set(whole, places, values):
    whole[places] = values


_UFUNCS = {"add": np.add, "max": np.maximum, "min": np.minimum}
_WITH_NUMPY = {"add": np.add.at, "sub": np.subtract.at, "set": _set, "max": np.maximum.at, "min": np.minimum.at}


def _scatter(xp, whole, indices, updates, how, check):
    """`whole` with `updates` scattered to the index vectors `indices`: added, subtracted, assigned, max or min."""
    shape = np.shape(whole)
    if not np.prod(shape):
        if np.size(indices) or np.size(updates):
            raise invalid(f"Indices and updates specified for empty output; the indices are {text(np.shape(indices))}")
        return whole
    depth = _check_updates(shape, indices, updates)
    _check_points(check, indices, shape[:depth], "shape", shape)
    if not depth:  # every update applies to the whole tensor
        return _scatter_whole(xp, whole, updates, how)
    places = tuple(indices[..., at] for at in range(depth))
    updates = beside_nan(xp, updates, how)
    if xp is np:
        result = np.array(whole, order="C")
        if how in _UFUNCS and is_summed_in_c(updates, indices) and result.dtype == updates.dtype:
            rows = np.dot(indices, np.cumprod((1, *shape[depth - 1:0:-1]), dtype=indices.dtype)[::-1]).reshape(-1)
            return reduced_in_c(_UFUNCS[how], result, updates.reshape(rows.size, -1), rows)
        _WITH_NUMPY[how](result, places, updates)
        return result
    at = xp.asarray(whole).at[places]
    if how == "sub":
        return at.add(-updates, mode="drop")
    return getattr(at, how)(updates, mode="drop")


def _scatter_whole(xp, whole, updates, how):
    rows = xp.reshape(beside_nan(xp, updates, how), (-1, *np.shape(whole)))
    if how == "set":
        return rows[-1] if len(rows) else whole
    if how in ("max", "min"):
        chosen = xp.max if how == "max" else xp.min
        return chosen(xp.concatenate([whole[None], rows]), axis=0)
    total = xp.sum(rows, axis=0, dtype=rows.dtype)
    return whole + total if how == "add" else whole - total


def _scattered_shape(shape, indices, updates):
    """Checks the static shapes of a scatter into a tensor of shape `shape`, which is also the result's."""
    if indices is None:
        return shape
    at_least_rank(indices, 1)
    outer = len(indices) - 1
    if shape is None or indices[-1] is None:
        if updates is not None:
            merge(at_least_rank(updates, outer, "updates")[:outer], indices[:-1])
        return shape
    if indices[-1] <= len(shape):
        merge((*indices[:-1], *shape[indices[-1]:]), updates)
    if product(shape) == 0 and product(indices) and (updates is None or product(updates)):
        raise ValueError(f"Indices and updates specified for empty input of shape {text(shape)}")
    return shape


@op("ScatterNd(indices: Tindices, updates: T, shape: Tindices, *, T: type, Tindices: index) -> output: T",
    static=("shape",), export=("scatter_nd", "manip.scatter_nd"))
def scatter_nd(xp, indices, updates, shape, T, check):
    """Scatters `updates` into zeros of shape `shape`; updates of the same index are added."""
    sizes = tuple(np.ravel(shape).tolist())
    if xp is np and T.kind == "O":  # strings are concatenated
        return _scatter(xp, np.full(sizes, b"", object), indices, updates, "add", check)
    if T.kind == "b":
        return _scatter(xp, xp.zeros(sizes, np.int32), indices, updates.astype(np.int32), "add", check) > 0
    return _scatter(xp, xp.zeros(sizes, T), indices, updates, "add", check)


@scatter_nd.shape
def _(indices, updates, shape_of):
    return _scattered_shape(shape_of("shape"), indices, updates)


@scatter_nd.grad
def _(op, dy):
    return [None, gather_nd(dy, op.inputs[0]), None]


@op("ScatterNdNonAliasingAdd(input: T, indices: Tindices, updates: T, *, "
    "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, "
    "complex128, half, uint32, uint64, bool}, Tindices: index) -> output: T")
def scatter_nd_non_aliasing_add(xp, input, indices, updates, check):
    """`input` with `updates` added at the index vectors `indices`."""
    return _scatter(xp, input, indices, updates, "add", check)


@scatter_nd_non_aliasing_add.grad
def _(op, dy):
    return [dy, None, gather_nd(dy, op.inputs[1])]


_TENSOR_SCATTER = "(tensor: T, indices: Tindices, updates: T, *, T: type, Tindices: index) -> output: T"


@op(f"TensorScatterUpdate{_TENSOR_SCATTER}", export=("tensor_scatter_update", "tensor_scatter_nd_update"))
def tensor_scatter_update(xp, tensor, indices, updates, check):
    """`tensor` with the slices at the index vectors `indices` replaced by `updates`."""
    return _scatter(xp, tensor, indices, updates, "set", check)


@tensor_scatter_update.grad
def _(op, dy):
    indices, updates = op.inputs[1:]
    return [tensor_scatter_update(dy, indices, basic.zeros_like(updates)), None, gather_nd(dy, indices)]


@op(f"TensorScatterAdd{_TENSOR_SCATTER}", export=("tensor_scatter_add", "tensor_scatter_nd_add"))
def tensor_scatter_add(xp, tensor, indices, updates, check):
    """`tensor` with `updates` added at the index vectors `indices`."""
    return _scatter(xp, tensor, indices, updates, "add", check)


@tensor_scatter_add.grad
def _(op, dy):
    return [dy, None, gather_nd(dy, op.inputs[1])]


@op(f"TensorScatterSub{_TENSOR_SCATTER}", export=("tensor_scatter_sub", "tensor_scatter_nd_sub"))
def tensor_scatter_sub(xp, tensor, indices, updates, check):
    """`tensor` with `updates` subtracted at the index vectors `indices`."""
    return _scatter(xp, tensor, indices, updates, "sub", check)


@tensor_scatter_sub.grad
def _(op, dy):
    return [dy, None, lookup("Neg")(gather_nd(dy, op.inputs[1]))]


@scatter_nd_non_aliasing_add.shape
def _(input, indices, updates):
    return _scattered_shape(input, indices, updates)


@op(f"TensorScatterMax{_TENSOR_SCATTER}")
def tensor_scatter_max(xp, tensor, indices, updates, check):
    """`tensor` with the elementwise maximum of its slices and `updates` at the index vectors `indices`."""
    return _scatter(xp, tensor, indices, updates, "max", check)


@op(f"TensorScatterMin{_TENSOR_SCATTER}")
def tensor_scatter_min(xp, tensor, indices, updates, check):
    """`tensor` with the elementwise minimum of its slices and `updates` at the index vectors `indices`."""
    return _scatter(xp, tensor, indices, updates, "min", check)


def _chosen_gradient(op, dy):
    """Divides the gradient evenly among all elements, of tensor and updates, that equal the result."""
    tensor, indices, updates = op.inputs
    result, dtype = op.outputs[0], dy.dtype.base_dtype
    same = lambda x, y: basic.cast(lookup("Equal")(x, y), dtype)
    in_tensor, in_updates = same(result, tensor), same(gather_nd(result, indices), updates)
    sizes = basic.shape(tensor, out_type=indices.dtype.base_dtype)
    share = lookup("RealDiv")(dy, lookup("AddV2")(in_tensor, scatter_nd(indices, in_updates, sizes)))
    return [lookup("Mul")(share, in_tensor), None, lookup("Mul")(gather_nd(share, indices), in_updates)]


tensor_scatter_max.grad(_chosen_gradient)
tensor_scatter_min.grad(_chosen_gradient)


for _op in (tensor_scatter_update, tensor_scatter_add, tensor_scatter_sub, tensor_scatter_max, tensor_scatter_min):
    @_op.shape
    def _(tensor, indices, updates):
        return _scattered_shape(at_least_rank(tensor, 1), indices, updates)


# ---- in-place updates of rows

def _inplace(name, how, doc):
    @op(f"{name}(x: T, i: int32, v: T, *, T: type) -> y: T", shape=same_as("x"))
    def kernel(xp, x, i, v, check):
        if np.ndim(i) != 1:
            raise invalid(f"i must be a vector: its shape is {list(np.shape(i))}")
        if np.ndim(x) != np.ndim(v) or np.shape(x)[1:] != np.shape(v)[1:]:
            raise invalid(f"x and v shape doesn't match: {list(np.shape(x))} and {list(np.shape(v))}")
        if np.shape(i)[0] != np.shape(v)[0]:
            raise invalid(f"i and x shape doesn't match: {list(np.shape(i))} for {list(np.shape(v))}")
        # Row numbers wrap around, as in TensorFlow.
        return _scatter(xp, x, xp.reshape(i % max(np.shape(x)[0], 1), [-1, 1]), v, how, check)
    kernel.__doc__ = doc
    return kernel


inplace_update = _inplace("InplaceUpdate", "set", "`x` with its rows `i` replaced by `v`.")
inplace_add = _inplace("InplaceAdd", "add", "`x` with `v` added to its rows `i`.")
inplace_sub = _inplace("InplaceSub", "sub", "`x` with `v` subtracted from its rows `i`.")


# ---- one-hot

def _hot_rows(call, node, values, count):
    return (along_first if node.attrs["axis"] == -1 else one_by_one)(call, node, values, count)


@op("OneHot(indices: TI, depth: int32, on_value: T, off_value: T, *, axis: int = -1, T: type, "
    "TI: {uint8, int32, int64} = int64) -> output: T", static=("depth",), grad=STOP, in_batches=_hot_rows)
def one_hot(xp, indices, depth, on_value, off_value, axis):
    """One-hot encoding: `on_value` at each index along a new axis of size `depth`, `off_value` elsewhere."""
    if np.ndim(depth) or depth < 0:
        raise invalid(f"depth must be a non-negative scalar, got {np.asarray(depth).tolist()}")
    if np.ndim(on_value) or np.ndim(off_value):
        raise invalid("on_value and off_value must be scalars")
    rank = np.ndim(indices)
    at = rank if axis == -1 else axis
    if not 0 <= at <= rank:
        raise invalid(f"axis {axis} is none of an array of rank {rank} with one axis more")
    places = np.arange(int(depth)).reshape([-1 if axis == at else 1 for axis in range(rank + 1)])
    return xp.where(xp.expand_dims(indices, at) == places, on_value, off_value)


@one_hot.shape
def _(indices, depth, axis, value_of):
    with_rank(depth, 0, "depth")
    depth = value_of("depth")
    if axis < -1:
        raise ValueError(f"axis must be >= -1, got {axis}")
    if indices is None:
        return None
    if depth is not None and depth < 0:
        raise ValueError(f"depth must be non-negative, got {int(depth)}")
    at = len(indices) if axis == -1 else min(axis, len(indices))  # a run says that an axis is too large
    return (*indices[:at], None if depth is None else int(depth), *indices[at:])


# ---- partition and stitch

@op("DynamicPartition(data: T, partitions: int32, *, num_partitions: int >= 1, T: type) -> outputs: num_partitions * T",
    on="host", export=("dynamic_partition",))
def dynamic_partition(data, partitions, num_partitions, check):
    """Partitions the slices of `data` into `num_partitions` tensors by the numbers in `partitions`."""
    rank = np.ndim(partitions)
    if np.shape(data)[:rank] != np.shape(partitions):
        raise invalid(f"data.shape must start with partitions.shape, got data.shape = {list(np.shape(data))}, "
                      f"partitions.shape = {list(np.shape(partitions))}")
    check_indices(check, partitions, num_partitions, "partitions")
    data, partitions = np.reshape(data, (np.size(partitions), *np.shape(data)[rank:])), np.ravel(partitions)
    return [data.take(np.flatnonzero(partitions == number), 0) for number in range(num_partitions)]


@dynamic_partition.shape
def _(data, partitions, num_partitions):
    if data is None or partitions is None:
        return [None] * num_partitions
    at_least_rank(data, len(partitions))
    merge(data[:len(partitions)], partitions)
    return [(None, *data[len(partitions):])] * num_partitions


@dynamic_partition.grad
def _(op, *dys):
    data, partitions = op.inputs
    count, shape = op.attrs["num_partitions"], shape_tensor(partitions)
    numbers = reshape(basic.range_(0, size_tensor(partitions), 1), shape)
    places = dynamic_partition(numbers, partitions, num_partitions=count)
    return [reshape(parallel_dynamic_stitch(places, list(dys)), shape_tensor(data)), None]


def _stitched(indices, data, check):
    """A tensor whose slice indices[i][j] is data[i][j]; of duplicates the last wins."""
    indices = [np.asarray(each) for each in indices]
    rest = data[0].shape[indices[0].ndim:]
    for place, value in zip(indices, data, strict=True):
        if value.shape[:place.ndim] != place.shape or value.shape[place.ndim:] != rest:
            raise invalid(f"each data[i].shape must be indices[i].shape + {list(rest)}, but data[i] has shape "
                          f"{list(value.shape)} and indices[i] {list(place.shape)}")
    size = max((int(each.max()) + 1 for each in indices if each.size), default=0)
    if size > np.iinfo(np.int32).max:
        raise invalid(f"the largest of the indices, {size - 1}, asks for more slices than they can number")
    whole = np.full((size, *rest), b"" if data[0].dtype.kind == "O" else 0, data[0].dtype)
    for place, value in zip(indices, data, strict=True):
        check_indices(check, place, size)
        whole[place.ravel()] = value.reshape((place.size, *rest))
    return whole


def _stitched_shape(indices, data, node):
    rest = None
    for place, value in zip(indices, data, strict=True):
        if place is not None and value is not None:
            at_least_rank(value, len(place))
            merge(value[:len(place)], place)
            rest = merge(rest, value[len(place):])
    if rest is None:
        return None
    known = [static_value(tensor) for tensor in node._inputs[:len(indices)]]
    if any(each is None for each in known):
        return (None, *rest)
    return (max((int(each.max()) + 1 for each in known if each.size), default=0), *rest)


def _stitched_gradient(op, dy):
    places = op.inputs[:op.attrs["N"]]
    return [None] * len(places) + [gather_v2(dy, place, 0) for place in places]


@op("DynamicStitch(indices: N * int32, data: N * T, *, N: int >= 1, T: type) -> merged: T", on="host",
    shape=_stitched_shape, grad=_stitched_gradient, export=("dynamic_stitch",))
def dynamic_stitch(indices, data, check):
    """Interleaves slices of several tensors: result[indices[i][j]] is data[i][j]; of duplicates the last wins."""
    return _stitched(indices, data, check)


@op("ParallelDynamicStitch(indices: N * int32, data: N * T, *, N: int >= 1, T: type) -> merged: T", on="host",
    shape=_stitched_shape, grad=_stitched_gradient)
def parallel_dynamic_stitch(indices, data, check):
    """DynamicStitch for indices without duplicates."""
    return _stitched(indices, data, check)


@op("UnravelIndex(indices: Tidx, dims: Tidx, *, Tidx: index = int32) -> output: Tidx", grad=STOP,
    export=("unravel_index",))
def unravel_index(xp, indices, dims, check):
    """Converts flat `indices` to coordinates in a tensor of shape `dims`, one row per axis."""
    if np.ndim(dims) != 1 or np.ndim(indices) > 1:
        raise invalid(f"dims must be a vector and indices a scalar or vector, got shapes {list(np.shape(dims))} and "
                      f"{list(np.shape(indices))}")
    check((indices >= 0) & (indices < xp.prod(dims)), "index is out of bound for these dims")
    strides = xp.flip(xp.cumprod(xp.flip(xp.concatenate([dims[1:], xp.ones([1], dims.dtype)]))))
    if np.ndim(indices):
        strides, dims = strides[:, None], dims[:, None]
    return indices // strides % dims


@unravel_index.shape
def _(indices, dims):
    dims = with_rank(dims, 1, "dims")
    return None if indices is None else (dims[0], *indices)
