"""Normal, Uniform, Laplace and StudentT."""

from __future__ import annotations

import math

import numpy as np

from evergraph.base.export import export
from evergraph.distributions.distribution import FULLY_REPARAMETERIZED, public, salted
from evergraph.distributions.divergence import RegisterKL
from evergraph.distributions.parameters import Scalars, one_dtype, own, parameter, rows, same_shapes
from evergraph.frontend.array import identity, ones_like, stack, zeros_like
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_less
from evergraph.frontend.indexing import where
from evergraph.frontend.math import abs as absolute
from evergraph.frontend.math import lbeta, sign, square
from evergraph.frontend.random import random_gamma, random_normal, random_uniform
from evergraph.ops.arrays.later import ndtri
from evergraph.ops.math.elementwise import (
    exp,
    greater,
    greater_equal,
    is_nan,
    less,
    log,
    log1p,
    logical_or,
    maximum,
    minimum,
    rsqrt,
)
from evergraph.ops.math.special import betainc, digamma, erfc, lgamma
from evergraph.ops.nn.activations import softplus

HALF_LOG_2_PI = 0.5 * math.log(2.0 * math.pi)


class _LocationScale(Scalars):
    """A location-scale family: `loc` is the mean, `scale` the scale."""

    def __init__(self, loc, scale, validate_args, allow_nan_stats, parameters, name):
        with name_scope(name, values=[loc, scale]) as scope:
            self._loc, self._scale = parameter(loc, "loc"), parameter(scale, "scale", validate_args)
            kind = one_dtype(self._loc, self._scale)
        super().__init__(kind, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                         [self._loc, self._scale], scope)  # fmt: skip

    loc = property(lambda self: self._loc, doc="The mean.")
    _param_shapes = same_shapes("loc", "scale")

    def _z(self, x):
        return (x - self._loc) / self._scale


@export(*public("Normal"))
class Normal(_LocationScale):
    """The normal (Gaussian) distribution with mean `loc` and standard deviation `scale`.

    >>> normal = tf.distributions.Normal(loc=[0.0, 10.0], scale=2.0)
    >>> normal.log_prob([0.0, 10.0]), normal.sample(5).shape
    (<two numbers>, TensorShape([5, 2]))
    """

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Normal"):
        super().__init__(loc, scale, validate_args, allow_nan_stats, own(locals()), name)

    scale = property(lambda self: self._scale, doc="The standard deviation.")

    def _sample_n(self, n, seed=None):
        noise = random_normal(rows(n, self), mean=0.0, stddev=1.0, dtype=self.dtype, seed=seed)
        return noise * self._scale + self._loc

    def _log_prob(self, x):
        return -0.5 * square(self._z(x)) - (HALF_LOG_2_PI + log(self._scale))

    def _cdf(self, x):
        return _normal_cdf(self._z(x))

    def _log_cdf(self, x):
        return _log_normal_cdf(self._z(x))

    def _survival_function(self, x):
        return _normal_cdf(-self._z(x))

    def _log_survival_function(self, x):
        return _log_normal_cdf(-self._z(x))

    def _quantile(self, p):
        return ndtri(p) * self._scale + self._loc

    def _entropy(self):
        return 0.5 + HALF_LOG_2_PI + log(self._filled(self._scale))

    def _mean(self):
        return self._filled(self._loc)

    def _mode(self):
        return self._mean()

    def _stddev(self):
        return self._filled(self._scale)


def _normal_cdf(z):
    return 0.5 * erfc(z * -math.sqrt(0.5))


def _log_normal_cdf(z):
    """log(cdf), by an asymptotic series for z -> -inf where the cdf underflows, and by log(1 - p) = -p near 1."""
    lowest, highest = (-20.0, 8.0) if z.dtype.base_dtype.name == "float64" else (-10.0, 5.0)
    low = minimum(z, lowest)
    inverse = 1.0 / square(low)
    series = 1.0 - inverse * (1.0 - 3.0 * inverse * (1.0 - 5.0 * inverse))
    tail = -0.5 * square(low) - log(-low) - HALF_LOG_2_PI + log(series)
    middle = log(_normal_cdf(minimum(maximum(z, lowest), highest)))
    return where(greater(z, highest), -_normal_cdf(-z), where(greater(z, lowest), middle, tail))


@export("contrib.distributions.NormalWithSoftplusScale")
class NormalWithSoftplusScale(Normal):
    """The normal distribution with scale softplus(scale); see `tf.distributions.Normal`."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="NormalWithSoftplusScale"):
        parameters = dict(locals())
        with name_scope(name, values=[scale]) as scope:
            super().__init__(loc, softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, scope)
        self._parameters = own(parameters)


@RegisterKL(Normal, Normal)
def _normal_from_normal(a, b, name=None):
    with name_scope(name, "kl_normal_normal", [a.loc, b.loc]):
        ratio = square(a.scale / b.scale)
        return square(a.loc - b.loc) / (2.0 * square(b.scale)) + 0.5 * (ratio - 1.0 - log(ratio))


@export(*public("Uniform"))
class Uniform(Scalars):
    """The uniform distribution on [low, high)."""

    def __init__(self, low=0.0, high=1.0, validate_args=False, allow_nan_stats=True, name="Uniform"):
        parameters = dict(locals())
        with name_scope(name, values=[low, high]) as scope:
            self._low, self._high = parameter(low, "low"), parameter(high, "high")
            kind = one_dtype(self._low, self._high)
            if validate_args:
                with control_dependencies([assert_less(self._low, self._high, message="low must be less than high")]):
                    self._low, self._high = identity(self._low), identity(self._high)
        super().__init__(kind, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._low, self._high], scope)  # fmt: skip

    low = property(lambda self: self._low, doc="The lowest sample.")
    high = property(lambda self: self._high, doc="Above the highest sample.")
    _param_shapes = same_shapes("low", "high")

    def range(self, name="range"):
        """high - low"""
        with self._scope(name):
            return self._high - self._low

    def _sample_n(self, n, seed=None):
        return self._low + self.range() * random_uniform(rows(n, self), dtype=self.dtype, seed=seed)

    def _prob(self, x):
        x = x + zeros_like(self.range())
        inside = ones_like(x) / self.range()
        return where(is_nan(x), x, where(logical_or(less(x, self._low), greater_equal(x, self._high)),
                                         zeros_like(x), inside))  # fmt: skip

    def _cdf(self, x):
        x = x + zeros_like(self.range())
        part = (x - self._low) / self.range()
        return where(less(x, self._low), zeros_like(x), where(greater_equal(x, self._high), ones_like(x), part))

    def _quantile(self, p):
        return self._low * (1.0 - p) + self._high * p

    def _entropy(self):
        return log(self.range())

    def _mean(self):
        return (self._low + self._high) / 2.0

    def _variance(self):
        return square(self.range()) / 12.0

    def _stddev(self):
        return self.range() / math.sqrt(12.0)


@export(*public("Laplace"))
class Laplace(_LocationScale):
    """The Laplace distribution: density exp(-|x - loc| / scale) / (2 scale)."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Laplace"):
        super().__init__(loc, scale, validate_args, allow_nan_stats, own(locals()), name)

    scale = property(lambda self: self._scale, doc="The mean distance from it.")

    def _sample_n(self, n, seed=None):
        kind = self.dtype.as_numpy_dtype
        inside = np.nextafter(kind(-1.0), kind(0.0))  # -1 itself would give infinity
        drawn = random_uniform(rows(n, self), minval=inside, maxval=1.0, dtype=self.dtype, seed=seed)
        return self._loc - self._scale * sign(drawn) * log1p(-absolute(drawn))

    def _log_prob(self, x):
        return -absolute(self._z(x)) - (math.log(2.0) + log(self._scale))

    def _cdf(self, x):
        z = self._z(x)
        return 0.5 + 0.5 * sign(z) * (1.0 - exp(-absolute(z)))

    def _log_cdf(self, x):
        z = self._z(x)
        return where(less(z, 0.0), z - math.log(2.0), log1p(-0.5 * exp(-absolute(z))))

    def _log_survival_function(self, x):
        z = self._z(x)
        return where(less(z, 0.0), log1p(-0.5 * exp(-absolute(z))), -z - math.log(2.0))

    def _entropy(self):
        return math.log(2.0) + 1.0 + log(self._filled(self._scale))

    def _mean(self):
        return self._filled(self._loc)

    def _mode(self):
        return self._mean()

    def _stddev(self):
        return math.sqrt(2.0) * self._filled(self._scale)


@export(*public("StudentT"))
class StudentT(Scalars):
    """Student's t-distribution with `df` degrees of freedom, location `loc` and scale `scale`."""

    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name="StudentT"):
        parameters = dict(locals())
        with name_scope(name, values=[df, loc, scale]) as scope:
            self._df, self._loc = parameter(df, "df", validate_args), parameter(loc, "loc")
            self._scale = parameter(scale, "scale")
            kind = one_dtype(self._df, self._loc, self._scale)
        super().__init__(kind, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._df, self._loc, self._scale], scope)  # fmt: skip

    df = property(lambda self: self._df, doc="The degrees of freedom.")
    loc = property(lambda self: self._loc, doc="Where the density is largest.")
    scale = property(lambda self: self._scale, doc="How much it is stretched.")
    _param_shapes = same_shapes("df", "loc", "scale")

    def _sample_n(self, n, seed=None):
        noise = random_normal(rows(n, self), dtype=self.dtype, seed=seed)
        df = self._filled(self._df)
        squares = random_gamma([n], 0.5 * df, beta=0.5, dtype=self.dtype, seed=salted(seed, "student_t"))
        return noise * rsqrt(squares / df) * self._scale + self._loc

    def _z(self, x):
        return (x - self._loc) / self._scale

    def _log_prob(self, x):
        norm = (log(absolute(self._scale)) + 0.5 * log(self._df) + 0.5 * math.log(math.pi)
                + lgamma(0.5 * self._df) - lgamma(0.5 * (self._df + 1.0)))  # fmt: skip
        return -0.5 * (self._df + 1.0) * log1p(square(self._z(x)) / self._df) - norm

    def _cdf(self, x):
        z = (x - self._loc) / absolute(self._scale)
        df = self._df + zeros_like(z)
        below = 0.5 * betainc(0.5 * df, 0.5 * ones_like(z), df / (square(z) + df))
        return where(less(z, 0.0), below, 1.0 - below)

    def _entropy(self):
        df = self._filled(self._df)
        beta = lbeta(stack([0.5 * df, 0.5 * ones_like(df)], -1))
        spread = 0.5 * (df + 1.0) * (digamma(0.5 * (df + 1.0)) - digamma(0.5 * df))
        return log(absolute(self._filled(self._scale))) + 0.5 * log(df) + beta + spread

    def _mean(self):
        df, mean = self._filled(self._df), self._filled(self._loc)
        return self._defined(greater(df, 1.0), mean, [(ones_like(df), df)], "the mean is defined for df > 1")

    def _variance(self):
        df = self._filled(self._df)
        finite = square(self._filled(self._scale)) * df / where(greater(df, 2.0), df - 2.0, ones_like(df))
        either = where(greater(df, 2.0), finite, zeros_like(df) + float("inf"))
        return self._defined(greater(df, 1.0), either, [(ones_like(df), df)], "the variance is defined for df > 1")

    def _mode(self):
        return self._filled(self._loc)
