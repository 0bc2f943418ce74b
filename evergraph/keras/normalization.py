"""tf.keras.layers: batch and layer normalization."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.nn.normalize import batch_normalization, moments
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import settings
from evergraph.keras.layer import Elementwise, Layer, resolved
from evergraph.layers import normalization


@export("keras.layers.BatchNormalization")
class BatchNormalization(Layer, normalization.BatchNormalization):
    """Batch normalization (Ioffe and Szegedy, 2015): normalizes with batch statistics, then scales and shifts.

    In training it uses the mean and variance of the batch and keeps moving averages of them; otherwise it uses the
    moving averages. Their updates are in `layer.updates` and must run with each training step.

    Args:
        axis ... adjustment: see `tf.layers.BatchNormalization`; initializers, regularizers and constraints may also be
            given by name.
        name: the name of the layer.
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        ValueError: the arguments contradict each other.
    """

    def __init__(self, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True, beta_initializer="zeros",
                 gamma_initializer="ones", moving_mean_initializer="zeros", moving_variance_initializer="ones",
                 beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None,
                 renorm=False, renorm_clipping=None, renorm_momentum=0.99, fused=None, trainable=True,
                 virtual_batch_size=None, adjustment=None, name=None, **kwargs):
        super().__init__(**resolved(locals()), **kwargs)

    def call(self, inputs, training=None):
        """The normalized inputs.

        Args:
            inputs: a tensor.
            training: whether to use the batch's statistics: a bool, a bool tensor, or None for the learning phase.
        """
        training = settings.learning_phase() if training is None else training
        return normalization.BatchNormalization.call(self, inputs, training=training)


@export("keras.layers.LayerNormalization")
class LayerNormalization(Elementwise):
    """Layer normalization (Ba et al., 2016): normalizes each example, then scales and shifts.

    Args:
        axis: the axis to average over, along which `beta` and `gamma` vary, or a list of axes.
        epsilon: added to the variance.
        center: whether to add `beta`.
        scale: whether to multiply by `gamma`.
        beta_initializer: the initializer of `beta`.
        gamma_initializer: the initializer of `gamma`.
        beta_regularizer: a penalty on `beta`, added to the losses.
        gamma_regularizer: a penalty on `gamma`, added to the losses.
        beta_constraint: a projection of `beta` that optimizers apply after each step.
        gamma_constraint: a projection of `gamma` that optimizers apply after each step.
        trainable: whether the variables are trainable.
        name: the name of the layer.
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        TypeError: `axis` is neither an integer nor a list.
    """

    fields = ("axis", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer", "beta_regularizer",
              "gamma_regularizer", "beta_constraint", "gamma_constraint")

    def __init__(self, axis=-1, epsilon=1e-3, center=True, scale=True, beta_initializer="zeros",
                 gamma_initializer="ones", beta_regularizer=None, gamma_regularizer=None, beta_constraint=None,
                 gamma_constraint=None, trainable=True, name=None, **kwargs):
        given = resolved(locals())
        super().__init__(trainable=given.pop("trainable"), name=given.pop("name"), **kwargs)
        if not isinstance(axis, (int, list, tuple)):
            raise TypeError(f"'axis' must be a number or several, got {axis}")
        vars(self).update(given)
        self.axis = list(axis) if isinstance(axis, (list, tuple)) else axis

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        self.axis = [axis % len(sizes) for axis in ([self.axis] if isinstance(self.axis, int) else self.axis)]
        if len(self.axis) != len(set(self.axis)):
            raise ValueError(f"an axis is named twice: {self.axis}")
        shape = [sizes[axis] for axis in self.axis]
        self.gamma = self.add_weight("gamma", shape=shape, initializer=self.gamma_initializer,
                                     regularizer=self.gamma_regularizer, constraint=self.gamma_constraint,
                                     trainable=True) if self.scale else None
        self.beta = self.add_weight("beta", shape=shape, initializer=self.beta_initializer,
                                    regularizer=self.beta_regularizer, constraint=self.beta_constraint,
                                    trainable=True) if self.center else None
        self.built = True

    def call(self, inputs):
        inputs = convert_to_tensor(inputs)
        sizes = inputs.shape.as_list()
        mean, variance = moments(inputs, self.axis, keepdims=True)
        wide = [sizes[axis] if axis in self.axis else 1 for axis in range(len(sizes))]

        def spread(value):
            if value is None or self.axis == [len(sizes) - 1]:
                return value
            return array.reshape(value, wide)
        kind = inputs.dtype.base_dtype
        of_kind = lambda value: None if value is None else math.cast(value, kind)
        outputs = batch_normalization(inputs, mean, variance, of_kind(spread(self.beta)), of_kind(spread(self.gamma)),
                                      self.epsilon)
        outputs.set_shape(inputs.shape)
        return outputs
