"""tf.keras.layers: locally connected layers, convolutions without weight sharing."""
from __future__ import annotations

import math

import numpy as np

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.matmul import matmul
from evergraph.frontend.sparse.arithmetic import sparse_tensor_dense_matmul
from evergraph.graph.composite import SparseTensor
from evergraph.keras import settings
from evergraph.keras.layer import Layer, resolved
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.sizes import as_tuple, convolved_size

_ARGUMENTS = """
    Args:
        filters: the number of output channels.
        kernel_size: the size of the filters: {sizes}.
        strides: the strides of the convolution: {sizes}.
        padding: "valid"; also "same" in implementations 2 and 3.
        data_format: "channels_last", or "channels_first" for channels after the batch.
        activation: the activation function, or its name; None for none.
        use_bias: whether to add a bias, which differs between positions too.
        kernel_initializer: the initializer of the filters.
        bias_initializer: the initializer of the bias.
        kernel_regularizer: a penalty on the filters, added to the losses.
        bias_regularizer: a penalty on the bias, added to the losses.
        activity_regularizer: a penalty on the output, added to the losses.
        kernel_constraint: a projection of the filters that optimizers apply after each step.
        bias_constraint: a projection of the bias that optimizers apply after each step.
        implementation: how the filters are kept: 1 for one bank of filters for each position; 2 for a matrix from all
            inputs to all outputs, with zeros where they are not connected; 3 for the elements of that matrix that are
            not zero.
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        ValueError: the padding is not "valid" in implementation 1, or there is no such implementation.
    """


class LocallyConnected(Layer):
    """The base of locally connected layers; `rank` is the number of spatial axes."""

    rank = 1
    fields = ("filters", "kernel_size", "strides", "padding", "data_format", "activation", "use_bias",
              "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer",
              "activity_regularizer", "kernel_constraint", "bias_constraint", "implementation")

    def _settle(self, given, kwargs):
        Layer.__init__(self, activity_regularizer=given.pop("activity_regularizer"), **kwargs)
        vars(self).update(given)
        self.kernel_size = as_tuple(self.kernel_size, self.rank, "kernel_size")
        self.strides = as_tuple(self.strides, self.rank, "strides")
        self.data_format = settings.layout_of(self.data_format)
        if self.implementation not in (1, 2, 3):
            raise ValueError(f"LocallyConnected{self.rank}D has the implementations 1, 2 and 3, not "
                             f"{self.implementation}")
        if self.padding != "valid" and self.implementation == 1:
            raise ValueError(f"Invalid border mode for LocallyConnected{self.rank}D: its implementation 1 pads by "
                             f'"valid" only, got {self.padding!r}')
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _space(self, sizes):
        inner = sizes[1:-1] if self.data_format == "channels_last" else sizes[2:]
        return [convolved_size(size, window, self.padding, stride)
                for size, window, stride in zip(inner, self.kernel_size, self.strides)]

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        channels = sizes[-1 if self.data_format == "channels_last" else 1]
        self.places = self._space(sizes)
        if channels is None or None in self.places:
            raise ValueError(f"LocallyConnected{self.rank}D needs to know the sizes of its inputs, got shape "
                             f"{input_shape}")
        self._inner = sizes[1:-1] if self.data_format == "channels_last" else sizes[2:]
        self._channels = channels
        self.kernel = self.add_weight(
            "kernel", shape=self._kernel_shape(), initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint)
        self.bias = self.add_weight(
            "bias", shape=[*self.places, self.filters], initializer=self.bias_initializer,
            regularizer=self.bias_regularizer, constraint=self.bias_constraint) if self.use_bias else None
        axis = -1 if self.data_format == "channels_last" else 1
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})
        self.built = True

    def _kernel_shape(self):
        if self.implementation == 1:
            return [math.prod(self.places), math.prod(self.kernel_size) * self._channels, self.filters]
        if self.implementation == 3:
            return [int(np.count_nonzero(self._connected()))]
        if self.data_format == "channels_last":
            return [*self._inner, self._channels, *self.places, self.filters]
        return [self._channels, *self._inner, self.filters, *self.places]

    def _connected(self):
        """Whether each input has a share in each output: an array [inputs, outputs]."""
        near = np.ones([1, 1], bool)
        for size, places, window, stride in zip(self._inner, self.places, self.kernel_size, self.strides):
            first = np.arange(places) * stride - (0 if self.padding == "valid" else window // 2)
            distance = np.arange(size)[:, None] - first
            near = np.kron(near, (distance >= 0) & (distance < window))
        channels = np.ones([self._channels, self.filters], bool)
        return np.kron(near, channels) if self.data_format == "channels_last" else np.kron(channels, near)

    def _multiplied(self, inputs):
        """The inputs times the matrix of implementation 2 or 3."""
        connected = self._connected()
        flat = array.reshape(inputs, [-1, connected.shape[0]])
        if self.implementation == 2:
            outputs = matmul(flat, array.reshape(self.kernel, connected.shape) * connected.astype("float32"))
        else:
            matrix = SparseTensor(np.argwhere(connected.T), self.kernel, connected.shape[::-1])
            outputs = array.transpose(sparse_tensor_dense_matmul(matrix, flat, adjoint_b=True))
        return array.reshape(outputs, [-1, *self.compute_output_shape(inputs.shape).as_list()[1:]])

    def call(self, inputs):
        outputs = self._multiplied(inputs) if self.implementation > 1 else \
            locally_convolved(inputs, self.kernel, self.kernel_size, self.strides, self.places, self.data_format)
        last = self.data_format == "channels_last"
        if self.bias is not None:
            bias = self.bias if last else array.transpose(self.bias, [self.rank, *range(self.rank)])
            outputs += array.expand_dims(bias, 0)
        return self.activation(outputs)

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        space = self._space(sizes)
        inner = [*space, self.filters] if self.data_format == "channels_last" else [self.filters, *space]
        return TensorShape([sizes[0], *inner])


def locally_convolved(inputs, kernel, kernel_size, strides, places, data_format):
    """Each window of the inputs times the filters of its position."""
    last, rank = data_format == "channels_last", len(places)
    windows = []
    for place in range(math.prod(places)):
        indices, rest = [], place
        for size in reversed(places):
            rest, index = divmod(rest, size)
            indices.insert(0, index)
        part = tuple(slice(index * stride, index * stride + window)
                     for index, stride, window in zip(indices, strides, kernel_size))
        window = inputs[(slice(None), *part, slice(None)) if last else (slice(None), slice(None), *part)]
        windows.append(array.reshape(window, [-1, kernel.shape.as_list()[1]]))
    outputs = matmul(array.stack(windows), kernel)  # [places, batch, filters]
    filters = kernel.shape.as_list()[2]
    outputs = array.reshape(outputs, [*places, -1, filters])
    order = [rank, *range(rank), rank + 1] if last else [rank, rank + 1, *range(rank)]
    outputs = array.transpose(outputs, order)
    outputs.set_shape([inputs.shape.as_list()[0], *([*places, filters] if last else [filters, *places])])
    return outputs


@export("keras.layers.LocallyConnected1D")
class LocallyConnected1D(LocallyConnected):
    __doc__ = f"""1-D locally connected layer: a convolution without weight sharing.
{_ARGUMENTS.format(sizes="an integer")}"""

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None, activation=None,
                 use_bias=True, kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 implementation=1, **kwargs):
        self._settle(resolved(locals()), kwargs)


@export("keras.layers.LocallyConnected2D")
class LocallyConnected2D(LocallyConnected):
    __doc__ = f"""2-D locally connected layer: a convolution without weight sharing.
{_ARGUMENTS.format(sizes="an integer, or two")}"""
    rank = 2

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None, activation=None,
                 use_bias=True, kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 implementation=1, **kwargs):
        self._settle(resolved(locals()), kwargs)
