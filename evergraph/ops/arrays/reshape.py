"""Ops that change the shape or the order of a tensor's elements: reshape, transpose, stack, concatenate, split."""
import functools
import math

import numpy as np

from evergraph.base import dtypes
from evergraph.base.errors import invalid
from evergraph.base.recent import Computed
from evergraph.graph.convert import constant
from evergraph.graph.opdef import STOP, op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import denoted_shape, merge, merge_all, normal_axis, product, static_value, with_rank
from evergraph.graph.traits import Kind, Memory
from evergraph.kernel.rows import Rows, behind, even, of_first, one_by_one, spread, with_axes
from evergraph.kernel.values import is_traced
from evergraph.ops.arrays import basic


def axis_within(axis, rank, what="axis"):
    """The static axis of a kernel, as a non-negative index."""
    if type(axis) is not int:
        if np.size(axis) != 1:
            raise invalid(f"{what} must have exactly one element, but has shape {list(np.shape(axis))}")
        axis = axis.item()
    if not -rank <= axis < rank:
        raise invalid(f"{what} = {axis} is out of valid range [{-rank}, {rank - 1}]")
    return axis % rank if rank else 0


# ---- reshape

@of_first
def _reshaped_rows(call, node, values, count):
    rows, shape = values[0].values, values[1]
    if -1 in shape.tolist():
        shape = np.asarray(_filled_in(rows.shape[1:], tuple(shape.tolist())), shape.dtype)
    return [Rows(output) for output in call(rows, np.concatenate([np.asarray([count], shape.dtype), shape]))]


@op("Reshape(tensor: T, shape: Tshape, *, T: type, Tshape: index = int32) -> output: T", static=("shape",),
    export=("reshape", "manip.reshape"), memory=Memory.VIEW, in_batches=_reshaped_rows)
def reshape(tensor, shape):
    """Reshapes `tensor` to `shape`; one size may be -1 and is inferred."""
    if shape.ndim != 1:
        raise invalid(f"shape must be a vector, not of shape {np.shape(shape)}")
    return tensor.reshape(_filled_in(tensor.shape, tuple(shape.tolist())))


@functools.lru_cache(maxsize=1024)
def _filled_in(given, wanted):
    """`wanted` with its -1 replaced by the size that the elements of `given` imply."""
    count = math.prod(given)
    if any(size < -1 for size in wanted) or wanted.count(-1) > 1:
        raise invalid(f"the sizes of shape {list(wanted)} must not be negative, except for one -1")
    if -1 not in wanted:
        known = math.prod(wanted)
        if known != count:
            raise invalid(f"Input to reshape is a tensor with {count} values, but the requested shape has {known}")
        return wanted
    known = math.prod(size for size in wanted if size > 0)
    if 0 in wanted and 0 in given:  # the axis of size 0 is matched, and -1 follows from the others
        count = math.prod(size for size in given if size)
    elif 0 in wanted or count % known:
        raise invalid(f"the {count} values of the tensor cannot be reshaped to {list(wanted)}: needs a multiple of "
                      f"{known}")
    return tuple([count // known if size == -1 else size for size in wanted])


@reshape.bind
def _(node, known):
    shape = known(1)
    if shape is None or shape.ndim != 1:
        return None
    wanted = tuple(shape.tolist())
    filled = Computed(lambda given: _filled_in(given, wanted))
    return lambda tensor, _: tensor.reshape(filled[tensor.shape])


@reshape.shape
def _(tensor, value_of, shape_of):
    wanted, value = shape_of("shape"), value_of("shape")
    if value is not None and value.ndim != 1:
        raise ValueError(f"Shape must be rank 1 but is rank {value.ndim}")
    if wanted is None or tensor is None:
        return wanted
    count, missing = product(tensor), [at for at, size in enumerate(wanted) if size is None]
    if not missing:
        if count is not None and count != product(wanted):
            raise ValueError(f"Cannot reshape a tensor with {count} elements to shape [{','.join(map(str, wanted))}], "
                             f"which has {product(wanted)}")
        return wanted
    known = product([size for size in wanted if size is not None])
    if count and known == 0:
        raise ValueError(f"Cannot reshape a tensor with {count} elements to a shape with a size of 0")
    if count is None or len(missing) > 1 or not known:
        return wanted
    if count % known:
        raise ValueError(f"Dimension size must be evenly divisible by {known} but is {count}")
    return tuple(count // known if size is None else size for size in wanted)


def is_static(x):
    """Whether the static shape is fully known."""
    return x._shape is not None and None not in x._shape


def shape_tensor(x, out_type=dtypes.int32):
    """The shape of `x` as a tensor: a constant if it is static, so that it does not depend on `x`."""
    return constant(list(x._shape), out_type, name="Shape") if is_static(x) else basic.shape(x, out_type=out_type)


def rank_tensor(x):
    """The rank of `x` as a tensor: a constant if it is static."""
    return basic.rank(x) if x._shape is None else constant(len(x._shape), dtypes.int32, name="Rank")


def size_tensor(x):
    """The number of elements of `x` as a tensor: a constant if it is static."""
    return constant(product(x._shape), dtypes.int32, name="Size") if is_static(x) else basic.size(x)


def _back_to_input(op, dy):
    """The gradient of a reshaping op: reshapes back."""
    return reshape(dy, shape_tensor(op.inputs[0]))


@reshape.grad
def _(op, dy):
    return [_back_to_input(op, dy), None]


@op("ExpandDims(input: T, dim: Tdim, *, T: type, Tdim: index = int32) -> output: T", static=("dim",),
    memory=Memory.VIEW, in_batches=with_axes(lambda dim, rank: behind(dim, rank + 1)), called={"dim": "axis"})
def expand_dims(xp, input, dim):
    """Inserts an axis of size 1 at `dim`."""
    if np.size(dim) != 1:
        raise invalid(_NO_AXIS)
    at = axis_within(dim, np.ndim(input) + 1, "dim")
    return xp.reshape(input, _with_one(input.shape, at))


_NO_AXIS = "'dim' must be a tensor with a single value, the axis"


@expand_dims.bind
def _(node, known):
    dim = known(1)
    if dim is None or dim.size != 1:
        return None
    shapes = Computed(lambda shape: _with_one(shape, axis_within(dim, len(shape) + 1, "dim")))
    return lambda input, _: input.reshape(shapes[input.shape])


def _with_one(shape, at):
    """A shape with an axis of size 1 more, in this place."""
    return (*shape[:at], 1, *shape[at:])


@expand_dims.shape
def _(input, value_of):
    dim = value_of("dim")
    if dim is not None and dim.size != 1:
        raise ValueError(_NO_AXIS)
    if input is None:
        return None
    if dim is None:
        return (None,) * (len(input) + 1)
    at = normal_axis(int(np.ravel(dim)[0]), len(input) + 1)
    return (*input[:at], 1, *input[at:])


@expand_dims.grad
def _(op, dy):
    return [_back_to_input(op, dy), None]


@of_first
def _squeezed_rows(call, node, values, count):
    row, = call(values[0].at(0))
    return [Rows(values[0].values.reshape(count, *row.shape))]


@op("Squeeze(input: T, *, T: type, squeeze_dims: list(int) >= 0 = []) -> output: T", memory=Memory.VIEW,
    in_batches=_squeezed_rows, called={"squeeze_dims": "axis"})
def squeeze(xp, input, squeeze_dims):
    """Removes all axes of size 1, or those in `squeeze_dims`."""
    shape = np.shape(input)
    gone = {axis_within(axis, len(shape), "squeeze dim") for axis in squeeze_dims}
    for axis in gone:
        if shape[axis] != 1:
            raise invalid(f"Can not squeeze dim[{axis}], expected a dimension of 1, got {shape[axis]}")
    gone = gone or {axis for axis, size in enumerate(shape) if size == 1}
    return xp.reshape(input, [size for axis, size in enumerate(shape) if axis not in gone])


@squeeze.shape
def _(input, squeeze_dims):
    if input is None:
        return None
    if not squeeze_dims:
        return None if None in input else tuple(size for size in input if size != 1)
    gone = {normal_axis(axis, len(input)) for axis in squeeze_dims}
    for axis in gone:
        if input[axis] not in (1, None):
            raise ValueError(f"Can not squeeze dim[{axis}], expected a dimension of 1, got {input[axis]}")
    return tuple(size for axis, size in enumerate(input) if axis not in gone)


@squeeze.grad
def _(op, dy):
    return _back_to_input(op, dy)


# ---- transpose

def _permutation(rank, perm):
    """The static `perm` of a kernel, checked."""
    return _order(rank, tuple(np.asarray(perm).ravel().tolist()))


@functools.lru_cache(maxsize=1024)
def _order(rank, order):
    if len(order) != rank:
        raise invalid(f"transpose: perm has {len(order)} numbers for {rank} axes")
    order = [axis_within(axis, rank, "perm") for axis in order]
    for axis in range(rank):
        if axis not in order:
            raise invalid(f"{axis} is missing from the permutation {order}")
    return tuple(order)


def _transposed_shape(x, perm, value_of):
    length, perm = with_rank(perm, 1)[0], value_of("perm")
    if perm is None:
        rank = len(x) if x is not None else length
        return None if rank is None else (None,) * rank
    if x is None and perm.size == 1:
        return None
    x = with_rank(x, perm.size)
    return tuple(x[normal_axis(int(axis), len(x))] for axis in perm)


@op("Transpose(x: T, perm: Tperm, *, T: type, Tperm: index = int32) -> y: T", static=("perm",), shape=_transposed_shape,
    memory=Memory.VIEW, in_batches=with_axes(lambda perm, rank: np.concatenate([[0], behind(perm, rank)])))
def transpose(x, perm):
    """Transposes `x`: permutes its axes to the order `perm`."""
    return x.transpose(_permutation(np.ndim(x), perm))


@transpose.bind
def _(node, known):
    perm = known(1)
    if perm is None:
        return None
    orders = Computed(lambda rank: _permutation(rank, perm))
    return lambda x, _: x.transpose(orders[x.ndim])


@transpose.grad
def _(op, dy):
    return [transpose(dy, invert_permutation(op.inputs[1])), None]


@op("ConjugateTranspose(x: T, perm: Tperm, *, T: type, Tperm: index = int32) -> y: T", static=("perm",),
    shape=_transposed_shape)
def conjugate_transpose(xp, x, perm):
    """The conjugate transpose: permutes the axes of `x` to the order `perm` and conjugates."""
    return xp.conj(xp.transpose(x, _permutation(np.ndim(x), perm)))


@conjugate_transpose.grad
def _(op, dy):
    return [conjugate_transpose(dy, invert_permutation(op.inputs[1])), None]


@op("InvertPermutation(x: T, *, T: index = int32) -> y: T", grad=STOP,
    export=("invert_permutation", "math.invert_permutation"))
def invert_permutation(xp, x, check):
    """The inverse permutation: y[x[i]] = i."""
    if np.ndim(x) != 1:
        raise invalid(f"invert_permutation expects a 1D vector, not one of shape {np.shape(x)}")
    count = np.shape(x)[0]
    places = xp.arange(count, dtype=x.dtype)
    order = np.argsort(x) if xp is np else xp.full_like(x, -1).at[x].set(places, mode="drop")
    check(xp.all(xp.take(x, order, mode="clip") == places),
          f"x is not a permutation of [0, {count}): each index must occur once")
    return order


@invert_permutation.shape
def _(x):
    return with_rank(x, 1)


# ---- join and split

def _denoted_by_sizes(node, index):
    """The shape that a vector of scalars denotes: each scalar's value where it is static."""
    if node.attrs["axis"] != 0:
        return None
    sizes = [static_value(t) for t in node._inputs]
    return tuple(None if size is None or size.ndim or size < 0 else int(size) for size in sizes)


def _denoted_by_parts(parts):
    """The shape that concatenated vectors denote."""
    shapes = [denoted_shape(part) for part in parts]
    return None if any(shape is None for shape in shapes) else tuple(d for shape in shapes for d in shape)


@even
def _packed_rows(call, node, values, count):
    arrays = [spread(value, count) for value in values]
    return [Rows(np.stack(arrays, axis_within(node.attrs["axis"], arrays[0].ndim) + 1))]


@op("Pack(values: N * T, *, N: int >= 1, T: type, axis: int = 0) -> output: T", denotes_shape=_denoted_by_sizes,
    in_batches=_packed_rows)
def pack(xp, values, axis):
    """Stacks tensors of one shape along a new axis."""
    shapes = {np.shape(value) for value in values}
    if len(shapes) > 1:
        raise invalid(f"the inputs must all have the same shape: {_listed(values)}")
    at = axis_within(axis, np.ndim(values[0]) + 1)
    if xp is not np or type(values[0]) is not np.ndarray:
        return xp.stack(values, at)
    shape = _with_one(values[0].shape, at)  # as np.stack does, which takes longer to get there
    return np.concatenate([value.reshape(shape) for value in values], at)


@pack.bind
def _(node, known):
    if node.attrs["N"] > 1 or node.attrs["T"] is dtypes.variant:
        return None
    axis = node.attrs["axis"]
    shapes = Computed(lambda shape: _with_one(shape, axis_within(axis, len(shape) + 1)))
    return lambda value: value.reshape(shapes[value.shape])


@pack.shape
def _(values, axis):
    shape = merge_all(values)
    if shape is None:
        return None
    at = normal_axis(axis, len(shape) + 1)
    return (*shape[:at], len(values), *shape[at:])


@pack.grad
def _(op, dy):
    return unpack(dy, num=op.attrs["N"], axis=op.attrs["axis"])


@of_first
def _unpacked_rows(call, node, values, count):
    rows = values[0].values
    axis = axis_within(node.attrs["axis"], rows.ndim - 1) + 1
    if rows.shape[axis] != node.attrs["num"]:
        return one_by_one(call, node, values, count)
    return [Rows(rows[(*(slice(None),) * axis, at)]) for at in range(node.attrs["num"])]


@op("Unpack(value: T, *, num: int >= 0, T: type, axis: int = 0) -> output: num * T", memory=Memory.VIEW,
    in_batches=_unpacked_rows)
def unpack(value, num, axis):
    """Unstacks `value` along `axis`, the inverse of Pack."""
    axis = axis_within(axis, np.ndim(value))
    if np.shape(value)[axis] != num:
        raise invalid(f"Input shape axis {axis} must equal {num}, got shape {list(np.shape(value))}")
    before = (slice(None),) * axis
    return [value[(*before, at, ...)] for at in range(num)]


@unpack.shape
def _(value, num, axis):
    if value is None:
        return [None] * num
    at = normal_axis(axis, len(value))
    if value[at] not in (num, None):
        raise ValueError(f"Dimension must be {num} but is {value[at]}")
    return [(*value[:at], *value[at + 1:])] * num


@unpack.grad
def _(op, *dys):
    return pack(list(dys), axis=op.attrs["axis"]) if dys else basic.zeros_like(op.inputs[0])


def _joined(xp, values, axis):
    if xp is np:
        try:
            return np.concatenate(values, int(axis))
        except ValueError:
            pass  # what does not fit is said below
    ranks = {np.ndim(value) for value in values}
    if len(ranks) > 1:
        raise invalid(f"the inputs must all have the same rank: {_listed(values)}")
    rank = ranks.pop()
    axis = int(axis)
    if not -max(rank, 1) <= axis < max(rank, 1):
        raise invalid(f"the axis to join along must be in [{-rank}, {rank}), but is {axis}")
    if rank == 0:
        raise invalid("scalars have no axis to join along: stack them instead")
    axis %= rank
    if len({(*shape[:axis], *shape[axis + 1:]) for shape in map(np.shape, values)}) > 1:
        raise invalid(f"Dimensions of inputs should match, except along axis {axis}: {_listed(values)}")
    return xp.concatenate(values, axis)


def _listed(values):
    return ", ".join(str(list(np.shape(value))) for value in values)


def _joined_shape(values, axis):
    """The shape of `values` concatenated along a static `axis`, or None if the axis is unknown."""
    known = next((shape for shape in values if shape is not None), None)
    if known is None:
        return None
    if not known:
        raise ValueError("Can't concatenate scalars (use tf.stack instead)")
    if axis is None:
        for shape in values:
            with_rank(shape, len(known), "All inputs")
        return (None,) * len(known)
    if np.size(axis) != 1 or np.ndim(axis):
        raise ValueError(f"the axis to join along must be a scalar, not of shape {list(np.shape(axis))}")
    at = normal_axis(int(axis), len(known))
    total, rest = 0, None
    for shape in values:
        shape = with_rank(shape, len(known))
        total = None if total is None or shape[at] is None else total + shape[at]
        rest = merge(rest, (*shape[:at], *shape[at + 1:]))
    return (*rest[:at], total, *rest[at:])


def _joined_gradient(dy, values, axis):
    """The part of `dy` for each of `values`, concatenated along the tensor `axis`."""
    if len(values) == 1:
        return [dy]
    sizes = [shape_tensor(value) for value in values] if all(map(is_static, values)) else basic.shape_n(values)
    first = lookup("FloorMod")(axis, rank_tensor(values[0]))
    offsets = concat_offset(first, sizes)
    return [lookup("Slice")(dy, offset, size) for offset, size in zip(offsets, sizes, strict=True)]


@op("Concat(concat_dim: int32, values: N * T, *, N: int >= 2, T: type) -> output: T", static=("concat_dim",),
    denotes_shape=lambda node, index: _denoted_by_parts(node._inputs[1:]))
def concat(xp, concat_dim, values):
    """Concatenates tensors along an axis; the older order of arguments."""
    return _joined(xp, values, concat_dim)


@concat.shape
def _(values, value_of):
    return _joined_shape(values, value_of("concat_dim"))


@concat.grad
def _(op, dy):
    return [None, *_joined_gradient(dy, list(op.inputs[1:]), op.inputs[0])]


@even
def _joined_rows(call, node, values, count):
    *parts, axis = values
    if isinstance(axis, Rows):
        return one_by_one(call, node, values, count)
    arrays = [spread(part, count) for part in parts]
    return [Rows(output) for output in call(*arrays, np.asarray(behind(axis, arrays[0].ndim - 1), axis.dtype))]


@op("ConcatV2(values: N * T, axis: Tidx, *, N: int >= 2, T: type, Tidx: index = int32) -> output: T", static=("axis",),
    kind=Kind.CONCAT, denotes_shape=lambda node, index: _denoted_by_parts(node._inputs[:-1]), in_batches=_joined_rows)
def concat_v2(xp, values, axis):
    """Concatenates tensors along an axis."""
    return _joined(xp, values, axis)


@concat_v2.shape
def _(values, value_of):
    return _joined_shape(values, value_of("axis"))


@concat_v2.grad
def _(op, dy):
    axis = op.inputs[-1]
    if axis.dtype.base_dtype is not dtypes.int32:
        axis = basic.cast(axis, DstT=dtypes.int32)
    return [*_joined_gradient(dy, list(op.inputs[:-1]), axis), None]


@op("ConcatOffset(concat_dim: int32, shape: N * int32, *, N: int >= 2) -> offset: N * int32", static=("concat_dim",),
    grad=STOP, later={"shape_type": dtypes.int32})
def concat_offset(xp, concat_dim, shape, check):
    """The start offset of each tensor in the concatenation of tensors of these shapes."""
    if any(np.ndim(sizes) != 1 for sizes in shape):
        raise invalid(f"each input should be a vector, but the shapes are {_listed(shape)}")
    rank = np.shape(shape[0])[0]
    if not -rank <= concat_dim < rank:
        raise invalid(f"Concat dim is out of range: {int(concat_dim)} vs. {rank}")
    axis = int(concat_dim) % rank
    if xp is np and all(np.shape(sizes) == (rank,) for sizes in shape):
        lists = [sizes.tolist() for sizes in shape]
        if all(each[:axis] == lists[0][:axis] and each[axis + 1:] == lists[0][axis + 1:] for each in lists):
            return _offsets([each[axis] for each in lists], axis, rank)
    others = np.delete(np.arange(rank), axis)
    for number, sizes in enumerate(shape):
        if np.shape(sizes) != (rank,):
            raise invalid(f"input {number} should contain {rank} elements, but got {np.shape(sizes)[0]}")
        check(xp.all(sizes[others] == shape[0][others]),
              f"All dimensions except {axis} must match. Input {number} has shape {_spelled(sizes)} and doesn't match "
              f"input 0 with shape {_spelled(shape[0])}.")
    sizes = xp.stack([each[axis] for each in shape])
    starts = xp.cumsum(sizes) - sizes
    along = np.arange(rank) == axis
    return [xp.where(along, start, 0) for start in starts]


def _offsets(sizes, axis, rank):
    """Where each of the parts of these sizes starts."""
    starts = np.zeros((len(sizes), rank), np.int32)
    starts[1:, axis] = np.cumsum(sizes[:-1])
    return list(starts)


def _spelled(sizes):
    return "[?]" if is_traced(sizes) else f"[{' '.join(map(str, sizes.tolist()))}]"


@concat_offset.shape
def _(shape):
    return list(shape)


@op("ParallelConcat(values: N * T, *, N: int >= 1, T: type, shape: shape) -> output: T")
def parallel_concat(xp, values, shape):
    """Concatenates tensors of first size 1 along the first axis."""
    if any(np.shape(value)[:1] != (1,) for value in values):
        raise invalid("Size of first dimension must be 1")
    joined = xp.concatenate(values, 0)
    if shape is not None and joined.shape != tuple(shape):
        raise invalid(f"the inputs join to shape {list(joined.shape)}, not {list(shape)}")
    return joined


@parallel_concat.shape
def _(values, shape):
    if shape is None or None in shape:
        raise ValueError("shape attr must be fully defined.")
    for value in values:
        if value is not None:
            merge(with_rank(value, len(shape)), (1, *shape[1:]))
    return shape


@even
def _split_rows(call, node, values, count):
    axis, value = values
    if isinstance(axis, Rows):
        return one_by_one(call, node, values, count)
    rows = value.values
    return [Rows(output) for output in call(np.asarray(behind(axis, rows.ndim - 1), axis.dtype), rows)]


@op("Split(split_dim: int32, value: T, *, num_split: int >= 1, T: type) -> output: num_split * T",
    static=("split_dim",), memory=Memory.VIEW, called={"split_dim": "axis"}, in_batches=_split_rows)
def split(split_dim, value, num_split):
    """Splits `value` into `num_split` equal parts along `split_dim`."""
    axis = axis_within(split_dim, np.ndim(value), "split_dim")
    size = np.shape(value)[axis]
    if size % num_split:
        raise invalid(f"dimension {axis} of size {size} cannot be split into {num_split} equal parts")
    return _parts(value, axis, [size // num_split] * num_split)


def _parts(value, axis, sizes):
    before, start, parts = (slice(None),) * axis, 0, []
    for size in sizes:
        parts.append(value[(*before, slice(start, start + size))])
        start += size
    return parts


@split.shape
def _(value, num_split, value_of):
    axis = value_of("split_dim")
    if value is None:
        return [None] * num_split
    if axis is None:
        return [(None,) * len(value)] * num_split
    at = normal_axis(int(axis), len(value))
    if value[at] is not None and value[at] % num_split:
        raise ValueError(f"the {num_split} parts should evenly divide the split dimension, whose size is {value[at]}")
    part = None if value[at] is None else value[at] // num_split
    return [(*value[:at], part, *value[at + 1:])] * num_split


@split.grad
def _(op, *dys):
    return [None, concat_v2(list(dys), op.inputs[0]) if len(dys) > 1 else dys[0]]


@op("SplitV(value: T, size_splits: Tlen, split_dim: int32, *, num_split: int >= 1, T: type, Tlen: index = int64) -> "
    "output: num_split * T", static=("size_splits", "split_dim"), memory=Memory.VIEW, called={"split_dim": "axis"})
def split_v(value, size_splits, split_dim, num_split):
    """Splits `value` along `split_dim` into parts of the sizes `size_splits`; one size may be -1."""
    axis = axis_within(split_dim, np.ndim(value), "split_dim")
    if np.shape(size_splits) != (num_split,):
        raise invalid(f"size_splits must have {num_split} elements, not shape {list(np.shape(size_splits))}")
    return _parts(value, axis, _part_sizes(np.shape(value)[axis], size_splits.tolist(), invalid))


def _part_sizes(whole, sizes, error):
    """`sizes` with a -1 replaced by the rest of `whole`; `error` makes the exception for sizes that do not add up."""
    if sizes.count(-1) > 1:
        raise error(f"only one of the sizes {sizes} may be -1")
    if any(size < -1 for size in sizes):
        raise error(f"the sizes {sizes} must not be negative")
    known = sum(size for size in sizes if size != -1)
    if known != whole if -1 not in sizes else known > whole:
        raise error(f"the sizes {sizes} do not add up to the size {whole} of the split dimension")
    return [whole - known if size == -1 else size for size in sizes]


@split_v.shape
def _(value, num_split, value_of):
    axis, sizes = value_of("split_dim"), value_of("size_splits")
    if value is None:
        return [None] * num_split
    if axis is None:
        return [(None,) * len(value)] * num_split
    at = normal_axis(int(axis), len(value))
    if sizes is None:
        sizes = [None] * num_split if num_split > 1 else [value[at]]
    elif value[at] is None:
        sizes = [None if size < 0 else size for size in sizes.tolist()]
    else:
        sizes = _part_sizes(value[at], sizes.tolist(), ValueError)
    return [(*value[:at], size, *value[at + 1:]) for size in sizes]


@split_v.grad
def _(op, *dys):
    return [concat_v2(list(dys), op.inputs[2]) if len(dys) > 1 else dys[0], None, None]
