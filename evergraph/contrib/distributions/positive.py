"""Distributions of positive numbers and of numbers from 0 to 1: Chi2, HalfNormal, InverseGamma, Kumaraswamy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.contrib.distributions.bijectors.elements import Kumaraswamy as KumaraswamyBijector
from evergraph.contrib.distributions.transformed import TransformedDistribution
from evergraph.distributions.continuous import Uniform
from evergraph.distributions.distribution import FULLY_REPARAMETERIZED
from evergraph.distributions.gamma import Gamma
from evergraph.distributions.parameters import Scalars, one_dtype, own, parameter, rows, same_shapes
from evergraph.frontend.array import ones_like, zeros_like
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_less, assert_less_equal, assert_non_negative, assert_positive
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import where
from evergraph.frontend.math import abs as absolute
from evergraph.frontend.math import sqrt, square
from evergraph.frontend.random import random_gamma, random_normal
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.later import ndtri
from evergraph.ops.math.elementwise import exp, floor, greater, greater_equal, log, logical_and, maximum
from evergraph.ops.math.elementwise import pow_ as power_of
from evergraph.ops.math.special import digamma, erf, erfc, igammac, lgamma
from evergraph.ops.nn.activations import softplus


@export("contrib.distributions.Chi2")
class Chi2(Gamma):
    """The chi-squared distribution: a gamma distribution of concentration df / 2 and rate 1 / 2.

    Args:
        df: the degrees of freedom, positive.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2") -> None:
        parameters = own(locals())
        with name_scope(name, values=[df]) as scope:
            self._df = parameter(df, "df", validate_args)
            super().__init__(0.5 * self._df, convert_to_tensor(0.5, self._df.dtype), validate_args, allow_nan_stats,
                             scope)
        self._parameters = parameters

    df = property(lambda self: self._df, doc="The degrees of freedom.")
    _param_shapes = same_shapes("df")


@export("contrib.distributions.Chi2WithAbsDf")
class Chi2WithAbsDf(Chi2):
    """The chi-squared distribution of floor(|df|) degrees of freedom.

    Args:
        df: a number of which the degrees of freedom are made.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "Chi2WithAbsDf") -> None:
        parameters = own(locals())
        with name_scope(name, values=[df]) as scope:
            super().__init__(floor(absolute(convert_to_tensor(df)), name="abs_df"), validate_args, allow_nan_stats,
                             scope)
        self._parameters = parameters


@export("contrib.distributions.HalfNormal")
class HalfNormal(Scalars):
    """The distribution of |x|, where x is normal around 0.

    Args:
        scale: the standard deviation of x.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "HalfNormal") -> None:
        parameters = own(locals())
        with name_scope(name, values=[scale]) as scope:
            self._scale = parameter(scale, "scale", validate_args)
        super().__init__(self._scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                         [self._scale], scope)

    scale = property(lambda self: self._scale, doc="The standard deviation of the normal distribution.")
    _param_shapes = same_shapes("scale")

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return absolute(random_normal(rows(n, self), dtype=self.dtype, seed=seed) * self._scale)

    def _log_prob(self, x: Any) -> Any:
        found = 0.5 * math.log(2.0 / math.pi) - log(self._scale) - 0.5 * square(x / self._scale)
        return where(greater_equal(x + zeros_like(found), 0.0), found, zeros_like(found) - math.inf)

    def _cdf(self, x: Any) -> Any:
        return erf(maximum(x, 0.0) / self._scale / math.sqrt(2.0))

    def _survival_function(self, x: Any) -> Any:
        return erfc(maximum(x, 0.0) / self._scale / math.sqrt(2.0))

    def _quantile(self, p: Any) -> Any:
        return ndtri(0.5 + 0.5 * p) * self._scale

    def _entropy(self) -> Any:
        return 0.5 * log(math.pi * square(self._scale) / 2.0) + 0.5

    def _mean(self) -> Any:
        return self._scale * math.sqrt(2.0) / math.sqrt(math.pi)

    def _mode(self) -> Any:
        return zeros_like(self._scale)

    def _variance(self) -> Any:
        return square(self._scale) * (1.0 - 2.0 / math.pi)


@export("contrib.distributions.InverseGamma")
class InverseGamma(Scalars):
    """The distribution of 1 / x, where x has a gamma distribution.

    Args:
        concentration: the shape, positive.
        rate: the scale of 1 / x, positive.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, concentration: Any, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "InverseGamma") -> None:
        parameters = own(locals())
        with name_scope(name, values=[concentration, rate]) as scope:
            self._concentration = parameter(concentration, "concentration", validate_args)
            self._rate = parameter(rate, "rate", validate_args)
            kind = one_dtype(self._concentration, self._rate)
        super().__init__(kind, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                         [self._concentration, self._rate], scope)

    concentration = property(lambda self: self._concentration, doc="The shape.")
    rate = property(lambda self: self._rate, doc="The scale.")
    _param_shapes = same_shapes("concentration", "rate")

    def _checked(self, x: Any) -> Any:
        return with_dependencies([assert_positive(x)], x) if self.validate_args else x

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return 1.0 / random_gamma([n], alpha=self._concentration, beta=self._rate, dtype=self.dtype, seed=seed)

    def _log_prob(self, x: Any) -> Any:
        x = self._checked(x)
        norm = lgamma(self._concentration) - self._concentration * log(self._rate)
        return -(1.0 + self._concentration) * log(x) - self._rate / x - norm

    def _cdf(self, x: Any) -> Any:
        scaled = self._rate / self._checked(x)
        return igammac(self._concentration + zeros_like(scaled), scaled + zeros_like(self._concentration))

    def _entropy(self) -> Any:
        c = self._concentration
        return c + log(self._rate) + lgamma(c) - (1.0 + c) * digamma(c)

    def _mean(self) -> Any:
        c = self._filled(self._concentration)
        return self._defined(greater(c, 1.0), self._rate / (c - 1.0), [(ones_like(c), c)],
                             "the mean is defined for concentration > 1")

    def _variance(self) -> Any:
        c = self._filled(self._concentration)
        found = square(self._rate) / square(c - 1.0) / (c - 2.0)
        return self._defined(greater(c, 2.0), found, [(2.0 * ones_like(c), c)],
                             "the variance is defined for concentration > 2")

    def _mode(self) -> Any:
        return self._rate / (1.0 + self._concentration)


@export("contrib.distributions.InverseGammaWithSoftplusConcentrationRate")
class InverseGammaWithSoftplusConcentrationRate(InverseGamma):
    """The inverse gamma distribution with softplus of both parameters.

    Args:
        concentration: what softplus makes the shape of.
        rate: what softplus makes the scale of.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, concentration: Any, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "InverseGammaWithSoftplusConcentrationRate") -> None:
        parameters = own(locals())
        with name_scope(name, values=[concentration, rate]) as scope:
            super().__init__(softplus(concentration, name="softplus_concentration"),
                             softplus(rate, name="softplus_rate"), validate_args, allow_nan_stats, scope)
        self._parameters = parameters


@export("contrib.distributions.Kumaraswamy")
class Kumaraswamy(TransformedDistribution):
    """Kumaraswamy's distribution: the density of x from 0 to 1 is a b x^(a - 1) (1 - x^a)^(b - 1).

    Args:
        concentration1: a, positive, which draws x to 1.
        concentration0: b, positive, which draws x to 0.
        validate_args: whether steps check the parameters.
        allow_nan_stats: whether undefined statistics are NaN.
        name: a name for the operations.
    """

    def __init__(self, concentration1: Any = None, concentration0: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "Kumaraswamy") -> None:
        parameters = own(locals())
        with name_scope(name, values=[concentration1, concentration0]) as scope:
            bijector = KumaraswamyBijector(concentration1, concentration0, validate_args)
            one = ones_like(bijector.concentration1 + bijector.concentration0)
            uniform = Uniform(zeros_like(one), one, validate_args, allow_nan_stats)
        super().__init__(uniform, bijector, validate_args=validate_args, name=scope)
        self._allow_nan_stats, self._parameters = allow_nan_stats, parameters

    concentration1 = property(lambda self: self.bijector.concentration1, doc="What draws samples to 1.")
    concentration0 = property(lambda self: self.bijector.concentration0, doc="What draws samples to 0.")
    _param_shapes = same_shapes("concentration1", "concentration0")

    def _of_value(self, what: str, value: Any, name: str, **kwargs: Any) -> Any:
        if self.validate_args and what != "quantile":
            value = convert_to_tensor(value, preferred_dtype=self.dtype)
            value = with_dependencies(
                [assert_non_negative(value, message="sample must be non-negative"),
                 assert_less_equal(value, ones_like(value), message="sample must be no larger than `1`.")], value)
        return super()._of_value(what, value, name, **kwargs)

    def _moment(self, n: int) -> Any:
        """E[x^n] = b B(1 + n / a, b)."""
        a, b = self.concentration1, self.concentration0
        return exp(log(b) + lgamma(1.0 + n / a) + lgamma(b) - lgamma(1.0 + n / a + b))

    def _entropy(self) -> Any:
        a, b = self.concentration1, self.concentration0
        harmonic = digamma(b + 1.0) + np.euler_gamma
        # The number is TensorFlow's; -E[log p(x)] is 1 - 1/b + (1 - 1/a) * harmonic - log(a) - log(b).
        return 1.0 - 1.0 / a + (1.0 - 1.0 / b) * harmonic + log(a) + log(b)

    def _mean(self) -> Any:
        return self._moment(1)

    def _variance(self) -> Any:
        return self._moment(2) - square(self._moment(1))

    def _stddev(self) -> Any:
        return sqrt(self._variance())

    def _mode(self) -> Any:
        one = ones_like(self.concentration1 + self.concentration0)
        a, b = self.concentration1 * one, self.concentration0 * one
        mode = power_of((a - 1.0) / (a * b - 1.0), 1.0 / a)
        defined = logical_and(greater(a, 1.0), greater(b, 1.0))
        if self.allow_nan_stats:
            return where(defined, mode, zeros_like(mode) + math.nan)
        return with_dependencies(
            [assert_less(one, a, message="Mode undefined for concentration1 <= 1."),
             assert_less(one, b, message="Mode undefined for concentration0 <= 1.")], mode)
