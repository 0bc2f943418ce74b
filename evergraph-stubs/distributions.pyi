# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.distributions."""

from evergraph import Tensor, TensorShape
from typing import Any

import sys
if sys.platform == "":
    del (
        continuous, discrete, distribution, divergence, gamma, parameters,
    )

class Bernoulli(Distribution):
    """The Bernoulli distribution: 1 with probability `probs`, else 0."""
    @property
    def logits(self) -> Any:
        """The log of the odds of a 1."""
    @property
    def probs(self) -> Any:
        """The probability of a 1."""
    def __init__(
        self, logits: Any = None, probs: Any = None, dtype: Any = ..., validate_args: Any = False,
        allow_nan_stats: Any = True, name: str = 'Bernoulli',
    ) -> None: ...

class Beta(Distribution):
    """The beta distribution on (0, 1): density x^(concentration1 - 1) (1 - x)^(concentration0 - 1) / B."""
    @property
    def concentration1(self) -> Any:
        """What draws samples to 1."""
    @property
    def concentration0(self) -> Any:
        """What draws samples to 0."""
    @property
    def total_concentration(self) -> Any:
        """The sum of both."""
    def __init__(
        self, concentration1: Any = None, concentration0: Any = None, validate_args: Any = False,
        allow_nan_stats: Any = True, name: str = 'Beta',
    ) -> None: ...

class Categorical(Distribution):
    """The categorical distribution over class numbers, with probabilities in the last axis."""
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
        self, logits: Any = None, probs: Any = None, dtype: Any = ..., validate_args: Any = False,
        allow_nan_stats: Any = True, name: str = 'Categorical',
    ) -> None: ...

class Dirichlet(Distribution):
    """The Dirichlet distribution over probability vectors."""
    @property
    def concentration(self) -> Any:
        """One number for each element of a sample."""
    @property
    def total_concentration(self) -> Any:
        """Their sum."""
    def __init__(
        self, concentration: Any, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'Dirichlet',
    ) -> None: ...

class DirichletMultinomial(Distribution):
    """The Dirichlet-multinomial distribution: a multinomial whose probabilities have a Dirichlet
    distribution."""
    @property
    def concentration(self) -> Any:
        """That of the Dirichlet distribution."""
    @property
    def total_concentration(self) -> Any:
        """The sum of the concentration."""
    @property
    def total_count(self) -> Any:
        """The number of draws."""
    def __init__(
        self, total_count: Any, concentration: Any, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'DirichletMultinomial',
    ) -> None: ...

class Distribution:
    """A batch of probability distributions of one family."""
    @property
    def dtype(self) -> Any:
        """The dtype of samples."""
    @property
    def name(self) -> Any:
        """The name that operations get before theirs."""
    @property
    def validate_args(self) -> Any:
        """Whether parameters and values are checked."""
    @property
    def allow_nan_stats(self) -> Any:
        """Whether undefined statistics are NaN."""
    @property
    def reparameterization_type(self) -> Any:
        """Whether samples can be differentiated."""
    @property
    def parameters(self) -> Any:
        """The constructor's arguments."""
    def copy(self, **override_parameters_kwargs: Any) -> Any:
        """A distribution of this class with some arguments changed."""
    @classmethod
    def param_shapes(cls, sample_shape: Any, name: str = 'DistributionParamShapes') -> Any:
        """The parameters' shapes for a given sample shape: name -> int32 tensor."""
    @classmethod
    def param_static_shapes(cls, sample_shape: Any) -> Any:
        """`param_shapes` for a static shape: name -> TensorShape."""
    @property
    def batch_shape(self) -> TensorShape:
        """The static shape of the batch of distributions."""
    @property
    def event_shape(self) -> TensorShape:
        """The static shape of one sample of one distribution."""
    def batch_shape_tensor(self, name: str = 'batch_shape_tensor') -> Any:
        """batch_shape as an int32 tensor."""
    def event_shape_tensor(self, name: str = 'event_shape_tensor') -> Any:
        """event_shape as an int32 tensor."""
    def is_scalar_event(self, name: str = 'is_scalar_event') -> Tensor:
        """Whether a sample is a scalar: a bool tensor."""
    def is_scalar_batch(self, name: str = 'is_scalar_batch') -> Tensor:
        """Whether there is only one distribution: a bool tensor."""
    def sample(self, sample_shape: Any = ..., seed: Any = None, name: str = 'sample') -> Any:
        """Random samples of shape sample_shape + batch_shape + event_shape."""
    def log_prob(self, value: Any, name: str = 'log_prob') -> Any:
        """The log of the probability density (or mass) at `value`."""
    def prob(self, value: Any, name: str = 'prob') -> Any:
        """The probability density (or mass) at `value`."""
    def log_cdf(self, value: Any, name: str = 'log_cdf') -> Any:
        """The log of the cumulative distribution function: log P(X <= value)."""
    def cdf(self, value: Any, name: str = 'cdf') -> Any:
        """The cumulative distribution function: P(X <= value)."""
    def log_survival_function(self, value: Any, name: str = 'log_survival_function') -> Any:
        """The log of the survival function: log P(X > value)."""
    def survival_function(self, value: Any, name: str = 'survival_function') -> Any:
        """The survival function: P(X > value)."""
    def quantile(self, value: Any, name: str = 'quantile') -> Any:
        """The quantile function (inverse cdf): the x with cdf(x) = value."""
    def entropy(self, name: str = 'entropy') -> Any:
        """The Shannon entropy -E[log p(x)], in nats."""
    def mean(self, name: str = 'mean') -> Any:
        """The mean E[x]."""
    def mode(self, name: str = 'mode') -> Any:
        """The mode: the x of the largest density."""
    def variance(self, name: str = 'variance') -> Any:
        """The variance E[(x - E[x])^2]."""
    def stddev(self, name: str = 'stddev') -> Any:
        """The standard deviation: the square root of the variance."""
    def covariance(self, name: str = 'covariance') -> Any:
        """The covariance matrix E[(x_i - E[x_i])(x_j - E[x_j])] of vector samples."""
    def cross_entropy(self, other: Any, name: str = 'cross_entropy') -> Any:
        """The cross entropy -E[log q(x)] of this distribution with another, q."""
    def kl_divergence(self, other: Any, name: str = 'kl_divergence') -> Any:
        """The Kullback-Leibler divergence E[log p(x) - log q(x)] of this distribution p from another, q."""
    def __init__(
        self, dtype: Any, reparameterization_type: Any, validate_args: Any, allow_nan_stats: Any,
        parameters: Any = None, graph_parents: Any = None, name: str | None = None,
    ) -> None: ...

class Exponential(Gamma):
    """The exponential distribution with the given rate: a gamma distribution of concentration 1."""
    def __init__(
        self, rate: Any, validate_args: Any = False, allow_nan_stats: Any = True, name: str = 'Exponential',
    ) -> None: ...

FULLY_REPARAMETERIZED: ReparameterizationType

class Gamma(Distribution):
    """The gamma distribution with shape `concentration` and inverse scale `rate`."""
    @property
    def concentration(self) -> Any:
        """The shape."""
    @property
    def rate(self) -> Any:
        """The inverse of the scale."""
    def __init__(
        self, concentration: Any, rate: Any, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'Gamma',
    ) -> None: ...

class Laplace(Distribution):
    """The Laplace distribution: density exp(-|x - loc| / scale) / (2 scale)."""
    @property
    def scale(self) -> Any:
        """The mean distance from it."""
    @property
    def loc(self) -> Any:
        """The mean."""
    def __init__(
        self, loc: Any, scale: Any, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'Laplace',
    ) -> None: ...

class Multinomial(Distribution):
    """The multinomial distribution: counts of each class in `total_count` draws with probabilities
    `probs`."""
    @property
    def logits(self) -> Any:
        """The log of the probabilities, but for a constant."""
    @property
    def probs(self) -> Any:
        """The probabilities of the classes."""
    @property
    def total_count(self) -> Any:
        """The number of draws."""
    def __init__(
        self, total_count: Any, logits: Any = None, probs: Any = None, validate_args: Any = False,
        allow_nan_stats: Any = True, name: str = 'Multinomial',
    ) -> None: ...

NOT_REPARAMETERIZED: ReparameterizationType

class Normal(Distribution):
    """The normal (Gaussian) distribution with mean `loc` and standard deviation `scale`."""
    @property
    def scale(self) -> Any:
        """The standard deviation."""
    @property
    def loc(self) -> Any:
        """The mean."""
    def __init__(
        self, loc: Any, scale: Any, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'Normal',
    ) -> None: ...

class RegisterKL:
    """Decorator that registers the KL divergence function for two classes and their subclasses."""
    def __call__(self, kl_fn: Any) -> Any: ...
    def __init__(self, dist_cls_a: Any, dist_cls_b: Any) -> None: ...

class ReparameterizationType:
    """Whether samples are differentiable functions of the parameters."""
    def __eq__(self, other: Any) -> Any: ...
    def __hash__(self) -> int: ...
    def __init__(self, rep_type: Any) -> None: ...

class StudentT(Distribution):
    """Student's t-distribution with `df` degrees of freedom, location `loc` and scale `scale`."""
    @property
    def df(self) -> Any:
        """The degrees of freedom."""
    @property
    def loc(self) -> Any:
        """Where the density is largest."""
    @property
    def scale(self) -> Any:
        """How much it is stretched."""
    def __init__(
        self, df: Any, loc: Any, scale: Any, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'StudentT',
    ) -> None: ...

class Uniform(Distribution):
    """The uniform distribution on [low, high)."""
    @property
    def low(self) -> Any:
        """The lowest sample."""
    @property
    def high(self) -> Any:
        """Above the highest sample."""
    def range(self, name: str = 'range') -> Any:
        """high - low"""
    def __init__(
        self, low: Any = 0.0, high: Any = 1.0, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'Uniform',
    ) -> None: ...

def kl_divergence(
    distribution_a: Any, distribution_b: Any, allow_nan_stats: Any = True, name: str | None = None,
) -> Any:
    """The Kullback-Leibler divergence E_a[log a(x) - log b(x)], elementwise over the batch."""
