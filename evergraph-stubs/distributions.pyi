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
    """Variables that are 1 with probability `probs`, otherwise 0."""
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
    """Numbers between 0 and 1 with density x^(concentration1 - 1) (1 - x)^(concentration0 - 1) / B."""
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
    """Class numbers, drawn with the probabilities in the last axis."""
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
    """Vectors of positive numbers whose sum is 1."""
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
    """How often each class comes, when the probabilities of the classes are themselves drawn from a
    Dirichlet."""
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
    """A batch of random variables of one kind."""
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
        """What the distribution was made with."""
    def copy(self, **override_parameters_kwargs: Any) -> Any:
        """A distribution of this class with some arguments changed."""
    @classmethod
    def param_shapes(cls, sample_shape: Any, name: str = 'DistributionParamShapes') -> Any:
        """The shapes that parameters have for samples of a shape: name -> int32 tensor."""
    @classmethod
    def param_static_shapes(cls, sample_shape: Any) -> Any:
        """param_shapes of a shape that is known: name -> TensorShape."""
    @property
    def batch_shape(self) -> TensorShape:
        """How many variables there are, as far as that is known."""
    @property
    def event_shape(self) -> TensorShape:
        """The shape of one sample of one variable, as far as that is known."""
    def batch_shape_tensor(self, name: str = 'batch_shape_tensor') -> Any:
        """batch_shape as an int32 tensor."""
    def event_shape_tensor(self, name: str = 'event_shape_tensor') -> Any:
        """event_shape as an int32 tensor."""
    def is_scalar_event(self, name: str = 'is_scalar_event') -> Tensor:
        """Whether a sample of one variable is one number: a bool tensor."""
    def is_scalar_batch(self, name: str = 'is_scalar_batch') -> Tensor:
        """Whether there is one variable only: a bool tensor."""
    def sample(self, sample_shape: Any = ..., seed: Any = None, name: str = 'sample') -> Any:
        """Samples, of shape sample_shape + batch_shape + event_shape."""
    def log_prob(self, value: Any, name: str = 'log_prob') -> Any:
        """The log of the density (or probability) at `value`."""
    def prob(self, value: Any, name: str = 'prob') -> Any:
        """The density (or probability) at `value`."""
    def log_cdf(self, value: Any, name: str = 'log_cdf') -> Any:
        """The log of the probability of a sample at most `value`."""
    def cdf(self, value: Any, name: str = 'cdf') -> Any:
        """The probability of a sample at most `value`."""
    def log_survival_function(self, value: Any, name: str = 'log_survival_function') -> Any:
        """The log of the probability of a sample above `value`."""
    def survival_function(self, value: Any, name: str = 'survival_function') -> Any:
        """The probability of a sample above `value`."""
    def quantile(self, value: Any, name: str = 'quantile') -> Any:
        """The x for which cdf(x) is `value`."""
    def entropy(self, name: str = 'entropy') -> Any:
        """-E[log p(x)]"""
    def mean(self, name: str = 'mean') -> Any:
        """E[x]"""
    def mode(self, name: str = 'mode') -> Any:
        """The x of the largest density."""
    def variance(self, name: str = 'variance') -> Any:
        """E[(x - E[x])^2]"""
    def stddev(self, name: str = 'stddev') -> Any:
        """The square root of the variance."""
    def covariance(self, name: str = 'covariance') -> Any:
        """The matrix of E[(x_i - E[x_i])(x_j - E[x_j])], for samples that are vectors."""
    def cross_entropy(self, other: Any, name: str = 'cross_entropy') -> Any:
        """-E[log q(x)], where x is distributed like this one and q is the other."""
    def kl_divergence(self, other: Any, name: str = 'kl_divergence') -> Any:
        """E[log p(x) - log q(x)], where x is distributed like this one and q is the other."""
    def __init__(
        self, dtype: Any, reparameterization_type: Any, validate_args: Any, allow_nan_stats: Any,
        parameters: Any = None, graph_parents: Any = None, name: str | None = None,
    ) -> None: ...

class Exponential(Gamma):
    """Waiting times: gamma variables of concentration 1."""
    def __init__(
        self, rate: Any, validate_args: Any = False, allow_nan_stats: Any = True, name: str = 'Exponential',
    ) -> None: ...

FULLY_REPARAMETERIZED: ReparameterizationType

class Gamma(Distribution):
    """Gamma variables of a shape, `concentration`, and an inverse scale, `rate`."""
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
    """Numbers whose density falls exponentially on both sides of `loc`."""
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
    """How often each class comes, when one is drawn `total_count` times with probabilities `probs`."""
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
    """Normal variables."""
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
    """Decorator: the function that works out the divergence for two classes and what is derived from
    them."""
    def __call__(self, kl_fn: Any) -> Any: ...
    def __init__(self, dist_cls_a: Any, dist_cls_b: Any) -> None: ...

class ReparameterizationType:
    """Whether samples are differentiable functions of the parameters."""
    def __eq__(self, other: Any) -> Any: ...
    def __hash__(self) -> int: ...
    def __init__(self, rep_type: Any) -> None: ...

class StudentT(Distribution):
    """Student's t-variables, moved by `loc` and stretched by `scale`."""
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
    """Numbers in [low, high), all equally likely."""
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
    """E_a[log a(x) - log b(x)], elementwise over the batch."""
