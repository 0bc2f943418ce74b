"""tf.contrib.bayesflow.monte_carlo: expectations by samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.reduce import reduce_max, reduce_mean
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.basic import stop_gradient
from evergraph.ops.math import elementwise


def get_samples(dist: Any, z: Any, n: int | None, seed: int | None) -> Tensor:
    """The samples z, or n new ones of a distribution."""
    if (z is None) == (n is None):
        raise ValueError(f"Give exactly one of z, samples, and n, their number; got z={z!r}, n={n!r}")
    return convert_to_tensor(dist.sample(n, seed=seed) if z is None else z)


@export("contrib.bayesflow.monte_carlo.expectation_importance_sampler")
def expectation_importance_sampler(f: Callable[[Tensor], Tensor], log_p: Callable[[Tensor], Tensor],
                                   sampling_dist_q: Any, z: Any = None, n: int | None = None, seed: int | None = None,
                                   name: str = "expectation_importance_sampler") -> Tensor:
    """The expectation of f under p, by samples of q: the mean of f(z) p(z) / q(z).

    Args:
        f: a function of samples; negative values are taken apart from positive ones.
        log_p: the logarithm of p.
        sampling_dist_q: a distribution.
        z: samples of it, along the first axis; or None, and `n` are drawn.
        n: how many to draw.
        seed: of the draw.
        name: a name for the operations.

    Raises:
        ValueError: not exactly one of `z` and `n` is given.
    """
    with name_scope(name):
        points = get_samples(sampling_dist_q, z, n, seed)
        values, log_ratio = f(points), log_p(points) - sampling_dist_q.log_prob(points)
        mean = lambda part: elementwise.exp(_log_mean_exp(_safe_log(part) + log_ratio))
        return mean(elementwise.maximum(values, 0.0)) - mean(elementwise.maximum(-values, 0.0))


def _safe_log(values: Tensor) -> Tensor:
    return elementwise.log(values + math.cast(values.dtype.as_numpy_dtype(1e-37), values.dtype))


@export("contrib.bayesflow.monte_carlo.expectation_importance_sampler_logspace")
def expectation_importance_sampler_logspace(
        log_f: Callable[[Tensor], Tensor], log_p: Callable[[Tensor], Tensor], sampling_dist_q: Any, z: Any = None,
        n: int | None = None, seed: int | None = None,
        name: str = "expectation_importance_sampler_logspace") -> Tensor:
    """The logarithm of an expectation by samples of q: that of the mean of f(z) p(z) / q(z), from their logarithms.

    Args:
        log_f: the logarithm of a function of samples.
        log_p: the logarithm of p.
        sampling_dist_q: a distribution.
        z: samples of it, along the first axis; or None, and `n` are drawn.
        n: how many to draw.
        seed: of the draw.
        name: a name for the operations.

    Raises:
        ValueError: not exactly one of `z` and `n` is given.
    """
    with name_scope(name):
        points = get_samples(sampling_dist_q, z, n, seed)
        return _log_mean_exp(log_f(points) + log_p(points) - sampling_dist_q.log_prob(points))


def _log_mean_exp(values: Tensor) -> Tensor:
    highest = stop_gradient(reduce_max(values, axis=0))
    return elementwise.log(reduce_mean(elementwise.exp(values - highest), axis=0)) + highest


@export("contrib.bayesflow.monte_carlo.expectation")
def expectation(f: Callable[[Tensor], Tensor], samples: Any, log_prob: Callable[[Tensor], Tensor] | None = None,
                use_reparametrization: bool = True, axis: Any = 0, keep_dims: bool = False,
                name: str | None = None) -> Tensor:
    """The mean of f over samples, whose gradient is that of the expectation.

    Args:
        f: a function of samples.
        samples: the samples.
        log_prob: the logarithm of their density, where they are not functions of the parameters.
        use_reparametrization: whether gradients reach the parameters through the samples. If not, they are those of
            the score function (Williams, 1992), by `log_prob`.
        axis: that of the samples; None for all axes.
        keep_dims: whether axes stay, with size 1.
        name: a name for the operations.

    Raises:
        ValueError: `f` is no function, or there is no `log_prob` and gradients do not go through the samples.
    """
    with name_scope(name, "expectation", [samples]):
        if not callable(f):
            raise ValueError(f"f must be a function of samples, got {f!r}")
        if use_reparametrization:
            return reduce_mean(f(samples), axis=axis, keepdims=keep_dims)
        if not callable(log_prob):
            raise ValueError(f"log_prob must be a function of samples, got {log_prob!r}")
        fixed = stop_gradient(convert_to_tensor(samples))
        log_density, values = log_prob(fixed), f(fixed)
        # The factor is 1, and its gradient that of the logarithm.
        return reduce_mean(values * elementwise.exp(log_density - stop_gradient(log_density)), axis=axis,
                           keepdims=keep_dims)
