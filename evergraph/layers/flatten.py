"""Flatten layers: all axes but that of the batch made one."""
from __future__ import annotations

import math

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.layer import Layer
from evergraph.layers.sizes import known_format


@export("layers.Flatten")
class Flatten(Layer):
    """Flattens inputs of shape [batch, ...] to [batch, number of elements].

    >>> tf.layers.Flatten()(tf.zeros([2, 3, 4])).shape.as_list()
    [2, 12]

    Args:
        data_format: "channels_last", the default, or "channels_first" for inputs of shape [batch, channels, ...], whose
            channels are moved to the end before flattening.
        **kwargs: see `tf.layers.Layer`.
    """

    fields = ("data_format",)

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = known_format(data_format)
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs):
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.rank
        if self.data_format == "channels_first" and rank is not None and rank > 1:
            inputs = array.transpose(inputs, [0, *range(2, rank), 1])
        batch = inputs.shape.as_list()[0] or array.shape(inputs)[0]
        outputs = array.reshape(inputs, [batch, -1])
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        if not sizes:
            return TensorShape([1])
        return TensorShape([sizes[0], math.prod(sizes[1:]) if all(sizes[1:]) else None])


@export("layers.flatten")
def flatten(inputs, name=None, data_format="channels_last"):
    """Flattens `inputs` to [batch, number of elements]: the functional form of `tf.layers.Flatten`.

    Args:
        inputs: a tensor of shape [batch, ...].
        name: the name of the layer.
        data_format: "channels_last" or "channels_first", see `tf.layers.Flatten`.
    """
    return Flatten(name=name, data_format=data_format)(inputs)
