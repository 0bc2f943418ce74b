"""Distributions of single numbers that tf.distributions lacks: counts, and those with a location and a scale."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.distributions.distribution import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, salted
from evergraph.distributions.parameters import Scalars, odds, one_dtype, own, parameter, rows, same_shapes
from evergraph.frontend.array import fill, ones_like, shape, zeros_like
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_equal, assert_less, assert_less_equal, assert_non_negative
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import where
from evergraph.frontend.math import square
from evergraph.frontend.random import random_gamma, random_poisson, random_uniform
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.basic import broadcast_to
from evergraph.ops.arrays.later import xlog1py
from evergraph.ops.math.elementwise import (
    atan,
    equal,
    exp,
    expm1,
    floor,
    greater,
    greater_equal,
    less,
    log,
    log1p,
    logical_and,
    sigmoid,
    tan,
)
from evergraph.ops.math.special import betainc, igammac, lgamma
from evergraph.ops.nn.activations import softplus


def as_counts(distribution: Any, x: Any) -> Any:
    """x, with run-time checks that it is made of counts if the distribution validates arguments."""
    if not distribution.validate_args:
        return x
    whole = assert_equal(x, floor(x), message="counts cannot contain fractional components.")
    return with_dependencies([assert_non_negative(x), whole], x)


@export("contrib.distributions.Binomial")
class Binomial(Scalars):
    """The number of successes among `total_count` trials. It has no samples, as in TensorFlow 1.15.

    Args:
        total_count: the number of trials.
        logits: the log-odds of a success.
        probs: the probability of a success; one of the two is given.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, total_count: Any, logits: Any = None, probs: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "Binomial") -> None:
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as scope:
            self._total_count = parameter(total_count, "total_count", validate_args)
            self._logits, self._probs = odds(logits, probs, validate_args, several=False)
            kind = one_dtype(self._total_count, self._probs)
        super().__init__(kind, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._total_count, self._probs], scope)

    total_count = property(lambda self: self._total_count, doc="The number of trials.")
    logits = property(lambda self: self._logits, doc="The log-odds of a success.")
    probs = property(lambda self: self._probs, doc="The probability of a success.")

    def _checked(self, counts: Any) -> Any:
        if not self.validate_args:
            return counts
        return with_dependencies([assert_less_equal(counts, self._total_count, message="there are as many successes "
                                                    "as trials, or fewer")], as_counts(self, counts))

    def _log_prob(self, counts: Any) -> Any:
        n, counts = self._total_count, self._checked(counts)
        ways = lgamma(1.0 + n) - lgamma(1.0 + counts) - lgamma(1.0 + n - counts)
        return ways + counts * log(self._probs) + (n - counts) * log1p(-self._probs)

    def _cdf(self, counts: Any) -> Any:
        below = floor(self._checked(counts)) + zeros_like(self._total_count + self._probs)
        return betainc(self._total_count - below, 1.0 + below, (1.0 - self._probs) + zeros_like(below))

    def _mean(self) -> Any:
        return self._total_count * self._probs

    def _variance(self) -> Any:
        return self._mean() * (1.0 - self._probs)

    def _mode(self) -> Any:
        return floor((1.0 + self._total_count) * self._probs)


@export("contrib.distributions.Geometric")
class Geometric(Scalars):
    """The number of failures before the first success.

    Args:
        logits: the log-odds of a success.
        probs: the probability of a success; one of the two is given.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, logits: Any = None, probs: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "Geometric") -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as scope:
            self._logits, self._probs = odds(logits, probs, validate_args, several=False)
        super().__init__(self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._probs], scope)

    logits = property(lambda self: self._logits, doc="The log-odds of a success.")
    probs = property(lambda self: self._probs, doc="The probability of a success.")

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        drawn = random_uniform(rows(n, self), np.finfo(self.dtype.np).tiny, 1.0, dtype=self.dtype, seed=seed)
        return floor(log(drawn) / log1p(-self._probs))

    def _log_prob(self, counts: Any) -> Any:
        counts = as_counts(self, counts)
        return xlog1py(counts + zeros_like(self._probs), -self._probs + zeros_like(counts)) + log(self._probs)

    def _cdf(self, counts: Any) -> Any:
        counts = floor(as_counts(self, counts)) + zeros_like(self._probs)
        return where(less(counts, 0.0), zeros_like(counts), -expm1((1.0 + counts) * log1p(-self._probs)))

    def _entropy(self) -> Any:
        probs = self._probs
        if self.validate_args:
            words = "Entropy is undefined when a success is certain"
            probs = with_dependencies([assert_less(probs, ones_like(probs), message=words)], probs)
        return (-(1.0 - probs) * log1p(-probs) - probs * log(probs)) / probs

    def _mean(self) -> Any:
        return exp(-self._logits)

    def _variance(self) -> Any:
        return self._mean() / self._probs

    def _mode(self) -> Any:
        return zeros_like(self._probs)


@export("contrib.distributions.Poisson")
class Poisson(Scalars):
    """The number of events that happen at a constant rate.

    Args:
        rate: the mean number of events.
        log_rate: its logarithm; one of the two is given.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        interpolate_nondiscrete: whether numbers between counts have a probability, that of the formula for counts.
        name: a name for the operations.

    Raises:
        ValueError: both rate and log_rate are given, or none.
    """

    def __init__(self, rate: Any = None, log_rate: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, interpolate_nondiscrete: bool = True, name: str = "Poisson") -> None:
        parameters = dict(locals())
        if (rate is None) == (log_rate is None):
            raise ValueError("a Poisson distribution is given by its rate or by its log_rate: one of the two")
        with name_scope(name, values=[rate, log_rate]) as scope:
            if rate is None:
                self._log_rate = parameter(log_rate, "log_rate")
                self._rate = exp(self._log_rate)
            else:
                self._rate = parameter(rate, "rate", validate_args)
                self._log_rate = log(self._rate)
        self._interpolates = interpolate_nondiscrete
        super().__init__(self._rate.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._rate], scope)

    rate = property(lambda self: self._rate, doc="The mean number of events.")
    log_rate = property(lambda self: self._log_rate, doc="The logarithm of the rate.")
    interpolate_nondiscrete = property(lambda self: self._interpolates, doc="Whether probabilities are interpolated.")

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return random_poisson(self._rate, [n], dtype=self.dtype, seed=seed)

    def _log_prob(self, counts: Any) -> Any:
        counts = as_counts(self, counts)
        found = counts * self._log_rate - lgamma(1.0 + counts) - self._rate
        if self._interpolates:
            return found
        is_count = logical_and(equal(floor(counts), counts), greater_equal(counts, zeros_like(counts)))
        never = fill(shape(found), convert_to_tensor(-np.inf, found.dtype))
        return where(broadcast_to(is_count, shape(found)), found, never)

    def _cdf(self, counts: Any) -> Any:
        counts = as_counts(self, counts)
        below = counts if self._interpolates else floor(counts)
        return igammac(1.0 + below + zeros_like(self._rate), self._rate + zeros_like(below))

    def _mean(self) -> Any:
        return self._rate

    def _variance(self) -> Any:
        return self._rate

    def _mode(self) -> Any:
        return floor(self._rate)


@export("contrib.distributions.NegativeBinomial")
class NegativeBinomial(Scalars):
    """The number of successes before a number of failures.

    Args:
        total_count: the number of failures, positive; it need not be whole.
        logits: the log-odds of a success.
        probs: the probability of a success; one of the two is given.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, total_count: Any, logits: Any = None, probs: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "NegativeBinomial") -> None:
        parameters = own(locals())
        with name_scope(name, values=[total_count, logits, probs]) as scope:
            self._logits, self._probs = odds(logits, probs, validate_args, several=False)
            self._total_count = parameter(total_count, "total_count", validate_args)
            kind = one_dtype(self._total_count, self._probs)
        super().__init__(kind, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                         [self._total_count, self._probs], scope)

    total_count = property(lambda self: self._total_count, doc="The number of failures.")
    logits = property(lambda self: self._logits, doc="The log-odds of a success.")
    probs = property(lambda self: self._probs, doc="The probability of a success.")

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        # A Poisson distribution whose rate has a gamma distribution.
        rate = random_gamma([n], alpha=self._filled(self._total_count), beta=exp(-self._logits), dtype=self.dtype,
                            seed=salted(seed, "negative_binomial_gamma"))
        return random_poisson(rate, [], dtype=self.dtype, seed=salted(seed, "negative_binomial_poisson"))

    def _log_prob(self, counts: Any) -> Any:
        counts, n = as_counts(self, counts), self._total_count
        ways = lgamma(n + counts) - lgamma(1.0 + counts) - lgamma(n)
        return ways - n * softplus(self._logits) - counts * softplus(-self._logits)

    def _cdf(self, counts: Any) -> Any:
        below = floor(as_counts(self, counts)) + zeros_like(self._total_count + self._probs)
        return betainc(self._total_count + zeros_like(below), 1.0 + below, sigmoid(-self._logits) + zeros_like(below))

    def _mean(self) -> Any:
        return self._total_count * exp(self._logits)

    def _variance(self) -> Any:
        return self._mean() / sigmoid(-self._logits)

    def _mode(self) -> Any:
        adjusted = (self._total_count - 1.0) * exp(self._logits)
        return where(greater(adjusted, 0.0), floor(adjusted), zeros_like(adjusted))


class LocationScale(Scalars):
    """A distribution of `loc + scale * z`, where z has a distribution without parameters."""

    def _begin(self, parameters: dict[str, Any]) -> None:
        """Takes over the arguments of a constructor."""
        given = own(parameters)
        with name_scope(given["name"], values=[given["loc"], given["scale"]]) as scope:
            self._loc = parameter(given["loc"], "loc")
            self._scale = parameter(given["scale"], "scale", given["validate_args"])
            kind = one_dtype(self._loc, self._scale)
        Scalars.__init__(self, kind, FULLY_REPARAMETERIZED, given["validate_args"], given["allow_nan_stats"], given,
                         [self._loc, self._scale], scope)

    loc = property(lambda self: self._loc, doc="The location.")
    scale = property(lambda self: self._scale, doc="The scale.")
    _param_shapes = same_shapes("loc", "scale")

    def _z(self, x: Any) -> Any:
        return (x - self._loc) / self._scale

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        least = np.finfo(self.dtype.np).tiny
        return self._quantile(random_uniform(rows(n, self), least, 1.0, dtype=self.dtype, seed=seed))

    def _mode(self) -> Any:
        return self._filled(self._loc)


@export("contrib.distributions.Logistic")
class Logistic(LocationScale):
    """The logistic distribution, whose cumulative distribution function is the sigmoid.

    Args:
        loc: the mean.
        scale: the scale.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "Logistic") -> None:
        self._begin(locals())

    def _log_prob(self, x: Any) -> Any:
        z = self._z(x)
        return -z - 2.0 * softplus(-z) - log(self._scale)

    def _cdf(self, x: Any) -> Any:
        return sigmoid(self._z(x))

    def _quantile(self, p: Any) -> Any:
        return self._loc + self._scale * (log(p) - log1p(-p))

    def _entropy(self) -> Any:
        return 2.0 + log(self._filled(self._scale))

    def _mean(self) -> Any:
        return self._filled(self._loc)

    def _stddev(self) -> Any:
        return self._filled(self._scale) * (math.pi / math.sqrt(3))


@export("contrib.distributions.Gumbel")
class Gumbel(LocationScale):
    """The Gumbel distribution, that of the largest of many numbers.

    Args:
        loc: the mode.
        scale: the scale.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "Gumbel") -> None:
        self._begin(locals())

    def _log_prob(self, x: Any) -> Any:
        z = self._z(x)
        return -(z + exp(-z)) - log(self._scale)

    def _log_cdf(self, x: Any) -> Any:
        return -exp(-self._z(x))

    def _quantile(self, p: Any) -> Any:
        return self._loc - self._scale * log(-log(p))

    def _entropy(self) -> Any:
        return 1.0 + np.euler_gamma + log(self._filled(self._scale))

    def _mean(self) -> Any:
        return self._filled(self._loc + self._scale * np.euler_gamma)

    def _stddev(self) -> Any:
        return self._filled(self._scale) * (math.pi / math.sqrt(6))


@export("contrib.distributions.Cauchy")
class Cauchy(LocationScale):
    """The Cauchy distribution, that of the quotient of two normal numbers around 0. It has no mean.

    Args:
        loc: the middle.
        scale: half of the width at half of the height.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "Cauchy") -> None:
        self._begin(locals())

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return self._quantile(random_uniform(rows(n, self), dtype=self.dtype, seed=seed))

    def _log_prob(self, x: Any) -> Any:
        return -log1p(square(self._z(x))) - (math.log(math.pi) + log(self._scale))

    def _cdf(self, x: Any) -> Any:
        return atan(self._z(x)) / math.pi + 0.5

    def _quantile(self, p: Any) -> Any:
        return self._loc + self._scale * tan(math.pi * (p - 0.5))

    def _entropy(self) -> Any:
        return math.log(4 * math.pi) + log(self._filled(self._scale))

    def _undefined(self, what: str) -> Any:
        if not self.allow_nan_stats:
            raise ValueError(f"the {what} is undefined for the Cauchy distribution")
        return self._filled(self._loc) * math.nan

    def _mean(self) -> Any:
        return self._undefined("mean")

    def _stddev(self) -> Any:
        return self._undefined("stddev")

    def _variance(self) -> Any:
        return self._undefined("variance")
