"""tf.keras.layers: dropout and noise layers, active in training only."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.control_flow import smart_cond
from evergraph.frontend.nn import activations
from evergraph.frontend.random import random_normal, random_uniform
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import settings
from evergraph.keras.layer import Elementwise
from evergraph.layers.dropout import Dropout as CoreDropout
from evergraph.layers.input_spec import InputSpec
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise


class Noisy(Elementwise):
    """The base of noise layers, which forward their inputs outside training."""

    def call(self, inputs, training=None):
        """The inputs, with noise in training.

        Args:
            inputs: a tensor.
            training: whether to add noise: a bool, a bool tensor, or None for the learning phase.
        """
        inputs = convert_to_tensor(inputs)
        if not self._is_noisy():
            return inputs
        training = settings.learning_phase() if training is None else training
        return smart_cond(training, lambda: self._noisy(inputs), lambda: basic.identity(inputs))

    def _is_noisy(self):
        """Whether there is any noise."""
        return True


@export("keras.layers.Dropout")
class Dropout(Noisy):
    """Dropout (Srivastava et al., 2014) in training; forwards its inputs otherwise.

    Args:
        rate: the probability that an element is dropped.
        noise_shape: the shape of the random mask, with None for the inputs' sizes; it broadcasts over the inputs.
        seed: see `tf.set_random_seed`.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("rate", "noise_shape", "seed")

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    _noise_shape_for = CoreDropout._noise_shape_for

    def _noisy(self, inputs):
        return activations.dropout(inputs, noise_shape=self._noise_shape_for(inputs), seed=self.seed, rate=self.rate)


class SpatialDropout(Dropout):
    """The base of dropouts of whole channels."""

    rank = 1
    fields = ("rate",)

    def __init__(self, rate, data_format=None, **kwargs):
        super().__init__(rate, **kwargs)
        self.data_format = settings.layout_of(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _noise_shape_for(self, inputs):
        sizes = array.shape(inputs)
        ones = [1] * self.rank
        if self.data_format == "channels_first":
            return [sizes[0], sizes[1], *ones]
        return [sizes[0], *ones, sizes[self.rank + 1]]


@export("keras.layers.SpatialDropout1D")
class SpatialDropout1D(SpatialDropout):
    """Spatial dropout of sequences [batch, length, features]: drops whole features (Tompson et al., 2015).

    Args:
        rate: the probability that a feature is dropped.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    def __init__(self, rate, **kwargs):
        super().__init__(rate, "channels_last", **kwargs)


@export("keras.layers.SpatialDropout2D")
class SpatialDropout2D(SpatialDropout):
    """Spatial dropout of images: drops whole channels (Tompson et al., 2015).

    Args:
        rate: the probability that a channel is dropped.
        data_format: "channels_last", or "channels_first" for channels after the batch.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    rank = 2


@export("keras.layers.SpatialDropout3D")
class SpatialDropout3D(SpatialDropout):
    """Spatial dropout of volumes: drops whole channels (Tompson et al., 2015).

    Args:
        rate: the probability that a channel is dropped.
        data_format: "channels_last", or "channels_first" for channels after the batch.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    rank = 3


@export("keras.layers.GaussianNoise")
class GaussianNoise(Noisy):
    """Adds Gaussian noise in training.

    Args:
        stddev: their standard deviation.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("stddev",)

    def __init__(self, stddev, **kwargs):
        super().__init__(**kwargs)
        self.stddev = stddev

    def _noisy(self, inputs):
        return inputs + random_normal(array.shape(inputs), mean=0.0, stddev=self.stddev, dtype=inputs.dtype)


@export("keras.layers.GaussianDropout")
class GaussianDropout(Noisy):
    """Multiplicative Gaussian noise with mean 1 in training.

    Args:
        rate: the equivalent dropout rate: the variance is rate / (1 - rate).
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("rate",)

    def __init__(self, rate, **kwargs):
        super().__init__(**kwargs)
        self.rate = rate

    def _is_noisy(self):
        return 0 < self.rate < 1

    def _noisy(self, inputs):
        deviation = (self.rate / (1.0 - self.rate)) ** 0.5
        return inputs * random_normal(array.shape(inputs), mean=1.0, stddev=deviation, dtype=inputs.dtype)


@export("keras.layers.AlphaDropout")
class AlphaDropout(Noisy):
    """Alpha dropout (Klambauer et al., 2017), which keeps mean and variance of SELU activations.

    Args:
        rate: the probability that an element is dropped.
        noise_shape: the shape of the random mask; by default that of the inputs.
        seed: see `tf.set_random_seed`.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("rate",)

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    _is_noisy = GaussianDropout._is_noisy

    def _noisy(self, inputs):
        lowest = -1.7580993408473766  # the limit of a SELU: -alpha * scale
        shape = array.shape(inputs) if self.noise_shape is None else self.noise_shape
        kept = math.cast(elementwise.greater_equal(random_uniform(shape, seed=self.seed), self.rate), inputs.dtype)
        scale = ((1 - self.rate) * (1 + self.rate * lowest ** 2)) ** -0.5
        shift = -scale * lowest * self.rate
        return scale * (inputs * kept + lowest * (1 - kept)) + shift
