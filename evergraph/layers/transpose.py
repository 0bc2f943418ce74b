"""Transposed convolution layers, also called deconvolutions."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.convolution import Convolution, documented, with_ends
from evergraph.layers.functional import function_of
from evergraph.layers.sizes import layout, transposed_size
from evergraph.ops.nn import conv


class TransposedConvolution(Convolution):
    """The base class of transposed convolution layers."""

    op = None
    fields = tuple(field for field in Convolution.fields if field != "dilation_rate")

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format="channels_last", activation=None,
                 use_bias=True, kernel_initializer=None, bias_initializer=zeros_initializer(), kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 trainable=True, name=None, **kwargs):
        super().__init__(
            filters, kernel_size, strides=strides, padding=padding, data_format=data_format, activation=activation,
            use_bias=use_bias, kernel_initializer=kernel_initializer, bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer, bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer, kernel_constraint=kernel_constraint,
            bias_constraint=bias_constraint, trainable=trainable, name=name, **kwargs)

    def _kernel_channels(self, channels):
        return [self.filters, channels]

    def _convolved(self, inputs):
        inputs = convert_to_tensor(inputs)
        outputs = type(self).op(
            self._output_sizes(inputs), self.kernel, inputs, strides=with_ends(self.strides, self.data_format),
            padding=self.padding.upper(), data_format=layout(self.data_format, self.rank + 2),
            name=f"conv{self.rank}d_transpose")
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def _output_sizes(self, inputs):
        """The shape of the output, by the shape that the inputs have when it runs."""
        sizes = array.shape(inputs)
        known = inputs.shape.as_list()
        start = 1 if self.data_format == "channels_last" else 2
        space = [self._size(axis, known, sizes, window, stride)
                 for axis, window, stride in zip(range(start, start + self.rank), self.kernel_size, self.strides)]
        inner = [*space, self.filters] if self.data_format == "channels_last" else [self.filters, *space]
        return array.stack([sizes[0], *inner])

    def _size(self, axis, known, sizes, window, stride):
        if known[axis] is not None:
            return transposed_size(known[axis], window, self.padding, stride)
        size = sizes[axis] * stride
        return size if self.padding == "same" else size + max(window - stride, 0)

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        space = sizes[1:-1] if self.data_format == "channels_last" else sizes[2:]
        space = [transposed_size(size, window, self.padding, stride)
                 for size, window, stride in zip(space, self.kernel_size, self.strides)]
        return self._shape_of(sizes[0], space)


@export("layers.Conv2DTranspose")
@documented(transposed=True)
class Conv2DTranspose(TransposedConvolution):
    """A transposed 2-D convolution layer, or deconvolution: the gradient of a 2-D convolution."""

    rank = 2
    op = conv.conv2d_backprop_input


@export("layers.Conv3DTranspose")
@documented(transposed=True)
class Conv3DTranspose(TransposedConvolution):
    """A transposed 3-D convolution layer, or deconvolution: the gradient of a 3-D convolution."""

    rank = 3
    op = conv.conv3d_backprop_input_v2


conv2d_transpose = export("layers.conv2d_transpose")(function_of(Conv2DTranspose, "conv2d_transpose"))
conv3d_transpose = export("layers.conv3d_transpose")(function_of(Conv3DTranspose, "conv3d_transpose"))
