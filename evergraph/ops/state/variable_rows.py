"""Ops that gather from and scatter into variables: rows, slices, elements. Only those parts are read or written."""
import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.shapes import text
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import to_tensor
from evergraph.graph.opdef import STOP, OpDef, op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import merge
from evergraph.graph.traits import Memory, Padded
from evergraph.kernel.context import check_now
from evergraph.kernel.row_changes import added
from evergraph.kernel.values import array_module, is_padding, is_traced
from evergraph.ops.arrays.gather import are_inside
from evergraph.ops.arrays.limits import beside_nan
from evergraph.ops.arrays.segment import add_in_c, is_summed_in_c
from evergraph.ops.state.variables import variable_shape, variable_shape_of

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


# ---- the scatter operations

_FLAT = 1 << 20  # numbers that are added one by one, each with an index of its own
_SIGNS = {np.add: 1, np.subtract: -1}  # of updates that C adds


def _ufunc_at(ufunc):
    """A function that applies updates in place, in order. NumPy's own loops over rows take several times as long."""
    def apply(whole, at, updates):
        if isinstance(at, tuple) or not _are_rows(whole, at, updates):
            ufunc.at(whole, at, updates)
        elif ufunc in _SIGNS and is_summed_in_c(whole, at):
            rows = updates.reshape(at.size, *whole.shape[1:])
            add_in_c(whole, rows if _SIGNS[ufunc] > 0 else -rows, at.reshape(-1))
        elif whole.ndim > 1 and updates.size <= _FLAT:
            width = whole[0].size
            places = at.reshape(-1, 1).astype(np.int64) * width + np.arange(width)
            ufunc.at(whole.reshape(-1), places.reshape(-1), updates.reshape(-1))
        else:
            ufunc.at(whole, at, updates)
    return apply


def _are_rows(whole, at, updates):
    """Whether there is a row of the variable's dtype for each index."""
    return np.shape(updates) == (*at.shape, *whole.shape[1:]) and updates.size > 0 and whole.flags.c_contiguous \
        and updates.dtype == whole.dtype


def _truncated_divide_at(whole, at, updates):
    if whole.dtype.kind in "iu":
        np.copyto(whole, np.trunc(whole / _products(np.ones_like(whole), at, updates)).astype(whole.dtype))
    else:
        np.divide.at(whole, at, updates)


def _products(ones, at, updates):
    np.multiply.at(ones, at, updates)
    return ones


def _set_at(whole, at, updates):
    whole[at] = updates


_NOW = {"update": _set_at, "add": _ufunc_at(np.add), "sub": _ufunc_at(np.subtract), "mul": _ufunc_at(np.multiply),
        "div": _truncated_divide_at, "min": _ufunc_at(np.minimum), "max": _ufunc_at(np.maximum)}


def _divided(whole, at, updates):
    """Traced division by the product of each position's updates, which for integers truncates like one division."""
    from jax import lax
    divisor = lax.full_like(whole, 1).at[at].multiply(updates, mode="drop")
    return lax.div(whole, divisor)


_TRACED = {"update": lambda whole, at, updates: whole.at[at].set(updates, mode="drop"),
           "add": lambda whole, at, updates: whole.at[at].add(updates, mode="drop"),
           "sub": lambda whole, at, updates: whole.at[at].add(-updates, mode="drop"),
           "mul": lambda whole, at, updates: whole.at[at].multiply(updates, mode="drop"),
           "div": _divided,
           "min": lambda whole, at, updates: whole.at[at].min(updates, mode="drop"),
           "max": lambda whole, at, updates: whole.at[at].max(updates, mode="drop")}


def _scatter(kind, cell, whole, at, updates):
    """Scatters into the variable at the positions `at`: an index array, or a tuple of them."""
    places = at if isinstance(at, tuple) else (at,)
    updates = beside_nan(array_module(updates), updates, kind)
    if array_module(whole, updates, *places) is np:
        new = np.array(whole)
        _NOW[kind](new, at, updates)
        cell.assign(new)
    elif places:
        cell.update(lambda value, wanted: _traced(kind, value, only_if(wanted, places, value), updates))
    else:
        cell.assign(_traced(kind, whole, (), updates))


def _traced(kind, whole, at, updates):
    from jax import numpy
    return _TRACED[kind](numpy.asarray(whole), at, updates)


def only_if(wanted, places, whole):
    """The positions of a conditional update; if not `wanted` they are out of bounds, where updates are dropped."""
    if wanted is True:
        return places
    from jax import numpy
    return (numpy.where(wanted, places[0], whole.shape[0]), *places[1:])


def is_row(node, indices, count):
    """Whether each index is a row number; True if all are known to be.

    A fixed-size Unique (see passes/fixed_size_unique.py) pads with the largest integer, which is not a row number.
    """
    if type(indices) is np.ndarray and are_inside(indices, count):
        return True
    inside = (indices >= 0) & (indices < count)
    return inside | is_padding(indices) if comes_from_unique(node) else inside


def comes_from_unique(node):
    """Whether the indices of this update are unique, because a Unique op produced them."""
    return any(t.source.type == "Unique" and t.value_index == 0 for t in map(_origin, node.inputs))


def _origin(tensor):
    """The tensor that this one is a view of, such as the ids whose gradient rows a Reshape made a vector."""
    while tensor.source.opdef.memory is Memory.VIEW:
        tensor = tensor.source.inputs[0]
    return tensor


def _into_rows(kind, node, check, cell, indices, updates):
    whole = cell.value
    if not np.ndim(whole):
        raise errors.InvalidArgumentError(None, None, "params must be at least 1-D, not a scalar")
    wanted = (*np.shape(indices), *whole.shape[1:])
    if np.ndim(updates) and np.shape(updates) != wanted:
        raise errors.InvalidArgumentError(None, None, "updates is a scalar, or has the shape of indices and then "
                                                      f"that of a row: updates {text(np.shape(updates))}, "
                                                      f"indices {text(np.shape(indices))}, params {text(whole.shape)}")
    inside = is_row(node, indices, whole.shape[0])
    _check_each(check, inside, indices, f"is not in [0, {whole.shape[0]})")
    if inside is not True and comes_from_unique(node) and not is_traced(indices):  # an earlier, compiled stage padded
        there = indices < whole.shape[0]
        indices, updates = indices[there], updates[there] if np.ndim(updates) else updates
    _scatter(kind, cell, whole, indices, updates)


def _check_each(check, inside, indices, words, depth=None):
    """Fails the step at the first index (or vector of `depth` numbers) that is out of bounds, naming it."""
    if inside is True or not np.size(inside):
        return
    first = array_module(inside, indices).argmin(inside.reshape(-1))
    place = _unravelled(first, inside.shape) if is_traced(first) else np.unravel_index(first, inside.shape)
    at = f"[{','.join(['{}'] * len(place))}]" if place else ""
    found = [indices[place]] if depth is None else [indices[(*place, i)] for i in range(depth)]
    shown = "{}" if depth is None else f"[{','.join(['{}'] * depth)}]"
    check(inside, f"indices{at} = {shown} {words}", *place, *found)


def _unravelled(first, shape):
    from jax import numpy
    return numpy.unravel_index(first, shape)


def _into_places(kind, node, check, cell, indices, updates):
    whole = cell.value
    if not np.ndim(whole):
        raise errors.InvalidArgumentError(None, None, "Output must be at least 1-D, got shape: []")
    depth = np.shape(indices)[-1] if np.ndim(indices) else None
    if depth is None or depth > whole.ndim:
        raise errors.InvalidArgumentError(None, None, f"The inner dimension of indices must be at most "
                                                      f"{whole.ndim}, the rank of the variable; got shape "
                                                      f"{text(np.shape(indices))}")
    wanted = (*np.shape(indices)[:-1], *whole.shape[depth:])
    if np.shape(updates) != wanted:
        raise errors.InvalidArgumentError(None, None, f"Must have updates.shape = {text(wanted)}, got updates.shape "
                                                      f"{text(np.shape(updates))}")
    bounds = np.array(whole.shape[:depth], indices.dtype)
    inside = ((indices >= 0) & (indices < bounds)).all(axis=-1)
    _check_each(check, inside, indices, f"does not index into shape {text(whole.shape)}", depth)
    _scatter(kind, cell, whole, tuple(indices[..., i] for i in range(depth)), updates)


# ---- the scatter ops

def _check_rows(whole, indices, updates):
    if whole is not None and indices is not None and updates != ():
        merge((*indices, *whole[1:]), updates)


def _check_places(whole, indices, updates):
    if whole is not None and indices and indices[-1] is not None:
        merge((*indices[:-1], *whole[indices[-1]:]), updates)


def _ref_shape(check_static):
    def shape(ref, indices, updates):
        check_static(ref, indices, updates)
        return ref
    return shape


def _resource_shape(check_static):
    def shape(node, indices, updates):
        check_static(variable_shape_of(node.inputs[0]), indices, updates)
    return shape


def _bound(kind):
    """What binds a scatter of this kind, which adds rows in place at the end of the step; None for other kinds."""
    sign = {"add": 1, "sub": -1}.get(kind)

    def bound(node, known):
        def scatter(cell, indices, updates):
            whole = cell.value
            if not whole.ndim or not is_summed_in_c(whole, indices) or not _are_rows(whole, indices, updates) \
                    or not are_inside(indices, whole.shape[0]):
                _into_rows(kind, node, check_now, cell, indices, updates)
            else:
                rows = updates.reshape(indices.size, *whole.shape[1:])
                cell.update(added(rows if sign > 0 else -rows, indices.reshape(-1)))
            return cell
        return scatter
    return None if sign is None else bound


def _rows_input(kind, into):
    """The trait `updates_rows`: adding to rows drops row numbers outside the variable."""
    return "indices" if into is _into_rows and kind in ("add", "sub") else None


def _ref_scatter(name, kind, types, locking, grad=None, into=_into_rows, check_static=_check_rows):
    def kernel(node, check, ref, indices, updates):
        into(kind, node, check, ref, indices, updates)
        return ref
    kernel.__doc__ = f"Scatter-{kind} of `updates` into a reference variable at `indices`."
    declared = OpDef(f"{name}(ref: Ref(T), indices: Tindices, updates: T, *, T: {types}, Tindices: index, "
                     f"use_locking: bool = {locking}) -> output_ref: Ref(T)", kernel, shape=_ref_shape(check_static),
                     grad=grad, updates_rows=_rows_input(kind, into))
    declared.bound = _bound(kind) if into is _into_rows else None
    return declared


def _resource_scatter(name, kind, types):
    def kernel(node, check, resource, indices, updates):
        _into_rows(kind, node, check, resource, indices, updates)
    kernel.__doc__ = f"Scatter-{kind} of `updates` into the rows `indices` of a resource variable."
    declared = OpDef(f"{name}(resource: resource, indices: Tindices, updates: dtype, *, dtype: {types}, "
                     f"Tindices: index) -> ()", kernel, shape=_resource_shape(_check_rows), stateful=True,
                     updates_rows=_rows_input(kind, _into_rows))
    declared.bound = _bound(kind)
    return declared


def _resource_scatter_nd(name, kind):
    def kernel(node, check, ref, indices, updates):
        _into_places(kind, node, check, ref, indices, updates)
    kernel.__doc__ = f"Scatter-{kind} of `updates` into a resource variable at the index vectors `indices`."
    return OpDef(f"{name}(ref: resource, indices: Tindices, updates: T, *, T: type, Tindices: index, "
                 f"use_locking: bool = True) -> ()", kernel, shape=_resource_shape(_check_places), stateful=True)


_ORDERED = "{half, bfloat16, float, double, int32, int64}"

REF_SCATTERS = {
    "update": _ref_scatter("ScatterUpdate", "update", "type", True),
    "add": _ref_scatter("ScatterAdd", "add", "number", False, STOP),
    "sub": _ref_scatter("ScatterSub", "sub", "number", False, STOP),
    "mul": _ref_scatter("ScatterMul", "mul", "number", False, STOP),
    "div": _ref_scatter("ScatterDiv", "div", "number", False, STOP),
    "min": _ref_scatter("ScatterMin", "min", _ORDERED, False),
    "max": _ref_scatter("ScatterMax", "max", _ORDERED, False),
    "nd_update": _ref_scatter("ScatterNdUpdate", "update", "type", True, STOP, _into_places, _check_places),
    "nd_add": _ref_scatter("ScatterNdAdd", "add", "number", False, STOP, _into_places, _check_places),
    "nd_sub": _ref_scatter("ScatterNdSub", "sub", "number", False, STOP, _into_places, _check_places),
}

RESOURCE_SCATTERS = {
    "update": _resource_scatter("ResourceScatterUpdate", "update", "type"),
    "add": _resource_scatter("ResourceScatterAdd", "add", "number"),
    "sub": _resource_scatter("ResourceScatterSub", "sub", "number"),
    "mul": _resource_scatter("ResourceScatterMul", "mul", "number"),
    "div": _resource_scatter("ResourceScatterDiv", "div", "number"),
    "min": _resource_scatter("ResourceScatterMin", "min", "number"),
    "max": _resource_scatter("ResourceScatterMax", "max", "number"),
    "nd_update": _resource_scatter_nd("ResourceScatterNdUpdate", "update"),
    "nd_add": _resource_scatter_nd("ResourceScatterNdAdd", "add"),
    "nd_sub": _resource_scatter_nd("ResourceScatterNdSub", "sub"),
}


# ---- gathering

@op("ResourceGather(resource: resource, indices: Tindices, *, batch_dims: int = 0, validate_indices: bool = True, "
    "dtype: type, Tindices: index) -> output: dtype", stateful=True, memory=Memory.STORED, reads_only=True,
    padding=Padded(("indices",), like="indices"), reads_rows="resource")
def resource_gather(resource, indices, batch_dims, check):
    """Gathers the variable's rows at `indices`; with `batch_dims`, separately for each batch entry."""
    return _gathered(resource, indices, batch_dims, check, lambda indices: False)


def _gathered(resource, indices, batch_dims, check, is_left_out):
    whole = resource.value
    xp = array_module(whole, indices)
    if np.ndim(whole) <= batch_dims:
        raise errors.InvalidArgumentError(None, None, f"params must be at least {batch_dims + 1} dimensional")
    size = whole.shape[batch_dims]
    check((indices >= 0) & (indices < size) | is_left_out(indices), f"indices must be in [0, {size})")
    if not batch_dims:
        return whole[indices] if xp is np else xp.asarray(whole).at[indices].get(mode="clip")
    column = lambda size, axis: np.arange(size).reshape(-1, *(1,) * (np.ndim(indices) - 1 - axis))
    places = [column(size, axis) for axis, size in enumerate(whole.shape[:batch_dims])]
    return xp.asarray(whole)[(*places, indices)]


resource_gather.fixed_size_kernel = lambda resource, indices, batch_dims, check, known: _gathered(
    resource, indices, batch_dims, check, is_padding)


@resource_gather.shape
def _(node, indices, batch_dims):
    whole = variable_shape_of(node.inputs[0])
    if whole is None or indices is None:
        return None
    if len(whole) <= batch_dims:
        raise ValueError(f"Shape must be at least rank {batch_dims + 1} but is rank {len(whole)}")
    batch = merge(indices[:batch_dims], whole[:batch_dims])
    return (*batch, *indices[batch_dims:], *whole[batch_dims + 1:])


@resource_gather.grad
def _(op, dy):
    if op.attrs["batch_dims"]:
        raise NotImplementedError("ResourceGather has no gradient for batch_dims, as in TensorFlow 1.15")
    handle, indices = op.inputs
    whole = _shape_tensor(handle, dtypes.int32)
    count = lookup("ExpandDims")(lookup("Size")(indices), 0)
    inner = lookup("StridedSlice")(whole, [1], [0], [1], end_mask=1)
    values = lookup("Reshape")(dy, lookup("ConcatV2")([count, inner], 0))
    return IndexedSlices(values, lookup("Reshape")(indices, count), whole), None


def _shape_tensor(handle, dtype):
    """The shape of the variable behind a handle: a constant if it is static."""
    known = variable_shape_of(handle)
    if known is None or None in known:
        return variable_shape(handle, out_type=dtype)
    return to_tensor(list(known), dtype)


@op("ResourceGatherNd(resource: resource, indices: Tindices, *, dtype: type, Tindices: index) -> output: dtype",
    stateful=True, reads_only=True, reads_rows="resource")
def resource_gather_nd(resource, indices, check):
    """Gathers the variable's slices at the index vectors in the last dimension of `indices`."""
    whole = resource.value
    depth = np.shape(indices)[-1]
    if depth > np.ndim(whole):
        raise errors.InvalidArgumentError(None, None, f"an index has at most one number for each axis of params: "
                                                      f"{depth} numbers, {np.ndim(whole)} axes")
    bounds = np.array(whole.shape[:depth], indices.dtype)
    check((indices >= 0) & (indices < bounds), f"indices must be within {text(whole.shape[:depth])}")
    xp = array_module(whole, indices)
    return xp.asarray(whole)[tuple(indices[..., i] for i in range(depth))]


@resource_gather_nd.shape
def _(node, indices):
    whole = variable_shape_of(node.inputs[0])
    if whole is None or not indices or indices[-1] is None:
        return None
    return (*indices[:-1], *whole[indices[-1]:])


@resource_gather_nd.grad
def _(op, dy):
    handle, indices = op.inputs
    whole = _shape_tensor(handle, indices.dtype)
    if indices.shape.ndims == 2 and indices.shape.tuple[-1] == 1:
        return IndexedSlices(dy, lookup("Squeeze")(indices, axis=[-1]), whole), None
    return lookup("ScatterNd")(indices, dy, whole), None
