"""2-D and 3-D convolutions and their gradients.

On CPUs kernels in C compute them where they can (`native_windows.py` has the rule). Elsewhere all are one convolution
of XLA: the gradient of the input convolves the output's gradient, dilated by the strides, with the reversed filter; the
gradient of the filter convolves the input with the output's gradient, batch and channels exchanged. Filters with few
elements per output channel, such as those over grey images, are multiplied element by element on CPUs, where XLA's
convolution takes three times as long. On NumPy arrays the kernels in C compute them too, or else products of matrices,
which pay for small ones.
"""

from __future__ import annotations

import numpy as np

from evergraph.graph.opdef import op
from evergraph.graph.shaping import merge_size, require_equal, with_rank
from evergraph.graph.traits import Memory
from evergraph.kernel.fence import computed_once, on_cpu
from evergraph.kernel.precision import of_products
from evergraph.kernel.values import is_traced
from evergraph.ops.arrays.basic import shape, shape_n
from evergraph.ops.nn import conv_on_numpy, native_windows
from evergraph.ops.nn.native_windows import CONVOLVE
from evergraph.ops.nn.windows import (
    POINT,
    axis_of,
    channel_axis,
    check_padded,
    cut,
    invalid,
    offsets,
    output_size,
    padded,
    pairs,
    seen_at,
    seen_parts,
    sees_nothing,
    spatial_axes,
    spread,
)

_FEW = 32  # elements of a filter for one output channel

_PADDING_2D = "padding: {'SAME', 'VALID', 'EXPLICIT'}, explicit_paddings: list(int) = []"
_REST_2D = (
    f"strides: list(int), use_cudnn_on_gpu: bool = True, {_PADDING_2D}, data_format: {{'NHWC', 'NCHW'}} = 'NHWC', "
    "dilations: list(int) = [1, 1, 1, 1]"
)
_FLOATS_3D = "T: {half, float, double}"
_PADDING_3D = "strides: list(int) >= 5, padding: {'SAME', 'VALID'}"
_REST_3D = (
    f"{_PADDING_3D}, data_format: {{'NDHWC', 'NCDHW'}} = 'NDHWC', dilations: list(int) = [1, 1, 1, 1, 1]"
)
_OLD_3D = f"{_PADDING_3D}, dilations: list(int) = [1, 1, 1, 1, 1]"


# ---- shapes


def _check_attrs(strides, dilations, rank, data_format):
    """Raises unless strides and dilations have one entry per axis, all positive, and 1 for the channels."""
    for what, steps in (("strides", strides), ("dilations", dilations)):
        if len(steps) != rank:
            raise ValueError(f"{what} must have {rank} numbers, got {steps}")
        if min(steps) < 1:
            raise ValueError(f"{what} must be positive, got {steps}")
        if steps[0] != 1 or steps[channel_axis(data_format, rank)] != 1:
            raise invalid(f"Current implementation does not yet support {what} in the batch and depth dimensions.")


def convolved_shape(input, filter, channels, strides, padding, data_format, dilations, explicit_paddings=(),
                    may_be_empty=False):
    """The shape of an output with `channels` channels."""
    if min(strides) < 1:
        raise ValueError(f"strides must be positive, got {strides}")
    rank = len(strides)
    result = list(with_rank(input, rank))
    for place, axis in enumerate(spatial_axes(data_format, rank)):
        result[axis] = output_size(result[axis], filter[place], strides[axis], padding, dilations[axis],
                                   pairs(explicit_paddings, axis), may_be_empty)
    result[channel_axis(data_format, rank)] = channels
    return tuple(result)


def _shape(rank):
    def infer(input, filter, strides, padding, data_format, dilations, explicit_paddings=()):
        _check_attrs(strides, dilations, rank, data_format)
        if min(explicit_paddings, default=0) < 0:
            raise ValueError(f"explicit_paddings must not be negative, got {list(explicit_paddings)}")
        input, filter = with_rank(input, rank), with_rank(filter, rank)
        depth, taken = input[channel_axis(data_format, rank)], filter[-2]
        if depth is not None and taken is not None and (taken == 0 or depth % taken):
            raise ValueError(f"the input has {depth} channels, which is not a multiple of the filter's {taken}")
        return convolved_shape(input, filter, filter[-1], strides, padding, data_format, dilations, explicit_paddings)

    if rank == 4:
        return infer
    return lambda input, filter, strides, padding, data_format, dilations: infer(
        input, filter, strides, padding, data_format, dilations)


def _shape_of_sizes(name, rank, of_output):
    """The shape in an input of sizes; `out_backprop` determines the batch or the channels too."""

    def infer(out_backprop, shape_of, data_format, node):
        said = shape_of(name)
        if said is None:
            said = (None,) * rank
        said, back = list(with_rank(said, rank)), with_rank(out_backprop, rank)
        at, known = (0, back[0]) if of_output else (rank - 1, back[channel_axis(data_format, rank)])
        said[at] = merge_size(said[at], known)
        filter = with_rank(node.inputs[1]._shape, rank) if of_output else None
        if filter is not None:
            require_equal(back[channel_axis(data_format, rank)], filter[-1])
        return tuple(said)

    return infer


# ---- kernels


def _layout(data_format, rank):
    """XLA's names for the axes of images and filters."""
    space = "DHW"[5 - rank :]
    return (f"NC{space}" if data_format.startswith("NC") else f"N{space}C"), f"{space}IO"


def _axes(input_shape, filter_shape, strides, padding, data_format, dilations, explicit_paddings):
    rank = len(strides)
    if min(explicit_paddings, default=0) < 0:
        raise invalid(f"explicit_paddings must not be negative, got {list(explicit_paddings)}")
    return [
        axis_of(input_shape[axis], filter_shape[place], strides[axis], padding, dilations[axis],
                pairs(explicit_paddings, axis))
        for place, axis in enumerate(spatial_axes(data_format, rank))
    ]


def _precision(x):
    return of_products(x.dtype)


def _groups(input_shape, filter_shape, data_format):
    """The number of groups of channels: a filter may have fewer input channels than the images."""
    if len(input_shape) != len(filter_shape):
        raise invalid(f"input and filter must have the same rank, got {input_shape} and {filter_shape}")
    depth, taken = input_shape[channel_axis(data_format, len(input_shape))], filter_shape[-2]
    if taken == 0 or depth % taken:
        raise invalid(f"the input has {depth} channels, which must be evenly divisible by the filter's {taken}")
    return depth // taken


def convolve(lax, input, filter, strides, padding, data_format, dilations, explicit_paddings=()):
    """The convolution (cross-correlation) of images with a filter."""
    if input.ndim != len(strides):
        raise invalid(f"input must be {len(strides)}-dimensional: {input.shape}")
    axes = _axes(input.shape, filter.shape, strides, padding, data_format, dilations, explicit_paddings)
    if 0 in input.shape or 0 in filter.shape:
        return _nothing(convolved_shape(input.shape, filter.shape, filter.shape[-1], strides, padding, data_format,
                                        dilations, explicit_paddings), input)
    _groups(input.shape, filter.shape, data_format)
    parts = seen_parts(axes)
    if parts is None:
        return _convolved(lax, input, filter, axes, data_format)
    whole = (input.shape[0], *(axis.places for axis in axes), filter.shape[-1])
    whole = _ordered_sizes(whole, data_format)
    if sees_nothing(parts):
        return _nothing(whole, input)
    around, space = spatial_axes(data_format, input.ndim), range(len(parts))
    seen = _convolved(lax, input[cut(parts, "inputs", around, input.ndim)],
                      filter[cut(parts, "elements", space, filter.ndim)], [part.axis for part in parts], data_format)
    return spread(_library(seen), seen, cut(parts, "places", around, input.ndim), whole)


def _convolved(lax, input, filter, axes, data_format):
    images, kernels = _layout(data_format, input.ndim)
    groups = _groups(input.shape, filter.shape, data_format)
    check_padded(axes, input.shape[0], input.shape[channel_axis(data_format, input.ndim)])
    if _is_concrete(input, filter):
        return _ordered(conv_on_numpy.convolved(_last(input, data_format), filter, axes, groups), data_format)
    if _is_native(input.dtype, groups, data_format) and all(axis.places for axis in axes):
        return native_windows.forward(CONVOLVE, input, filter, axes)
    if _is_whole(axes, groups, data_format):
        rank = input.ndim
        return _convolved(lax, input.reshape(_merged(input.shape, rank - 1)),
                          filter.reshape(_merged(filter.shape, rank - 2)), [*axes[:-1], POINT], data_format)
    if _takes_few(input, filter, data_format):
        return _element_by_element(input, filter, axes)
    return lax.conv_general_dilated(
        input, filter, [axis.stride for axis in axes], [(axis.before, axis.after) for axis in axes],
        rhs_dilation=[axis.dilation for axis in axes], dimension_numbers=(images, kernels, images),
        feature_group_count=groups, precision=_precision(input))


def _library(value):
    """The library that computes with a value."""
    if not is_traced(value):
        return np
    import jax

    return jax.numpy


def _ordered_sizes(sizes, data_format):
    """Sizes of images with channels last in the order of axes that the format says."""
    return (sizes[0], sizes[-1], *sizes[1:-1]) if data_format.startswith("NC") else tuple(sizes)


def _is_native(dtype, groups, data_format):
    """Whether the kernels in C take such convolutions."""
    return groups == 1 and not data_format.startswith("NC") and native_windows.takes(CONVOLVE, dtype)


def _is_whole(axes, groups, data_format):
    """Whether windows span all of the last axis, as those over text do: it is one with the channels then.

    On CPUs XLA takes seconds for gradients with such a window, and milliseconds for the same numbers as channels.
    """
    last = axes[-1]
    return (on_cpu() and groups == 1 and not data_format.startswith("NC") and last.window == last.size > 1
            and last.places == 1 and last.dilation == 1 and not last.before)


def _merged(shape, channels):
    """The shape with the last axis of space merged into the channels, which are at index `channels`."""
    return (*shape[: channels - 1], 1, shape[channels - 1] * shape[channels], *shape[channels + 1 :])


def _is_concrete(*values):
    return not any(map(is_traced, values))


def _last(images, data_format):
    """Images with their channels last."""
    return np.moveaxis(images, 1, -1) if data_format.startswith("NC") else images


def _ordered(images, data_format):
    """Images with channels last in the order of axes that the format says."""
    return np.moveaxis(images, -1, 1) if data_format.startswith("NC") else images


def _takes_few(input, filter, data_format):
    """Whether a sum of products is faster than XLA's convolution."""
    return (on_cpu() and int(np.prod(filter.shape[:-1])) <= _FEW and not data_format.startswith("NC")
            and input.shape[-1] == filter.shape[-2] and np.dtype(input.dtype).itemsize >= 4)


def _element_by_element(input, filter, axes):
    """The convolution as a sum over the filter's elements; channels last."""
    import jax.numpy as jnp

    positions = range(1, input.ndim - 1)
    around, total = padded(jnp, input, axes, positions), 0
    for offset in offsets(axes):
        seen = seen_at(around, axes, positions, offset)
        for channel in range(input.shape[-1]):
            total = total + seen[..., channel : channel + 1] * filter[(*offset, channel)]
    return computed_once(total)


def back_to_input(lax, sizes, filter, dy, strides, padding, data_format, dilations, explicit_paddings=()):
    """The gradient of `convolve` with respect to its input, which has these sizes."""
    axes = _axes(sizes, filter.shape, strides, padding, data_format, dilations, explicit_paddings)
    _check_back(axes, dy, sizes[0], filter.shape, data_format)
    if 0 in dy.shape or 0 in filter.shape or 0 in sizes:
        return _nothing(sizes, dy)
    _groups(sizes, filter.shape, data_format)
    parts = seen_parts(axes)
    if parts is None:
        return _back_to_input(lax, sizes, filter, dy, axes, data_format)
    if sees_nothing(parts):
        return _nothing(sizes, dy)
    axes, around, rank = [part.axis for part in parts], spatial_axes(data_format, dy.ndim), dy.ndim
    inner = (sizes[0], *(axis.size for axis in axes), sizes[channel_axis(data_format, rank)])
    seen = filter[cut(parts, "elements", range(rank - 2), rank)]
    given = _back_to_input(lax, _ordered_sizes(inner, data_format), seen, dy[cut(parts, "places", around, rank)], axes,
                           data_format)
    return spread(_library(given), given, cut(parts, "inputs", around, rank), sizes)


def _back_to_input(lax, sizes, filter, dy, axes, data_format):
    images, kernels = _layout(data_format, dy.ndim)
    groups = _groups(sizes, filter.shape, data_format)
    check_padded(axes, sizes[0], sizes[channel_axis(data_format, len(sizes))])
    if _is_concrete(filter, dy):
        last = (sizes[0], *sizes[2:], sizes[1]) if data_format.startswith("NC") else sizes
        found = conv_on_numpy.input_gradient(last, filter, _last(dy, data_format), axes, groups)
        return _ordered(found, data_format)
    if _is_native(dy.dtype, groups, data_format):
        return native_windows.to_input(CONVOLVE, filter, dy, axes)
    if _is_whole(axes, groups, data_format):
        merged = filter.reshape(_merged(filter.shape, dy.ndim - 2))
        return _back_to_input(lax, _merged(sizes, dy.ndim - 1), merged, dy, [*axes[:-1], POINT],
                              data_format).reshape(sizes)
    pads = [(a.reach - 1 - a.before, a.size + a.before - 1 - (a.places - 1) * a.stride) for a in axes]
    return lax.conv_general_dilated(
        dy, _turned(lax, filter, groups), [1] * len(axes), pads, lhs_dilation=[a.stride for a in axes],
        rhs_dilation=[a.dilation for a in axes], dimension_numbers=(images, kernels, images),
        feature_group_count=groups, precision=_precision(dy))


def _turned(lax, filter, groups):
    """The filter of the transposed convolution: reversed, inputs and outputs exchanged within each group."""
    space = filter.ndim - 2
    taken, given = filter.shape[-2:]
    filter = lax.rev(filter, range(space))
    split = filter.reshape(*filter.shape[:-1], groups, given // groups)
    turned = lax.transpose(split, [*range(space), space + 2, space + 1, space])
    return turned.reshape(*filter.shape[:-2], given // groups, groups * taken)


def back_to_filter(lax, input, sizes, dy, strides, padding, data_format, dilations, explicit_paddings=()):
    """The gradient of `convolve` with respect to its filter, which has these sizes."""
    axes = _axes(input.shape, sizes, strides, padding, data_format, dilations, explicit_paddings)
    _check_back(axes, dy, input.shape[0], sizes, data_format)
    if 0 in dy.shape or 0 in input.shape or 0 in sizes:
        return _nothing(sizes, dy)
    _groups(input.shape, sizes, data_format)
    parts = seen_parts(axes)
    if parts is None:
        return _back_to_filter(lax, input, sizes, dy, axes, data_format)
    if sees_nothing(parts):
        return _nothing(sizes, dy)
    axes, around, rank = [part.axis for part in parts], spatial_axes(data_format, dy.ndim), dy.ndim
    seen = (*[axis.window for axis in axes], *sizes[-2:])
    given = _back_to_filter(lax, input[cut(parts, "inputs", around, rank)], seen,
                            dy[cut(parts, "places", around, rank)], axes, data_format)
    return spread(_library(given), given, cut(parts, "elements", range(rank - 2), rank), sizes)


def _back_to_filter(lax, input, sizes, dy, axes, data_format):
    groups = _groups(input.shape, sizes, data_format)
    check_padded(axes, input.shape[0], input.shape[channel_axis(data_format, input.ndim)])
    if _is_concrete(input, dy):
        return conv_on_numpy.filter_gradient(_last(input, data_format), sizes, _last(dy, data_format), axes, groups)
    if _is_native(dy.dtype, groups, data_format):
        return native_windows.to_filter(CONVOLVE, input, dy, axes, sizes)
    if _is_whole(axes, groups, data_format):
        merged = input.reshape(_merged(input.shape, dy.ndim - 1))
        return _back_to_filter(lax, merged, _merged(sizes, dy.ndim - 2), dy, [*axes[:-1], POINT],
                               data_format).reshape(sizes)
    space = "DHW"[5 - dy.ndim :]
    # Channels and batch exchange their roles.
    images = f"CN{space}" if data_format.startswith("NC") else f"C{space}N"
    kernels = f"IO{space}" if data_format.startswith("NC") else f"I{space}O"
    pads = [(a.before, (a.window - 1) * a.dilation + (a.places - 1) * a.stride + 1 - a.size - a.before) for a in axes]
    return lax.conv_general_dilated(
        input, dy, [a.dilation for a in axes], pads, rhs_dilation=[a.stride for a in axes],
        dimension_numbers=(images, kernels, f"{space}NC"), batch_group_count=groups, precision=_precision(dy))


def _nothing(sizes, like):
    """The result for tensors without elements."""
    return np.zeros(sizes, np.dtype(like.dtype))


def _check_back(axes, dy, images, filter_shape, data_format):
    if dy.shape[0] != images:
        raise invalid(f"out_backprop is for {dy.shape[0]} images, the input has {images}")
    depth = dy.shape[channel_axis(data_format, dy.ndim)]
    if depth != filter_shape[-1]:
        raise invalid(f"out_backprop has {depth} channels, but the filter gives {filter_shape[-1]}: out_backprop is "
                      f"{list(dy.shape)}, filter is {list(filter_shape)}")
    for axis, position in zip(axes, spatial_axes(data_format, dy.ndim)):
        if dy.shape[position] != axis.places:
            raise invalid(f"out_backprop has a size of {dy.shape[position]} where the convolution gives "
                          f"{axis.places}")


def _sizes(given, rank, what):
    """The shape in a static input."""
    sizes = tuple(int(size) for size in np.ravel(given))
    if len(sizes) != rank:
        raise invalid(f"{what} must have {rank} elements, got {len(sizes)}")
    return sizes


def _is_slow(node):
    return conv_on_numpy.is_slow(node.outputs[0]._dtype.np)


# ---- 2-D


def settings(op, *more):
    """The attrs that the ops of a convolution share, as keyword arguments."""
    return {name: op.attrs[name] for name in ("strides", "padding", "data_format", "dilations", *more)}


_2D = ("explicit_paddings", "use_cudnn_on_gpu")


@op(f"Conv2D(input: T, filter: T, *, T: floating, {_REST_2D}) -> output: T", shape=_shape(4), memory=Memory.STORED,
    slow_on_numpy=_is_slow)
def conv2d(lax, input, filter, strides, padding, explicit_paddings, data_format, dilations):
    """2-D convolution of images with a filter [height, width, in channels, out channels]."""
    return convolve(lax, input, filter, strides, padding, data_format, dilations, explicit_paddings)


@op(
    f"Conv2DBackpropInput(input_sizes: int32, filter: T, out_backprop: T, *, T: floating, {_REST_2D}) -> output: T",
    static=("input_sizes",),
    shape=_shape_of_sizes("input_sizes", 4, of_output=True),
    memory=Memory.STORED,
    slow_on_numpy=_is_slow,
)
def conv2d_backprop_input(
    lax, input_sizes, filter, out_backprop, strides, padding, explicit_paddings, data_format, dilations
):
    """The gradient of Conv2D with respect to its input; also known as the transposed convolution."""
    sizes = _sizes(input_sizes, 4, "input_sizes")
    return back_to_input(lax, sizes, filter, out_backprop, strides, padding, data_format, dilations, explicit_paddings)


@op(
    f"Conv2DBackpropFilter(input: T, filter_sizes: int32, out_backprop: T, *, T: floating, {_REST_2D}) -> output: T",
    static=("filter_sizes",),
    shape=_shape_of_sizes("filter_sizes", 4, of_output=False),
    memory=Memory.STORED,
    slow_on_numpy=_is_slow,
)
def conv2d_backprop_filter(
    lax, input, filter_sizes, out_backprop, strides, padding, explicit_paddings, data_format, dilations
):
    """The gradient of Conv2D with respect to its filter."""
    sizes = _sizes(filter_sizes, 4, "filter_sizes")
    return back_to_filter(lax, input, sizes, out_backprop, strides, padding, data_format, dilations, explicit_paddings)


@conv2d.grad
def _(op, dy):
    x, filter = op.inputs
    of_x, of_filter = shape_n([x, filter])
    same = settings(op, *_2D)
    return conv2d_backprop_input(of_x, filter, dy, **same), conv2d_backprop_filter(x, of_filter, dy, **same)


@conv2d_backprop_input.grad
def _(op, dy):
    _, filter, back = op.inputs
    same = settings(op, *_2D)
    return None, conv2d_backprop_filter(dy, shape(filter), back, **same), conv2d(dy, filter, **same)


@conv2d_backprop_filter.grad
def _(op, dy):
    x, _, back = op.inputs
    same = settings(op, *_2D)
    return conv2d_backprop_input(shape(x), dy, back, **same), None, conv2d(x, dy, **same)


# ---- 3-D


@op(f"Conv3D(input: T, filter: T, *, T: floating, {_REST_3D}) -> output: T", shape=_shape(5), memory=Memory.STORED,
    slow_on_numpy=_is_slow)
def conv3d(lax, input, filter, strides, padding, data_format, dilations):
    """3-D convolution of volumes with a filter [depth, height, width, in channels, out channels]."""
    return convolve(lax, input, filter, strides, padding, data_format, dilations)


@op(
    f"Conv3DBackpropInputV2(input_sizes: Tshape, filter: T, out_backprop: T, *, T: floating, {_REST_3D}, "
    "Tshape: index = int32) -> output: T",
    static=("input_sizes",),
    shape=_shape_of_sizes("input_sizes", 5, of_output=True),
    memory=Memory.STORED,
    slow_on_numpy=_is_slow,
)
def conv3d_backprop_input_v2(lax, input_sizes, filter, out_backprop, strides, padding, data_format, dilations):
    """The gradient of Conv3D with respect to its input; also known as the transposed convolution."""
    sizes = _sizes(input_sizes, 5, "input_sizes")
    return back_to_input(lax, sizes, filter, out_backprop, strides, padding, data_format, dilations)


@op(
    f"Conv3DBackpropFilterV2(input: T, filter_sizes: int32, out_backprop: T, *, T: floating, {_REST_3D}) -> output: T",
    static=("filter_sizes",),
    shape=_shape_of_sizes("filter_sizes", 5, of_output=False),
    export=("nn.conv3d_backprop_filter", "nn.conv3d_backprop_filter_v2"),
    memory=Memory.STORED,
    slow_on_numpy=_is_slow,
)
def conv3d_backprop_filter_v2(lax, input, filter_sizes, out_backprop, strides, padding, data_format, dilations):
    """The gradient of a 3-D convolution by its filter, of shape `filter_sizes`; see `tf.nn.conv3d`."""
    sizes = _sizes(filter_sizes, 5, "filter_sizes")
    return back_to_filter(lax, input, sizes, out_backprop, strides, padding, data_format, dilations)


@conv3d.grad
def _(op, dy):
    x, filter = op.inputs
    of_x, of_filter = shape_n([x, filter])
    same = settings(op)
    return conv3d_backprop_input_v2(of_x, filter, dy, **same), conv3d_backprop_filter_v2(x, of_filter, dy, **same)


@conv3d_backprop_input_v2.grad
def _(op, dy):
    _, filter, back = op.inputs
    same = settings(op)
    return None, conv3d_backprop_filter_v2(dy, shape(filter), back, **same), conv3d(dy, filter, **same)


@conv3d_backprop_filter_v2.grad
def _(op, dy):
    x, _, back = op.inputs
    same = settings(op)
    return conv3d_backprop_input_v2(shape(x), dy, back, **same), None, conv3d(x, dy, **same)


@op(
    f"Conv3DBackpropInput(input: T, filter: T, out_backprop: T, *, {_FLOATS_3D}, {_OLD_3D}) -> output: T",
    shape=lambda input: with_rank(input, 5),
)
def conv3d_backprop_input(lax, input, filter, out_backprop, strides, padding, dilations):
    """Conv3DBackpropInputV2 that takes the input's shape from the input itself."""
    return back_to_input(lax, input.shape, filter, out_backprop, strides, padding, "NDHWC", dilations)


@op(
    f"Conv3DBackpropFilter(input: T, filter: T, out_backprop: T, *, {_FLOATS_3D}, {_OLD_3D}) -> output: T",
    shape=lambda filter: with_rank(filter, 5),
)
def conv3d_backprop_filter(lax, input, filter, out_backprop, strides, padding, dilations):
    """Conv3DBackpropFilterV2 that takes the filter's shape from the filter itself."""
    return back_to_filter(lax, input, filter.shape, out_backprop, strides, padding, "NDHWC", dilations)
