"""Convolution layers: filters that slide over one, two or three axes."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.nn import activations
from evergraph.frontend.nn.convolution import conv1d as convolve1d
from evergraph.frontend.nn.convolution import with_space_to_batch
from evergraph.frontend.variables import regularizers
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers import identifiers
from evergraph.layers.functional import function_of
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.layer import Layer
from evergraph.layers.sizes import as_tuple, channel_axis, convolved_size, known_format, known_padding, layout
from evergraph.ops.nn import conv


class Convolution(Layer):
    """What layers with filters share; `rank` is the number of axes that the filters slide over."""

    rank = 2
    paddings = ("valid", "same")
    fields = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation", "use_bias",
              "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer",
              "activity_regularizer", "kernel_constraint", "bias_constraint")

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format="channels_last", dilation_rate=1,
                 activation=None, use_bias=True, kernel_initializer=None, bias_initializer=zeros_initializer(),
                 kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, activity_regularizer=regularizers.get(activity_regularizer),
                         **kwargs)
        self.filters = int(filters) if filters is not None else None
        self.kernel_size = as_tuple(kernel_size, self.rank, "kernel_size")
        if not all(self.kernel_size):
            raise ValueError(f"The argument `kernel_size` cannot contain 0(s). Received: {kernel_size}")
        self.strides = as_tuple(strides, self.rank, "strides")
        self.padding, self.data_format = known_padding(padding, self.paddings), known_format(data_format)
        self.dilation_rate = as_tuple(dilation_rate, self.rank, "dilation_rate")
        self.activation, self.use_bias = identifiers.activation(activation), use_bias
        self.kernel_initializer = identifiers.initializer(kernel_initializer)
        self.bias_initializer = identifiers.initializer(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = identifiers.constraint(kernel_constraint)
        self.bias_constraint = identifiers.constraint(bias_constraint)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def build(self, input_shape):
        channels = self._expect_channels(input_shape)
        self.kernel = self.add_weight("kernel", shape=[*self.kernel_size, *self._kernel_channels(channels)],
                                      initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
                                      constraint=self.kernel_constraint)
        self._add_bias()
        self.built = True

    def _expect_channels(self, input_shape):
        """The number of channels of the inputs, which all calls must have from now on."""
        axis = channel_axis(self.data_format)
        channels = TensorShape(input_shape).as_list()[axis]
        if channels is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})
        return channels

    def _kernel_channels(self, channels):
        return [channels, self.filters]

    def _add_bias(self):
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight("bias", shape=[self.filters], initializer=self.bias_initializer,
                                        regularizer=self.bias_regularizer, constraint=self.bias_constraint)

    def call(self, inputs):
        return self._finished(self._convolved(convert_to_tensor(inputs)))

    def _convolved(self, inputs):
        if all(rate == 1 for rate in self.dilation_rate):
            return self._convolve(inputs, self.padding.upper())
        start = 1 if self.data_format == "channels_last" else 2
        outputs = with_space_to_batch(
            inputs, dilation_rate=self.dilation_rate, padding=self.padding.upper(),
            op=lambda tensor, _, padding: self._convolve(tensor, padding), filter_shape=self.kernel_size,
            spatial_dims=list(range(start, start + self.rank)), data_format=layout(self.data_format, self.rank + 2))
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def _convolve(self, inputs, padding):
        order = layout(self.data_format, self.rank + 2)
        if self.rank == 1:
            return convolve1d(inputs, self.kernel, stride=self.strides[0], padding=padding, data_format=order)
        op = conv.conv2d if self.rank == 2 else conv.conv3d
        return op(inputs, self.kernel, strides=with_ends(self.strides, self.data_format), padding=padding,
                  data_format=order)

    def _finished(self, outputs):
        """The outputs with bias and activation."""
        if self.use_bias:
            if self.rank == 1 and self.data_format == "channels_first":
                outputs = outputs + array.reshape(self.bias, [1, self.filters, 1])
            else:
                order = "NHWC" if self.data_format == "channels_last" else "NCHW"
                outputs = activations.bias_add(outputs, self.bias, data_format=order)
        return outputs if self.activation is None else self.activation(outputs)

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        space = sizes[1:-1] if self.data_format == "channels_last" else sizes[2:]
        space = [convolved_size(size, window, self.padding, stride, rate) for size, window, stride, rate in
                 zip(space, self.kernel_size, self.strides, self.dilation_rate)]
        return self._shape_of(sizes[0], space)

    def _shape_of(self, batch, space):
        inner = [*space, self.filters] if self.data_format == "channels_last" else [self.filters, *space]
        return TensorShape([batch, *inner])


def with_ends(strides, data_format):
    """Strides along all axes, 1 for the batch and the channels."""
    return [1, *strides, 1] if data_format == "channels_last" else [1, 1, *strides]


_ARGUMENTS = """
    Args:
        filters: the number of channels of the output.
        kernel_size: the size of the filters: {sizes}.
        strides: how far the filters move at a time: {sizes}.
        padding: "valid" for none, or "same" for an output as large as the input, over the strides.
        data_format: "channels_last", {last}, or "channels_first", {first}.
        {dilation}activation: a function of the output, or its name; None for none.
        use_bias: whether there is a bias.
        kernel_initializer: what the filters start with; by default what the variable scope says.
        bias_initializer: what the bias starts with.
        kernel_regularizer: a function of the filters whose result joins the losses.
        bias_regularizer: a function of the bias whose result joins the losses.
        activity_regularizer: a function of the output whose result joins the losses.
        kernel_constraint: a function that optimizers apply to the filters after each step.
        bias_constraint: a function that optimizers apply to the bias after each step.
        trainable: whether the variables are.
        name: the name of the layer.
        **kwargs: see `tf.layers.Layer`.
    """
_SIZES = {1: "an integer", 2: "an integer, or two for height and width",
          3: "an integer, or three for depth, height and width"}
_LAST = {1: "[batch, length, channels]", 2: "[batch, height, width, channels]",
         3: "[batch, depth, height, width, channels]"}
_FIRST = {1: "[batch, channels, length]", 2: "[batch, channels, height, width]",
          3: "[batch, channels, depth, height, width]"}


def documented(dilated=True):
    """Ends the docstring of a class with the arguments that convolutions share."""
    dilation = "dilation_rate: how far apart the elements of the filters are; strides must be 1 then.\n        "

    def decorate(layer):
        rank = layer.rank
        layer.__doc__ = layer.__doc__.rstrip() + "\n" + _ARGUMENTS.format(
            sizes=_SIZES[rank], last=_LAST[rank], first=_FIRST[rank], dilation=dilation if dilated else "")
        return layer
    return decorate


@export("layers.Conv1D")
@documented()
class Conv1D(Convolution):
    """Filters that slide over one axis, such as time."""

    rank = 1


@export("layers.Conv2D")
@documented()
class Conv2D(Convolution):
    """Filters that slide over two axes, such as those of images."""

    rank = 2


@export("layers.Conv3D")
@documented()
class Conv3D(Convolution):
    """Filters that slide over three axes, such as those of volumes."""

    rank = 3


conv1d = export("layers.conv1d")(function_of(Conv1D, "conv1d"))
conv2d = export("layers.conv2d")(function_of(Conv2D, "conv2d"))
conv3d = export("layers.conv3d")(function_of(Conv3D, "conv3d"))
