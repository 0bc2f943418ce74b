"""Depthwise convolutions, and the morphological dilation (the maximum of sums instead of the sum of products).

On CPUs kernels in C compute the convolutions (`native_windows.py` has the rule). Elsewhere the kernels iterate over the
filter's offsets, as filters are small: a few products of whole images. XLA's own grouped convolution is a hundred times
slower on CPUs.
"""

from __future__ import annotations

import numpy as np

from evergraph.graph.opdef import op
from evergraph.graph.shaping import merge_size, with_rank
from evergraph.kernel.fence import computed_once, on_cpu
from evergraph.ops.arrays.basic import shape
from evergraph.ops.arrays.limits import floored, lowest
from evergraph.ops.nn import native_windows
from evergraph.ops.nn.conv import back_to_filter, back_to_input, convolve, convolved_shape, settings
from evergraph.ops.nn.native_windows import DEPTHWISE
from evergraph.ops.nn.windows import (
    MANY,
    Part,
    axis_of,
    channel_axis,
    cut,
    invalid,
    offsets,
    padded,
    seen_at,
    seen_parts,
    sees_nothing,
    spread,
    stretched,
    windows_over,
)

_REST = (
    "strides: list(int), padding: {'SAME', 'VALID'}, data_format: {'NHWC', 'NCHW'} = 'NHWC', "
    "dilations: list(int) = [1, 1, 1, 1]"
)
_SPACE = (1, 2)


def _axes(input_shape, filter_shape, strides, padding, dilations):
    """The window's geometry for channels-last images."""
    return [axis_of(input_shape[at], filter_shape[at - 1], strides[at], padding, dilations[at]) for at in _SPACE]


def _channels_last(xp, x, data_format):
    return xp.transpose(x, (0, 2, 3, 1)) if data_format == "NCHW" else x


def _as_given(xp, x, data_format):
    return xp.transpose(x, (0, 3, 1, 2)) if data_format == "NCHW" else x


def _last(steps, data_format):
    """Strides or dilations in channels-last order."""
    return [steps[i] for i in (0, 2, 3, 1)] if data_format == "NCHW" else list(steps)


def _grouped(filter_shape):
    """The filter's shape for a grouped convolution with one group per channel."""
    return (*filter_shape[:2], 1, filter_shape[2] * filter_shape[3])


def _check(channels, filter_shape):
    if channels != filter_shape[2]:
        raise invalid(f"the filters are for {filter_shape[2]} channels, the input has {channels}")


# ---- forward


def _shape(input, filter, strides, padding, data_format, dilations):
    input, filter = with_rank(input, 4), with_rank(filter, 4)
    if len(strides) != 4 or len(dilations) != 4:
        raise ValueError(f"strides and dilations must have 4 numbers, got {strides} and {dilations}")
    depth = merge_size(input[channel_axis(data_format, 4)], filter[2])
    channels = None if depth is None or filter[3] is None else depth * filter[3]
    return convolved_shape(input, filter, channels, strides, padding, data_format, dilations)


@op(f"DepthwiseConv2dNative(input: T, filter: T, *, T: floating, {_REST}) -> output: T", shape=_shape,
    export=("nn.depthwise_conv2d_native",), later={"explicit_paddings": []})
def depthwise_conv2d_native(xp, input, filter, strides, padding, data_format, dilations):
    """Depthwise convolution: each channel with filters of its own, [height, width, channels, multiplier].

    Args:
        input: images.
        filter: the filters.
        strides: how far a window moves, for each of the four axes.
        padding: "SAME" or "VALID".
        data_format: "NHWC" or "NCHW".
        dilations: the distance between the elements that a filter sees, for each axis.
    """
    _check(input.shape[channel_axis(data_format, 4)], filter.shape)
    if 0 in input.shape or 0 in filter.shape:
        return np.zeros(_shape(input.shape, filter.shape, strides, padding, data_format, dilations),
                        np.dtype(input.dtype))
    x = _channels_last(xp, input, data_format)
    axes = _axes(x.shape, filter.shape, _last(strides, data_format), padding, _last(dilations, data_format))
    if native_windows.takes(DEPTHWISE, input.dtype, xp is np) and all(axis.places for axis in axes):
        return _as_given(xp, native_windows.forward(DEPTHWISE, x, filter, axes), data_format)
    if int(np.prod(filter.shape[:2])) > MANY:
        return convolve(_lax(), input, filter.reshape(_grouped(filter.shape)), strides, padding, data_format, dilations)
    parts = seen_parts(axes)
    if parts is None:
        return _as_given(xp, _products(xp, x, filter, axes), data_format)
    whole = (x.shape[0], *(axis.places for axis in axes), filter.shape[2] * filter.shape[3])
    if sees_nothing(parts):
        return _as_given(np, np.zeros(whole, np.dtype(input.dtype)), data_format)
    seen = _products(xp, x[cut(parts, "inputs", _SPACE, 4)], filter[cut(parts, "elements", (0, 1), 4)],
                     [part.axis for part in parts])
    return _as_given(xp, spread(xp, seen, cut(parts, "places", _SPACE, 4), whole), data_format)


def _products(xp, x, filter, axes):
    """The convolution as a sum over the elements of windows; channels last."""
    around, total = padded(xp, x, axes, _SPACE), 0
    for offset in offsets(axes):
        total = total + seen_at(around, axes, _SPACE, offset)[..., None] * filter[offset]
    return total.reshape(*total.shape[:3], -1)


def _lax():
    import jax

    return jax.lax


# ---- backward


def _fits(dy, size, axes, filter_shape):
    """Whether a gradient with channels last has the shape of the convolution's output; others are errors below."""
    wanted = (size[0], *(axis.places for axis in axes), filter_shape[2] * filter_shape[3])
    return dy.shape == wanted and 0 not in wanted


def _shape_from(name):
    def infer(shape_of):
        said = shape_of(name)
        return (None,) * 4 if said is None else with_rank(said, 4)

    return infer


@op(
    f"DepthwiseConv2dNativeBackpropInput(input_sizes: int32, filter: T, out_backprop: T, *, T: floating, {_REST}) -> "
    "output: T",
    static=("input_sizes",),
    shape=_shape_from("input_sizes"),
    export=("nn.depthwise_conv2d_native_backprop_input", "nn.depthwise_conv2d_backprop_input"),
    later={"explicit_paddings": []},
)
def depthwise_conv2d_native_backprop_input(
    xp, input_sizes, filter, out_backprop, strides, padding, data_format, dilations
):
    """The gradient of a depthwise convolution by its input, of shape `input_sizes`; see `tf.nn.depthwise_conv2d`."""
    sizes = tuple(input_sizes.tolist())
    _check(sizes[channel_axis(data_format, 4)], filter.shape)
    if 0 in sizes or 0 in filter.shape:
        return np.zeros(sizes, np.dtype(filter.dtype))
    size = sizes if data_format == "NHWC" else (sizes[0], *sizes[2:], sizes[1])
    axes = _axes(size, filter.shape, _last(strides, data_format), padding, _last(dilations, data_format))
    dy = _channels_last(xp, out_backprop, data_format)
    if native_windows.takes(DEPTHWISE, dy.dtype, xp is np) and _fits(dy, size, axes, filter.shape):
        return _as_given(xp, native_windows.to_input(DEPTHWISE, filter, dy, axes), data_format)
    if max(dilations) > 1 or seen_parts(axes) is not None or int(np.prod(filter.shape[:2])) > MANY:
        grouped = filter.reshape(_grouped(filter.shape))
        return back_to_input(_lax(), sizes, grouped, out_backprop, strides, padding, data_format, dilations)
    dy = computed_once(stretched(xp, dy.reshape(*dy.shape[:3], *filter.shape[2:]), axes, _SPACE))
    # Offsets beyond the filter read zeros.
    beyond = xp.pad(filter, [(0, axis.stride) for axis in axes] + [(0, 0), (0, 0)])
    total = 0
    for covered, (row, column) in windows_over(axes, _SPACE, 4):
        total = total + (dy[covered] * beyond[row[0, ..., 0], column[0, ..., 0]]).sum(-1)
    return _as_given(xp, total, data_format)


@op(
    f"DepthwiseConv2dNativeBackpropFilter(input: T, filter_sizes: int32, out_backprop: T, *, T: floating, {_REST}) -> "
    "output: T",
    static=("filter_sizes",),
    shape=_shape_from("filter_sizes"),
    export=("nn.depthwise_conv2d_native_backprop_filter", "nn.depthwise_conv2d_backprop_filter"),
    later={"explicit_paddings": []},
)
def depthwise_conv2d_native_backprop_filter(
    xp, input, filter_sizes, out_backprop, strides, padding, data_format, dilations
):
    """The gradient of a depthwise convolution by its filter, of shape `filter_sizes`; see `tf.nn.depthwise_conv2d`."""
    sizes = tuple(filter_sizes.tolist())
    _check(input.shape[channel_axis(data_format, 4)], sizes)
    if 0 in sizes or 0 in input.shape:
        return np.zeros(sizes, np.dtype(input.dtype))
    x, dy = (_channels_last(xp, each, data_format) for each in (input, out_backprop))
    axes = _axes(x.shape, sizes, _last(strides, data_format), padding, _last(dilations, data_format))
    if native_windows.takes(DEPTHWISE, dy.dtype, xp is np) and _fits(dy, x.shape, axes, sizes):
        return native_windows.to_filter(DEPTHWISE, x, dy, axes, sizes)
    if seen_parts(axes) is not None or int(np.prod(sizes[:2])) > MANY:
        grouped = back_to_filter(_lax(), input, _grouped(sizes), out_backprop, strides, padding, data_format, dilations)
        return grouped.reshape(sizes)
    around, dy = padded(xp, x, axes, _SPACE), dy.reshape(*dy.shape[:3], *sizes[2:])

    def sums(around, dy):
        """The gradient from one image."""
        parts = [(seen_at(around, axes, (0, 1), offset)[..., None] * dy).sum((0, 1)) for offset in offsets(axes)]
        return xp.stack(parts).reshape(sizes)

    return summed(xp, sums, around, dy, sizes)


def summed(xp, function, xs, ys, shape):
    """The sum of `function(x, y)` over the first axis of `xs` and `ys`, one at a time, so that they stay in the cache.

    XLA's sums over many images at once, one for each offset of a window, take four times as long on CPUs.
    """
    if xp is np:
        return sum((function(x, y) for x, y in zip(xs, ys)), np.zeros(shape, ys.dtype))
    import jax

    if not on_cpu():
        return jax.vmap(function)(xs, ys).sum(0)
    add = lambda total, pair: (total + function(*pair), None)
    return jax.lax.scan(add, xp.zeros(shape, ys.dtype), (xs, ys))[0]


@depthwise_conv2d_native.grad
def _(op, dy):
    x, filter = op.inputs
    same = settings(op)
    return (
        depthwise_conv2d_native_backprop_input(shape(x), filter, dy, **same),
        depthwise_conv2d_native_backprop_filter(x, shape(filter), dy, **same),
    )


@depthwise_conv2d_native_backprop_input.grad
def _(op, dy):
    _, filter, back = op.inputs
    same = settings(op)
    return (
        None,
        depthwise_conv2d_native_backprop_filter(dy, shape(filter), back, **same),
        depthwise_conv2d_native(dy, filter, **same),
    )


@depthwise_conv2d_native_backprop_filter.grad
def _(op, dy):
    x, _, back = op.inputs
    same = settings(op)
    return (
        depthwise_conv2d_native_backprop_input(shape(x), dy, back, **same),
        None,
        depthwise_conv2d_native(x, dy, **same),
    )


# ---- morphological dilation

_MORPHOLOGY = "T: real, strides: list(int) >= 4, rates: list(int) >= 4, padding: {'SAME', 'VALID'}"


@op(f"Dilation2D(input: T, filter: T, *, {_MORPHOLOGY}) -> output: T")
def dilation2d(xp, input, filter, strides, rates, padding):
    """Grey-scale morphological dilation: the maximum of input + filter over each window, per channel."""
    return _tallest(xp, input, filter, strides, rates, padding)[0]


@dilation2d.shape
def _(input, filter, strides, rates, padding):
    input, filter = with_rank(input, 4), with_rank(filter, 3)
    depth = merge_size(input[3], filter[2])
    return convolved_shape(input, filter, depth, strides, padding, "NHWC", rates, may_be_empty=True)


def _tallest(xp, input, filter, strides, rates, padding):
    """(the maxima, the offsets at which they occur among what windows see, the parts of the axes that they see).

    Where a window sees no number above it, the maximum is the lowest finite number.
    """
    _check(input.shape[3], (*filter.shape, 1))
    axes = _axes(input.shape, filter.shape, strides, padding, rates)
    parts = seen_parts(axes) if 0 not in input.shape else None
    if parts is None:
        parts = [Part(axis, *[slice(None)] * 3) for axis in axes]
    seen = [part.axis for part in parts]
    least = lowest(input.dtype)
    bottom = floored(np, np.asarray(least, input.dtype))
    shape = (input.shape[0], *(axis.places for axis in axes), input.shape[3])
    if sees_nothing(parts):
        return xp.full(shape, bottom, input.dtype), xp.full(shape, -1, np.int32), parts
    around = padded(xp, input[cut(parts, "inputs", _SPACE, 4)], seen, _SPACE, fill=least)
    inner = (input.shape[0], *(axis.places for axis in seen), input.shape[3])
    best, where = xp.full(inner, bottom, input.dtype), xp.zeros(inner, np.int32)
    for number, offset in enumerate(offsets(seen)):
        here = seen_at(around, seen, _SPACE, offset)
        sums = xp.where(here == least, here, here + filter[cut(parts, "elements", (0, 1), 3)][offset])
        sums = floored(xp, sums)
        where = xp.where(sums > best, np.int32(number), where)
        best = xp.maximum(best, sums)
    places = cut(parts, "places", _SPACE, 4)
    return spread(xp, best, places, shape, bottom), spread(xp, where, places, shape, -1), parts


@op(f"Dilation2DBackpropInput(input: T, filter: T, out_backprop: T, *, {_MORPHOLOGY}) -> in_backprop: T",
    shape=lambda input: with_rank(input, 4))
def dilation2d_backprop_input(xp, input, filter, out_backprop, strides, rates, padding):
    """The gradient of Dilation2D with respect to its input: it goes to the maximal element."""
    _, where, parts = _tallest(xp, input, filter, strides, rates, padding)
    if sees_nothing(parts):
        return xp.zeros(input.shape, out_backprop.dtype)
    axes = [part.axis for part in parts]
    inputs, places = (cut(parts, which, _SPACE, 4) for which in ("inputs", "places"))
    whole = padded(xp, xp.zeros(input.shape, out_backprop.dtype)[inputs], axes, _SPACE)
    for number, offset in enumerate(offsets(axes)):
        part = xp.where(where == number, out_backprop, 0)[places]
        whole = _with_added(xp, whole, part, axes, offset)
    rows, columns = ((axis.before, max(axis.size + axis.before - whole.shape[at], 0)) for axis, at in zip(axes, _SPACE))
    whole = xp.pad(whole, ((0, 0), (0, rows[1]), (0, columns[1]), (0, 0)))
    whole = whole[:, rows[0] : rows[0] + axes[0].size, columns[0] : columns[0] + axes[1].size]
    return spread(xp, whole, inputs, input.shape)


def _with_added(xp, whole, part, axes, offset):
    """`whole` plus `part` at the elements that the windows cover at one offset."""
    cut = tuple(slice(step * a.dilation, step * a.dilation + (a.places - 1) * a.stride + 1, a.stride)
                for a, step in zip(axes, offset))
    if xp is np:
        whole = whole.copy()
        whole[:, cut[0], cut[1]] += part
        return whole
    return whole.at[:, cut[0], cut[1]].add(part)


@op(f"Dilation2DBackpropFilter(input: T, filter: T, out_backprop: T, *, {_MORPHOLOGY}) -> filter_backprop: T",
    shape=lambda filter: with_rank(filter, 3))
def dilation2d_backprop_filter(xp, input, filter, out_backprop, strides, rates, padding):
    """The gradient of Dilation2D with respect to its filter: the sum over the windows in which it is maximal."""
    _, where, parts = _tallest(xp, input, filter, strides, rates, padding)
    if sees_nothing(parts):
        return xp.zeros(filter.shape, out_backprop.dtype)
    axes = [part.axis for part in parts]
    sums = [xp.where(where == number, out_backprop, 0).sum((0, 1, 2)) for number, _ in enumerate(offsets(axes))]
    given = xp.stack(sums).reshape(*(axis.window for axis in axes), filter.shape[2])
    return spread(xp, given, cut(parts, "elements", (0, 1), 3), filter.shape)


@dilation2d.grad
def _(op, dy):
    same = {name: op.attrs[name] for name in ("strides", "rates", "padding")}
    return dilation2d_backprop_input(*op.inputs, dy, **same), dilation2d_backprop_filter(*op.inputs, dy, **same)
