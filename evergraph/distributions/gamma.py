"""Gamma, Exponential, Beta and Dirichlet distributions, sampled from gamma variables."""

from __future__ import annotations

import numpy as np

from evergraph.base.export import export
from evergraph.distributions.distribution import FULLY_REPARAMETERIZED, Distribution, public, salted
from evergraph.distributions.divergence import RegisterKL
from evergraph.distributions.parameters import Scalars, one_dtype, own, parameter, rows, same_shapes
from evergraph.frontend.array import expand_dims, identity, ones_like, shape, zeros_like
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_less, assert_near, assert_positive
from evergraph.frontend.indexing import where
from evergraph.frontend.math import cast, lbeta, sqrt, square
from evergraph.frontend.ordering import matrix_set_diag
from evergraph.frontend.random import random_gamma, random_uniform
from evergraph.frontend.reduce import reduce_all, reduce_sum
from evergraph.ops.math.elementwise import greater, log, log1p, logical_and, xlogy
from evergraph.ops.math.special import betainc, digamma, igamma, lgamma
from evergraph.ops.nn.activations import softplus


@export(*public("Gamma"))
class Gamma(Scalars):
    """The gamma distribution with shape `concentration` and inverse scale `rate`."""

    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name="Gamma"):
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as scope:
            self._concentration = parameter(concentration, "concentration", validate_args)
            self._rate = parameter(rate, "rate", validate_args)
            kind = one_dtype(self._concentration, self._rate)
        super().__init__(kind, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._concentration, self._rate], scope)  # fmt: skip

    concentration = property(lambda self: self._concentration, doc="The shape.")
    rate = property(lambda self: self._rate, doc="The inverse of the scale.")
    _param_shapes = same_shapes("concentration", "rate")

    def _sample_n(self, n, seed=None):
        return random_gamma([n], alpha=self._concentration, beta=self._rate, dtype=self.dtype, seed=seed)

    def _checked(self, x):
        if not self.validate_args:
            return x
        with control_dependencies([assert_positive(x)]):
            return identity(x)

    def _log_prob(self, x):
        x = self._checked(x)
        norm = lgamma(self._concentration) - self._concentration * log(self._rate)
        return xlogy(self._concentration - 1.0, x) - self._rate * x - norm

    def _cdf(self, x):
        scaled = self._rate * self._checked(x)
        return igamma(self._concentration + zeros_like(scaled), scaled + zeros_like(self._concentration))

    def _entropy(self):
        c = self._concentration
        return c - log(self._rate) + lgamma(c) + (1.0 - c) * digamma(c)

    def _mean(self):
        return self._concentration / self._rate

    def _variance(self):
        return self._concentration / square(self._rate)

    def _stddev(self):
        return sqrt(self._concentration) / self._rate

    def _mode(self):
        c = self._filled(self._concentration)
        return self._defined(greater(c, 1.0), (c - 1.0) / self._rate, [(ones_like(c), c)],
                             "the mode is defined for concentration > 1")  # fmt: skip


@export("contrib.distributions.GammaWithSoftplusConcentrationRate")
class GammaWithSoftplusConcentrationRate(Gamma):
    """The gamma distribution with softplus of both parameters; see `tf.distributions.Gamma`."""

    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True,
                 name="GammaWithSoftplusConcentrationRate"):  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as scope:
            super().__init__(softplus(concentration, name="softplus_concentration"),
                             softplus(rate, name="softplus_rate"), validate_args, allow_nan_stats, scope)  # fmt: skip
        self._parameters = own(parameters)


@RegisterKL(Gamma, Gamma)
def _gamma_from_gamma(a, b, name=None):
    with name_scope(name, "kl_gamma_gamma", [a.concentration, b.concentration]):
        return ((a.concentration - b.concentration) * digamma(a.concentration)
                + lgamma(b.concentration) - lgamma(a.concentration)
                + b.concentration * (log(a.rate) - log(b.rate))
                + a.concentration * (b.rate / a.rate - 1.0))  # fmt: skip


@export(*public("Exponential"))
class Exponential(Gamma):
    """The exponential distribution with the given rate: a gamma distribution of concentration 1."""

    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="Exponential"):
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as scope:
            self._rate = parameter(rate, "rate")
            super().__init__(ones_like(self._rate), self._rate, validate_args, allow_nan_stats, scope)
        self._parameters = own(parameters)

    _param_shapes = same_shapes("rate")

    def _sample_n(self, n, seed=None):
        smallest = np.finfo(self.dtype.as_numpy_dtype).tiny  # 0 would give infinity
        drawn = random_uniform(rows(n, self), minval=smallest, maxval=1.0, dtype=self.dtype, seed=seed)
        return -log(drawn) / self._rate

    def _quantile(self, p):
        return -log1p(-p) / self._rate

    def _log_survival_function(self, x):
        return -self._rate * x


@export("contrib.distributions.ExponentialWithSoftplusRate")
class ExponentialWithSoftplusRate(Exponential):
    """The exponential distribution with rate softplus(rate)."""

    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="ExponentialWithSoftplusRate"):
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as scope:
            super().__init__(softplus(rate, name="softplus_rate"), validate_args, allow_nan_stats, scope)
        self._parameters = own(parameters)


@export(*public("Beta"))
class Beta(Scalars):
    """The beta distribution on (0, 1): density x^(concentration1 - 1) (1 - x)^(concentration0 - 1) / B."""

    def __init__(self, concentration1=None, concentration0=None, validate_args=False, allow_nan_stats=True,
                 name="Beta"):  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[concentration1, concentration0]) as scope:
            self._one = parameter(concentration1, "concentration1", validate_args)
            self._zero = parameter(concentration0, "concentration0", validate_args)
            kind = one_dtype(self._one, self._zero)
            self._total = self._one + self._zero
        super().__init__(kind, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, own(parameters),
                         [self._one, self._zero], scope)  # fmt: skip

    concentration1 = property(lambda self: self._one, doc="What draws samples to 1.")
    concentration0 = property(lambda self: self._zero, doc="What draws samples to 0.")
    total_concentration = property(lambda self: self._total, doc="The sum of both.")
    _param_shapes = same_shapes("concentration1", "concentration0")

    def _sample_n(self, n, seed=None):
        drawn = [random_gamma([n], alpha=self._filled(alpha), dtype=self.dtype, seed=stream)
                 for alpha, stream in ((self._one, seed), (self._zero, salted(seed, "beta")))]  # fmt: skip
        return drawn[0] / (drawn[0] + drawn[1])

    def _checked(self, x):
        if not self.validate_args:
            return x
        with control_dependencies([assert_positive(x), assert_less(x, ones_like(x))]):
            return identity(x)

    def _norm(self):
        return lgamma(self._one) + lgamma(self._zero) - lgamma(self._total)

    def _log_prob(self, x):
        x = self._checked(x)
        return xlogy(self._one - 1.0, x) + (self._zero - 1.0) * log1p(-x) - self._norm()

    def _cdf(self, x):
        x = self._checked(x) + zeros_like(self._total)
        return betainc(self._one + zeros_like(x), self._zero + zeros_like(x), x)

    def _entropy(self):
        return (self._norm() - (self._one - 1.0) * digamma(self._one) - (self._zero - 1.0) * digamma(self._zero)
                + (self._total - 2.0) * digamma(self._total))  # fmt: skip

    def _mean(self):
        return self._one / self._total

    def _variance(self):
        return self._mean() * (1.0 - self._mean()) / (1.0 + self._total)

    def _mode(self):
        one, zero = self._filled(self._one), self._filled(self._zero)
        return self._defined(logical_and(greater(one, 1.0), greater(zero, 1.0)), (one - 1.0) / (one + zero - 2.0),
                             [(ones_like(one), one), (ones_like(zero), zero)],
                             "the mode is defined for concentrations > 1")  # fmt: skip


@export("contrib.distributions.BetaWithSoftplusConcentration")
class BetaWithSoftplusConcentration(Beta):
    """The beta distribution with softplus of both parameters; see `tf.distributions.Beta`."""

    def __init__(self, concentration1, concentration0, validate_args=False, allow_nan_stats=True,
                 name="BetaWithSoftplusConcentration"):  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[concentration1, concentration0]) as scope:
            super().__init__(softplus(concentration1, name="softplus_concentration1"),
                             softplus(concentration0, name="softplus_concentration0"), validate_args, allow_nan_stats,
                             scope)  # fmt: skip
        self._parameters = own(parameters)


@RegisterKL(Beta, Beta)
def _beta_from_beta(a, b, name=None):
    with name_scope(name, "kl_beta_beta", [a.total_concentration, b.total_concentration]):
        return (b._norm() - a._norm()
                - (b.concentration1 - a.concentration1) * digamma(a.concentration1)
                - (b.concentration0 - a.concentration0) * digamma(a.concentration0)
                + (b.total_concentration - a.total_concentration) * digamma(a.total_concentration))  # fmt: skip


@export(*public("Dirichlet"))
class Dirichlet(Distribution):
    """The Dirichlet distribution over probability vectors.

    Args:
        concentration: one positive number for each class.
        validate_args: whether parameters are checked when the graph runs.
        allow_nan_stats: whether statistics that are not defined are NaN, and no error.
    """

    def __init__(self, concentration, validate_args=False, allow_nan_stats=True, name="Dirichlet"):
        parameters = dict(locals())
        with name_scope(name, values=[concentration]) as scope:
            self._concentration = parameter(concentration, "concentration", validate_args)
            self._total = reduce_sum(self._concentration, -1)
        super().__init__(self._concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
                         own(parameters), [self._concentration, self._total], scope)  # fmt: skip

    concentration = property(lambda self: self._concentration, doc="One number for each element of a sample.")
    total_concentration = property(lambda self: self._total, doc="Their sum.")

    def _batch_shape(self):
        return self._total.shape

    def _batch_shape_tensor(self):
        return shape(self._total)

    def _event_shape(self):
        return self._concentration.shape[-1:]

    def _event_shape_tensor(self):
        return shape(self._concentration)[-1:]

    def _sample_n(self, n, seed=None):
        drawn = random_gamma([n], alpha=self._concentration, dtype=self.dtype, seed=seed)
        return drawn / reduce_sum(drawn, -1, keepdims=True)

    def _log_prob(self, x):
        if self.validate_args:
            ones = ones_like(reduce_sum(x, -1))
            with control_dependencies([assert_positive(x, message="samples must be positive"),
                                       assert_near(ones, reduce_sum(x, -1),
                                                   message="sample last-dimension must sum to `1`")]):
                x = identity(x)
        return reduce_sum(xlogy(self._concentration - 1.0, x), -1) - lbeta(self._concentration)

    def _size(self):
        return cast(self.event_shape_tensor()[0], self.dtype)

    def _entropy(self):
        return (lbeta(self._concentration) + (self._total - self._size()) * digamma(self._total)
                - reduce_sum((self._concentration - 1.0) * digamma(self._concentration), -1))  # fmt: skip

    def _mean(self):
        return self._concentration / expand_dims(self._total, -1)

    def _variance(self):
        mean = self._mean()
        return mean * (1.0 - mean) / (1.0 + expand_dims(self._total, -1))

    def _covariance(self):
        mean = self._mean() / sqrt(1.0 + expand_dims(self._total, -1))
        return matrix_set_diag(-expand_dims(mean, -1) * expand_dims(mean, -2), self._variance())

    def _mode(self):
        c = self._concentration
        mode = (c - 1.0) / expand_dims(self._total - self._size(), -1)
        if not self.allow_nan_stats:
            with control_dependencies([assert_less(ones_like(c), c, message="the mode needs concentrations > 1")]):
                return identity(mode)
        defined = reduce_all(greater(c, 1.0), -1, keepdims=True)
        return where(logical_and(defined, greater(zeros_like(c), -1.0)), mode, zeros_like(mode) + float("nan"))


@RegisterKL(Dirichlet, Dirichlet)
def _dirichlet_from_dirichlet(a, b, name=None):
    with name_scope(name, "kl_dirichlet_dirichlet", [a.concentration, b.concentration]):
        towards = digamma(a.concentration) - digamma(expand_dims(a.total_concentration, -1))
        return (reduce_sum((a.concentration - b.concentration) * towards, -1)
                - lbeta(a.concentration) + lbeta(b.concentration))  # fmt: skip
