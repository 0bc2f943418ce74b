"""tf.keras.layers: activation layers with parameters."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import math
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import activations
from evergraph.keras.layer import Elementwise, resolved
from evergraph.layers.input_spec import InputSpec
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations as ops


@export("keras.layers.LeakyReLU")
class LeakyReLU(Elementwise):
    """The leaky rectified linear unit: x if positive, else alpha * x."""

    fields = ("alpha",)

    def __init__(self, alpha=0.3, **kwargs):
        super().__init__(**kwargs)
        self.alpha = alpha

    def call(self, inputs):
        return activations.relu(inputs, alpha=self.alpha)


@export("keras.layers.PReLU")
class PReLU(Elementwise):
    """The parametric rectified linear unit (He et al., 2015): x if positive, else alpha * x with a learned `alpha`.

    Args:
        alpha_initializer: the initializer of `alpha`.
        alpha_regularizer: a penalty on `alpha`, added to the losses.
        alpha_constraint: a projection of `alpha` that optimizers apply after each step.
        shared_axes: the axes along which `alpha` is shared.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("alpha_initializer", "alpha_regularizer", "alpha_constraint", "shared_axes")

    def __init__(self, alpha_initializer="zeros", alpha_regularizer=None, alpha_constraint=None, shared_axes=None,
                 **kwargs):
        given = resolved(locals())
        super().__init__(**kwargs)
        vars(self).update(given)
        self.shared_axes = None if shared_axes is None else \
            list(shared_axes) if isinstance(shared_axes, (list, tuple)) else [shared_axes]

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        shared = self.shared_axes or []
        shape = [1 if axis in shared else size for axis, size in enumerate(sizes[1:], 1)]
        self.alpha = self.add_weight("alpha", shape=shape, initializer=self.alpha_initializer,
                                     regularizer=self.alpha_regularizer, constraint=self.alpha_constraint)
        self.input_spec = InputSpec(ndim=len(sizes), axes={
            axis: size for axis, size in enumerate(sizes[1:], 1) if axis not in shared} if shared else {})
        self.built = True

    def call(self, inputs):
        return ops.relu(inputs) + -self.alpha * ops.relu(-inputs)


@export("keras.layers.ELU")
class ELU(Elementwise):
    """The exponential linear unit (Clevert et al., 2015): x if positive, else alpha * (exp(x) - 1)."""

    fields = ("alpha",)

    def __init__(self, alpha=1.0, **kwargs):
        super().__init__(**kwargs)
        self.alpha = alpha

    def call(self, inputs):
        return activations.elu(inputs, self.alpha)


@export("keras.layers.ThresholdedReLU")
class ThresholdedReLU(Elementwise):
    """The thresholded rectified linear unit: x above theta, else 0."""

    fields = ("theta",)

    def __init__(self, theta=1.0, **kwargs):
        super().__init__(**kwargs)
        self.theta = theta

    def call(self, inputs):
        inputs = convert_to_tensor(inputs)
        return inputs * math.cast(elementwise.greater(inputs, self.theta), inputs.dtype)


@export("keras.layers.Softmax")
class Softmax(Elementwise):
    """Softmax along an axis."""

    fields = ("axis",)

    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs):
        return activations.softmax(inputs, axis=self.axis)


@export("keras.layers.ReLU")
class ReLU(Elementwise):
    """The rectified linear unit: max_value above it, x down to the threshold, negative_slope * (x - threshold) below.

    Args:
        max_value: the upper bound; None for none.
        negative_slope: the slope below the threshold.
        threshold: the point where the slope changes.
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        ValueError: one of them is negative.
    """

    fields = ("max_value", "negative_slope", "threshold")

    def __init__(self, max_value=None, negative_slope=0, threshold=0, **kwargs):
        super().__init__(**kwargs)
        if max_value is not None and max_value < 0:
            raise ValueError(f"max_value must not be negative, got {max_value}")
        if negative_slope < 0:
            raise ValueError(f"negative_slope must not be negative, got {negative_slope}")
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold

    def call(self, inputs):
        return activations.relu(inputs, alpha=float(self.negative_slope), max_value=self.max_value,
                                threshold=self.threshold)
