"""Linear state space models, filtered by Kalman's filter."""

from __future__ import annotations

import abc
import collections
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.contrib.timeseries.covariances import log_noninformative_covariance_prior, variable_covariance_matrix
from evergraph.contrib.timeseries.kalman import KalmanFilter
from evergraph.contrib.timeseries.keys import TrainEvalFeatures
from evergraph.contrib.timeseries.matrices import matrix_to_powers, noise_sums
from evergraph.contrib.timeseries.sequential import Sequences, SequentialTimeSeriesModel
from evergraph.contrib.timeseries.tables import parameter_switch
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.frontend import array, math
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import matrix_diag, matrix_diag_part
from evergraph.frontend.reduce import reduce_max
from evergraph.frontend.variables.initializers import random_normal_initializer, zeros_initializer
from evergraph.frontend.variables.scope import get_variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise

_OPTIONS = {
    "num_features": 1, "use_observation_noise": True, "dtype": dtypes.float32,
    "covariance_prior_fn": log_noninformative_covariance_prior, "bayesian_prior_weighting": True,
    "filtering_postprocessor": None, "trainable_start_state": False, "exogenous_noise_increases": True,
    "exogenous_noise_decreases": False, "exogenous_feature_columns": None, "exogenous_update_condition": None,
    "filtering_maximum_posterior_variance_ratio": 1e6, "filtering_minimum_posterior_variance": 0.0,
    "transition_covariance_initial_log_scale_bias": -5.0, "static_unrolling_window_size_threshold": None}

StateSpaceModelConfiguration = collections.namedtuple("StateSpaceModelConfiguration", list(_OPTIONS),
                                                      defaults=_OPTIONS.values())
"""What state space models have in common.

`covariance_prior_fn` gives the logarithm of what is believed of a covariance, which counts once for the whole series
with `bayesian_prior_weighting`, and else at each time. `exogenous_noise_increases` and `exogenous_noise_decreases` say
whether exogenous features make states less or more certain. The ratio and the minimum bound what filtering may leave of
variances.
"""

_OBSERVATION_LOG_VARIANCE = -2.0
_EXOGENOUS_DEVIATION = 0.3


class StateSpaceModel(SequentialTimeSeriesModel):
    """A state moves by a matrix and noise, and a matrix and more noise show it. Values are scaled beforehand.

    Models define `get_state_transition`, `get_noise_transform` and `get_observation_model`.

    Args:
        configuration: a StateSpaceModelConfiguration.
    """

    def __init__(self, configuration: Any) -> None:
        self._configuration, post = configuration, configuration.filtering_postprocessor
        super().__init__(
            train_output_names=["mean", "covariance", "log_likelihood", *(post.output_names if post else ())],
            predict_output_names=["mean", "covariance"], num_features=configuration.num_features,
            normalize_features=True, dtype=configuration.dtype,
            exogenous_feature_columns=configuration.exogenous_feature_columns,
            exogenous_update_condition=configuration.exogenous_update_condition,
            static_unrolling_window_size_threshold=configuration.static_unrolling_window_size_threshold)
        self._filter = KalmanFilter(self.dtype)
        self._exogenous_weights: dict[str, Any] = {}
        self.prior_state_mean: Any = None
        self.prior_state_covariance: Any = None
        self.state_transition_noise_covariance: Any = None
        self.observation_noise_covariance: Any = None

    # ---- what models define

    @abc.abstractmethod
    def get_state_transition(self) -> Any:
        """The matrix, [state, state], that one step of time moves a state by."""

    @abc.abstractmethod
    def get_noise_transform(self) -> Any:
        """The matrix, [state, noise], that adds noise to a state in each step."""

    @abc.abstractmethod
    def get_observation_model(self, times: Tensor) -> Any:
        """What shows a state at times, [batch]: something that broadcasts to [batch, features, state]."""

    def get_prior_mean(self) -> Any:
        """The mean of the state before a series, [state]."""
        return array.zeros([self._state_size()], self.dtype)

    def get_prior_covariance(self) -> Any:
        """The covariance of the state before a series."""
        return array.eye(self._state_size(), dtype=self.dtype)

    def make_priors(self) -> tuple[Any, Any]:
        """(mean, covariance) of the state before a series."""
        return self.get_prior_mean(), self.get_prior_covariance()

    def make_parameters(self) -> None:
        """Makes the variables of the transition, where there are some."""

    # ---- graphs

    def initialize_graph(self, input_statistics: Any = None) -> None:
        self.initialize_member(input_statistics)
        self.state_transition_noise_covariance = self.make_transition_noise()
        self.observation_noise_covariance = self._make_observation_noise()
        if self._exogenous_feature_columns:
            self._make_exogenous_weights()

    def initialize_member(self, input_statistics: Any) -> None:
        """What a model needs also as a part of another one: all but noise."""
        super().initialize_graph(input_statistics)
        self._exogenous_weights = {}
        self.make_parameters()
        mean, covariance = (convert_to_tensor(each, self.dtype) for each in self.make_priors())
        if self._configuration.trainable_start_state:
            mean += get_variable("start_state", mean.shape.as_list(), self.dtype, zeros_initializer())
        self.prior_state_mean, self.prior_state_covariance = mean, covariance

    def make_transition_noise(self) -> Tensor:
        """The covariance of the noise, [noise, noise]."""
        size = self._matrix(self.get_noise_transform()).shape.as_list()[1]
        return variable_covariance_matrix(size, "transition_noise", self.dtype,
                                          2 * self._configuration.transition_covariance_initial_log_scale_bias)

    def _make_observation_noise(self) -> Tensor:
        if not self._configuration.use_observation_noise:
            return array.zeros([self.num_features, self.num_features], self.dtype)
        return variable_covariance_matrix(self.num_features, "observation_noise", self.dtype, _OBSERVATION_LOG_VARIANCE)

    def _matrix(self, value: Any) -> Tensor:
        return convert_to_tensor(value, self.dtype)

    def _state_size(self) -> int:
        return self._matrix(self.get_state_transition()).shape.as_list()[0]

    def observation_matrices(self, times: Tensor) -> Tensor:
        """[batch, features, state] for times, [batch]."""
        size = self._state_size()
        shape = array.concat([array.shape(times), [self.num_features, size]], 0)
        matrices = self._matrix(self.get_observation_model(times)) + array.zeros(shape, self.dtype)
        matrices.set_shape([None, self.num_features, size])
        return matrices

    def get_start_state(self) -> tuple[Any, Any, Any]:
        """(mean, covariance, time) of the state before a series."""
        self._check_graph_initialized()
        known = self._input_statistics
        first = array.constant(0, dtypes.int64) if known is None else math.cast(known.start_time, dtypes.int64)
        return self.prior_state_mean, self.prior_state_covariance, first - 1

    # ---- gaps

    def transition_to_powers(self, powers: Any) -> Tensor:
        """The transitions of several steps, [gaps, state, state], for numbers of steps, [gaps]."""
        return matrix_to_powers(self._matrix(self.get_state_transition()), powers)

    def transition_power_noise_accumulator(self, num_steps: Any) -> Tensor:
        """The covariances of the noise of several steps, [..., state, state], for numbers of steps, [...]."""
        return noise_sums(self._matrix(self.get_state_transition()), self._step_noise(), num_steps)

    def _step_noise(self) -> Tensor:
        """The covariance of the noise that a step adds to a state."""
        transform = self._matrix(self.get_noise_transform())
        return matmul(matmul(transform, self._matrix(self.state_transition_noise_covariance)), transform,
                      transpose_b=True)

    def _imputer(self, times: Tensor, state: Any, sequence: Sequences) -> Any:
        self._window_initializer(times, state)
        # The statistics of a few batches may put the start of the series after its first times.
        first = elementwise.maximum(times[:, 0] - state[2], math.cast(1, dtypes.int64))
        rest = array.reshape(times[:, 1:] - times[:, :-1], [-1])
        shape = array.concat([array.shape(times) - [0, 1], [self._state_size()] * 2], 0)

        def of_all(function: Any) -> Any:
            """The matrices of the first gap, which may be long, and of those within the windows."""
            within = array.reshape(function(rest), shape)
            whole = array.concat([function(first)[:, None], within], axis=1)
            whole.set_shape([None, times.shape.as_list()[1], *[self._state_size()] * 2])
            return sequence(whole)

        transitions, noise = of_all(self.transition_to_powers), of_all(self.transition_power_noise_accumulator)
        return lambda number, current, state: self._moved(current, state, transitions(number), noise(number))

    def _imputation_step(self, current_times: Tensor, state: Any) -> Any:
        gaps = current_times - state[2]
        return self._moved(current_times, state, self.transition_to_powers(gaps),
                           self.transition_power_noise_accumulator(gaps))

    def _moved(self, current_times: Tensor, state: Any, transitions: Tensor, noise: Tensor) -> Any:
        mean, covariance, _ = state
        return (self._filter.predict_state_mean(mean, transitions),
                self._filter.predict_state_var(covariance, transitions, noise), current_times)

    # ---- steps

    def _prediction_step(self, current_times: Tensor, state: Any) -> tuple[Any, dict[str, Tensor]]:
        mean, covariance, _ = state
        seen, seen_covariance = self._filter.observed_from_state(
            mean, covariance, self.observation_matrices(current_times), self.observation_noise_covariance)
        return (mean, covariance, current_times), {"mean": seen, "covariance": seen_covariance}

    def _filtering_step(self, current_times: Tensor, current_values: Tensor, state: Any,
                        predictions: dict[str, Tensor]) -> tuple[Any, dict[str, Tensor]]:
        mean, covariance, _ = state
        posterior, posterior_covariance, likelihood = self._filter.do_filter(
            mean, covariance, predictions["mean"], predictions["covariance"], current_values,
            self.observation_matrices(current_times), self.observation_noise_covariance)
        outputs = {**predictions, "log_likelihood": likelihood}
        filtered = (posterior, self._bounded(posterior_covariance), current_times)
        post = self._configuration.filtering_postprocessor
        if post is not None:
            filtered, outputs = post.process_filtering_step(current_times, current_values, state, filtered, outputs)
        return filtered, {**outputs, "loss": -outputs["log_likelihood"]}

    def _bounded(self, covariance: Tensor) -> Tensor:
        """A covariance whose variances are not too small, absolutely and beside the largest."""
        variances = matrix_diag_part(covariance)
        least = reduce_max(variances, axis=-1, keepdims=True) / (
            self._configuration.filtering_maximum_posterior_variance_ratio)
        least = elementwise.maximum(least, math.cast(self._configuration.filtering_minimum_posterior_variance,
                                                     self.dtype))
        return covariance + matrix_diag(elementwise.maximum(least - variances, 0.0))

    def _loss_additions(self, times: Tensor, values: Tensor, mode: str | None) -> Any:
        """What is believed of covariances counts in training."""
        prior_fn, config = self._configuration.covariance_prior_fn, self._configuration
        if mode != ModeKeys.TRAIN or prior_fn is None:
            return 0.0
        prior = prior_fn(self.state_transition_noise_covariance)
        if config.use_observation_noise:
            prior += prior_fn(self.observation_noise_covariance)
        if config.bayesian_prior_weighting and self._input_statistics is not None:
            prior /= math.cast(self._input_statistics.total_observation_count, self.dtype)
        return -prior

    def _scale_back_variance(self, variance: Tensor) -> Tensor:
        """The covariances of values from those of scaled values."""
        sigmas = self._stats_sigmas
        return variance if sigmas is None else variance * sigmas[:, None] * sigmas

    # ---- exogenous features

    def _exogenous_noise_weights(self, size: int) -> Any:
        """From features, [size], to a factor of the covariance that they add; made once in a graph."""
        return self._made_once("noise", lambda: get_variable(
            "exogenous_noise", [size, self._state_size() ** 2], self.dtype,
            random_normal_initializer(stddev=_EXOGENOUS_DEVIATION)))

    def _exogenous_observation(self, size: int) -> Any:
        """(the matrix by which features, [size], show a state, the covariance of its error); made once in a graph."""
        return self._made_once("observation", lambda: (
            get_variable("exogenous_observation", [size, self._state_size()], self.dtype,
                         random_normal_initializer(stddev=_EXOGENOUS_DEVIATION)),
            variable_covariance_matrix(size, "exogenous_error", self.dtype)))

    def _made_once(self, name: str, make: Any) -> Any:
        if name not in self._exogenous_weights:
            self._exogenous_weights[name] = make()
        return self._exogenous_weights[name]

    def _make_exogenous_weights(self) -> None:
        """Makes the variables outside of loops."""
        size = self._get_exogenous_embedding_shape().as_list()[0]
        if self._configuration.exogenous_noise_increases:
            self._exogenous_noise_weights(size)
        if self._configuration.exogenous_noise_decreases:
            self._exogenous_observation(size)

    def _exogenous_input_step(self, current_times: Tensor, current_exogenous_regressors: Tensor, state: Any) -> Any:
        if self._configuration.exogenous_noise_increases:
            state = self._exogenous_noise_increasing(current_times, current_exogenous_regressors, state)
        if self._configuration.exogenous_noise_decreases:
            state = self._exogenous_noise_decreasing(current_times, current_exogenous_regressors, state)
        return state

    def _exogenous_noise_increasing(self, current_times: Tensor, exogenous_values: Any, state: Any) -> Any:
        """The state to whose covariance the features have added noise: the larger they are, the more of it."""
        mean, covariance, times = state
        values, size = self._matrix(exogenous_values), self._state_size()
        weights = self._exogenous_noise_weights(values.shape.as_list()[-1])
        factor = array.reshape(matmul(values, weights), [-1, size, size])
        return (math.cast(mean, self.dtype),
                math.cast(covariance, self.dtype) + matmul(factor, factor, transpose_b=True), times)

    def _exogenous_noise_decreasing(self, current_times: Tensor, exogenous_values: Any, state: Any) -> Any:
        """The state that has taken the features in as observations of itself."""
        mean, covariance, times = state
        values = self._matrix(exogenous_values)
        matrix, error = self._exogenous_observation(values.shape.as_list()[-1])
        batch = array.shape(values)[0]
        model = array.zeros(array.concat([[batch], array.shape(matrix)], 0), self.dtype) + matrix
        seen = self._filter.observed_from_state(mean, covariance, model, error)
        return (*self._filter.posterior_from_prior_state(mean, covariance, values, model, seen, error), times)

    # ---- series at random

    def generate(self, number_of_series: int, series_length: int, model_parameters: Any = None,
                 seed: Any = None) -> dict[str, Any]:
        draw = np.random if seed is None else np.random.RandomState(seed)
        get = parameter_switch(model_parameters or {})
        times = np.tile(np.arange(series_length, dtype=np.int64), (number_of_series, 1))
        transition, transform = (self._matrix(each).eval() for each in (
            self.get_state_transition(), self.get_noise_transform()))
        shows = self.observation_matrices(array.constant(times[0])).eval()
        noise, error = get(self.state_transition_noise_covariance), get(self.observation_noise_covariance)
        state = np.tile(get(self.prior_state_mean), (number_of_series, 1))
        values = []
        for step in range(series_length):
            state = state @ transition.T + _drawn(draw, noise, number_of_series) @ transform.T
            values.append(state @ shows[step].T + _drawn(draw, error, number_of_series))
        return {TrainEvalFeatures.TIMES: times,
                TrainEvalFeatures.VALUES: np.stack(values, axis=1).astype(self.dtype.as_numpy_dtype)}

    def random_model_parameters(self, seed: Any = None) -> dict[Any, Any]:
        draw = np.random if seed is None else np.random.RandomState(seed)

        def covariance(like: Tensor, scale: float) -> np.ndarray:
            size = like.shape.as_list()[0]
            factor = scale * (np.eye(size) + 0.3 * draw.normal(size=[size, size]))
            return (factor @ factor.T).astype(self.dtype.as_numpy_dtype)

        mean = draw.normal(size=self.prior_state_mean.shape.as_list()).astype(self.dtype.as_numpy_dtype)
        made = {self.prior_state_mean: mean,
                self.state_transition_noise_covariance: covariance(self.state_transition_noise_covariance, 0.3)}
        if self._configuration.use_observation_noise:
            made[self.observation_noise_covariance] = covariance(self.observation_noise_covariance, 0.1)
        return made


def _drawn(draw: Any, covariance: np.ndarray, count: int) -> np.ndarray:
    """Normal vectors, [count, size]."""
    size = len(covariance)
    if not size or not np.any(covariance):
        return np.zeros([count, size])
    return draw.normal(size=[count, size]) @ np.linalg.cholesky(covariance).T
