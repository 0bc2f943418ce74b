"""Convolutions fused with resizing and mirror padding, as graph optimizers produce them."""

from __future__ import annotations

from evergraph.graph.opdef import op
from evergraph.graph.shaping import with_rank
from evergraph.ops.arrays.pad import mirror_pad
from evergraph.ops.image.resize import resize_bilinear
from evergraph.ops.nn.conv import convolve, convolved_shape

_ATTRS = "mode: {'REFLECT', 'SYMMETRIC'}, strides: list(int), padding: {'SAME', 'VALID'}"
_ONE = [1, 1, 1, 1]


def _convolved(xp, lax, input, paddings, filter, mode, strides, padding):
    around = mirror_pad.kernel(xp, input, paddings, mode)
    return convolve(lax, around, filter, strides, padding, "NHWC", _ONE)


def _shape(input, paddings, filter, strides, padding):
    """The shape of the output, from that of the images before padding."""
    filter = with_rank(filter, 4)
    around = (None,) * 4
    if paddings is not None:
        around = tuple(None if size is None else size + int(sum(row))
                       for size, row in zip(with_rank(input, 4), paddings))
    return convolved_shape(around, filter, filter[3], strides, padding, "NHWC", _ONE)


@op(
    f"FusedPadConv2D(input: T, paddings: int32, filter: T, *, T: {{half, float, double}}, {_ATTRS}) -> output: T",
    static=("paddings",),
)
def fused_pad_conv2d(xp, lax, input, paddings, filter, mode, strides, padding):
    """MirrorPad, then Conv2D."""
    return _convolved(xp, lax, input, paddings, filter, mode, strides, padding)


@fused_pad_conv2d.shape
def _(input, filter, strides, padding, value_of):
    return _shape(input, value_of("paddings"), filter, strides, padding)


@op(
    "FusedResizeAndPadConv2D(input: T, size: int32, paddings: int32, filter: T, *, T: {half, float, double}, "
    f"resize_align_corners: bool = False, {_ATTRS}) -> output: T",
    static=("size", "paddings"),
)
def fused_resize_and_pad_conv2d(
    xp, lax, input, size, paddings, filter, resize_align_corners, mode, strides, padding
):
    """ResizeBilinear, then MirrorPad, then Conv2D."""
    resized = resize_bilinear.kernel(xp, input, size, resize_align_corners, False).astype(input.dtype)
    return _convolved(xp, lax, resized, paddings, filter, mode, strides, padding)


@fused_resize_and_pad_conv2d.shape
def _(input, filter, strides, padding, value_of, shape_of):
    input, size = with_rank(input, 4), shape_of("size")
    resized = (input[0], *with_rank(size, 2), input[3])
    return _shape(resized, value_of("paddings"), filter, strides, padding)
