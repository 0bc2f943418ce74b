"""What filtering makes of observations that a model cannot explain."""

from __future__ import annotations

import abc
import math as numbers
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.contrib.timeseries.matrices import cauchy_log_prob
from evergraph.contrib.timeseries.state import as_tensors
from evergraph.frontend import array, math
from evergraph.frontend.ordering import matrix_diag_part
from evergraph.frontend.reduce import reduce_logsumexp, reduce_sum
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise


class FilteringStepPostprocessor(abc.ABC):
    """Changes what a step of filtering gives."""

    @abc.abstractmethod
    def process_filtering_step(self, current_times: Tensor, current_values: Tensor, predicted_state: Any,
                               filtered_state: Any, outputs: dict[str, Tensor]) -> tuple[Any, dict[str, Tensor]]:
        """(the state to go on with, the outputs).

        Args:
            current_times, current_values: those of the step, [batch] and [batch, features].
            predicted_state, filtered_state: the state without and with the values.
            outputs: among them "mean", "covariance" and "log_likelihood".
        """

    @property
    @abc.abstractmethod
    def output_names(self) -> Sequence[str]:
        """The outputs that are added."""


def cauchy_alternative_to_gaussian(current_times: Any, current_values: Tensor, outputs: dict[str, Tensor]) -> Tensor:
    """Log-likelihoods, [batch], by Cauchy distributions around the predicted means.

    Each feature has a distribution of its own, as wide as the normal one of the same entropy.
    """
    deviation = elementwise.sqrt(matrix_diag_part(outputs["covariance"]))
    scale = deviation * (numbers.sqrt(2 * numbers.pi * numbers.e) / (4 * numbers.pi))
    return reduce_sum(cauchy_log_prob(outputs["mean"], scale, current_values), axis=-1)


class StateInterpolatingAnomalyDetector(FilteringStepPostprocessor):
    """Keeps states from following anomalies: the less likely an observation, the less of it is taken in.

    Adds the output "anomaly_score": the logarithm of the odds that the observation is an anomaly. The log-likelihood
    becomes that of a mixture.

    Args:
        anomaly_log_likelihood: a function of times, values and outputs that gives the log-likelihoods, [batch], of
            values that are anomalies.
        anomaly_prior_probability: how likely an anomaly is beforehand.
        responsibility_scaling: by how much scores are multiplied before they choose between states; with a large
            number, one of both is taken.
    """

    output_names = ("anomaly_score",)

    def __init__(self, anomaly_log_likelihood: Callable[..., Tensor], anomaly_prior_probability: float = 0.01,
                 responsibility_scaling: float = 1.0) -> None:
        self._likelihood, self._scaling = anomaly_log_likelihood, responsibility_scaling
        self._log_prior, self._log_others = (numbers.log(anomaly_prior_probability),
                                             numbers.log1p(-anomaly_prior_probability))

    def process_filtering_step(self, current_times: Tensor, current_values: Tensor, predicted_state: Any,
                               filtered_state: Any, outputs: dict[str, Tensor]) -> tuple[Any, dict[str, Tensor]]:
        strange = self._likelihood(current_times, current_values, outputs) + self._log_prior
        usual = outputs["log_likelihood"] + self._log_others
        score = strange - usual
        anomalous = elementwise.sigmoid(score * self._scaling)

        def mixed(predicted: Tensor, filtered: Tensor) -> Tensor:
            if not filtered.dtype.is_floating:
                return filtered
            shape = array.concat([array.shape(anomalous), [1] * (filtered.shape.rank - 1)], 0)
            share = math.cast(array.reshape(anomalous, shape), filtered.dtype)
            return share * predicted + (1 - share) * filtered

        state = nest.map_structure(mixed, as_tensors(predicted_state), as_tensors(filtered_state))
        likelihood = reduce_logsumexp(array.stack([strange, usual]), axis=0)
        return state, {**outputs, "anomaly_score": score, "log_likelihood": likelihood}
