"""Depthwise separable convolution layers."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.nn import activations
from evergraph.frontend.nn.convolution import separable_conv2d as convolve_separably
from evergraph.frontend.variables import regularizers
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.layers import identifiers
from evergraph.layers.convolution import Convolution, with_ends
from evergraph.layers.functional import function_of
from evergraph.layers.sizes import FIRST, LAST, SIZES, layout

_ARGUMENTS = """
    Args:
        filters: the number of output channels.
        kernel_size: the spatial size of the depthwise kernel: {sizes}.
        strides: the strides of the depthwise convolution: {sizes}; equal in all dimensions.
        padding: "valid" for no padding, or "same" for padding with zeros to an output size of input size / stride,
            rounded up.
        data_format: "channels_last" for inputs of shape {last}, or "channels_first" for
            {first}.
        dilation_rate: the dilation of the depthwise kernel; values above 1 need strides of 1.
        depth_multiplier: the number of channels that the depthwise convolution makes of each input channel.
        activation: the activation function, or its name; None for a linear layer.
        use_bias: whether to add a bias.
        depthwise_initializer: the initializer of the depthwise kernel; by default that of the variable scope.
        pointwise_initializer: the initializer of the pointwise kernel; by default that of the variable scope.
        bias_initializer: the initializer of the bias.
        depthwise_regularizer: a function from the depthwise kernel to a regularization loss.
        pointwise_regularizer: a function from the pointwise kernel to a regularization loss.
        bias_regularizer: a function from the bias to a regularization loss.
        activity_regularizer: a function from the output to a regularization loss.
        depthwise_constraint: a function that optimizers apply to the depthwise kernel after each update.
        pointwise_constraint: a function that optimizers apply to the pointwise kernel after each update.
        bias_constraint: a function that optimizers apply to the bias after each update.
        trainable: whether the variables are added to the collection of trainable variables.
        name: the name of the layer and its variable scope.
        **kwargs: see `tf.layers.Layer`.

    Raises:
        ValueError: a size has the wrong number of elements, or an argument is unknown.
    """


def _described(rank):
    """The docstring of a layer with this number of spatial dimensions."""
    arguments = _ARGUMENTS.format(sizes=SIZES[rank], last=LAST[rank], first=FIRST[rank])
    return (f"A depthwise separable {rank}-D convolution layer: one convolution for each channel, then a pointwise one."
            f"\n{arguments}")


class SeparableConvolution(Convolution):
    """The base class of depthwise separable convolution layers."""

    fields = (*(field for field in Convolution.fields if not field.startswith("kernel_") or field == "kernel_size"),
              "depth_multiplier", "depthwise_initializer", "pointwise_initializer", "depthwise_regularizer",
              "pointwise_regularizer", "depthwise_constraint", "pointwise_constraint")

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format="channels_last", dilation_rate=1,
                 depth_multiplier=1, activation=None, use_bias=True, depthwise_initializer=None,
                 pointwise_initializer=None, bias_initializer=zeros_initializer(), depthwise_regularizer=None,
                 pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 depthwise_constraint=None, pointwise_constraint=None, bias_constraint=None, trainable=True, name=None,
                 **kwargs):
        super().__init__(
            filters, kernel_size, strides=strides, padding=padding, data_format=data_format,
            dilation_rate=dilation_rate, activation=activation, use_bias=use_bias, bias_initializer=bias_initializer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            bias_constraint=bias_constraint, trainable=trainable, name=name, **kwargs)
        self.depth_multiplier = depth_multiplier
        self.depthwise_initializer = identifiers.initializer(depthwise_initializer)
        self.pointwise_initializer = identifiers.initializer(pointwise_initializer)
        self.depthwise_regularizer = regularizers.get(depthwise_regularizer)
        self.pointwise_regularizer = regularizers.get(pointwise_regularizer)
        self.depthwise_constraint = identifiers.constraint(depthwise_constraint)
        self.pointwise_constraint = identifiers.constraint(pointwise_constraint)

    def build(self, input_shape):
        channels = self._expect_channels(input_shape)
        self.depthwise_kernel = self.add_weight(
            "depthwise_kernel", shape=[*self.kernel_size, channels, self.depth_multiplier],
            initializer=self.depthwise_initializer, regularizer=self.depthwise_regularizer,
            constraint=self.depthwise_constraint)
        self.pointwise_kernel = self.add_weight(
            "pointwise_kernel", shape=[1] * self.rank + [self.depth_multiplier * channels, self.filters],
            initializer=self.pointwise_initializer, regularizer=self.pointwise_regularizer,
            constraint=self.pointwise_constraint)
        self._add_bias()
        self.built = True

    def _of_images(self, images, depthwise, pointwise, strides, rate):
        return convolve_separably(images, depthwise, pointwise, strides=with_ends(strides, self.data_format),
                                  padding=self.padding.upper(), rate=rate, data_format=layout(self.data_format, 4))


@export("layers.SeparableConv1D")
class SeparableConv1D(SeparableConvolution):
    __doc__ = _described(1)
    rank = 1

    def call(self, inputs):
        axis = 1 if self.data_format == "channels_last" else 2  # of the height, 1, that makes an image of a sequence
        outputs = self._of_images(
            array.expand_dims(inputs, axis), array.expand_dims(self.depthwise_kernel, 0),
            array.expand_dims(self.pointwise_kernel, 0), self.strides * 2, (1, *self.dilation_rate))
        if self.use_bias:
            outputs = activations.bias_add(outputs, self.bias, data_format=layout(self.data_format, 4))
        outputs = array.squeeze(outputs, [axis])
        return outputs if self.activation is None else self.activation(outputs)


@export("layers.SeparableConv2D")
class SeparableConv2D(SeparableConvolution):
    __doc__ = _described(2)
    rank = 2

    def call(self, inputs):
        return self._finished(self._of_images(inputs, self.depthwise_kernel, self.pointwise_kernel, self.strides,
                                              self.dilation_rate))


separable_conv1d = export("layers.separable_conv1d")(function_of(SeparableConv1D, "separable_conv1d"))
separable_conv2d = export("layers.separable_conv2d")(function_of(SeparableConv2D, "separable_conv2d"))
