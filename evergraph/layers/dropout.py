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
    """Dropout (Srivastava et al., 2014): in training, sets elements to zero at random.

    The other elements are scaled by 1 / (1 - rate). Outside of training the output is the input.

    Args:
        rate: the probability that an element is dropped.
        noise_shape: the shape of the random mask, which is broadcast to the inputs: 1 for a dimension along which all
            elements are dropped or kept together, None for the size of the inputs.
        seed: the op-level seed, see `tf.set_random_seed`.
        name: the name of the layer.
        **kwargs: see `tf.layers.Layer`.
    """

    fields = ("rate", "noise_shape", "seed")

    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed
        self.supports_masking = True

    def call(self, inputs, training=False):
        """Applies dropout to the inputs.

        Args:
            inputs: a tensor.
            training: whether to drop elements: a bool, or a scalar bool tensor.
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
    """Applies dropout to `inputs`: the functional form of `tf.layers.Dropout`.

    Args:
        inputs: a tensor.
        rate: the probability that an element is dropped.
        noise_shape: the shape of the random mask, see `tf.layers.Dropout`.
        seed: the op-level seed, see `tf.set_random_seed`.
        training: whether to drop elements: a bool, or a scalar bool tensor.
        name: the name of the layer.
    """
    return Dropout(rate, noise_shape=noise_shape, seed=seed, name=name)(inputs, training=training)
