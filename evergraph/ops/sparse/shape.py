"""Ops that reshape, concatenate, split and slice sparse tensors. The number of entries depends on the values."""
import functools
import math

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge, merge_size, product, require_rank, with_rank
from evergraph.graph.traits import Fusion
from evergraph.ops.sparse.sparse import check_parts, dense_shape, flat_places, handed_back, in_order, rows_inside

# ---- reshape


def _sizes_alone(node, resolve, users):
    """The fusion of a SparseReshape, of which only the shape is used."""
    return Fusion(frozenset((node,)), tuple(map(resolve, node.inputs[1:])), (node.outputs[1],), _new_sizes)


def _new_sizes(input_shape, new_shape):
    """(the new shape,)."""
    return sparse_reshape.kernel(np.empty((0, input_shape.size), np.int64), input_shape, new_shape)[1:]


@op("SparseReshape(input_indices: int64, input_shape: int64, new_shape: int64) -> output_indices: int64, "
    "output_shape: int64", on="host", grad=STOP, fusion=_sizes_alone)
def sparse_reshape(input_indices, input_shape, new_shape):
    """Reshapes a sparse tensor; one size may be -1 and is inferred."""
    if input_indices.ndim == 2 and input_shape.ndim == new_shape.ndim == 1 \
            and _are_kept(input_shape.tobytes(), new_shape.tobytes()):
        return input_indices, input_shape
    for what, value, rank in (("indices", input_indices, 2), ("shape", input_shape, 1), ("new shape", new_shape, 1)):
        if value.ndim != rank:
            raise invalid(f"Input {what} should have rank {rank} but received shape {list(np.shape(value))}")
    old = dense_shape(input_shape, "input_shape")
    new = _filled_in(old, tuple(new_shape.tolist()))
    places = flat_places(np, input_indices, old)
    result = np.empty((len(places), len(new)), np.int64)
    for axis in reversed(range(len(new))):
        result[:, axis] = places % new[axis] if new[axis] else 0
        places = places // new[axis] if new[axis] else places
    return result, np.array(new, np.int64)


@functools.lru_cache(maxsize=1024)
def _are_kept(old, new):
    """Whether reshaping to the sizes `new` keeps the sizes `old`, each given as the bytes of int64 numbers."""
    old, new = (np.frombuffer(sizes, np.int64).tolist() for sizes in (old, new))
    if len(old) != len(new) or min(old, default=0) < 0:
        return False
    inferred = [was if size == -1 else size for was, size in zip(old, new)]
    return inferred == old and (new == old or new.count(-1) == 1 and 0 not in new)


def _filled_in(old, new):
    """`new` with its -1 replaced by the size that the elements of `old` imply."""
    count, missing = math.prod(old), new.count(-1)
    if missing > 1:
        raise invalid(f"only one output dimension may be -1; got {list(new)}")
    if min(new, default=0) < -1:
        raise invalid(f"the sizes of {list(new)} must be non-negative")
    known = -math.prod(new) if missing else math.prod(new)
    if missing:
        if known == 0:
            raise invalid("an empty tensor can have any size where -1 stands, beside a size of 0")
        if count % known:
            raise invalid(f"a sparse tensor of shape {list(old)} has places for {count} values; the "
                          f"requested shape requires a multiple of {known}: {list(new)}")
        return tuple([count // known if size == -1 else size for size in new])
    if known != count:
        raise invalid(f"Input to reshape is a tensor with {count} dense values, but the requested shape has {known}. "
                      f"input_shape={list(old)} output_shape={list(new)}")
    return new


@sparse_reshape.shape
def _(input_indices, input_shape, new_shape):
    require_rank(input_shape, 1)
    indices, new_shape = with_rank(input_indices, 2), with_rank(new_shape, 1)
    return [(indices[0], new_shape[0]), new_shape]


# ---- concat


@op("SparseConcat(indices: N * int64, values: N * T, shapes: N * int64, *, concat_dim: int, N: int >= 2, T: type) -> "
    "output_indices: int64, output_values: T, output_shape: int64", on="host", grad=STOP)
def sparse_concat(indices, values, shapes, concat_dim):
    """Concatenates sparse tensors along an axis and sorts the entries."""
    for parts in zip(indices, values, shapes):
        check_parts(*parts)
    rank = len(shapes[0])
    if not -rank <= concat_dim < rank:
        raise invalid(f"Concat dimension must be in range [{-rank}, {rank}), got {concat_dim}")
    axis = concat_dim % rank
    _check_alike(shapes, axis)
    whole = shapes[0].copy()
    whole[axis] = sum(shape[axis] for shape in shapes)
    moved, start = [], 0
    for rows, shape in zip(indices, shapes):
        shifted = rows.copy()
        shifted[:, axis] += start
        moved.append(shifted)
        start += shape[axis]
    rows, entries = np.concatenate(moved), np.concatenate(values)
    if axis:  # along the first axis sorted entries stay sorted
        order = in_order(np, rows)
        rows, entries = rows.take(order, axis=0), entries.take(order)
    return rows, entries, whole


def _check_alike(shapes, axis):
    """Raises InvalidArgumentError unless the shapes differ only along `axis`."""
    for position, shape in enumerate(shapes):
        if len(shape) != len(shapes[0]):
            raise invalid(f"the inputs of a concat have one rank: that at position {position} has {len(shape)}, "
                          f"the first {len(shapes[0])}")
        for dim, (wanted, size) in enumerate(zip(shapes[0], shape)):
            if dim != axis and size != wanted:
                raise invalid(f"Input shapes must match: expected {wanted} for dimension {dim} but got {size} at "
                              f"position {position}")


@sparse_concat.shape
def _(indices, values, shapes):
    total, rank, shape = 0, None, None
    for rows, entries, whole in zip(indices, values, shapes):
        rows, entries = with_rank(rows, 2), with_rank(entries, 1)
        count = merge_size(rows[0], entries[0])
        total = None if total is None or count is None else total + count
        rank, shape = merge_size(rank, rows[1]), merge(shape, with_rank(whole, 1))
    return [(total, rank), (total,), shape]


# ---- split


@op("SparseSplit(split_dim: int64, indices: int64, values: T, shape: int64, *, num_split: int >= 1, T: type) -> "
    "output_indices: num_split * int64, output_values: num_split * T, output_shape: num_split * int64", on="host",
    grad=STOP)
def sparse_split(split_dim, indices, values, shape, num_split):
    """Splits a sparse tensor along an axis; if the sizes cannot be equal, the first parts are larger by one."""
    check_parts(indices, values, shape)
    if np.size(split_dim) != 1:
        raise invalid(f"split_dim should be a scalar, got shape {list(np.shape(split_dim))}")
    axis = int(np.ravel(split_dim)[0])
    if not 0 <= axis < len(shape):
        raise invalid(f"Input split_dim should be between 0 and rank ({len(shape)}), got {axis}")
    if num_split > shape[axis]:
        raise invalid(f"an axis of size {shape[axis]} cannot be split into {num_split} parts")
    each, extra = divmod(int(shape[axis]), num_split)
    parts, start = [], np.zeros_like(shape)
    for number in range(num_split):
        size = shape.copy()
        size[axis] = each + (number < extra)
        parts.append(_cut_out(indices, values, start, size))
        start = start.copy()
        start[axis] += size[axis]
    return tuple(list(part) for part in zip(*parts))


def _cut_out(indices, values, start, size):
    """The entries in [start, start + size), relative to `start`, with the shape `size`."""
    kept = np.flatnonzero(rows_inside(indices, start, start + size))
    return indices.take(kept, axis=0) - start, values.take(kept), size


@sparse_split.shape
def _(shape, num_split):
    rank = None if shape is None else product(shape)
    return [(None, rank)] * num_split + [(None,)] * num_split + [shape] * num_split


# ---- slice


@op("SparseSlice(indices: int64, values: T, shape: int64, start: int64, size: int64, *, T: type) -> "
    "output_indices: int64, output_values: T, output_shape: int64", on="host")
def sparse_slice(indices, values, shape, start, size):
    """The slice of a sparse tensor that starts at `start` and has at most the shape `size`."""
    check_parts(indices, values, shape)
    for what, bound in (("start", start), ("size", size)):
        if np.ndim(bound) != 1:
            raise invalid(f"Input {what} should be a vector but received shape {list(np.shape(bound))}")
        if len(bound) != len(shape):
            raise invalid(f"Expected {what} to be a vector of length {len(shape)} but got length {len(bound)}")
    if (size < 0).any():
        raise invalid(f"Expected sizes of a slice to be >= 0, got {size.tolist()}")
    rows, entries, _ = _cut_out(indices, values, start, size)
    return rows, entries, np.where(start < shape, np.minimum(size, shape - start), 0)


@sparse_slice.shape
def _(shape):
    return [(None, None if shape is None else product(shape)), (None,), shape]


@sparse_slice.grad
def _(op, _indices, dy, _shape):
    slopes = sparse_slice_grad(dy, op.inputs[0], op.inputs[3], op.outputs[0])
    return [None, slopes, None, None, None]


@op("SparseSliceGrad(backprop_val_grad: T, input_indices: int64, input_start: int64, output_indices: int64, *, "
    "T: number) -> val_grad: T", on="host")
def sparse_slice_grad(backprop_val_grad, input_indices, input_start, output_indices):
    """The gradient of SparseSlice: the gradients of the slice's entries at their indices, zeros elsewhere."""
    if np.ndim(input_indices) != 2 or np.ndim(output_indices) != 2:
        raise invalid("both indices are matrices, one row for each value; their shapes are "
                      f"{list(np.shape(input_indices))} and {list(np.shape(output_indices))}")
    if np.shape(backprop_val_grad) != (len(output_indices),):
        raise invalid(f"each element of the slice needs its gradient: got {np.size(backprop_val_grad)} for "
                      f"{len(output_indices)}")
    if input_indices.shape[1] != output_indices.shape[1]:
        raise invalid(f"a slice has the rank of its tensor: got {output_indices.shape[1]} of {input_indices.shape[1]}")
    return handed_back(backprop_val_grad, input_indices, output_indices + input_start)


@sparse_slice_grad.shape
def _(input_indices):
    return (with_rank(input_indices, 2)[0],)
