# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.bayesflow.monte_carlo."""

from collections.abc import Callable
from evergraph import Tensor
from typing import Any

def expectation(
    f: Callable[[Tensor], Tensor], samples: Any, log_prob: Callable[[Tensor], Tensor] | None = None,
    use_reparametrization: bool = True, axis: Any = 0, keep_dims: bool = False, name: str | None = None,
) -> Tensor:
    """The mean of f over samples, whose gradient is that of the expectation."""

def expectation_importance_sampler(
    f: Callable[[Tensor], Tensor], log_p: Callable[[Tensor], Tensor], sampling_dist_q: Any, z: Any = None,
    n: int | None = None, seed: int | None = None, name: str = 'expectation_importance_sampler',
) -> Tensor:
    """The expectation of f under p, by samples of q: the mean of f(z) p(z) / q(z)."""

def expectation_importance_sampler_logspace(
    log_f: Callable[[Tensor], Tensor], log_p: Callable[[Tensor], Tensor], sampling_dist_q: Any,
    z: Any = None, n: int | None = None, seed: int | None = None, name: str = ...,
) -> Tensor:
    """The logarithm of an expectation by samples of q: that of the mean of f(z) p(z) / q(z), from their
    logarithms."""
