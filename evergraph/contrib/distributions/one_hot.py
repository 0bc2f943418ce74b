"""Categories as one-hot vectors, exact and relaxed, and relaxed Bernoulli numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.distributions.bijectors.elements import Exp, Sigmoid
from evergraph.contrib.distributions.scalars import Logistic
from evergraph.contrib.distributions.transformed import TransformedDistribution
from evergraph.distributions.discrete import Categorical
from evergraph.distributions.distribution import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution
from evergraph.distributions.divergence import RegisterKL
from evergraph.distributions.parameters import odds, own, same_shapes
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_positive
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import one_hot
from evergraph.frontend.math import cast
from evergraph.frontend.nn.activations import log_softmax, softmax
from evergraph.frontend.ordering import matrix_set_diag
from evergraph.frontend.random import random_uniform
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math.elementwise import log
from evergraph.ops.math.special import lgamma


class _Vectors(Distribution):
    """A distribution of vectors; `_like` is a tensor of the shape [batch..., size]."""

    _like: Any

    def _batch_shape(self) -> TensorShape:
        return self._like.shape[:-1]

    def _batch_shape_tensor(self) -> Any:
        return array.shape(self._like)[:-1]

    def _event_shape(self) -> TensorShape:
        return self._like.shape[-1:]

    def _event_shape_tensor(self) -> Any:
        return array.shape(self._like)[-1:]

    def _drawn(self, n: Any) -> Any:
        return array.concat([array.reshape(n, [1]), array.shape(self._like)], 0)


class _OneHot(_Vectors):
    """What exact and relaxed one-hot vectors share: the logits."""

    _logits: Any
    logits = property(lambda self: self._logits, doc="The log of the probabilities, but for a constant.")
    probs = property(lambda self: softmax(self._logits), doc="The probabilities.")
    event_size = property(lambda self: array.shape(self._logits)[-1], doc="The number of classes.")


@export("contrib.distributions.OneHotCategorical")
class OneHotCategorical(_OneHot):
    """The categorical distribution, whose samples are one-hot vectors.

    Args:
        logits: the log of the probabilities, [batch..., classes], but for a constant.
        probs: the probabilities, instead.
        dtype: of the samples.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, logits: Any = None, probs: Any = None, dtype: Any = dtypes.int32, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "OneHotCategorical") -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as scope:
            self._logits, _ = odds(logits, probs, validate_args, several=True)
            self._like, self._numbers = self._logits, Categorical(logits=self._logits)
        super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters), [self._logits],
                         scope)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return one_hot(self._numbers._sample_n(n, seed), self.event_size, dtype=self.dtype)

    def _log_prob(self, x: Any) -> Any:
        return reduce_sum(log_softmax(self._logits) * cast(x, self._logits.dtype), -1)

    def _entropy(self) -> Any:
        return self._numbers._entropy()

    def _mean(self) -> Any:
        return self.probs

    def _mode(self) -> Any:
        return one_hot(self._numbers._mode(), self.event_size, dtype=self.dtype)


    def _covariance(self) -> Any:
        chances = self.probs
        return matrix_set_diag(-chances[..., None] * chances[..., None, :], self._variance())

    def _variance(self) -> Any:
        return self.probs * (1.0 - self.probs)


@RegisterKL(OneHotCategorical, OneHotCategorical)
def _one_hot_from_one_hot(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name, "kl_one_hot_categorical", [a.logits, b.logits]):
        return reduce_sum(softmax(a.logits) * (log_softmax(a.logits) - log_softmax(b.logits)), -1)


@export("contrib.distributions.ExpRelaxedOneHotCategorical")
class ExpRelaxedOneHotCategorical(_OneHot):
    """The logarithm of a relaxed one-hot vector (Maddison, Mnih and Teh, 2017).

    Args:
        temperature: the smaller, the nearer to one-hot vectors.
        logits: the log of the probabilities, [batch..., classes], but for a constant.
        probs: the probabilities, instead.
        dtype: of the samples; that of the logits by default.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, temperature: Any, logits: Any = None, probs: Any = None, dtype: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "ExpRelaxedOneHotCategorical") -> None:
        parameters = own(locals())
        with name_scope(name, values=[temperature, logits, probs]) as scope:
            self._logits, self._probs = odds(logits, probs, validate_args, several=True)
            kind = self._logits.dtype.base_dtype
            self._temperature = convert_to_tensor(temperature, preferred_dtype=kind, name="temperature")
            if validate_args:
                self._temperature = with_dependencies([assert_positive(self._temperature)], self._temperature)
            # [batch..., 1], to divide logits by
            self._over_classes = cast(self._temperature if self._temperature.shape.ndims == 0
                                      else self._temperature[..., None], kind)
            self._like = self._logits + array.zeros_like(self._over_classes)
        super().__init__(dtype or kind, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                         [self._logits, self._temperature], scope)

    temperature = property(lambda self: self._temperature, doc="The temperature.")
    probs = property(lambda self: self._probs, doc="The probabilities.")

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        kind = self._logits.dtype.base_dtype
        least = np.finfo(kind.np).tiny  # 0 would give infinity
        chance = random_uniform(self._drawn(n), minval=least, maxval=1.0, dtype=kind, seed=seed)
        return cast(log_softmax((self._logits - log(-log(chance))) / self._over_classes), self.dtype)

    def _log_prob(self, x: Any) -> Any:
        kind = self._logits.dtype.base_dtype
        classes = cast(self.event_size, kind)
        constant = lgamma(classes) + (classes - 1.0) * log(cast(self._temperature, kind))
        return constant + reduce_sum(log_softmax(self._logits - cast(x, kind) * self._over_classes), -1)


@export("contrib.distributions.RelaxedOneHotCategorical")
class RelaxedOneHotCategorical(TransformedDistribution):
    """The concrete distribution (Maddison, Mnih and Teh, 2017): one-hot vectors, relaxed by a temperature.

    Args:
        temperature: the smaller, the nearer to one-hot vectors.
        logits: the log of the probabilities, [batch..., classes], but for a constant.
        probs: the probabilities, instead.
        dtype: of the samples; that of the logits by default.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, temperature: Any, logits: Any = None, probs: Any = None, dtype: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "RelaxedOneHotCategorical") -> None:
        parameters = own(locals())
        logs = ExpRelaxedOneHotCategorical(temperature, logits, probs, dtype, validate_args, allow_nan_stats)
        super().__init__(logs, Exp(validate_args=validate_args), validate_args=validate_args, name=name)
        self._parameters = parameters

    temperature = property(lambda self: self.distribution.temperature, doc="The temperature.")
    logits = property(lambda self: self.distribution.logits, doc="The log of the probabilities, but for a constant.")
    probs = property(lambda self: self.distribution.probs, doc="The probabilities.")
    event_size = property(lambda self: self.distribution.event_size, doc="The number of classes.")


@export("contrib.distributions.RelaxedBernoulli")
class RelaxedBernoulli(TransformedDistribution):
    """Numbers from 0 to 1, near to these where the temperature is low (Maddison, Mnih and Teh, 2017).

    Args:
        temperature: the smaller, the nearer to 0 and 1.
        logits: the log-odds of 1.
        probs: the probability of 1; one of the two is given.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, temperature: Any, logits: Any = None, probs: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "RelaxedBernoulli") -> None:
        parameters = own(locals())
        with name_scope(name, values=[temperature, logits, probs]) as scope:
            self._logits, self._probs = odds(logits, probs, validate_args, several=False)
            self._temperature = convert_to_tensor(temperature, preferred_dtype=self._logits.dtype.base_dtype,
                                                  name="temperature")
            if validate_args:
                self._temperature = with_dependencies([assert_positive(self._temperature)], self._temperature)
            logistic = Logistic(self._logits / self._temperature, 1.0 / self._temperature,
                                validate_args=validate_args, allow_nan_stats=allow_nan_stats)
        super().__init__(logistic, Sigmoid(validate_args=validate_args), validate_args=validate_args, name=scope)
        self._parameters = parameters

    temperature = property(lambda self: self._temperature, doc="The temperature.")
    logits = property(lambda self: self._logits, doc="The log-odds of 1.")
    probs = property(lambda self: self._probs, doc="The probability of 1.")
    _param_shapes = same_shapes("logits")
