"""The Kalman filter for batches of states."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.contrib.timeseries.matrices import mvn_tril_log_prob
from evergraph.frontend import array
from evergraph.frontend.linalg import cholesky_solve
from evergraph.frontend.matmul import matmul
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math.linalg import cholesky


class KalmanFilter:
    """Predicts states and observations of a linear system with normal noise, and updates states by observations.

    Args:
        dtype: the floating-point dtype of the computation.
        simplified_posterior_covariance_computation: whether a posterior covariance is computed by the short formula,
            which is quicker, rather than by Joseph's, which stays symmetric and positive.
    """

    def __init__(self, dtype: Any = dtypes.float32, simplified_posterior_covariance_computation: bool = False) -> None:
        self._dtype, self._is_simplified = dtypes.as_dtype(dtype), simplified_posterior_covariance_computation

    def predict_state_mean(self, prior_state: Any, transition_matrices: Any) -> Tensor:
        """The means, [batch, state], after transitions, [batch, state, state]."""
        return _times_vector(self._tensor(transition_matrices), self._tensor(prior_state))

    def predict_state_var(self, prior_state_var: Any, transition_matrices: Any, transition_noise_sums: Any) -> Tensor:
        """The covariances after transitions, with the noise that these have added."""
        return _sandwich(self._tensor(transition_matrices), self._tensor(prior_state_var)) + self._tensor(
            transition_noise_sums)

    def observed_from_state(self, state_mean: Any, state_var: Any, observation_model: Any,
                            observation_noise: Any) -> tuple[Tensor, Tensor]:
        """(means, [batch, features], covariances) of what states, seen through [batch, features, state], show."""
        model = self._tensor(observation_model)
        return (_times_vector(model, self._tensor(state_mean)),
                _sandwich(model, self._tensor(state_var)) + self._tensor(observation_noise))

    def posterior_from_prior_state(self, prior_state: Any, prior_state_var: Any, observation: Any,
                                   observation_model: Any, predicted_observations: tuple[Any, Any],
                                   observation_noise: Any) -> tuple[Tensor, Tensor]:
        """(means, covariances) of states, given observations and what was predicted of these."""
        state, variance = self._tensor(prior_state), self._tensor(prior_state_var)
        model, noise = self._tensor(observation_model), self._tensor(observation_noise)
        seen, seen_variance = predicted_observations
        gain = array.matrix_transpose(cholesky_solve(cholesky(seen_variance), matmul(model, variance)))
        posterior = state + _times_vector(gain, self._tensor(observation) - seen)
        kept = array.eye(array.shape(variance)[-1], dtype=self._dtype) - matmul(gain, model)
        if self._is_simplified:
            return posterior, matmul(kept, variance)
        return posterior, _sandwich(kept, variance) + _sandwich(gain, noise)

    def do_filter(self, estimated_state: Any, estimated_state_covariance: Any, predicted_observation: Any,
                  predicted_observation_covariance: Any, observation: Any, observation_model: Any,
                  observation_noise: Any) -> tuple[Tensor, Tensor, Tensor]:
        """(means, covariances) of states, given observations, and the log-likelihoods of these, [batch]."""
        likelihood = mvn_tril_log_prob(predicted_observation, cholesky(predicted_observation_covariance),
                                       self._tensor(observation))
        posterior = self.posterior_from_prior_state(
            estimated_state, estimated_state_covariance, observation, observation_model,
            (predicted_observation, predicted_observation_covariance), observation_noise)
        return (*posterior, likelihood)

    def _tensor(self, value: Any) -> Tensor:
        return convert_to_tensor(value, self._dtype)


def _times_vector(matrices: Tensor, vectors: Tensor) -> Tensor:
    return matmul(matrices, vectors[..., None])[..., 0]


def _sandwich(outer: Tensor, inner: Tensor) -> Tensor:
    """A B A'. One factor may lack the axis of a batch."""
    return matmul(matmul(outer, inner), outer, transpose_b=True)
