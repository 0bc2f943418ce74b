"""Dropout layers: elements set to zero at random, in training only."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.control_flow import smart_cond
from evergraph.frontend.nn import activations
from evergraph.layers.layer import Layer
from evergraph.ops.arrays import basic


@export("layers.Dropout")
class Dropout(Layer):
    """`tf.nn.dropout` in training, the inputs as they are otherwise.

    Args:
        rate: the probability that an element is dropped.
        noise_shape: the shape of the random choice, None for sizes of the inputs: elements that share one are kept or
            dropped together.
        seed: see `tf.set_random_seed`.
        name: the name of the layer.
        **kwargs: see `tf.layers.Layer`.
    """

    fields = ("rate", "noise_shape", "seed")

    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed
        self.supports_masking = True

    def call(self, inputs, training=False):
        """The inputs with or without dropout.

        Args:
            inputs: a tensor.
            training: whether elements are dropped: a bool, or a bool tensor.
        """
        def dropped():
            noise_shape = self._noise_shape_for(inputs)
            return activations.dropout(inputs, noise_shape=noise_shape, seed=self.seed, rate=self.rate)
        return smart_cond(training, dropped, lambda: basic.identity(inputs))

    def _noise_shape_for(self, inputs):
        if self.noise_shape is None:
            return None
        sizes = array.shape(inputs)
        return [sizes[axis] if size is None else size for axis, size in enumerate(self.noise_shape)]

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)


@export("layers.dropout")
def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None):
    """Makes a `tf.layers.Dropout` with these arguments and calls it on `inputs`.

    Args:
        inputs: a tensor.
        rate: the probability that an element is dropped.
        noise_shape: the shape of the random choice, None for sizes of the inputs.
        seed: see `tf.set_random_seed`.
        training: whether elements are dropped: a bool, or a bool tensor.
        name: the name of the layer.
    """
    return Dropout(rate, noise_shape=noise_shape, seed=seed, name=name)(inputs, training=training)
