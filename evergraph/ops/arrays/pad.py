"""Ops that tile, pad, reverse or roll a tensor."""
import numpy as np

from evergraph.base.errors import invalid
from evergraph.base.recent import Computed
from evergraph.graph import shaping
from evergraph.graph.opdef import op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import (
    at_least_rank,
    at_most_rank,
    merge,
    merge_size,
    require_equal,
    require_rank,
    with_rank,
)
from evergraph.graph.traits import Memory
from evergraph.kernel.rows import Rows, behind, of_first, with_axes
from evergraph.kernel.values import is_traced
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.index import known_elements
from evergraph.ops.arrays.reshape import axis_within, pack, reshape, shape_tensor, transpose

# ---- tile and pad

@of_first
def _tiled_rows(call, node, values, count):
    return [Rows(output) for output in call(values[0].values, np.concatenate([[1], values[1]]).astype(values[1].dtype))]


@op("Tile(input: T, multiples: Tmultiples, *, T: type, Tmultiples: index = int32) -> output: T", static=("multiples",),
    export=("tile", "manip.tile"), memory=Memory.VIEW, in_batches=_tiled_rows)
def tile(xp, input, multiples):
    """Tiles `input`: repeats it `multiples[i]` times along axis i."""
    if np.shape(multiples) != (np.ndim(input),):
        raise invalid(f"multiples has a number for each of the {np.ndim(input)} axes, in a vector of that length; "
                      f"its shape is {list(np.shape(multiples))}")
    if np.any(multiples < 0):
        raise invalid(f"Expected multiples >= 0, but got {multiples.tolist()}")
    times = multiples.tolist()
    return _tiled(input, times) if xp is np else xp.tile(input, times)


def _tiled(x, times):
    """np.tile by views and one copy, which can be recorded, and in a third of its time for small arrays."""
    if all(time == 1 for time in times):
        return x
    if x.size == 1:  # a view will do
        return np.broadcast_to(x.reshape([1] * x.ndim), [time * size for time, size in zip(times, x.shape)])
    pairs = [size for pair in zip(times, x.shape) for size in pair]
    single = [1 if at % 2 == 0 else size for at, size in enumerate(pairs)]
    whole = [time * size for time, size in zip(times, x.shape)]
    return np.broadcast_to(x.reshape(single), pairs).copy().reshape(whole)


@tile.shape
def _(input, multiples, value_of, shape_of):
    require_rank(multiples, 1)
    multiples, length = value_of("multiples"), shape_of("multiples")
    if input is None:
        return None if length is None else (None,) * len(length)
    if length is not None and len(length) != len(input):
        raise ValueError(f"Shape must be rank {len(length)} but is rank {len(input)}")
    if multiples is None:
        return tuple(None if size is None or times is None else size * times
                     for size, times in zip(input, length or (None,) * len(input), strict=True))
    return tuple(0 if times == 0 else None if size is None or times < 0 else size * int(times)
                 for size, times in zip(input, multiples, strict=True))


@tile.grad
def _(op, dy):
    x, multiples = op.inputs
    sizes = shape_tensor(x, multiples.dtype.base_dtype)
    # Each axis becomes (times, size); the sum over the even axes undoes the tiling.
    paired = reshape(transpose(pack([multiples, sizes]), [1, 0]), [-1])
    rank = None if x._shape is None else len(x._shape)
    axes = np.arange(0, 2 * rank, 2, np.int32) if rank is not None else \
        basic.range_(0, lookup("Mul")(basic.size(sizes), 2), 2)
    split = reshape(dy, paired)
    split.set_shape(_paired(shaping.denoted_shape(multiples), x._shape))
    return [lookup("Sum")(split, axes), None]


def _paired(times, sizes):
    """The shape with an axis for the copies before each axis; None if the rank is unknown."""
    return None if times is None or sizes is None else [size for pair in zip(times, sizes) for size in pair]


@op("TileGrad(input: T, multiples: int32, *, T: type) -> output: T", static=("multiples",))
def tile_grad(xp, input, multiples):
    """The gradient of Tile: the sum of the copies."""
    shape = np.shape(input)
    pairs = [size for times, whole in zip(multiples.tolist(), shape, strict=True)
             for size in (times, whole // times if times else 0)]
    return xp.sum(xp.reshape(input, pairs), axis=tuple(range(0, 2 * len(shape), 2)), dtype=input.dtype)


@tile_grad.shape
def _(input, value_of):
    multiples = value_of("multiples")
    if input is None or multiples is None:
        return None if input is None else (None,) * len(input)
    return tuple(None if size is None else size // int(times) for size, times in zip(input, multiples, strict=True))


def padded(xp, x, paddings, value):
    """Pads `x` with `value`."""
    if is_traced(x) or xp is not np:
        return xp.pad(x, paddings, constant_values=value)
    sizes = [size + before + after for size, (before, after) in zip(x.shape, paddings, strict=True)]
    whole = np.zeros(sizes, x.dtype) if type(value) is int and value == 0 else np.full(sizes, value, x.dtype)
    whole[tuple([slice(before, before + size) for size, (before, _) in zip(x.shape, paddings)])] = x
    return whole


def blank(x):
    """The default padding value: 0, or the empty string."""
    return b"" if isinstance(x, np.ndarray) and x.dtype.kind == "O" else 0


def _checked_paddings(rank, paddings):
    if np.shape(paddings) != (rank, 2):
        raise invalid(f"paddings must have shape [{rank}, 2] (before and after, for each dimension), not "
                      f"{list(np.shape(paddings))}")
    pairs = paddings.tolist()
    if any(before < 0 or after < 0 for before, after in pairs):
        raise invalid(f"Paddings must be non-negative: {pairs}")
    return pairs


def _padded_shape(input, paddings, value_of, node):
    rank, columns = with_rank(paddings, 2)
    require_equal(2, columns, "Dimension must be 2")
    if input is not None and rank is not None:
        require_rank(input, rank)
    paddings = value_of("paddings")
    if paddings is None:
        return _partly_padded_shape(input, node._inputs[1])
    input = with_rank(input, len(paddings))
    if np.any(paddings < 0):
        raise ValueError(f"Paddings must be non-negative: {paddings.tolist()}")
    return tuple(None if size is None else size + int(sum(row)) for size, row in zip(input, paddings, strict=True))


def _partly_padded_shape(input, paddings):
    """The static shape if some paddings are unknown."""
    if paddings.source.type == "Pack" and paddings.source.attrs["axis"] == 0:
        rows = [known_elements(row) or [None] for row in paddings.source.inputs]
        return tuple(None if size is None or None in row else size + sum(row)
                     for size, row in zip(with_rank(input, len(rows)), rows, strict=True))
    rank = len(input) if input is not None else None if paddings._shape is None else paddings._shape[0]
    return None if rank is None else (None,) * rank


def _cut_out(dy, x, paddings):
    """The part of `dy` at the position of the unpadded `x`."""
    starts = reshape(lookup("Slice")(paddings, [0, 0], [-1, 1]), [-1])
    return lookup("Slice")(dy, starts, shape_tensor(x, paddings.dtype.base_dtype))


@op("Pad(input: T, paddings: Tpaddings, *, T: type, Tpaddings: index = int32) -> output: T", static=("paddings",),
    shape=_padded_shape)
def pad(xp, input, paddings):
    """Pads `input` with zeros: paddings[i] is (before, after) for axis i."""
    return padded(xp, input, _checked_paddings(np.ndim(input), paddings), blank(input))


@pad.bind
def _(node, known):
    paddings = known(1)
    if paddings is None or node.attrs["T"].np.hasobject:
        return None

    def places(shape):
        """The shape of the result, and the index of the input in it."""
        pairs = _checked_paddings(len(shape), paddings)
        return (tuple([size + before + after for size, (before, after) in zip(shape, pairs)]),
                tuple([slice(before, before + size) for size, (before, _) in zip(shape, pairs)]))

    known_places = Computed(places)

    def padded_now(input, _):
        shape, index = known_places[input.shape]
        whole = np.zeros(shape, input.dtype)
        whole[index] = input
        return whole
    return padded_now


@pad.grad
def _(op, dy):
    return [_cut_out(dy, *op.inputs), None]


@op("PadV2(input: T, paddings: Tpaddings, constant_values: T, *, T: type, Tpaddings: index = int32) -> output: T",
    static=("paddings",), shape=_padded_shape)
def pad_v2(xp, input, paddings, constant_values):
    """Pads `input` with `constant_values`."""
    if np.ndim(constant_values):
        raise invalid(f"constant_values must be a scalar, not of shape {list(np.shape(constant_values))}")
    value = constant_values if xp is not np else np.asarray(constant_values, input.dtype)
    return padded(xp, input, _checked_paddings(np.ndim(input), paddings), value)


@pad_v2.grad
def _(op, dy):
    return [_cut_out(dy, *op.inputs[:2]), None, None]


def _mirror_edge(mode):
    """The number of edge elements that the mirror image does not repeat."""
    return 1 if mode == "REFLECT" else 0


@op("MirrorPad(input: T, paddings: Tpaddings, *, T: type, Tpaddings: index = int32, "
    "mode: {'REFLECT', 'SYMMETRIC'}) -> output: T", static=("paddings",), shape=_padded_shape)
def mirror_pad(xp, input, paddings, mode):
    """Pads `input` with its mirror image, without (REFLECT) or with (SYMMETRIC) the edge elements."""
    rows = _checked_paddings(np.ndim(input), paddings)
    for size, row in zip(np.shape(input), rows, strict=True):
        if max(row) > size - _mirror_edge(mode):
            limit = "less than" if mode == "REFLECT" else "no greater than"
            raise invalid(f"paddings must be {limit} the dimension size: {row[0]}, {row[1]} for {size}")
    return xp.pad(input, rows, mode=mode.lower()) if np.ndim(input) else input


@mirror_pad.grad
def _(op, dy):
    return [mirror_pad_grad(dy, op.inputs[1], mode=op.attrs["mode"]), None]


@op("MirrorPadGrad(input: T, paddings: Tpaddings, *, T: type, Tpaddings: index = int32, "
    "mode: {'REFLECT', 'SYMMETRIC'}) -> output: T", static=("paddings",))
def mirror_pad_grad(xp, input, paddings, mode):
    """The gradient of MirrorPad: folds the padding back onto the middle and adds."""
    edge = _mirror_edge(mode)
    for axis, (before, after) in enumerate(_checked_paddings(np.ndim(input), paddings)):
        input = _folded(xp, input, axis, before, after, edge)
    return input


def _folded(xp, x, axis, before, after, edge):
    """`x` with the first `before` and last `after` slices of one axis mirrored inward."""
    size = x.shape[axis]
    inner = size - before - after
    if inner < max(before, after) + edge:
        raise invalid(f"Tile paddings {before}, {after} do not fit dimension {axis} of size {size}")

    def part(start, stop):
        return x[(slice(None),) * axis + (slice(start, stop),)]

    def placed(piece, start):
        width = piece.shape[axis]
        frame = [(start, inner - start - width) if at == axis else (0, 0) for at in range(x.ndim)]
        return padded(xp, xp.flip(piece, axis), frame, 0)

    result = part(before, size - after)
    if before:
        result = result + placed(part(0, before), edge)
    if after:
        result = result + placed(part(size - after, size), inner - edge - after)
    return result


@mirror_pad_grad.shape
def _(input, value_of):
    paddings = value_of("paddings")
    if paddings is None:
        return None if input is None else (None,) * len(input)
    return tuple(None if size is None else size - int(sum(row))
                 for size, row in zip(with_rank(input, len(paddings)), paddings, strict=True))


@mirror_pad_grad.grad
def _(op, dy):
    return [mirror_pad(dy, op.inputs[1], mode=op.attrs["mode"]), None]


# ---- reverse and roll

@op("Reverse(tensor: T, dims: bool, *, "
    "T: {uint8, int8, uint16, int16, int32, int64, bool, half, float, double, complex64, complex128, string}) -> "
    "output: T", static=("dims",))
def reverse(xp, tensor, dims):
    """Reverses `tensor` along the axes where `dims` is true."""
    if np.shape(dims) != (np.ndim(tensor),):
        raise invalid(f"'dims' must have one element for each of the {np.ndim(tensor)} dimensions, not shape "
                      f"{list(np.shape(dims))}")
    return xp.flip(tensor, tuple(np.flatnonzero(dims).tolist()))


@reverse.shape
def _(tensor, dims):
    require_rank(dims, 1, "dims")
    if tensor is not None and dims is not None:
        merge_size(dims[0], len(tensor))
    return tensor if tensor is not None or dims is None or dims[0] is None else (None,) * dims[0]


@reverse.grad
def _(op, dy):
    return [reverse(dy, op.inputs[1]), None]


@op("ReverseV2(tensor: T, axis: Tidx, *, Tidx: index = int32, "
    "T: {uint8, int8, uint16, int16, int32, int64, bool, bfloat16, half, float, double, complex64, complex128, "
    "string}) -> output: T", static=("axis",), export=("reverse", "reverse_v2", "manip.reverse"),
    in_batches=with_axes(behind))
def reverse_v2(xp, tensor, axis):
    """Reverses `tensor` along the axes in `axis`."""
    if np.ndim(axis) != 1:
        raise invalid(f"'axis' must be a vector, not of shape {list(np.shape(axis))}")
    axes = [axis_within(each, np.ndim(tensor), "'axis'") for each in axis]
    _require_distinct(axes, invalid)
    return xp.flip(tensor, tuple(axes)) if axes else tensor


@reverse_v2.shape
def _(tensor, axis, value_of):
    require_rank(axis, 1, "axis")
    axes = value_of("axis")
    if tensor is not None and axes is not None:
        rank = len(tensor)
        for each in axes:
            if not -rank <= each < rank:
                raise ValueError(f"axis[0] = {int(each)} is out of valid range [{-rank}, {rank - 1}]")
        _require_distinct([int(each) % rank for each in axes], ValueError)
    return tensor


def _require_distinct(axes, error):
    for axis in axes:
        if axes.count(axis) > 1:
            raise error(f"axis {axis} specified more than once")


@reverse_v2.grad
def _(op, dy):
    return [reverse_v2(dy, op.inputs[1]), None]


@op("ReverseSequence(input: T, seq_lengths: Tlen, *, seq_dim: int, batch_dim: int = 0, T: type, "
    "Tlen: index = int64) -> output: T")
def reverse_sequence(xp, input, seq_lengths, seq_dim, batch_dim, check):
    """Reverses the first `seq_lengths[i]` elements along `seq_dim` in each slice i along `batch_dim`."""
    shape = np.shape(input)
    if seq_dim == batch_dim:
        raise invalid(f"batch_dim == seq_dim == {seq_dim}")
    if not 0 <= seq_dim < len(shape) or not 0 <= batch_dim < len(shape):
        raise invalid(f"seq_dim {seq_dim} and batch_dim {batch_dim} must be two dimensions of {list(shape)}")
    size = shape[seq_dim]
    if np.shape(seq_lengths) != (shape[batch_dim],):
        raise invalid(f"Length of seq_lengths != input.dims({batch_dim}), ({list(np.shape(seq_lengths))} vs. "
                      f"{shape[batch_dim]})")
    check(xp.all((seq_lengths >= 0) & (seq_lengths <= size)), f"seq_lengths must be in [0, {size}]")
    if xp is np and max(seq_dim, batch_dim) == 1:
        return _rows_reversed(input, seq_lengths.reshape(-1, 1), is_first=seq_dim == 0)
    steps = np.arange(size).reshape([-1 if axis == seq_dim else 1 for axis in range(len(shape))])
    lengths = xp.reshape(seq_lengths, [-1 if axis == batch_dim else 1 for axis in range(len(shape))])
    return xp.take_along_axis(input, xp.where(steps < lengths, lengths - 1 - steps, steps), seq_dim)


def _rows_reversed(rows, lengths, is_first):
    """Reverses sequences along one of the first two axes; `is_first` says which. The other one is the batch."""
    height, width = rows.shape[:2]
    count, size = (width, height) if is_first else (height, width)
    steps, others = np.arange(size), np.arange(count).reshape(-1, 1)
    places = np.where(steps < lengths, lengths - 1 - steps, steps)
    found = (places * width + others).T if is_first else others * width + places
    return rows.reshape(height * width, *rows.shape[2:]).take(found, 0)


@reverse_sequence.shape
def _(input, seq_lengths, seq_dim, batch_dim):
    lengths = with_rank(seq_lengths, 1, "seq_lengths")
    if input is None:
        return None
    for what, dim in (("seq_dim", seq_dim), ("batch_dim", batch_dim)):
        if not 0 <= dim < len(input):
            raise ValueError(f"{what} must be < input rank: {dim} vs {len(input)}")
    size = merge_size(input[batch_dim], lengths[0])
    return (*input[:batch_dim], size, *input[batch_dim + 1:])


@reverse_sequence.grad
def _(op, dy):
    return [reverse_sequence(dy, op.inputs[1], seq_dim=op.attrs["seq_dim"], batch_dim=op.attrs["batch_dim"]), None]


@op("Roll(input: T, shift: Tshift, axis: Taxis, *, T: type, Tshift: index, Taxis: index) -> output: T",
    static=("axis",), export=("roll", "manip.roll"))
def roll(xp, input, shift, axis):
    """Rolls `input`: shifts its elements by `shift` along `axis`, wrapping around."""
    if np.ndim(input) < 1:
        raise invalid("input must be 1-D or higher")
    for what, each in (("shift", shift), ("axis", axis)):
        if np.ndim(each) > 1:
            raise invalid(f"{what} is a scalar or a vector, but here of shape {list(np.shape(each))}")
    if np.shape(shift) != np.shape(axis):
        raise invalid("shift and axis must have the same size: scalars, or vectors of one length")
    for each in np.ravel(axis):
        if not -np.ndim(input) <= each < np.ndim(input):
            raise invalid(f"axis {each} is out of range: the input has {np.ndim(input)} dimensions")
    for step, each in zip(xp.reshape(shift, [-1]), np.ravel(axis), strict=True):
        input = xp.roll(input, step, axis_within(each, np.ndim(input)))
    return input


@roll.shape
def _(input, shift, axis):
    merge(at_most_rank(shift, 1), at_most_rank(axis, 1))
    return at_least_rank(input, 1)


@roll.grad
def _(op, dy):
    return [roll(dy, lookup("Neg")(op.inputs[1]), op.inputs[2]), None, None]
