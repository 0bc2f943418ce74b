"""Ops that move blocks of pixels between the spatial, batch and channel dimensions."""
import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op
from evergraph.graph.shaping import at_least_rank, merge_size, require_equal, with_rank
from evergraph.ops.arrays.pad import blank, padded

# ---- space and batch

def _to_batch(xp, x, blocks, paddings):
    """Moves blocks of the axes after the first into the first."""
    rank = len(blocks)
    x = padded(xp, x, [(0, 0), *paddings, *[(0, 0)] * (np.ndim(x) - 1 - rank)], blank(x))
    batch, space, rest = x.shape[0], x.shape[1:1 + rank], x.shape[1 + rank:]
    for at, (size, block) in enumerate(zip(space, blocks, strict=True)):
        if size % block:
            raise invalid(f"padded_shape[{at}]={size} is not divisible by block_shape[{at}]={block}")
    pairs = [part for size, block in zip(space, blocks, strict=True) for part in (size // block, block)]
    x = xp.reshape(x, [batch, *pairs, *rest])
    order = [*range(2, 2 * rank + 1, 2), 0, *range(1, 2 * rank, 2), *range(2 * rank + 1, x.ndim)]
    return xp.reshape(xp.transpose(x, order), [batch * int(np.prod(blocks, dtype=np.int64)), *pairs[::2], *rest])


def _from_batch(xp, x, blocks, crops):
    """The inverse of `_to_batch`, followed by cropping `crops`."""
    rank, shape = len(blocks), x.shape
    count = int(np.prod(blocks, dtype=np.int64))
    if shape[0] % count:
        raise invalid(f"the batch of {shape[0]} is not divisible by the block sizes, whose product is {count}")
    batch, space, rest = shape[0] // count, shape[1:1 + rank], shape[1 + rank:]
    x = xp.reshape(x, [*blocks, batch, *space, *rest])
    order = [rank, *[axis for at in range(rank) for axis in (rank + 1 + at, at)], *range(2 * rank + 1, x.ndim)]
    whole = [size * block for size, block in zip(space, blocks, strict=True)]
    x = xp.reshape(xp.transpose(x, order), [batch, *whole, *rest])
    for at, (size, (before, after)) in enumerate(zip(whole, crops, strict=True)):
        if before + after > size:
            raise invalid(f"cropped_shape[{at}]={size - before - after} must be non-negative")
    return x[(slice(None), *[slice(before, size - after) for size, (before, after) in zip(whole, crops, strict=True)])]


def _blocks(x, block_shape, frame, what):
    """The static block sizes and paddings of a kernel, checked."""
    if np.ndim(block_shape) != 1 or np.shape(frame) != (len(block_shape), 2):
        raise invalid(f"block_shape must be a vector and {what} a matrix with 2 columns and a row for each block: got "
                      f"{list(np.shape(block_shape))} and {list(np.shape(frame))}")
    if np.ndim(x) < 1 + len(block_shape):
        raise invalid(f"input rank should be >= {1 + len(block_shape)} instead of {np.ndim(x)}")
    if np.any(np.asarray(block_shape) < 1):
        raise invalid(f"sizes in block_shape must be positive, got {np.asarray(block_shape).tolist()}")
    if np.any(frame < 0):
        raise invalid(f"{what} must be non-negative: {frame.tolist()}")
    return np.asarray(block_shape).tolist(), frame.tolist()


def _to_batch_shape(input, blocks, paddings, count):
    """The static shape for `count` block sizes; `blocks` and `paddings` are None if they are not static."""
    if input is None or count is None:
        return None
    at_least_rank(input, 1 + count)
    space = [None] * count
    if blocks is not None and paddings is not None:
        if np.any(paddings < 0):
            raise ValueError("paddings cannot be negative")
        space = [None if size is None else size + int(sum(row))
                 for size, row in zip(input[1:1 + count], paddings, strict=True)]
        for at, (size, block) in enumerate(zip(space, blocks, strict=True)):
            if size is not None and size % block:
                raise ValueError(f"Dimension size must be evenly divisible by {block} but is {size}")
            space[at] = None if size is None else size // block
    batch = None if input[0] is None or blocks is None else input[0] * int(np.prod(blocks, dtype=np.int64))
    return (batch, *space, *input[1 + count:])


def _from_batch_shape(input, blocks, crops, count):
    if input is None or count is None:
        return None
    at_least_rank(input, 1 + count)
    batch, space = None, [None] * count
    if blocks is not None:
        total = int(np.prod(blocks, dtype=np.int64))
        if input[0] is not None and input[0] % total:
            raise ValueError(f"Dimension size must be evenly divisible by {total} but is {input[0]}")
        batch = None if input[0] is None else input[0] // total
    if blocks is not None and crops is not None:
        if np.any(crops < 0):
            raise ValueError("crops cannot be negative")
        space = [None if size is None else size * block - int(sum(row))
                 for size, block, row in zip(input[1:1 + count], blocks, crops, strict=True)]
        if any(size is not None and size < 0 for size in space):
            raise ValueError(f"Negative dimension size caused by cropping to {space}")
    return (batch, *space, *input[1 + count:])


def _static_blocks(block_shape, frame, value_of, what):
    """(the block sizes, the paddings, the number of blocks) as far as they are static, checked."""
    rows, columns = with_rank(frame, 2, what)
    require_equal(2, columns, "Dimension must be 2")
    count = merge_size(with_rank(block_shape, 1, "block_shape")[0], rows)
    blocks, pairs = _as_list(value_of("block_shape")), value_of(what)
    if blocks is not None and any(size < 1 for size in blocks):
        raise ValueError(f"block_shape must be positive, but is {blocks}")
    if pairs is not None and np.any(pairs < 0):
        raise ValueError(f"{what} cannot be negative, but are {pairs.tolist()}")
    return blocks, pairs, count


def _as_list(values):
    return None if values is None else [int(value) for value in np.ravel(values)]


@op("SpaceToBatchND(input: T, block_shape: Tblock_shape, paddings: Tpaddings, *, T: type, "
    "Tblock_shape: index = int32, Tpaddings: index = int32) -> output: T", static=("block_shape", "paddings"),
    export=("space_to_batch_nd", "manip.space_to_batch_nd"))
def space_to_batch_nd(xp, input, block_shape, paddings):
    """SpaceToBatch: pads the spatial dimensions, then moves blocks of them into the batch dimension."""
    return _to_batch(xp, input, *_blocks(input, block_shape, paddings, "paddings"))


@space_to_batch_nd.shape
def _(input, block_shape, paddings, value_of):
    return _to_batch_shape(input, *_static_blocks(block_shape, paddings, value_of, "paddings"))


@space_to_batch_nd.grad
def _(op, dy):
    return [batch_to_space_nd(dy, op.inputs[1], op.inputs[2]), None, None]


@op("SpaceToBatch(input: T, paddings: Tpaddings, *, T: type, Tpaddings: index = int32, block_size: int >= 2) -> "
    "output: T", static=("paddings",))
def space_to_batch(xp, input, paddings, block_size):
    """SpaceToBatchND with square blocks of the height and width of images."""
    if np.ndim(input) != 4:
        raise invalid(f"input rank should be 4 instead of: {np.ndim(input)}")
    return _to_batch(xp, input, *_blocks(input, [block_size] * 2, paddings, "paddings"))


@space_to_batch.shape
def _(input, block_size, value_of):
    return _to_batch_shape(with_rank(input, 4), [block_size] * 2, value_of("paddings"), 2)


@space_to_batch.grad
def _(op, dy):
    return [batch_to_space(dy, op.inputs[1], block_size=op.attrs["block_size"]), None]


@op("BatchToSpaceND(input: T, block_shape: Tblock_shape, crops: Tcrops, *, T: type, Tblock_shape: index = int32, "
    "Tcrops: index = int32) -> output: T", static=("block_shape", "crops"),
    export=("batch_to_space_nd", "manip.batch_to_space_nd"))
def batch_to_space_nd(xp, input, block_shape, crops):
    """BatchToSpace, the inverse of SpaceToBatch: moves the batch dimension back into spatial blocks, then crops."""
    return _from_batch(xp, input, *_blocks(input, block_shape, crops, "crops"))


@batch_to_space_nd.shape
def _(input, block_shape, crops, value_of):
    return _from_batch_shape(input, *_static_blocks(block_shape, crops, value_of, "crops"))


@batch_to_space_nd.grad
def _(op, dy):
    return [space_to_batch_nd(dy, op.inputs[1], op.inputs[2]), None, None]


@op("BatchToSpace(input: T, crops: Tidx, *, T: type, block_size: int >= 2, Tidx: index = int32) -> output: T",
    static=("crops",))
def batch_to_space(xp, input, crops, block_size):
    """BatchToSpaceND with square blocks of the height and width of images."""
    if np.ndim(input) != 4:
        raise invalid(f"input rank should be 4 instead of: {np.ndim(input)}")
    return _from_batch(xp, input, *_blocks(input, [block_size] * 2, crops, "crops"))


@batch_to_space.shape
def _(input, block_size, value_of):
    return _from_batch_shape(with_rank(input, 4), [block_size] * 2, value_of("crops"), 2)


@batch_to_space.grad
def _(op, dy):
    return [space_to_batch(dy, op.inputs[1], block_size=op.attrs["block_size"]), None]


# ---- space and depth

# To channels-last and back; NCHW_VECT_C keeps its channels in groups of four in a last axis.
_LAST = {"NHWC": lambda xp, x: x, "NCHW": lambda xp, x: xp.transpose(x, [0, 2, 3, 1]),
         "NCHW_VECT_C": lambda xp, x: xp.reshape(xp.transpose(x, [0, 2, 3, 1, 4]), [*_vect_hw(x), x.shape[1] * 4])}
_BACK = {"NHWC": lambda xp, x: x, "NCHW": lambda xp, x: xp.transpose(x, [0, 3, 1, 2]),
         "NCHW_VECT_C": lambda xp, x: xp.transpose(xp.reshape(x, [*x.shape[:3], x.shape[3] // 4, 4]), [0, 3, 1, 2, 4])}


def _vect_hw(x):
    return x.shape[0], x.shape[2], x.shape[3]


def _static_last(shape, data_format):
    """A static image shape as (batch, height, width, channels)."""
    if data_format == "NHWC":
        return with_rank(shape, 4)
    if data_format == "NCHW":
        batch, depth, height, width = with_rank(shape, 4)
        return batch, height, width, depth
    batch, groups, height, width, _ = with_rank(shape, 5)
    return batch, height, width, None if groups is None else groups * 4


def _static_back(shape, data_format):
    batch, height, width, depth = shape
    if data_format == "NHWC":
        return shape
    if data_format == "NCHW":
        return batch, depth, height, width
    return batch, None if depth is None else depth // 4, height, width, 4


def _divided(size, by, what):
    if size is not None and size % by:
        raise ValueError(f"{what} size must be evenly divisible by {by} but is {size}")
    return None if size is None else size // by


def _times(size, by):
    return None if size is None else size * by


@op("SpaceToDepth(input: T, *, T: type, block_size: int >= 2, "
    "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC') -> output: T")
def space_to_depth(xp, input, block_size, data_format):
    """Rearranges square spatial blocks into the channel dimension (pixel unshuffle)."""
    x = _LAST[data_format](xp, input)
    batch, height, width, depth = x.shape
    if height % block_size or width % block_size:
        raise invalid(f"Image width {width} and height {height} should be divisible by block_size: {block_size}")
    high, wide = height // block_size, width // block_size
    x = xp.transpose(xp.reshape(x, [batch, high, block_size, wide, block_size, depth]), [0, 1, 3, 2, 4, 5])
    return _BACK[data_format](xp, xp.reshape(x, [batch, high, wide, depth * block_size ** 2]))


@space_to_depth.shape
def _(input, block_size, data_format):
    batch, height, width, depth = _static_last(input, data_format)
    return _static_back((batch, _divided(height, block_size, "Dimension"), _divided(width, block_size, "Dimension"),
                         _times(depth, block_size ** 2)), data_format)


@space_to_depth.grad
def _(op, dy):
    return depth_to_space(dy, block_size=op.attrs["block_size"], data_format=op.attrs["data_format"])


@op("DepthToSpace(input: T, *, T: type, block_size: int >= 2, "
    "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC') -> output: T")
def depth_to_space(xp, input, block_size, data_format):
    """Rearranges channels into square spatial blocks (pixel shuffle), the inverse of SpaceToDepth."""
    x = _LAST[data_format](xp, input)
    batch, high, wide, channels = x.shape
    if channels % block_size ** 2:
        raise invalid(f"Input depth dimension {channels} should be divisible by: {block_size ** 2}")
    depth = channels // block_size ** 2
    x = xp.transpose(xp.reshape(x, [batch, high, wide, block_size, block_size, depth]), [0, 1, 3, 2, 4, 5])
    return _BACK[data_format](xp, xp.reshape(x, [batch, high * block_size, wide * block_size, depth]))


@depth_to_space.shape
def _(input, block_size, data_format):
    batch, high, wide, channels = _static_last(input, data_format)
    return _static_back((batch, _times(high, block_size), _times(wide, block_size),
                         _divided(channels, block_size ** 2, "Dimension")), data_format)


@depth_to_space.grad
def _(op, dy):
    return space_to_depth(dy, block_size=op.attrs["block_size"], data_format=op.attrs["data_format"])
