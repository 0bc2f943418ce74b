# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.distributions."""

from collections.abc import Sequence
from evergraph import Tensor
from evergraph.distributions import (
    Bernoulli as _Bernoulli, Beta as _Beta, Distribution as _Distribution, Exponential as _Exponential,
    Gamma as _Gamma, Normal as _Normal, ReparameterizationType as _ReparameterizationType,
)
from typing import Any
from evergraph.contrib.distributions import bijectors as bijectors

import sys
if sys.platform == "":
    del (
        scalars, vectors, wrappers,
    )

from evergraph.distributions import Bernoulli as Bernoulli

class BernoulliWithSigmoidProbs(_Bernoulli):
    """The Bernoulli distribution with probability sigmoid(logits)."""
    def __init__(
        self, logits: Any = None, dtype: Any = ..., validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'BernoulliWithSigmoidProbs',
    ) -> None: ...

from evergraph.distributions import Beta as Beta

class BetaWithSoftplusConcentration(_Beta):
    """The beta distribution with softplus of both parameters."""
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

from evergraph.distributions import Dirichlet as Dirichlet
from evergraph.distributions import DirichletMultinomial as DirichletMultinomial
from evergraph.distributions import Distribution as Distribution
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
    """The gamma distribution with softplus of both parameters."""
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

class Independent(_Distribution):
    """A distribution whose last batch axes are axes of events: their log probabilities are added."""
    @property
    def distribution(self) -> Any:
        """The distribution."""
    @property
    def reinterpreted_batch_ndims(self) -> Any:
        """The number of axes of events."""
    def __init__(
        self, distribution: Any, reinterpreted_batch_ndims: int | None = None, validate_args: bool = False,
        name: str | None = None,
    ) -> None: ...

from evergraph.distributions import Laplace as Laplace

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

from evergraph.distributions import Multinomial as Multinomial

class MultivariateNormalDiag(_Distribution):
    """A normal distribution of vectors whose elements are independent."""
    @property
    def scale_diag(self) -> Any:
        """The standard deviations."""
    @property
    def loc(self) -> Any:
        """The mean."""
    def __init__(
        self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'MultivariateNormalDiag',
    ) -> None: ...

class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """A normal distribution of vectors, with a covariance matrix."""
    def __init__(
        self, loc: Any = None, covariance_matrix: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'MultivariateNormalFullCovariance',
    ) -> None: ...

class MultivariateNormalTriL(_Distribution):
    """A normal distribution of vectors, with the Cholesky factor of its covariance."""
    @property
    def scale_tril(self) -> Any:
        """The Cholesky factor of the covariance."""
    @property
    def loc(self) -> Any:
        """The mean."""
    def __init__(
        self, loc: Any = None, scale_tril: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'MultivariateNormalTriL',
    ) -> None: ...

NOT_REPARAMETERIZED: _ReparameterizationType
from evergraph.distributions import Normal as Normal

class NormalWithSoftplusScale(_Normal):
    """The normal distribution with scale softplus(scale)."""
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

from evergraph.distributions import RegisterKL as RegisterKL

class RelaxedOneHotCategorical(_Distribution):
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
from evergraph.distributions import StudentT as StudentT

class TransformedDistribution(_Distribution):
    """The distribution of a bijector's values of samples."""
    @property
    def distribution(self) -> Any:
        """The distribution of what is transformed."""
    @property
    def bijector(self) -> Any:
        """The transform."""
    def __init__(
        self, distribution: Any, bijector: Any, validate_args: bool = False, name: str | None = None,
    ) -> None: ...

from evergraph.distributions import Uniform as Uniform
from evergraph.distributions import kl_divergence as kl_divergence
