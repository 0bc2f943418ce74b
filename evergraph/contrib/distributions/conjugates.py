"""Posteriors of normal distributions with a known scale."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.distributions.continuous import Normal
from evergraph.frontend.math import cast, sqrt, square


@export("contrib.distributions.normal_conjugates_known_scale_posterior")
def normal_conjugates_known_scale_posterior(prior: Any, scale: Any, s: Any, n: Any) -> Normal:
    """The posterior of the mean of normal numbers, which is normal.

    Args:
        prior: the prior of the mean, a Normal.
        scale: the standard deviation of the numbers.
        s: the sum of the numbers seen.
        n: how many were seen.

    Raises:
        TypeError: the prior is no Normal, or the dtype of `s` is another.
    """
    mean, variance = _posterior(prior, scale, s, n)
    return Normal(loc=mean, scale=sqrt(variance))


@export("contrib.distributions.normal_conjugates_known_scale_predictive")
def normal_conjugates_known_scale_predictive(prior: Any, scale: Any, s: Any, n: Any) -> Normal:
    """The distribution of the next normal number. See `normal_conjugates_known_scale_posterior`."""
    mean, variance = _posterior(prior, scale, s, n)
    return Normal(loc=mean, scale=sqrt(variance + square(scale)))


def _posterior(prior: Any, scale: Any, s: Any, n: Any) -> tuple[Any, Any]:
    if not isinstance(prior, Normal):
        raise TypeError(f"prior is a Normal distribution, not {prior!r}")
    if s.dtype != prior.dtype:
        raise TypeError(f"the sum has the dtype of the prior, {prior.dtype.name}, not {s.dtype.name}")
    count = cast(n, prior.dtype)
    before, within = square(prior.scale), square(scale)
    precision = 1.0 / before + count / within
    return (prior.loc / before + s / within) / precision, 1.0 / precision
