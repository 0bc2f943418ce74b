"""Convolution layers in one, two and three dimensions."""
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
from evergraph.layers.sizes import (
    FIRST,
    LAST,
    SIZES,
    as_tuple,
    channel_axis,
    convolved_size,
    known_format,
    known_padding,
    layout,
)
from evergraph.ops.nn import conv


class Convolution(Layer):
    """The base class of convolution layers; `rank` is the number of spatial dimensions."""

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
            raise ValueError(f"each size in `kernel_size` is 1 or more; got {kernel_size}")
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
    """Strides for all dimensions: 1 for batch and channels."""
    return [1, *strides, 1] if data_format == "channels_last" else [1, 1, *strides]


_ARGUMENTS = """
    Args:
        filters: the number of output channels.
        kernel_size: the spatial size of the kernel: {sizes}.
        strides: the strides of the convolution: {sizes}.
        padding: {padding}
        data_format: "channels_last" for inputs of shape {last}, or "channels_first" for
            {first}.
        {dilation}activation: the activation function, or its name; None for a linear layer.
        use_bias: whether to add a bias.
        kernel_initializer: the initializer of the kernel; by default that of the variable scope.
        bias_initializer: the initializer of the bias.
        kernel_regularizer: a function from the kernel to a regularization loss.
        bias_regularizer: a function from the bias to a regularization loss.
        activity_regularizer: a function from the output to a regularization loss.
        kernel_constraint: a function that optimizers apply to the kernel after each update.
        bias_constraint: a function that optimizers apply to the bias after each update.
        trainable: whether the variables are added to the collection of trainable variables.
        name: the name of the layer and its variable scope.
        **kwargs: see `tf.layers.Layer`.

    Raises:
        ValueError: a size has the wrong number of elements, or an argument is unknown.
    """
_DILATION = """dilation_rate: the dilation of the kernel (atrous convolution); values above 1 need strides of 1.
        """
_PADDING = """"valid" for no padding, or "same" for padding with zeros to an output size of input size / stride,
            rounded up."""
_TRANSPOSED_PADDING = """"same" for an output size of input size * stride, or "valid" for one that is larger by as
            much as the kernel exceeds the stride."""


def documented(transposed=False):
    """Decorator: appends the arguments of convolution layers to the docstring of a class."""
    def decorate(layer):
        rank = layer.rank
        layer.__doc__ = layer.__doc__.rstrip() + "\n" + _ARGUMENTS.format(
            sizes=SIZES[rank], last=LAST[rank], first=FIRST[rank], dilation="" if transposed else _DILATION,
            padding=_TRANSPOSED_PADDING if transposed else _PADDING)
        return layer
    return decorate


@export("layers.Conv1D")
@documented()
class Conv1D(Convolution):
    """A 1-D convolution layer, such as a temporal convolution: activation(conv1d(inputs, kernel) + bias)."""

    rank = 1


@export("layers.Conv2D")
@documented()
class Conv2D(Convolution):
    """A 2-D convolution layer, for images: activation(conv2d(inputs, kernel) + bias)."""

    rank = 2


@export("layers.Conv3D")
@documented()
class Conv3D(Convolution):
    """A 3-D convolution layer, for volumes and videos: activation(conv3d(inputs, kernel) + bias)."""

    rank = 3


conv1d = export("layers.conv1d")(function_of(Conv1D, "conv1d"))
conv2d = export("layers.conv2d")(function_of(Conv2D, "conv2d"))
conv3d = export("layers.conv3d")(function_of(Conv3D, "conv3d"))
