"""Separable convolution layers: filters for each channel alone, then a mixing of channels."""
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
from evergraph.layers.sizes import layout

_ARGUMENTS = """
    Args:
        filters: the number of channels of the output.
        kernel_size: the size of the filters: {sizes}.
        strides: how far the filters move at a time: {sizes}; the same along all axes.
        padding: "valid" for none, or "same" for an output as large as the input, over the strides.
        data_format: "channels_last", or "channels_first" for channels right after the batch.
        dilation_rate: how far apart the elements of the filters are; strides must be 1 then.
        depth_multiplier: how many channels are made of each channel of the inputs, before they are mixed.
        activation: a function of the output, or its name; None for none.
        use_bias: whether there is a bias.
        depthwise_initializer: what the filters start with; by default what the variable scope says.
        pointwise_initializer: what the mixing starts with; by default what the variable scope says.
        bias_initializer: what the bias starts with.
        depthwise_regularizer: a function of the filters whose result joins the losses.
        pointwise_regularizer: a function of the mixing whose result joins the losses.
        bias_regularizer: a function of the bias whose result joins the losses.
        activity_regularizer: a function of the output whose result joins the losses.
        depthwise_constraint: a function that optimizers apply to the filters after each step.
        pointwise_constraint: a function that optimizers apply to the mixing after each step.
        bias_constraint: a function that optimizers apply to the bias after each step.
        trainable: whether the variables are.
        name: the name of the layer.
        **kwargs: see `tf.layers.Layer`.
    """


class SeparableConvolution(Convolution):
    """What separable convolutions share."""

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
    __doc__ = f"Filters for each channel that slide over one axis, then a mixing of channels.\n" \
              f"{_ARGUMENTS.format(sizes='an integer')}"
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
    __doc__ = f"Filters for each channel that slide over two axes, then a mixing of channels.\n" \
              f"{_ARGUMENTS.format(sizes='an integer, or two for height and width')}"
    rank = 2

    def call(self, inputs):
        return self._finished(self._of_images(inputs, self.depthwise_kernel, self.pointwise_kernel, self.strides,
                                              self.dilation_rate))


separable_conv1d = export("layers.separable_conv1d")(function_of(SeparableConv1D, "separable_conv1d"))
separable_conv2d = export("layers.separable_conv2d")(function_of(SeparableConv2D, "separable_conv2d"))
