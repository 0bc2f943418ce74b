"""tf.nn's convolutions: over one, two and three axes, dilated, transposed, by channel, separable."""
from __future__ import annotations

import numpy as np

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape, dimension_value
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.reduce import either
from evergraph.graph.convert import convert_to_tensor, sizes_to_tensor
from evergraph.graph.shaping import denoted_shape, static_value
from evergraph.ops.arrays import blocks
from evergraph.ops.arrays.pad import reverse_v2
from evergraph.ops.nn import conv, depthwise

_FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def channels_first(data_format):
    return data_format is not None and data_format.startswith("NC")


def along_all(value, count, data_format, what):
    """Numbers for all axes, from one number, one for each of `count` axes of space, or already one for every axis.

    Raises:
        ValueError: there are another number of them.
    """
    values = [1] if value is None else list(value) if np.ndim(value) else [value]
    values = [int(v) for v in values]
    if len(values) == count + 2:
        return values
    if len(values) == 1:
        values = values * count
    if len(values) != count:
        raise ValueError(f"{what} should be of length 1, {count} or {count + 2}, not {len(values)}")
    return [1, 1, *values] if channels_first(data_format) else [1, *values, 1]


def _padding(padding, data_format):
    """The padding as attrs: its name, and numbers when it is a list of pairs, one for each axis."""
    if not isinstance(padding, (list, tuple)):
        return {"padding": padding}
    if len(padding) != 4 or any(not isinstance(pair, (list, tuple)) or len(pair) != 2 for pair in padding):
        raise ValueError(f"padding must be 'SAME', 'VALID' or 4 pairs of numbers, got {padding}")
    if any(padding[0]) or any(padding[1 if channels_first(data_format) else 3]):
        raise ValueError(f"Padding of the batch and the channels must be 0, got {padding}")
    numbers = [int(number) for pair in padding for number in pair]
    if min(numbers) < 0:
        raise ValueError(f"Padding must not be negative, got {padding}")
    return {"padding": "EXPLICIT", "explicit_paddings": numbers} if any(numbers) else {"padding": "VALID"}


# ---- one, two and three axes

@export("nn.conv2d")
def conv2d(input, filter=None, strides=None, padding=None, use_cudnn_on_gpu=True, data_format="NHWC",
           dilations=[1, 1, 1, 1], name=None, filters=None):  # noqa: B006 - TensorFlow's default, never changed
    """Convolves a batch of images with a bank of filters (cross-correlation: the filters are not flipped).

    Args:
        input: [batch, height, width, channels], or with the channels second.
        filter: [height, width, channels in, channels out].
        strides: one number, two, or four: the steps of the window.
        padding: "SAME", "VALID" or four pairs of numbers, how much goes before and after each axis.
        use_cudnn_on_gpu: has no meaning here.
        data_format: "NHWC" or "NCHW".
        dilations: one number, two, or four: the distance between the elements that a filter sees.
        name: a name for the operation.
        filters: another name of `filter`.

    >>> image = tf.ones([1, 3, 3, 1])
    >>> tf.Session().run(tf.nn.conv2d(image, tf.ones([3, 3, 1, 1]), 1, "VALID"))[0, 0, 0, 0]
    9.0
    """
    filter = either("filters", filters, "filter", filter)
    data_format = data_format or "NHWC"
    return conv.conv2d(
        input, filter, strides=along_all(strides, 2, data_format, "strides"), **_padding(padding, data_format),
        use_cudnn_on_gpu=use_cudnn_on_gpu, data_format=data_format,
        dilations=along_all(dilations, 2, data_format, "dilations"), name=name)


@export("nn.conv1d")
def conv1d(value=None, filters=None, stride=None, padding=None, use_cudnn_on_gpu=None, data_format=None, name=None,
           input=None, dilations=None):
    """Convolves a batch of sequences with a bank of filters.

    Args:
        value: the older name of `input`.
        filters: [width, channels in, channels out].
        stride: the step of the window.
        padding: "SAME" or "VALID".
        use_cudnn_on_gpu: has no meaning here.
        data_format: "NWC" or "NCW".
        name: a name for the operations.
        input: [batch, width, channels], or with the channels second.
        dilations: the distance between the elements that a filter sees.
    """
    value = either("input", input, "value", value)
    with name_scope(name, "conv1d", [value, filters]) as scope:
        order, axis = _as_image(data_format)
        image, filters = array.expand_dims(value, axis), array.expand_dims(filters, 0)
        result = conv.conv2d(
            image, filters, strides=_in_image(stride, order, "stride"), padding=padding, data_format=order,
            dilations=_in_image(dilations, order, "dilations"), use_cudnn_on_gpu=use_cudnn_on_gpu is not False,
            name=scope)
        return array.squeeze(result, [axis])


def _as_image(data_format):
    """(the layout of images with the layout of these sequences, the axis that makes images of them)."""
    if data_format in (None, "NHWC", "NWC"):
        return "NHWC", 1
    if data_format in ("NCHW", "NCW"):
        return "NCHW", 2
    raise ValueError('data_format must be "NWC" or "NCW".')


def _in_image(value, order, what):
    """Steps along a sequence, as steps in an image of height 1."""
    first, *rest = along_all(value, 1, order, what)
    return [first, 1, *rest] if order == "NHWC" else [first, rest[0], 1, rest[1]]


@export("nn.conv3d")
def conv3d(input, filter=None, strides=None, padding=None, data_format="NDHWC",
           dilations=[1, 1, 1, 1, 1], name=None, filters=None):  # noqa: B006 - TensorFlow's default, never changed
    """Convolves a batch of volumes with a bank of filters.

    Args:
        input: [batch, depth, height, width, channels], or with the channels second.
        filter: [depth, height, width, channels in, channels out].
        strides: five numbers: the steps of the window.
        padding: "SAME" or "VALID".
        data_format: "NDHWC" or "NCDHW".
        dilations: five numbers: the distance between the elements that a filter sees.
        name: a name for the operation.
        filters: another name of `filter`.
    """
    filter = either("filters", filters, "filter", filter)
    return conv.conv3d(input, filter, strides=strides, padding=padding, data_format=data_format, dilations=dilations,
                       name=name)


@export("nn.convolution")
def convolution(input, filter, padding, strides=None, dilation_rate=None, name=None, data_format=None, filters=None,
                dilations=None):
    """Convolves over one, two or three spatial axes, as many as the filter has, with strides or dilation.

    Args:
        input: [batch, ..., channels], or with the channels second.
        filter: [..., channels in, channels out].
        padding: "SAME" or "VALID".
        strides: the step of the window along each axis of space; 1 by default.
        dilation_rate: the distance between the elements that a filter sees; where it is not 1 the strides must be.
        name: a name for the operations.
        data_format: such as "NHWC" or "NCHW".
        filters: another name of `filter`.
        dilations: another name of `dilation_rate`.

    Raises:
        ValueError: the arguments do not fit each other.
    """
    filter = either("filters", filters, "filter", filter)
    rates = either("dilations", dilations, "dilation_rate", dilation_rate)
    with name_scope(name, "convolution", [input, filter]) as scope:
        input, filter = convert_to_tensor(input, name="input"), convert_to_tensor(filter, name="filter")
        count = _space(input, filter)
        strides, rates = _one_each(strides, count, "strides"), _one_each(rates, count, "dilation_rate")
        if max(strides) > 1 and max(rates) > 1:
            raise ValueError("strides and dilation_rate cannot both be larger than 1")

        def convolve(tensor, _, padding):
            return _of_rank(count, tensor, filter, strides, padding, data_format, scope)

        return with_space_to_batch(input, rates, padding, convolve, filter_shape=_known_shape(filter),
                                   data_format=data_format)


class Convolution:
    """`tf.nn.convolution` with arguments that are given once and shapes that are checked before the first call.

    Args:
        input_shape: the static shape of the inputs.
        filter_shape: the static shape of the filters.
        padding: see `tf.nn.convolution`.
        strides: see `tf.nn.convolution`.
        dilation_rate: see `tf.nn.convolution`.
        name: see `tf.nn.convolution`.
        data_format: see `tf.nn.convolution`.

    Raises:
        ValueError: the numbers of channels differ, or a rank does not fit.
    """

    def __init__(self, input_shape, filter_shape, padding, strides=None, dilation_rate=None, name=None,
                 data_format=None):
        input_shape, filter_shape = TensorShape(input_shape), TensorShape(filter_shape)
        rank = filter_shape.rank or input_shape.rank
        if rank is not None:
            input_shape, filter_shape = input_shape.with_rank(rank), filter_shape.with_rank(rank)
            channels = input_shape[1 if channels_first(data_format) else rank - 1]
            if not channels.is_compatible_with(filter_shape[rank - 2]):
                raise ValueError(f"the images have {channels} channels, and the filter is for {filter_shape[rank - 2]}")
        self.input_shape, self.filter_shape, self.padding, self.name = input_shape, filter_shape, padding, name
        self.strides, self.dilation_rate, self.data_format = strides, dilation_rate, data_format

    def __call__(self, inp, filter):
        return convolution(inp, filter, self.padding, self.strides, self.dilation_rate, self.name, self.data_format)


def _known_shape(filter):
    return filter.shape.as_list() if filter.shape.is_fully_defined() else array.shape(filter)


def _space(input, filter):
    """The number of axes of space."""
    rank = filter.shape.rank or input.shape.rank
    if rank is None:
        raise ValueError("neither the rank of the input nor that of the filter is known")
    if input.shape.rank not in (None, rank):
        raise ValueError(f"input and filter must have the same rank, got {input.shape} and {filter.shape}")
    if not 3 <= rank <= 5:
        raise ValueError(f"the input must have rank 3, 4 or 5, got {rank}")
    return rank - 2


def _one_each(value, count, what):
    values = [1] * count if value is None else list(value) if np.ndim(value) else [value] * count
    if len(values) != count or min(values) < 1:
        raise ValueError(f"{what} must be {count} positive numbers, got {value}")
    return [int(v) for v in values]


def _of_rank(count, input, filter, strides, padding, data_format, name):
    if count == 1:
        return conv1d(input, filter, strides, padding, data_format=data_format, name=name)
    data_format = data_format or _FORMATS[count][0]
    strides = [1, 1, *strides] if channels_first(data_format) else [1, *strides, 1]
    return (conv2d if count == 2 else conv3d)(input, filter, strides, padding, data_format=data_format, name=name)


# ---- windows with holes

@export("nn.with_space_to_batch")
def with_space_to_batch(input, dilation_rate, padding, op, filter_shape=None, spatial_dims=None, data_format=None):
    """What `op` makes of windows that see only every n-th element.

    Elements that are `dilation_rate` apart become neighbours in images of their own, `op` works on those, and its
    results are put together again.

    Args:
        input: a batch of images.
        dilation_rate: for each axis of space, how far apart the elements are that a window sees.
        padding: "SAME" or "VALID".
        op: called with (input, number of axes of space, padding).
        filter_shape: the sizes of the window, for "SAME".
        spatial_dims: the axes of space, rising and from 1 up; by default those that follow from `data_format`.
        data_format: a layout that begins with "NC" has the channels second.

    Raises:
        ValueError: the arguments do not fit each other.
    """
    input = convert_to_tensor(input, name="input")
    dilation_rate = sizes_to_tensor(dilation_rate, "dilation_rate")
    rates = _known_rates(dilation_rate)
    count = len(rates)
    if spatial_dims is None:
        start = 2 if channels_first(data_format) else 1
        spatial_dims = list(range(start, start + count))
    axes = sorted(set(int(axis) for axis in spatial_dims))
    if axes[0] < 1 or len(axes) != count:
        raise ValueError(f"spatial_dims must be {count} different positive integers, got {spatial_dims}")
    if all(rate == 1 for rate in rates):
        return op(input, count, padding)
    base = _base_paddings(padding, filter_shape, rates)
    paddings, crops = array.required_space_to_batch_paddings(_sizes_of(input, axes), dilation_rate, base)
    block, paddings, crops = (_from_axis_one(each, axes, fill)
                              for each, fill in ((dilation_rate, 1), (paddings, [0, 0]), (crops, [0, 0])))
    apart = blocks.space_to_batch_nd(input, block, paddings)
    seen = op(apart, count, "VALID")
    result = blocks.batch_to_space_nd(seen, block, crops)
    if seen.shape.rank is not None:  # what lies between the batch and the axes of space, such as channels, stays
        result.set_shape([size if 0 < axis and axis not in axes else None
                          for axis, size in enumerate(seen.shape.as_list())])
    return result


def _known_rates(dilation_rate):
    rates = static_value(dilation_rate)
    if rates is None or rates.ndim != 1:
        raise ValueError("dilation_rate must be a vector that is known while the graph is built")
    if rates.min() < 1:
        raise ValueError("dilation_rate must be positive")
    return rates.tolist()


def _sizes_of(input, axes):
    """The sizes of axes: numbers where all are known, else a tensor."""
    known = input.shape.as_list() if input.shape.rank is not None else None
    if known is not None and all(known[axis] is not None for axis in axes):
        return [known[axis] for axis in axes]
    sizes = array.shape(input)
    return array.stack([sizes[axis] if known is None or known[axis] is None else known[axis] for axis in axes])


def _base_paddings(padding, filter_shape, rates):
    """What goes before and after each axis of space."""
    if padding == "VALID":
        return np.zeros([len(rates), 2], np.int32)
    if padding != "SAME":
        raise ValueError(f"Invalid padding method {padding!r}")
    if filter_shape is None:
        raise ValueError("filter_shape must be specified for SAME padding")
    filter_shape = convert_to_tensor(filter_shape, name="filter_shape")
    known = static_value(filter_shape)
    sizes = [filter_shape[axis] for axis in range(len(rates))] if known is None else known.tolist()
    extra = [(size - 1) * rate for size, rate in zip(sizes, rates)]
    return array.stack([[more // 2, more - more // 2] for more in extra])


def _from_axis_one(numbers, axes, fill):
    """One row of `numbers` for each axis of space, with `fill` for the axes from 1 on that are none."""
    known = static_value(numbers)
    numbers = numbers if known is None else known
    if axes == list(range(1, len(axes) + 1)):
        return numbers
    rows = [numbers[axes.index(axis)] if axis in axes else fill for axis in range(1, axes[-1] + 1)]
    return array.stack(rows) if known is None else np.array(rows, np.int32)


@export("nn.atrous_conv2d")
def atrous_conv2d(value, filters, rate, padding, name=None):
    """Convolves images with a dilated (atrous) filter, which skips rate - 1 pixels between its elements.

    Args:
        value: [batch, height, width, channels].
        filters: [height, width, channels in, channels out].
        rate: the distance between the elements that the filter sees.
        padding: "SAME" or "VALID".
        name: a name for the operations.
    """
    return convolution(value, filters, padding, dilation_rate=[rate, rate], name=name)


# ---- transposed

def _transposed(default, count, op):
    """The transpose of the convolution over `count` axes, as a function of its public arguments."""
    def function(input, filters, output_shape, strides, padding, data_format, dilations, name):
        with name_scope(name, default, [input, filters, output_shape]) as scope:
            order = data_format or _FORMATS[count][0]
            return op(output_shape, filters, input, strides=along_all(strides, count, order, "strides"),
                      padding=padding, data_format=order, dilations=along_all(dilations, count, order, "dilations"),
                      name=scope)
    return function


_back_2d = _transposed("conv2d_transpose", 2, conv.conv2d_backprop_input)
_back_3d = _transposed("conv3d_transpose", 3, conv.conv3d_backprop_input_v2)


@export("nn.conv2d_transpose")
def conv2d_transpose(value=None, filter=None, output_shape=None, strides=None, padding="SAME", data_format="NHWC",
                     name=None, input=None, filters=None, dilations=None):
    """Computes the transposed convolution, the gradient of `tf.nn.conv2d` by its input, which upsamples images.

    Args:
        value: the older name of `input`.
        filter: the older name of `filters`.
        output_shape: the shape of the result, a list or 1-D tensor.
        strides: one number, two, or four: how far apart the elements are spread.
        padding: "SAME" or "VALID".
        data_format: "NHWC" or "NCHW".
        name: a name for the operation.
        input: [batch, height, width, channels], or with the channels second.
        filters: [height, width, channels out, channels in].
        dilations: one number, two, or four: the distance between the elements that a filter sees.
    """
    return _back_2d(either("input", input, "value", value), either("filters", filters, "filter", filter), output_shape,
                    strides, padding, data_format, dilations, name)


@export("nn.conv3d_transpose")
def conv3d_transpose(value, filter=None, output_shape=None, strides=None, padding="SAME", data_format="NDHWC",
                     name=None, input=None, filters=None, dilations=None):
    """The transpose (the gradient by its input) of `tf.nn.conv3d`; see `tf.nn.conv2d_transpose` for the arguments."""
    return _back_3d(either("input", input, "value", value), either("filters", filters, "filter", filter), output_shape,
                    strides, padding, data_format, dilations, name)


@export("nn.conv1d_transpose")
def conv1d_transpose(input, filters, output_shape, strides, padding="SAME", data_format="NWC", dilations=None,
                     name=None):
    """The transpose (the gradient by its input) of `tf.nn.conv1d`.

    Args:
        input: [batch, width, channels], or with the channels second.
        filters: [width, channels out, channels in].
        output_shape: the shape of the result, three numbers.
        strides: how far apart the elements are spread.
        padding: "SAME" or "VALID".
        data_format: "NWC" or "NCW".
        dilations: the distance between the elements that a filter sees.
        name: a name for the operations.
    """
    with name_scope(name, "conv1d_transpose", [input, filters, output_shape]) as scope:
        order, axis = _as_image(data_format)
        image, filters = array.expand_dims(input, axis), array.expand_dims(filters, 0)
        sizes = list(output_shape) if isinstance(output_shape, (list, tuple)) else output_shape
        sizes = [*sizes[:axis], 1, *sizes[axis:]] if isinstance(sizes, list) else \
            array.concat([sizes[:axis], [1], sizes[axis:]], 0)
        result = conv.conv2d_backprop_input(
            sizes, filters, image, strides=_in_image(strides, order, "strides"), padding=padding, data_format=order,
            dilations=_in_image(dilations, order, "dilations"), name=scope)
        return array.squeeze(result, axis)


@export("nn.conv_transpose")
def conv_transpose(input, filters, output_shape, strides, padding="SAME", data_format=None, dilations=None, name=None):
    """The transpose of a convolution over one, two or three axes, as many as `output_shape` says.

    Raises:
        ValueError: the number of axes is not known or another.
    """
    with name_scope(name, "conv_transpose", [input, filters, output_shape]) as scope:
        rank = len(output_shape) if isinstance(output_shape, (list, tuple)) else \
            dimension_value(convert_to_tensor(output_shape).shape[0])
        if rank is None:
            raise ValueError("output_shape must have a known length")
        if not 3 <= rank <= 5:
            raise ValueError(f"output_shape must be of length 3, 4 or 5 but was {rank}.")
        back = {3: conv1d_transpose, 4: _back_2d, 5: _back_3d}[rank]
        data_format = data_format or _FORMATS[rank - 2][0]
        return back(input, filters, output_shape, strides, padding, data_format, dilations, scope)


@export("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None):
    """The transpose (the gradient by its input) of `tf.nn.atrous_conv2d`.

    Args:
        value: [batch, height, width, channels].
        filters: [height, width, channels out, channels in].
        output_shape: the shape of the result.
        rate: the distance between the elements that the filter sees.
        padding: "SAME" or "VALID".
        name: a name for the operations.

    Raises:
        ValueError: the rate is less than 1, or the padding unknown.
    """
    with name_scope(name, "atrous_conv2d_transpose", [value, filters, output_shape]) as scope:
        value, filters = convert_to_tensor(value, name="value"), convert_to_tensor(filters, name="filters")
        if rate < 1:
            raise ValueError(f"rate {rate} cannot be less than one")
        if padding not in ("SAME", "VALID"):
            raise ValueError("padding must be either VALID or SAME: {padding!r}")
        if rate == 1:
            return conv2d_transpose(value, filters, output_shape, [1, 1, 1, 1], padding)
        return _holes_transposed(value, filters, output_shape, rate, padding, scope)


def _holes_transposed(value, filters, output_shape, rate, padding, name):
    """Elements that are `rate` apart go into images of their own, which are convolved back and put together."""
    output_shape = convert_to_tensor(output_shape, name="output_shape")
    of_filter = [array.shape(filters)[axis] if size is None else size
                 for axis, size in enumerate(filters.shape.with_rank(4).as_list())]
    reach = [1 + (size - 1) * rate for size in of_filter[:2]]
    before = [(size - 1) // 2 if padding == "SAME" else 0 for size in reach]
    around = [size - 1 if padding == "SAME" else 0 for size in reach]
    whole = [output_shape[axis + 1] + around[axis] for axis in range(2)]
    more = [(rate - size % rate) % rate for size in whole]
    inner = [(size + extra) // rate for size, extra in zip(whole, more)]
    result = conv.conv2d_backprop_input(
        array.stack([array.shape(value)[0] * rate * rate, *inner, of_filter[2]]), filters,
        _apart(value, rate, inner, of_filter), strides=[1, 1, 1, 1], padding="VALID")
    crops = array.stack([array.stack([first, all_ - first + extra])
                         for first, all_, extra in zip(before, around, more)])
    result = blocks.batch_to_space_nd(result, [rate, rate], crops, name=name)
    result.set_shape(denoted_shape(output_shape))
    return result


def _apart(value, rate, inner, filter_shape):
    """Images of elements that are `rate` apart, padded so that the convolution back gives the `inner` sizes."""
    sizes = array.shape(value)
    pads = [[0, (inner[axis] - filter_shape[axis] + 1) * rate - sizes[axis + 1]] for axis in range(2)]
    return blocks.space_to_batch_nd(value, [rate, rate], array.stack([array.stack(pair) for pair in pads]))


# ---- by channel

@export("nn.depthwise_conv2d")
def depthwise_conv2d(input, filter, strides, padding, rate=None, name=None, data_format=None, dilations=None):
    """Convolves each channel of images with filters of its own; channels are not mixed.

    Args:
        input: [batch, height, width, channels], or with the channels second.
        filter: [height, width, channels, filters of each channel].
        strides: four numbers: the steps of the window.
        padding: "SAME" or "VALID".
        rate: two numbers: the distance between the elements that a filter sees; where it is not 1 the strides must be.
        name: a name for the operations.
        data_format: "NHWC" or "NCHW".
        dilations: another name of `rate`.

    Returns:
        Images with channels * filters of each channel.
    """
    rate = either("dilations", dilations, "rate", rate)
    with name_scope(name, "depthwise", [input, filter]) as scope:
        input, filter = convert_to_tensor(input, name="tensor_in"), convert_to_tensor(filter, name="filter_in")
        return _by_channel(input, filter, strides, padding, rate, data_format, scope)


def _by_channel(input, filter, strides, padding, rate, data_format, name):
    def convolve(tensor, _, padding):
        return depthwise.depthwise_conv2d_native(tensor, filter, strides=strides, padding=padding,
                                                 data_format=data_format or "NHWC", name=name)

    return with_space_to_batch(input, [1, 1] if rate is None else rate, padding, convolve,
                               filter_shape=array.shape(filter), data_format=data_format)


@export("nn.separable_conv2d")
def separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, rate=None, name=None,
                     data_format=None, dilations=None):
    """Computes a depthwise convolution of each channel, then a 1x1 convolution that mixes the channels.

    Args:
        input: [batch, height, width, channels], or with the channels second.
        depthwise_filter: [height, width, channels, filters of each channel].
        pointwise_filter: [1, 1, channels * filters of each channel, channels out].
        strides: four numbers: the steps of the window.
        padding: "SAME" or "VALID".
        rate: two numbers: the distance between the elements that a filter sees; where it is not 1 the strides must be.
        name: a name for the operations.
        data_format: "NHWC" or "NCHW".
        dilations: another name of `rate`.

    Raises:
        ValueError: the filters do not fit each other.
    """
    rate = either("dilations", dilations, "rate", rate)
    with name_scope(name, "separable_conv2d", [input, depthwise_filter, pointwise_filter]) as scope:
        input = convert_to_tensor(input, name="tensor_in")
        by_channel = convert_to_tensor(depthwise_filter, name="depthwise_filter")
        mixing = convert_to_tensor(pointwise_filter, name="pointwise_filter")
        mixing.shape.with_rank(4).dims[0].assert_is_compatible_with(1)
        mixing.shape.with_rank(4).dims[1].assert_is_compatible_with(1)
        apart = _by_channel(input, by_channel, strides, padding, rate, data_format, "depthwise")
        return conv2d(apart, mixing, [1, 1, 1, 1], "VALID", data_format=data_format or "NHWC", name=scope)


# ---- morphology

@export("nn.dilation2d")
def dilation2d(input, filter=None, strides=None, rates=None, padding=None, name=None, filters=None, dilations=None):
    """The largest sum of image and filter that a window sees, channel by channel.

    Args:
        input: [batch, height, width, channels].
        filter: [height, width, channels].
        strides: four numbers: the steps of the window.
        rates: four numbers: the distance between the elements that a filter sees.
        padding: "SAME" or "VALID".
        name: a name for the operation.
        filters: another name of `filter`.
        dilations: another name of `rates`.
    """
    return depthwise.dilation2d(input, either("filters", filters, "filter", filter), strides=strides,
                                rates=either("dilations", dilations, "rates", rates), padding=padding, name=name)


@export("nn.erosion2d")
def erosion2d(value, kernel, strides, rates, padding, name=None):
    """The smallest difference of image and kernel that a window sees: the dilation of the negative image."""
    with name_scope(name, "erosion2d", [value, kernel]) as scope:
        negative = -convert_to_tensor(value)
        return -depthwise.dilation2d(negative, reverse_v2(kernel, [0, 1]), strides=strides, rates=rates,
                                     padding=padding, name=scope)


# ---- gradients of convolutions, by the names programs know

@export("nn.conv2d_backprop_filter")
def conv2d_backprop_filter(input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu=True,
                           data_format="NHWC", dilations=[1, 1, 1, 1], name=None):  # noqa: B006 - never changed
    """The gradient of `tf.nn.conv2d`, see there, by its filter, which has the shape `filter_sizes`."""
    return conv.conv2d_backprop_filter(input, filter_sizes, out_backprop, strides=strides,
                                       **_padding(padding, data_format), use_cudnn_on_gpu=use_cudnn_on_gpu,
                                       data_format=data_format, dilations=dilations, name=name)


@export("nn.conv2d_backprop_input")
def conv2d_backprop_input(input_sizes, filter=None, out_backprop=None, strides=None, padding=None,
                          use_cudnn_on_gpu=True, data_format="NHWC", dilations=[1, 1, 1, 1],  # noqa: B006
                          name=None, filters=None):
    """The gradient of `tf.nn.conv2d`, see there, by its input, which has the shape `input_sizes`."""
    return conv.conv2d_backprop_input(input_sizes, either("filters", filters, "filter", filter), out_backprop,
                                      strides=strides, **_padding(padding, data_format),
                                      use_cudnn_on_gpu=use_cudnn_on_gpu, data_format=data_format, dilations=dilations,
                                      name=name)
