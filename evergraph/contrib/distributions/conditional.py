"""Distributions whose methods take further arguments."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.distributions.distribution import Distribution


@export("contrib.distributions.ConditionalDistribution")
class ConditionalDistribution(Distribution):
    """A distribution whose densities and samples take further arguments by name, for the methods of the subclass.

    Args:
        dtype: of samples.
        reparameterization_type: whether gradients flow through samples, such as
            `tf.distributions.FULLY_REPARAMETERIZED`.
        validate_args: whether parameters are checked when the graph runs.
        allow_nan_stats: whether statistics that are not defined are NaN, and no error.
        parameters: the arguments by which `copy` makes another one.
        graph_parents: the tensors that it depends on.
        name: the name scope of its operations.
    """

    def sample(self, sample_shape: Any = (), seed: Any = None, name: str = "sample", **condition_kwargs: Any) -> Any:
        """Random samples of shape sample_shape + batch_shape + event_shape."""
        return self._call_sample_n(sample_shape, seed, name, **condition_kwargs)

    def log_prob(self, value: Any, name: str = "log_prob", **condition_kwargs: Any) -> Any:
        """The log of the probability density (or mass) at `value`."""
        return self._of_value("log_prob", value, name, **condition_kwargs)

    def prob(self, value: Any, name: str = "prob", **condition_kwargs: Any) -> Any:
        """The probability density (or mass) at `value`."""
        return self._of_value("prob", value, name, **condition_kwargs)

    def log_cdf(self, value: Any, name: str = "log_cdf", **condition_kwargs: Any) -> Any:
        """The log of the cumulative distribution function."""
        return self._of_value("log_cdf", value, name, **condition_kwargs)

    def cdf(self, value: Any, name: str = "cdf", **condition_kwargs: Any) -> Any:
        """The cumulative distribution function."""
        return self._of_value("cdf", value, name, **condition_kwargs)

    def log_survival_function(self, value: Any, name: str = "log_survival_function", **condition_kwargs: Any) -> Any:
        """The log of the survival function."""
        return self._of_value("log_survival_function", value, name, **condition_kwargs)

    def survival_function(self, value: Any, name: str = "survival_function", **condition_kwargs: Any) -> Any:
        """The survival function."""
        return self._of_value("survival_function", value, name, **condition_kwargs)
