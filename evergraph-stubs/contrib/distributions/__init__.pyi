# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.distributions."""

from collections.abc import Callable, Sequence
from evergraph import Tensor
from evergraph.distributions import (
    Bernoulli as _Bernoulli, Beta as _Beta, Distribution as _Distribution, Exponential as _Exponential,
    Gamma as _Gamma, Laplace as _Laplace, Normal as _Normal,
    ReparameterizationType as _ReparameterizationType, StudentT as _StudentT,
)
from typing import Any
from evergraph.contrib.distributions import bijectors as bijectors

import sys
if sys.platform == "":
    del (
        autoregressive, compound, conditional, conjugates, deterministic, moving_stats, multivariate,
        numerics, one_hot, positive, quantized, sample_shapes, sample_stats, scalars, scales, seeds,
        sinh_arcsinh, statistical_testing, transformed, triangles, wishart, wrappers,
    )

class Autoregressive(_Distribution):
    """The distribution p(x) = prod_i p(x[i] | x[:i]), with a function of x to the distribution of all
    x[i]."""
    @property
    def distribution_fn(self) -> Any:
        """The function of x to the distribution of x."""
    @property
    def sample0(self) -> Any:
        """The x of the first step, or None."""
    @property
    def num_steps(self) -> Any:
        """How often samples are drawn anew."""
    @property
    def distribution0(self) -> Any:
        """The distribution of the first step."""
    def __init__(
        self, distribution_fn: Callable, sample0: Any = None, num_steps: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'Autoregressive',
    ) -> None: ...

class BatchReshape(_Distribution):
    """A distribution whose batch has another shape."""
    @property
    def distribution(self) -> Any:
        """The distribution whose batch has another shape."""
    def __init__(
        self, distribution: Any, batch_shape: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str | None = None,
    ) -> None: ...

from evergraph.distributions import Bernoulli as Bernoulli

class BernoulliWithSigmoidProbs(_Bernoulli):
    """The Bernoulli distribution with probability sigmoid(logits)."""
    def __init__(
        self, logits: Any = None, dtype: Any = ..., validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'BernoulliWithSigmoidProbs',
    ) -> None: ...

from evergraph.distributions import Beta as Beta

class BetaWithSoftplusConcentration(_Beta):
    """The beta distribution with softplus of both parameters; see `tf.distributions.Beta`."""
    def __init__(
        self, concentration1: Any, concentration0: Any, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'BetaWithSoftplusConcentration',
    ) -> None: ...

class Binomial(_Distribution):
    """The number of successes among `total_count` trials."""
    @property
    def total_count(self) -> Any:
        """The number of trials."""
    @property
    def logits(self) -> Any:
        """The log-odds of a success."""
    @property
    def probs(self) -> Any:
        """The probability of a success."""
    def __init__(
        self, total_count: Any, logits: Any = None, probs: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'Binomial',
    ) -> None: ...

from evergraph.distributions import Categorical as Categorical

class Cauchy(_Distribution):
    """The Cauchy distribution, that of the quotient of two normal numbers around 0."""
    @property
    def loc(self) -> Any:
        """The location."""
    @property
    def scale(self) -> Any:
        """The scale."""
    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'Cauchy',
    ) -> None: ...

class Chi2(_Gamma):
    """The chi-squared distribution: a gamma distribution of concentration df / 2 and rate 1 / 2."""
    @property
    def df(self) -> Any:
        """The degrees of freedom."""
    def __init__(
        self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'Chi2',
    ) -> None: ...

class Chi2WithAbsDf(Chi2):
    """The chi-squared distribution of floor(|df|) degrees of freedom."""
    def __init__(
        self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'Chi2WithAbsDf',
    ) -> None: ...

class ConditionalDistribution(_Distribution):
    """A distribution whose densities and samples take further arguments by name, for the methods of the
    subclass."""
    def sample(
        self, sample_shape: Any = ..., seed: Any = None, name: str = 'sample', **condition_kwargs: Any,
    ) -> Any:
        """Random samples of shape sample_shape + batch_shape + event_shape."""
    def log_prob(self, value: Any, name: str = 'log_prob', **condition_kwargs: Any) -> Any:
        """The log of the probability density (or mass) at `value`."""
    def prob(self, value: Any, name: str = 'prob', **condition_kwargs: Any) -> Any:
        """The probability density (or mass) at `value`."""
    def log_cdf(self, value: Any, name: str = 'log_cdf', **condition_kwargs: Any) -> Any:
        """The log of the cumulative distribution function."""
    def cdf(self, value: Any, name: str = 'cdf', **condition_kwargs: Any) -> Any:
        """The cumulative distribution function."""
    def log_survival_function(
        self, value: Any, name: str = 'log_survival_function', **condition_kwargs: Any,
    ) -> Any:
        """The log of the survival function."""
    def survival_function(
        self, value: Any, name: str = 'survival_function', **condition_kwargs: Any,
    ) -> Any:
        """The survival function."""

class ConditionalTransformedDistribution(ConditionalDistribution, TransformedDistribution):
    """A transformed distribution whose methods take further arguments for the bijector and for the
    distribution."""

class Deterministic(_Distribution):
    """A number that is always `loc`."""
    @property
    def loc(self) -> Any:
        """The value."""
    @property
    def atol(self) -> Any:
        """How far another value may be from it."""
    @property
    def rtol(self) -> Any:
        """The same, for each unit of its size."""
    def __init__(
        self, loc: Any, atol: Any = None, rtol: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str | None = None,
    ) -> None: ...

from evergraph.distributions import Dirichlet as Dirichlet
from evergraph.distributions import DirichletMultinomial as DirichletMultinomial
from evergraph.distributions import Distribution as Distribution

class ExpRelaxedOneHotCategorical(_Distribution):
    """The logarithm of a relaxed one-hot vector (Maddison, Mnih and Teh, 2017)."""
    @property
    def temperature(self) -> Any:
        """The temperature."""
    @property
    def probs(self) -> Any:
        """The probabilities."""
    @property
    def logits(self) -> Any:
        """The log of the probabilities, but for a constant."""
    @property
    def event_size(self) -> Any:
        """The number of classes."""
    def __init__(
        self, temperature: Any, logits: Any = None, probs: Any = None, dtype: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'ExpRelaxedOneHotCategorical',
    ) -> None: ...

from evergraph.distributions import Exponential as Exponential

class ExponentialWithSoftplusRate(_Exponential):
    """The exponential distribution with rate softplus(rate)."""
    def __init__(
        self, rate: Any, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'ExponentialWithSoftplusRate',
    ) -> None: ...

FULLY_REPARAMETERIZED: _ReparameterizationType
from evergraph.distributions import Gamma as Gamma

class GammaWithSoftplusConcentrationRate(_Gamma):
    """The gamma distribution with softplus of both parameters; see `tf.distributions.Gamma`."""
    def __init__(
        self, concentration: Any, rate: Any, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'GammaWithSoftplusConcentrationRate',
    ) -> None: ...

class Geometric(_Distribution):
    """The number of failures before the first success."""
    @property
    def logits(self) -> Any:
        """The log-odds of a success."""
    @property
    def probs(self) -> Any:
        """The probability of a success."""
    def __init__(
        self, logits: Any = None, probs: Any = None, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'Geometric',
    ) -> None: ...

class Gumbel(_Distribution):
    """The Gumbel distribution, that of the largest of many numbers."""
    @property
    def loc(self) -> Any:
        """The location."""
    @property
    def scale(self) -> Any:
        """The scale."""
    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'Gumbel',
    ) -> None: ...

class HalfNormal(_Distribution):
    """The distribution of |x|, where x is normal around 0."""
    @property
    def scale(self) -> Any:
        """The standard deviation of the normal distribution."""
    def __init__(
        self, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'HalfNormal',
    ) -> None: ...

class Independent(_Distribution):
    """A distribution whose last batch axes are axes of events: their log probabilities are added."""
    @property
    def distribution(self) -> Any:
        """The distribution."""
    @property
    def reinterpreted_batch_ndims(self) -> Any:
        """The number of axes of events."""
    def __init__(
        self, distribution: Any, reinterpreted_batch_ndims: Any = None, validate_args: bool = False,
        name: str | None = None,
    ) -> None: ...

class InverseGamma(_Distribution):
    """The distribution of 1 / x, where x has a gamma distribution."""
    @property
    def concentration(self) -> Any:
        """The shape."""
    @property
    def rate(self) -> Any:
        """The scale."""
    def __init__(
        self, concentration: Any, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'InverseGamma',
    ) -> None: ...

class InverseGammaWithSoftplusConcentrationRate(InverseGamma):
    """The inverse gamma distribution with softplus of both parameters."""
    def __init__(
        self, concentration: Any, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = ...,
    ) -> None: ...

class Kumaraswamy(TransformedDistribution):
    """Kumaraswamy's distribution: the density of x from 0 to 1 is a b x^(a - 1) (1 - x^a)^(b - 1)."""
    @property
    def concentration1(self) -> Any:
        """What draws samples to 1."""
    @property
    def concentration0(self) -> Any:
        """What draws samples to 0."""
    def __init__(
        self, concentration1: Any = None, concentration0: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'Kumaraswamy',
    ) -> None: ...

from evergraph.distributions import Laplace as Laplace

class LaplaceWithSoftplusScale(_Laplace):
    """The Laplace distribution with scale softplus(scale)."""
    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'LaplaceWithSoftplusScale',
    ) -> None: ...

class Logistic(_Distribution):
    """The logistic distribution, whose cumulative distribution function is the sigmoid."""
    @property
    def loc(self) -> Any:
        """The location."""
    @property
    def scale(self) -> Any:
        """The scale."""
    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'Logistic',
    ) -> None: ...

class Mixture(_Distribution):
    """A mixture of distributions: a category is drawn, then a sample of its distribution."""
    @property
    def cat(self) -> Any:
        """The distribution of the categories."""
    @property
    def components(self) -> Any:
        """The distribution of each category."""
    @property
    def num_components(self) -> Any:
        """The number of components."""
    def entropy_lower_bound(self, name: str = 'entropy_lower_bound') -> Tensor:
        """A lower bound of the entropy: the mean of the components' entropies."""
    def __init__(
        self, cat: Any, components: Sequence[Any], validate_args: bool = False, allow_nan_stats: bool = True,
        use_static_graph: bool = False, name: str = 'Mixture',
    ) -> None: ...

class MixtureSameFamily(_Distribution):
    """A mixture of distributions of one class: the last axis of their batch enumerates the components."""
    @property
    def mixture_distribution(self) -> Any:
        """The distribution of the categories."""
    @property
    def components_distribution(self) -> Any:
        """The distributions of the categories."""
    def __init__(
        self, mixture_distribution: Any, components_distribution: Any, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'MixtureSameFamily',
    ) -> None: ...

from evergraph.distributions import Multinomial as Multinomial

class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    """A normal distribution of vectors whose elements are independent."""
    def __init__(
        self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'MultivariateNormalDiag',
    ) -> None: ...

class MultivariateNormalDiagPlusLowRank(MultivariateNormalLinearOperator):
    """A normal distribution of vectors with the scale diag(scale_diag + scale_identity_multiplier) + V D
    V^T."""
    def __init__(
        self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
        scale_perturb_factor: Any = None, scale_perturb_diag: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'MultivariateNormalDiagPlusLowRank',
    ) -> None: ...

class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """A normal distribution of vectors whose elements are independent, with standard deviations
    softplus(scale_diag)."""
    def __init__(
        self, loc: Any, scale_diag: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = ...,
    ) -> None: ...

class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """A normal distribution of vectors, with a covariance matrix."""
    def __init__(
        self, loc: Any = None, covariance_matrix: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'MultivariateNormalFullCovariance',
    ) -> None: ...

class MultivariateNormalLinearOperator(TransformedDistribution):
    """The normal distribution of vectors with mean `loc` and covariance scale @ scale^T."""
    @property
    def loc(self) -> Any:
        """What is added to each vector, or None."""
    @property
    def scale(self) -> Any:
        """The LinearOperator of the noise."""
    def __init__(
        self, loc: Any = None, scale: Any = None, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str | None = None,
    ) -> None: ...

class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    """A normal distribution of vectors, with the Cholesky factor of its covariance."""
    def __init__(
        self, loc: Any = None, scale_tril: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'MultivariateNormalTriL',
    ) -> None: ...

NOT_REPARAMETERIZED: _ReparameterizationType

class NegativeBinomial(_Distribution):
    """The number of successes before a number of failures."""
    @property
    def total_count(self) -> Any:
        """The number of failures."""
    @property
    def logits(self) -> Any:
        """The log-odds of a success."""
    @property
    def probs(self) -> Any:
        """The probability of a success."""
    def __init__(
        self, total_count: Any, logits: Any = None, probs: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'NegativeBinomial',
    ) -> None: ...

from evergraph.distributions import Normal as Normal

class NormalWithSoftplusScale(_Normal):
    """The normal distribution with scale softplus(scale); see `tf.distributions.Normal`."""
    def __init__(
        self, loc: Any, scale: Any, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'NormalWithSoftplusScale',
    ) -> None: ...

class OneHotCategorical(_Distribution):
    """The categorical distribution, whose samples are one-hot vectors."""
    @property
    def logits(self) -> Any:
        """The log of the probabilities, but for a constant."""
    @property
    def probs(self) -> Any:
        """The probabilities."""
    @property
    def event_size(self) -> Any:
        """The number of classes."""
    def __init__(
        self, logits: Any = None, probs: Any = None, dtype: Any = ..., validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'OneHotCategorical',
    ) -> None: ...

class Poisson(_Distribution):
    """The number of events that happen at a constant rate."""
    @property
    def rate(self) -> Any:
        """The mean number of events."""
    @property
    def log_rate(self) -> Any:
        """The logarithm of the rate."""
    @property
    def interpolate_nondiscrete(self) -> Any:
        """Whether probabilities are interpolated."""
    def __init__(
        self, rate: Any = None, log_rate: Any = None, validate_args: bool = False, allow_nan_stats: bool = True,
        interpolate_nondiscrete: bool = True, name: str = 'Poisson',
    ) -> None: ...

class PoissonLogNormalQuadratureCompound(_Distribution):
    """Poisson numbers whose rate has a lognormal distribution, integrated by a quadrature."""
    @property
    def loc(self) -> Any:
        """The mean of the logarithm of the rate."""
    @property
    def scale(self) -> Any:
        """The standard deviation of the logarithm of the rate."""
    @property
    def quadrature_size(self) -> Any:
        """The number of points."""
    @property
    def mixture_distribution(self) -> Any:
        """The distribution of the points."""
    @property
    def distribution(self) -> Any:
        """The Poisson distribution of each point."""
    def __init__(
        self, loc: Any, scale: Any, quadrature_size: int = 8, quadrature_fn: Callable = ...,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'PoissonLogNormalQuadratureCompound',
    ) -> None: ...

class QuantizedDistribution(_Distribution):
    """The distribution of ceil(x), or of the limits beyond them, where x has another distribution of
    scalars."""
    @property
    def distribution(self) -> Any:
        """The distribution that is rounded."""
    @property
    def low(self) -> Any:
        """The least value, or None."""
    @property
    def high(self) -> Any:
        """The largest value, or None."""
    def __init__(
        self, distribution: Any, low: Any = None, high: Any = None, validate_args: bool = False,
        name: str = 'QuantizedDistribution',
    ) -> None: ...

from evergraph.distributions import RegisterKL as RegisterKL

class RelaxedBernoulli(TransformedDistribution):
    """Numbers from 0 to 1, near to these where the temperature is low (Maddison, Mnih and Teh, 2017)."""
    @property
    def temperature(self) -> Any:
        """The temperature."""
    @property
    def logits(self) -> Any:
        """The log-odds of 1."""
    @property
    def probs(self) -> Any:
        """The probability of 1."""
    def __init__(
        self, temperature: Any, logits: Any = None, probs: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'RelaxedBernoulli',
    ) -> None: ...

class RelaxedOneHotCategorical(TransformedDistribution):
    """The concrete distribution (Maddison, Mnih and Teh, 2017): one-hot vectors, relaxed by a
    temperature."""
    @property
    def temperature(self) -> Any:
        """The temperature."""
    @property
    def logits(self) -> Any:
        """The log of the probabilities, but for a constant."""
    @property
    def probs(self) -> Any:
        """The probabilities."""
    @property
    def event_size(self) -> Any:
        """The number of classes."""
    def __init__(
        self, temperature: Any, logits: Any = None, probs: Any = None, dtype: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'RelaxedOneHotCategorical',
    ) -> None: ...

from evergraph.distributions import ReparameterizationType as ReparameterizationType

class SeedStream:
    """Seeds that differ from each other and from those of streams with another seed or salt."""
    @property
    def original_seed(self) -> Any:
        """The seed of the stream."""
    @property
    def salt(self) -> Any:
        """The salt of the stream."""
    def __call__(self) -> int | None: ...
    def __init__(self, seed: Any, salt: str) -> None: ...

class SinhArcsinh(TransformedDistribution):
    """The distribution of loc + scale * F(Z) * 2 / F0(2), F(z) = sinh((asinh(z) + skewness) *
    tailweight)."""
    @property
    def loc(self) -> Any:
        """The location."""
    @property
    def scale(self) -> Any:
        """The scale."""
    @property
    def skewness(self) -> Any:
        """What moves mass to the right."""
    @property
    def tailweight(self) -> Any:
        """What makes tails heavier."""
    def __init__(
        self, loc: Any, scale: Any, skewness: Any = None, tailweight: Any = None, distribution: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'SinhArcsinh',
    ) -> None: ...

from evergraph.distributions import StudentT as StudentT

class StudentTWithAbsDfSoftplusScale(_StudentT):
    """Student's t-distribution with floor(|df|) degrees of freedom and scale softplus(scale)."""
    def __init__(
        self, df: Any, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'StudentTWithAbsDfSoftplusScale',
    ) -> None: ...

class TransformedDistribution(_Distribution):
    """The distribution of y = bijector.forward(x), where x has another distribution."""
    @property
    def distribution(self) -> Any:
        """The distribution of what is transformed."""
    @property
    def bijector(self) -> Any:
        """The transform."""
    def __init__(
        self, distribution: Any, bijector: Any = None, batch_shape: Any = None, event_shape: Any = None,
        validate_args: bool = False, name: str | None = None,
    ) -> None: ...

from evergraph.distributions import Uniform as Uniform

class VectorDeterministic(_Distribution):
    """A vector that is always `loc`."""
    @property
    def loc(self) -> Any:
        """The value."""
    @property
    def atol(self) -> Any:
        """How far another value may be from it."""
    @property
    def rtol(self) -> Any:
        """The same, for each unit of its size."""
    def __init__(
        self, loc: Any, atol: Any = None, rtol: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str | None = None,
    ) -> None: ...

class VectorDiffeomixture(_Distribution):
    """Vectors that an affine map between two others makes of noise: a mixture of which the share is itself
    random."""
    @property
    def mixture_distribution(self) -> Any:
        """The distribution of the points."""
    @property
    def distribution(self) -> Any:
        """The distribution of the elements of the noise."""
    @property
    def grid(self) -> Any:
        """The shares at each point."""
    @property
    def endpoint_affine(self) -> Any:
        """The affine maps of the two components."""
    @property
    def interpolated_affine(self) -> Any:
        """The affine map at each point."""
    def __init__(
        self, mix_loc: Any, temperature: Any, distribution: Any, loc: Any = None, scale: Any = None,
        quadrature_size: int = 8, quadrature_fn: Callable = ..., validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'VectorDiffeomixture',
    ) -> None: ...

class VectorExponentialDiag(VectorExponentialLinearOperator):
    """Vectors of independent, shifted and scaled exponential elements."""
    def __init__(
        self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'VectorExponentialDiag',
    ) -> None: ...

class VectorExponentialLinearOperator(TransformedDistribution):
    """The distribution of loc + scale @ x, where elements of x are exponential with rate 1."""
    @property
    def loc(self) -> Any:
        """What is added to each vector, or None."""
    @property
    def scale(self) -> Any:
        """The LinearOperator of the noise."""
    def __init__(
        self, loc: Any = None, scale: Any = None, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str | None = None,
    ) -> None: ...

class VectorLaplaceDiag(VectorLaplaceLinearOperator):
    """Vectors of independent elements with Laplace distributions."""
    def __init__(
        self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'VectorLaplaceDiag',
    ) -> None: ...

class VectorLaplaceLinearOperator(TransformedDistribution):
    """The distribution of loc + scale @ x, where elements of x have Laplace distributions around 0 with
    scale 1."""
    @property
    def loc(self) -> Any:
        """What is added to each vector, or None."""
    @property
    def scale(self) -> Any:
        """The LinearOperator of the noise."""
    def __init__(
        self, loc: Any = None, scale: Any = None, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str | None = None,
    ) -> None: ...

class VectorSinhArcsinhDiag(TransformedDistribution):
    """Vectors with skewness and tails of any weight: Y = loc + scale @ F(Z) * 2 / F0(2) (Jones and Pewsey,
    2009)."""
    @property
    def loc(self) -> Any:
        """The location, or None."""
    @property
    def scale(self) -> Any:
        """The scale, as a LinearOperator."""
    @property
    def skewness(self) -> Any:
        """What moves mass to the right."""
    @property
    def tailweight(self) -> Any:
        """What makes tails heavier."""
    def __init__(
        self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
        skewness: Any = None, tailweight: Any = None, distribution: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'VectorSinhArcsinhDiag',
    ) -> None: ...

class WishartCholesky(_Distribution):
    """The Wishart distribution, with the Cholesky factor of its scale matrix."""
    @property
    def df(self) -> Any:
        """The degrees of freedom."""
    @property
    def dimension(self) -> Any:
        """The number of rows of matrices."""
    @property
    def scale_operator(self) -> Any:
        """The Cholesky factor of the scale, as a LinearOperator."""
    @property
    def cholesky_input_output_matrices(self) -> Any:
        """Whether samples and values are Cholesky factors."""
    def scale(self) -> Any:
        """The scale matrix, or its Cholesky factor where matrices are Cholesky factors."""
    def log_normalization(self, name: str = 'log_normalization') -> Any:
        """The logarithm of the constant by which the density is divided."""
    def mean_log_det(self, name: str = 'mean_log_det') -> Any:
        """The mean of the logarithm of the determinant."""
    def __init__(
        self, df: Any, scale: Any, cholesky_input_output_matrices: bool = False, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'WishartCholesky',
    ) -> None: ...

class WishartFull(_Distribution):
    """The Wishart distribution, with its scale matrix."""
    @property
    def df(self) -> Any:
        """The degrees of freedom."""
    @property
    def dimension(self) -> Any:
        """The number of rows of matrices."""
    @property
    def scale_operator(self) -> Any:
        """The Cholesky factor of the scale, as a LinearOperator."""
    @property
    def cholesky_input_output_matrices(self) -> Any:
        """Whether samples and values are Cholesky factors."""
    def scale(self) -> Any:
        """The scale matrix, or its Cholesky factor where matrices are Cholesky factors."""
    def log_normalization(self, name: str = 'log_normalization') -> Any:
        """The logarithm of the constant by which the density is divided."""
    def mean_log_det(self, name: str = 'mean_log_det') -> Any:
        """The mean of the logarithm of the determinant."""
    def __init__(
        self, df: Any, scale: Any, cholesky_input_output_matrices: bool = False, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'WishartFull',
    ) -> None: ...

def assign_log_moving_mean_exp(
    log_mean_exp_var: Any, log_value: Any, decay: Any, name: str | None = None,
) -> Any:
    """Updates the logarithm of a moving mean of exp(log_value), without overflow, and returns the new
    one."""

def assign_moving_mean_variance(
    mean_var: Any, variance_var: Any, value: Any, decay: Any, name: str | None = None,
) -> tuple[Any, Any]:
    """Updates a moving mean and a moving variance with a value (Finch, 2009)."""

def auto_correlation(
    x: Any, axis: Any = -1, max_lags: Any = None, center: bool = True, normalize: bool = True,
    name: str = 'auto_correlation',
) -> Tensor:
    """The autocorrelation of sequences: the mean of x[t] conj(x[t + lag]) for lags 0, 1, ..., max_lags."""

def fill_triangular(x: Any, upper: bool = False, name: str | None = None) -> Tensor:
    """Triangular matrices of the elements of vectors, [..., n (n + 1) / 2] -> [..., n, n]."""

def fill_triangular_inverse(x: Any, upper: bool = False, name: str | None = None) -> Tensor:
    """Vectors of the elements of triangular matrices, [..., n, n] -> [..., n (n + 1) / 2]: see
    `fill_triangular`."""

from evergraph.distributions import kl_divergence as kl_divergence

def matrix_diag_transform(
    matrix: Any, transform: Callable[[Any], Any] | None = None, name: str | None = None,
) -> Tensor:
    """Matrices with a function of their diagonals, such as softplus, for the diagonals."""

def moving_mean_variance(
    value: Any, decay: Any, collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The moving mean and variance of a tensor, in two new variables that start at 0."""

def normal_conjugates_known_scale_posterior(prior: Any, scale: Any, s: Any, n: Any) -> _Normal:
    """The posterior of the mean of normal numbers, which is normal."""

def normal_conjugates_known_scale_predictive(prior: Any, scale: Any, s: Any, n: Any) -> _Normal:
    """The distribution of the next normal number."""

def percentile(
    x: Any, q: Any, axis: Any = None, interpolation: str | None = None, keep_dims: bool = False,
    validate_args: bool = False, name: str | None = None,
) -> Tensor:
    """The q-th percentile of x, one of its elements."""

def quadrature_scheme_softmaxnormal_gauss_hermite(
    normal_loc: Any, normal_scale: Any, quadrature_size: int, validate_args: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Points and probabilities of the Gauss-Hermite quadrature of pairs of shares, softmax([x, 0]) with
    normal x."""

def quadrature_scheme_softmaxnormal_quantiles(
    normal_loc: Any, normal_scale: Any, quadrature_size: int, validate_args: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Pairs of shares between quantiles of softmax([x, 0]) with normal x, each with the same
    probability."""

def reduce_weighted_logsumexp(
    logx: Any, w: Any = None, axis: Any = None, keep_dims: bool = False, return_sign: bool = False,
    name: str | None = None,
) -> Any:
    """log(abs(sum(w * exp(logx)))), without overflow."""

def softplus_inverse(x: Any, name: str | None = None) -> Tensor:
    """The inverse of softplus: log(exp(x) - 1), also for large and small x."""

def tridiag(below: Any = None, diag: Any = None, above: Any = None, name: str | None = None) -> Any:
    """Tridiagonal matrices, of the elements below, on and above the diagonal; None stands for zeros."""
