"""Ops that slice tensors: Slice, and StridedSlice with all forms of Python's indexing.

A bound may be known only at run time. If the size of the result does not depend on it (a single index, a slice of
fixed size), the compiled program takes it dynamically; otherwise the kernel needs its static value. The size is that of
the static shape, which `set_shape` may have told, or the distance between two bounds that move together. A step whose
bounds are clipped has another size, so that the program checks whether it is as assumed.
"""
import functools
from dataclasses import dataclass

import numpy as np

from evergraph.base.errors import invalid
from evergraph.base.recent import Computed
from evergraph.graph.opdef import op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import denoted_shape, merge, static_value, with_rank
from evergraph.graph.traits import Memory
from evergraph.kernel.context import check_now
from evergraph.kernel.reasons import SIZE_ASSUMED, NeedStatic
from evergraph.kernel.rows import Rows, even, of_first, one_by_one
from evergraph.kernel.values import is_traced
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.distance import distance, scalars
from evergraph.ops.arrays.reshape import concat_v2, pack, reshape, shape_tensor, size_tensor

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
_STRIDED = ", ".join(f"{mask}: int = 0" for mask in MASKS)
_BOUNDS = "begin: Index, end: Index, strides: Index"


def known_elements(tensor):
    """The static elements of a 1-D tensor: ints, and None where unknown; None for an unknown length."""
    value = static_value(tensor)
    if value is not None:
        return [int(item) for item in np.ravel(value)]
    node = tensor.source
    if node.type == "Pack" and node.attrs["axis"] == 0:
        items = [static_value(each) for each in node.inputs]
        return [None if item is None or item.ndim else int(item) for item in items]
    length = tensor._shape
    return None if length is None or len(length) != 1 or length[0] is None else [None] * length[0]


def _elements(value, tensor):
    """The elements of a kernel's vector input as ints where they are static, else as None."""
    return tuple(known_elements(tensor) or [None] * len(value) if is_traced(value) else value.tolist())


# ---- Slice

@even
def _slices_of_rows(call, node, values, count):
    """Every row from its own start, if all have one size."""
    rows, begin, size = values
    if not isinstance(rows, Rows) or isinstance(size, Rows) or -1 in size.tolist():
        return one_by_one(call, node, values, count)
    starts, shape = (begin.values if isinstance(begin, Rows) else begin), np.array(rows.values.shape[1:])
    if starts.shape[-1:] != shape.shape or (starts < 0).any() or (starts + size > shape).any() or (size < 0).any():
        return one_by_one(call, node, values, count)
    result = np.empty((count, *size.tolist()), rows.values.dtype)
    for place, start in enumerate(np.broadcast_to(starts, (count, len(shape))).tolist()):
        result[place] = rows.values[(place, *map(slice, start, (start + size).tolist()))]
    return [Rows(result)]


@op("Slice(input: T, begin: Index, size: Index, *, T: type, Index: index) -> output: T", memory=Memory.VIEW,
    in_batches=_slices_of_rows)
def slice_(input, begin, size, node, check):
    """The slice of `input` that starts at `begin` and has the shape `size`; a size of -1 extends to the end."""
    shape = input.shape
    if begin.shape != (len(shape),) or size.shape != (len(shape),):
        raise invalid(f"begin and size must have {len(shape)} elements, not shapes {list(begin.shape)} and "
                      f"{list(size.shape)}")
    starts, sizes = _elements(begin, node._inputs[1]), _elements(size, node._inputs[2])
    if None not in starts and None not in sizes:
        return input[_static_slice(shape, starts, sizes)]
    sizes = _slice_sizes(shape, starts, sizes, node, check, begin, size)
    _check_slice(shape, starts, sizes)
    if None not in starts:
        return input[tuple(slice(start, start + length) for start, length in zip(starts, sizes, strict=True))]
    last = np.subtract(shape, sizes)
    check((begin >= 0) & (begin <= last), f"begin must be in [0, {last.tolist()}] for a slice of size {sizes}")
    import jax
    return jax.lax.dynamic_slice(input, list(begin), sizes)


@slice_.bind
def _(node, known):
    begin, size = known(1), known(2)
    if begin is None or size is None or begin.shape != size.shape or begin.ndim != 1:
        return None
    starts, sizes = tuple(begin.tolist()), tuple(size.tolist())
    indices = Computed(lambda shape: _static_slice(shape, starts, sizes) if len(shape) == len(starts) else None)

    def sliced(input, begin, size):
        index = indices[input.shape]
        return input[index] if index is not None else slice_.kernel(input, begin, size, node, check_now)
    return sliced


@functools.lru_cache(maxsize=1024)
def _static_slice(shape, starts, sizes):
    """The index for a static slice: loops on NumPy ask for few of them in every iteration."""
    sizes = [whole - start if length == -1 else length for whole, start, length in zip(shape, starts, sizes)]
    _check_slice(shape, starts, sizes)
    return tuple(slice(start, start + length) for start, length in zip(starts, sizes))


def _check_slice(shape, starts, sizes):
    for axis, (start, length, whole) in enumerate(zip(starts, sizes, shape, strict=True)):
        if start is not None and not 0 <= start <= start + length <= whole:
            raise invalid(f"Expected begin[{axis}] and begin[{axis}] + size[{axis}] in [0, {whole}], but got begin "
                          f"{start} and size {length}")


def _slice_sizes(shape, starts, sizes, node, check, begin, size):
    """The sizes with -1 replaced, and those that only a run tells by the static ones."""
    known, found = node.outputs[0]._shape or [None] * len(shape), []
    for axis, (whole, start, length) in enumerate(zip(shape, starts, sizes, strict=True)):
        if length is None or start is None and length == -1:
            if known[axis] is None:
                raise NeedStatic(node.inputs[2 if length is None else 1])
            if length is None:
                check(size[axis] == known[axis], SIZE_ASSUMED, node.inputs[2])
            else:
                check(begin[axis] == whole - known[axis], SIZE_ASSUMED, node.inputs[1])
            found.append(known[axis])
        else:
            found.append(whole - start if length == -1 else length)
    return found


@slice_.shape
def _(input, begin, size, node):
    merge(with_rank(begin, 1), with_rank(size, 1))
    starts, sizes = known_elements(node._inputs[1]), known_elements(node._inputs[2])
    ranks = [len(each) for each in (input, starts, sizes) if each is not None]
    if not ranks:
        return None
    input = with_rank(input, ranks[-1])
    starts, sizes = starts or [None] * len(input), sizes or [None] * len(input)
    if len(starts) != len(sizes):
        raise ValueError(f"begin has {len(starts)} elements but size has {len(sizes)}")
    return tuple(_sliced_size(*each) for each in zip(with_rank(input, len(sizes)), starts, sizes, strict=True))


def _sliced_size(whole, start, size):
    if size is None:
        return None
    if size < -1:
        raise ValueError(f"Slice size must be -1 or more, but is {size}")
    if size == -1:
        if whole is None or start is None:
            return None
        if start > whole:
            raise ValueError(f"Negative dimension size caused by subtracting {start} from {whole}")
        return whole - start
    return size


@slice_.grad
def _(op, dy):
    x, begin, _ = op.inputs
    whole, part = (shape_tensor(each, begin.dtype.base_dtype) for each in (x, op.outputs[0]))
    if static_value(begin) is None:  # paddings must be static, start indices need not be
        strides = basic.fill(shape_tensor(begin), np.ones((), begin.dtype.base_dtype.np))
        return [strided_slice_grad(whole, begin, lookup("AddV2")(begin, part), strides, dy), None, None]
    after = lookup("Sub")(lookup("Sub")(whole, part), begin)
    return [lookup("Pad")(dy, pack([begin, after], axis=1)), None, None]


# ---- StridedSlice: the meaning of its numbers and masks

@dataclass(frozen=True)
class Entry:
    """One item of an indexing expression.

    Attributes:
        kind: "index" (drops its axis), "range", "all" (`:`, or part of an ellipsis) or "new".
        at: its position in begin, end and strides; None for an axis without an item.
        from_start, to_end: whether the bound is omitted, for a range.
    """

    kind: str
    at: int | None = None
    from_start: bool = False
    to_end: bool = False


def entries(count, rank, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask, error=invalid):
    """The items of an indexing expression with `count` numbers, expanded for a tensor of rank `rank`."""
    if ellipsis_mask & (ellipsis_mask - 1) & ((1 << count) - 1):
        raise error("a slice has more than one ellipsis")
    used = sum(not (ellipsis_mask | new_axis_mask) >> at & 1 for at in range(count))
    if used > rank:
        raise error(f"Index out of range using input dim {rank}; input has only {rank} dims")
    found = []
    for at in range(count):
        if ellipsis_mask >> at & 1:
            found += [Entry("all")] * (rank - used)
        elif new_axis_mask >> at & 1:
            found.append(Entry("new"))
        elif shrink_axis_mask >> at & 1:
            found.append(Entry("index", at))
        else:
            found.append(Entry("range", at, bool(begin_mask >> at & 1), bool(end_mask >> at & 1)))
    if not ellipsis_mask & ((1 << count) - 1):
        found += [Entry("all")] * (rank - used)
    return found


@dataclass(frozen=True)
class Cut:
    """The cut along one axis of the input: keeps `range(start, stop, step)`, or a range that starts at `moving`.

    Attributes:
        kept: the indices to keep; None if the first is only known at run time.
        moving: the position in `begin` and `end` of the bounds of which one is only known at run time.
        length: the number of indices to keep if it is the first.
        drops: whether the axis is dropped, as for a single index.
        to_end: whether it keeps all from its first index on.
    """

    kept: range | None
    moving: int | None = None
    length: int = 1
    drops: bool = False
    to_end: bool = False

    @property
    def size(self):
        return self.length if self.kept is None else len(self.kept)


@dataclass(frozen=True)
class Cuts:
    """An indexing expression resolved for one shape: a cut per axis, and the shape of the result."""

    axes: tuple
    shape: tuple

    @functools.cached_property
    def is_moving(self):
        return any(cut.kept is None for cut in self.axes)

    @functools.cached_property
    def slices(self):
        """The Python slices of these cuts; an axis with a dynamic start is kept whole."""
        return tuple(slice(None) if cut.kept is None else _as_slice(cut.kept) for cut in self.axes)

    @property
    def kept_shape(self):
        """The shape before axes are dropped or inserted."""
        return tuple(cut.size for cut in self.axes)


class _Unknown(Exception):
    """A bound is unknown; the argument tells which of begin, end and strides holds it."""


def _cuts(shape, begin, end, strides, node, sizes=None):
    """The cuts of a StridedSlice node for an input of shape `shape`; `sizes` is the shape of the result where known."""
    if not np.ndim(begin) == np.ndim(end) == np.ndim(strides) == 1 or not len(begin) == len(end) == len(strides):
        raise invalid("begin, end and strides must be vectors of one length, but have shapes "
                      f"{[list(np.shape(each)) for each in (begin, end, strides)]}")
    first = len(node._inputs) - 3 if node.type == "StridedSlice" else len(node._inputs) - 4
    sources = node._inputs[first:first + 3]
    values = [_elements(value, tensor) for value, tensor in zip((begin, end, strides), sources)]
    try:
        return _worked_out(shape, *values, _masks(node.attrs), sizes)
    except _Unknown as unknown:
        raise NeedStatic(sources[unknown.args[0]]) from None


@functools.lru_cache(maxsize=4096)
def _worked_out(shape, begin, end, strides, masks, sizes):
    axes, result = [], []
    for entry in entries(len(begin), len(shape), *masks):
        if entry.kind == "new":
            result.append(1)
            continue
        bounds = (None, None, 1) if entry.at is None else (begin[entry.at], end[entry.at], strides[entry.at])
        length = sizes[len(result)] if sizes is not None and len(result) < len(sizes) else None
        cut = _cut(shape[len(axes)], len(axes), entry, *bounds, length)
        axes.append(cut)
        result += [] if cut.drops else [cut.size]
    return Cuts(tuple(axes), tuple(result))


def _masks(attrs):
    return tuple([attrs[name] for name in MASKS])


def _cut(size, axis, entry, begin, end, step, length):
    if entry.kind == "all":
        return Cut(range(size))
    if step == 0:
        raise invalid(f"strides[{entry.at}] must be non-zero")
    if entry.kind == "index":
        if step is not None and step < 0:
            raise invalid("a single index takes no stride but 1.")
        if begin is None:
            return Cut(None, entry.at, drops=True)
        if not -size <= begin < size:
            raise invalid(f"slice index {begin} of dimension {axis} out of bounds.")
        return Cut(range(begin % size, begin % size + 1), drops=True)
    no_begin, no_end = begin is None and not entry.from_start, end is None and not entry.to_end
    if (no_begin or no_end) and step == 1 and length is not None and length <= size:
        first = None if no_begin else _range(size, entry, begin, size, 1).start
        if first is None or first + length <= size:
            kept = None if first is None else range(first, first + length)
            return Cut(kept, entry.at, length, to_end=entry.to_end)
    if step is None or no_begin or no_end:
        raise _Unknown(2 if step is None else 0 if no_begin else 1)
    return Cut(_range(size, entry, begin, end, step))


def _range(size, entry, begin, end, step):
    return range(*slice(None if entry.from_start else begin, None if entry.to_end else end, step).indices(size))


def _static_shape(input, node, offset):
    """The static shape of StridedSlice; `offset` is the position of begin, end and strides among the inputs."""
    bounds = node._inputs[offset:offset + 3]
    for tensor in bounds:
        merge(with_rank(tensor._shape, 1), with_rank(bounds[0]._shape, 1))
    values = [known_elements(tensor) for tensor in bounds]
    length = next((len(each) for each in values if each is not None), None)
    if input is None or length is None:
        return None
    if any(each is not None and len(each) != length for each in values):
        raise ValueError("begin, end and strides must have the same length")
    values = [each or [None] * length for each in values]
    result, axis = [], 0
    for entry in entries(length, len(input), *_masks(node.attrs), error=ValueError):
        if entry.kind == "new":
            result.append(1)
            continue
        result += _static_sizes(input[axis], axis, entry, values)
        axis += 1
    return tuple(result)


def _static_sizes(size, axis, entry, values):
    """The sizes, one or none, that an axis of static size `size` leaves."""
    if entry.kind == "all":
        return [size]
    begin, end, step = (each[entry.at] for each in values)
    if step == 0:
        raise ValueError(f"strides[{entry.at}] must be non-zero")
    if entry.kind == "index":
        if step is not None and step < 0:
            raise ValueError("a single index takes no stride but 1.")
        if begin is not None and size is not None and not -size <= begin < size:
            raise ValueError(f"slice index {begin} of dimension {axis} out of bounds.")
        return []
    begin, end = 0 if entry.from_start else begin, 0 if entry.to_end else end
    if entry.from_start and entry.to_end and step in (1, -1):
        return [size]
    if begin is None or end is None or step is None:
        return [None]
    if size is None:
        return [_size_without_whole(begin, end, step, entry)]
    return [len(_range(size, entry, begin, end, step))]


def _size_without_whole(begin, end, step, entry):
    """The size of a range along an axis of unknown size: 0 if the bounds cross, else unknown."""
    if entry.from_start or entry.to_end or (begin < 0) != (end < 0):
        return None
    return 0 if len(range(begin, end, step)) == 0 else None


def _picked_size(node, index):
    """The size that an index such as tf.shape(x)[1] extracts, which may be static when others are not."""
    if node.attrs["shrink_axis_mask"] != 1:
        return None
    whole, begin = denoted_shape(node._inputs[0]), static_value(node._inputs[1])
    if whole is None or begin is None or begin.size != 1 or not -len(whole) <= int(begin[0]) < len(whole):
        return None
    picked = whole[int(begin[0])]
    return None if picked is None else np.array(picked, node.outputs[0]._dtype.np)


def _denoted_by_slice(node, index):
    """The part of a shape that a slice such as tf.shape(x)[1:] extracts."""
    whole, bounds = denoted_shape(node._inputs[0]), [static_value(t) for t in node._inputs[1:]]
    attrs = node.attrs
    if whole is None or any(b is None for b in bounds) or bounds[0].size != 1:
        return None
    if attrs["shrink_axis_mask"] or attrs["ellipsis_mask"] or attrs["new_axis_mask"]:
        return None
    begin, end, step = (int(b[0]) for b in bounds)
    return whole[None if attrs["begin_mask"] & 1 else begin : None if attrs["end_mask"] & 1 else end : step]


@of_first
def _sliced_rows(call, node, values, count):
    rows = values[0].values
    cuts = _cuts(rows.shape[1:], *values[1:], node)
    return [Rows(rows[(slice(None), *cuts.slices)].reshape(count, *cuts.shape))]


@op(f"StridedSlice(input: T, {_BOUNDS}, *, T: type, Index: index, {_STRIDED}) -> output: T",
    memory=Memory.VIEW, static_value=_picked_size, denotes_shape=_denoted_by_slice, in_batches=_sliced_rows)
def strided_slice(xp, input, begin, end, strides, node, check):
    """Python's `input[begin:end:strides, ...]`; the masks mark ellipses, new axes, dropped axes and omitted bounds."""
    shape = np.shape(input)
    is_moving = is_traced(begin) or is_traced(end)
    cuts = _cuts(shape, begin, end, strides, node, _assumed_sizes(node, len(shape)) if is_moving else None)
    if not is_traced(input) and not cuts.is_moving:
        return input[cuts.slices].reshape(cuts.shape)
    _check_assumed(cuts, begin, end, shape, node, check)
    for axis, position in _positions(cuts, begin, shape, check).items():
        import jax
        input = jax.lax.dynamic_slice_in_dim(input, position, cuts.axes[axis].length, axis)
    return xp.reshape(input[cuts.slices], cuts.shape)


@strided_slice.bind
def _(node, known):
    bounds = [known(place) for place in (1, 2, 3)]
    if any(bound is None for bound in bounds):
        return None
    cuts = Computed(lambda shape: _cuts(shape, *bounds, node))

    def sliced(input, *_):
        found = cuts[input.shape]
        return input[found.slices].reshape(found.shape)
    return sliced


def _assumed_sizes(node, rank):
    """The shape that a StridedSlice has in every step that clips no bound; None for unknown sizes."""
    begin, end = (scalars(tensor) for tensor in node.inputs[1:3])
    count, known = node.inputs[1]._shape, node.outputs[0]._shape
    if count is None or None in count:
        return known
    found = []
    for entry in entries(*count, rank, *_masks(node.attrs)):
        size = known[len(found)] if known is not None and entry.kind != "index" else None
        if size is None and entry.kind == "range" and begin and end and not (entry.from_start or entry.to_end):
            apart = distance(begin[entry.at], end[entry.at])
            size = None if apart is None else max(apart, 0)
        found += [] if entry.kind == "index" else [size]
    return tuple(found)


def _check_assumed(cuts, begin, end, shape, node, check):
    """Lets the program check that moving ranges have the sizes that it was compiled for."""
    for axis, cut in enumerate(cuts.axes):
        if cut.moving is not None and not cut.drops:
            start = _clipped(begin[cut.moving], shape[axis]) if cut.kept is None else cut.kept.start
            stop = shape[axis] if cut.to_end else _clipped(end[cut.moving], shape[axis])
            check(stop - start == cut.length, SIZE_ASSUMED, node.inputs[1])


def _clipped(bound, size):
    """A bound of a range along an axis of that size, as an index."""
    return (bound + size * (bound < 0)).clip(0, size)


def _as_slice(kept):
    if len(kept) == 0:
        return slice(0, 0)
    return slice(kept.start, None if kept.stop < 0 else kept.stop, kept.step)


def _positions(cuts, begin, shape, check):
    """Axis -> start index, for the starts that are only known at run time."""
    found = {}
    for axis, cut in enumerate(cuts.axes):
        if cut.kept is None:
            at, size = begin[cut.moving], shape[axis]
            if cut.drops:  # a range is clipped instead
                check((at >= -size) & (at < size), f"slice index {{0}} of dimension {axis} out of bounds.", at)
            found[axis] = (at + size * (at < 0)).astype(np.int32)
    return found


@strided_slice.shape
def _(input, node):
    return _static_shape(input, node, 1)


@strided_slice.grad
def _(op, dy):
    x, begin, end, strides = op.inputs
    shape = shape_tensor(x, begin.dtype.base_dtype)
    masks = {name: op.attrs[name] for name in MASKS}
    return [strided_slice_grad(shape, begin, end, strides, dy, **masks), None, None, None]


@op(f"StridedSliceGrad(shape: Index, {_BOUNDS}, dy: T, *, T: type, Index: index, {_STRIDED}) -> output: T",
    static=("shape",))
def strided_slice_grad(xp, shape, begin, end, strides, dy, node, check):
    """The gradient of StridedSlice: zeros of shape `shape` with `dy` at the sliced positions."""
    cuts = _cuts(tuple(shape.tolist()), begin, end, strides, node, np.shape(dy))
    _require_shape(dy, cuts)
    if xp is np:
        whole = np.zeros(shape, dy.dtype)
        whole[cuts.slices] = np.reshape(dy, cuts.kept_shape)
        return whole
    return _surrounded(xp.reshape(dy, cuts.kept_shape), cuts, tuple(shape.tolist()), begin, check)


def _surrounded(value, cuts, shape, begin, check):
    """Zeros of shape `shape` with `value` at the cuts, for JAX arrays."""
    import jax  # padding, because XLA's scatter is slower
    backward = [axis for axis, cut in enumerate(cuts.axes) if cut.kept is not None and cut.kept.step < 0]
    value = jax.lax.rev(value, backward) if backward else value
    frame = [_frame(cut.kept, size) for cut, size in zip(cuts.axes, shape, strict=True)]
    value = jax.lax.pad(value, jax.numpy.zeros((), value.dtype), frame)
    if not cuts.is_moving:
        return value
    positions = _positions(cuts, begin, shape, check)
    starts = [positions.get(axis, np.int32(0)) for axis in range(len(shape))]
    return jax.lax.dynamic_update_slice(jax.numpy.zeros(shape, value.dtype), value, starts)


def _frame(kept, size):
    """The numbers of zeros before, after and between the kept indices of an axis."""
    if kept is None:
        return 0, 0, 0
    if len(kept) == 0:
        return 0, size, 0
    first, last = min(kept[0], kept[-1]), max(kept[0], kept[-1])
    return first, size - 1 - last, abs(kept.step) - 1


def _require_shape(value, cuts):
    if np.shape(value) != cuts.shape:
        raise invalid(f"the value has shape {list(np.shape(value))}, but the slice has shape {list(cuts.shape)}")


def _placed(whole, cuts, value, begin, check):
    """`whole` with `value` assigned to the cuts, for JAX arrays."""
    import jax
    value = jax.numpy.reshape(value, cuts.kept_shape)
    positions = _positions(cuts, begin, whole.shape, check)
    if all(cut.kept is None or cut.kept.step == 1 or len(cut.kept) == 1 for cut in cuts.axes) and value.size:
        starts = [positions[at] if cut.kept is None else np.int32(cut.kept.start) for at, cut in enumerate(cuts.axes)]
        return jax.lax.dynamic_update_slice(whole, value, starts)
    places = [positions[axis] + np.arange(cut.length) if cut.kept is None else np.asarray(cut.kept, np.int64)
              for axis, cut in enumerate(cuts.axes)]
    return whole.at[jax.numpy.ix_(*places)].set(value)


@strided_slice_grad.shape
def _(shape_of):
    return shape_of("shape")


@strided_slice_grad.grad
def _(op, dy):
    begin, end, strides = op.inputs[1:4]
    return [None, None, None, None, strided_slice(dy, begin, end, strides, **{name: op.attrs[name] for name in MASKS})]


def _updated(whole, begin, end, strides, value, node, check):
    """`whole` with `value` assigned to the slice that StridedSlice would return."""
    sizes = np.shape(value) if np.ndim(value) and (is_traced(begin) or is_traced(end)) else None
    cuts = _cuts(np.shape(whole), begin, end, strides, node, sizes)
    if np.ndim(value) or cuts.shape:
        _require_shape(value, cuts)
    _check_assumed(cuts, begin, end, np.shape(whole), node, check)
    if not (is_traced(whole) or is_traced(value) or cuts.is_moving):
        result = np.array(whole)
        result[cuts.slices] = np.reshape(value, cuts.kept_shape)
        return result
    import jax.numpy
    return _placed(jax.numpy.asarray(whole), cuts, value, begin, check)


@op(f"StridedSliceAssign(ref: Ref(T), {_BOUNDS}, value: T, *, T: type, Index: index, {_STRIDED}) -> output_ref: Ref(T)")
def strided_slice_assign(ref, begin, end, strides, value, node, check):
    """Assigns `value` to a slice of a variable."""
    ref.assign(_updated(ref.value, begin, end, strides, value, node, check))
    return ref


@strided_slice_assign.shape
def _(ref):
    return ref


@op(f"ResourceStridedSliceAssign(ref: resource, {_BOUNDS}, value: T, *, T: type, Index: index, {_STRIDED}) -> ()",
    stateful=True)
def resource_strided_slice_assign(ref, begin, end, strides, value, node, check):
    """Assigns `value` to a slice of a variable."""
    ref.assign(_updated(ref.value, begin, end, strides, value, node, check))


@op(f"TensorStridedSliceUpdate(input: T, {_BOUNDS}, value: T, *, T: type, Index: index, {_STRIDED}) -> output: T")
def tensor_strided_slice_update(input, begin, end, strides, value, node, check):
    """`input` with `value` assigned to the slice that StridedSlice would return."""
    return _updated(input, begin, end, strides, value, node, check)


@tensor_strided_slice_update.grad
def _(op, dy):
    begin, end, strides, value = op.inputs[1:]
    masks = {name: op.attrs[name] for name in MASKS}
    kept = tensor_strided_slice_update(dy, begin, end, strides, basic.zeros_like(value), **masks)
    return [kept, None, None, None, strided_slice(dy, begin, end, strides, **masks)]


@tensor_strided_slice_update.shape
def _(input, value, node):
    merge(_static_shape(input, node, 1), value)
    return input


# ---- for gradients of other ops

def part_of(vector, begin=None, end=None):
    """vector[begin:end] of a 1-D tensor; bounds are ints, scalar tensors or omitted."""
    def bound(value):
        return [0] if value is None else [value] if isinstance(value, int) else reshape(value, [1])

    return strided_slice(vector, bound(begin), bound(end), [1], begin_mask=begin is None, end_mask=end is None)


def joined_vectors(parts):
    """Concatenates 1-D tensors and arrays; returns an array if all are arrays."""
    return np.concatenate(parts) if all(isinstance(part, np.ndarray) for part in parts) else concat_v2(parts, 0)


def count_of(tensor):
    """The number of elements of a tensor, as a vector of length 1."""
    return reshape(size_tensor(tensor), [1])
