# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.distributions."""

from evergraph.distributions import (
    Bernoulli as _Bernoulli, Beta as _Beta, Exponential as _Exponential, Gamma as _Gamma, Normal as _Normal,
    ReparameterizationType as _ReparameterizationType,
)
from typing import Any

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

from evergraph.distributions import Categorical as Categorical
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

from evergraph.distributions import Laplace as Laplace
from evergraph.distributions import Multinomial as Multinomial
NOT_REPARAMETERIZED: _ReparameterizationType
from evergraph.distributions import Normal as Normal

class NormalWithSoftplusScale(_Normal):
    """The normal distribution with scale softplus(scale)."""
    def __init__(
        self, loc: Any, scale: Any, validate_args: Any = False, allow_nan_stats: Any = True,
        name: str = 'NormalWithSoftplusScale',
    ) -> None: ...

from evergraph.distributions import RegisterKL as RegisterKL
from evergraph.distributions import ReparameterizationType as ReparameterizationType
from evergraph.distributions import StudentT as StudentT
from evergraph.distributions import Uniform as Uniform
from evergraph.distributions import kl_divergence as kl_divergence
