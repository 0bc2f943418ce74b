"""Estimators of time series."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.contrib.timeseries.anomalies import StateInterpolatingAnomalyDetector, cauchy_alternative_to_gaussian
from evergraph.contrib.timeseries.ar_anomalies import AnomalyMixtureARModel
from evergraph.contrib.timeseries.ar_model import ARModel
from evergraph.contrib.timeseries.ar_networks import FlatPredictionModel, LSTMPredictionModel
from evergraph.contrib.timeseries.head import OneShotPredictionHead, TimeSeriesRegressionHead, flat_state
from evergraph.contrib.timeseries.keys import TrainEvalFeatures
from evergraph.contrib.timeseries.model import feature_specs
from evergraph.contrib.timeseries.state import as_tensors
from evergraph.contrib.timeseries.state_managers import ChainingStateManager, PassthroughStateManager
from evergraph.contrib.timeseries.state_space import StateSpaceModelConfiguration
from evergraph.contrib.timeseries.statistics import InputStatisticsFromMiniBatch
from evergraph.contrib.timeseries.structural import MultiResolutionStructuralEnsemble
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.export.receivers import ServingInputReceiver
from evergraph.frontend import array, math
from evergraph.frontend.input.features import FixedLenFeature
from evergraph.frontend.input.parsing import parse_example
from evergraph.graph.graph import Graph
from evergraph.train.adam import AdamOptimizer

_LEARNING_RATE = 0.02


@export("contrib.timeseries.TimeSeriesRegressor")
class TimeSeriesRegressor(Estimator):
    """An Estimator of a model of time series.

    Args:
        model: a TimeSeriesModel.
        state_manager: where windows get their states; by default they start from that before the series.
        optimizer: a tf.train.Optimizer; Adam with a learning rate of 0.02 by default.
        model_dir, config: see `tf.estimator.Estimator`.
        head_type: the class of the head.
    """

    def __init__(self, model: Any, state_manager: Any = None, optimizer: Any = None, model_dir: Any = None,
                 config: Any = None, head_type: Any = TimeSeriesRegressionHead) -> None:
        statistics = InputStatisticsFromMiniBatch(num_features=model.num_features, dtype=model.dtype)
        self._model = model
        self._head = head_type(model=model, state_manager=state_manager or PassthroughStateManager(),
                               optimizer=optimizer or AdamOptimizer(_LEARNING_RATE),
                               input_statistics_generator=statistics)
        super().__init__(model_fn=self._head.create_estimator_spec, model_dir=model_dir, config=config)

    def build_raw_serving_input_receiver_fn(self, default_batch_size: int | None = None,
                                            default_series_length: int | None = None) -> Callable[[], Any]:
        """A function of the input of an exported model, which is fed with tensors.

        Args:
            default_batch_size: the size of batches, or any.
            default_series_length: the length of windows, or any.
        """
        windows = [default_batch_size, default_series_length]

        def serving_input_receiver_fn() -> ServingInputReceiver:
            features = self._placeholders(windows)
            if isinstance(self._head, OneShotPredictionHead):
                return ServingInputReceiver(features, dict(features))
            features.update(flat_state(self._state_placeholders(default_batch_size)))
            return ServingInputReceiver(features, dict(features))

        return serving_input_receiver_fn

    def _placeholders(self, windows: list[int | None]) -> dict[str, Any]:
        """Times, values and exogenous features."""
        made = {TrainEvalFeatures.TIMES: array.placeholder(dtypes.int64, windows, TrainEvalFeatures.TIMES),
                TrainEvalFeatures.VALUES: array.placeholder(
                    self._model.dtype, [*windows, self._model.num_features], TrainEvalFeatures.VALUES)}
        for name, spec in feature_specs(self._model.exogenous_feature_columns).items():
            made[name] = array.placeholder(spec.dtype, [*windows, *(getattr(spec, "shape", None) or [1])])
        return made

    def _state_placeholders(self, batch: int | None) -> list[Any]:
        """A placeholder for each part of the model's state."""
        with Graph().as_default():
            self._model.initialize_graph()
            start = as_tensors(self._model.get_start_state())
        return [array.placeholder(part.dtype.base_dtype, [batch, *part.shape.as_list()])
                for part in nest.flatten(start)]

    def build_one_shot_parsing_serving_input_receiver_fn(
            self, filtering_length: int, prediction_length: int, default_batch_size: int | None = None,
            values_input_dtype: Any = None, truncate_values: bool = False) -> Callable[[], Any]:
        """A function of the input of an exported model, which is fed with serialized tf.Examples.

        Args:
            filtering_length: the number of values that an Example has.
            prediction_length: the number of times after them, which are predicted.
            default_batch_size: the number of Examples, or any.
            values_input_dtype: the dtype of the values in Examples; float32 by default.
            truncate_values: whether an Example has as many values as times, the last of which are not used.

        Raises:
            ValueError: the head is another one than OneShotPredictionHead.
        """
        if not isinstance(self._head, OneShotPredictionHead):
            raise ValueError("only models with head_type=OneShotPredictionHead predict from Examples; this one has a "
                             f"{type(self._head).__name__}")
        whole = filtering_length + prediction_length
        known = whole if truncate_values else filtering_length
        dtype = dtypes.as_dtype(values_input_dtype or dtypes.float32)  # what Examples hold
        specs = {TrainEvalFeatures.TIMES: FixedLenFeature([whole], dtypes.int64),
                 TrainEvalFeatures.VALUES: FixedLenFeature([known, self._model.num_features], dtype)}
        for name, spec in feature_specs(self._model.exogenous_feature_columns).items():
            specs[name] = FixedLenFeature([whole, *(getattr(spec, "shape", None) or [1])], spec.dtype)

        def serving_input_receiver_fn() -> ServingInputReceiver:
            examples = array.placeholder(dtypes.string, [default_batch_size], name="input")
            features = parse_example(examples, specs)
            values = math.cast(features[TrainEvalFeatures.VALUES], self._model.dtype)
            features[TrainEvalFeatures.VALUES] = values[:, :filtering_length]
            return ServingInputReceiver(features, {"examples": examples})

        return serving_input_receiver_fn


class StateSpaceRegressor(TimeSeriesRegressor):
    """An Estimator of a state space model, whose windows start from states that earlier windows have left.

    Args:
        model: a StateSpaceModel.
        state_manager: where windows get their states; a ChainingStateManager by default, which saves the state of
            every time where there are exogenous features.
        optimizer, model_dir, config, head_type: see `TimeSeriesRegressor`.
    """

    def __init__(self, model: Any, state_manager: Any = None, optimizer: Any = None, model_dir: Any = None,
                 config: Any = None, head_type: Any = TimeSeriesRegressionHead) -> None:
        if state_manager is None and model.exogenous_feature_columns:
            # A state from before a gap has not seen the exogenous features within it.
            state_manager = ChainingStateManager(state_saving_interval=1)
        super().__init__(model, state_manager or ChainingStateManager(), optimizer, model_dir, config, head_type)


@export("contrib.timeseries.StructuralEnsembleRegressor")
class StructuralEnsembleRegressor(StateSpaceRegressor):
    """An Estimator of a structural model: a level and its trend, periods, and an autoregressive moving average.

    Each feature has a level, a trend and periods of its own, and the noise of all features is correlated.

    Args:
        periodicities: the length of a period, or several, or None.
        num_features: the number of values at each time.
        cycle_num_latent_values: how many values a period goes through, an odd number; or one number for each.
        moving_average_order: how many earlier noises values depend on.
        autoregressive_order: how many earlier values values depend on.
        exogenous_feature_columns: columns of features that make the state less certain.
        exogenous_update_condition: a function of times, [batch], and features by name that says, [batch], where
            exogenous features are taken in; by default, everywhere.
        dtype: the floating-point dtype of the computation.
        anomaly_prior_probability: how likely anomalies are, which then do not change the state; None allows for none.
        optimizer, model_dir, config, head_type: see `TimeSeriesRegressor`.
    """

    def __init__(self, periodicities: Any, num_features: int, cycle_num_latent_values: Any = 11,
                 moving_average_order: int = 4, autoregressive_order: int = 0, exogenous_feature_columns: Any = None,
                 exogenous_update_condition: Callable[..., Any] | None = None, dtype: Any = dtypes.float64,
                 anomaly_prior_probability: float | None = None, optimizer: Any = None, model_dir: Any = None,
                 config: Any = None, head_type: Any = TimeSeriesRegressionHead) -> None:
        detector = None if anomaly_prior_probability is None else StateInterpolatingAnomalyDetector(
            cauchy_alternative_to_gaussian, anomaly_prior_probability)
        configuration = StateSpaceModelConfiguration(
            num_features=num_features, dtype=dtypes.as_dtype(dtype), filtering_postprocessor=detector,
            exogenous_feature_columns=exogenous_feature_columns,
            exogenous_update_condition=exogenous_update_condition)
        model = MultiResolutionStructuralEnsemble(cycle_num_latent_values, moving_average_order, autoregressive_order,
                                                  periodicities, configuration=configuration)
        super().__init__(model, None, optimizer, model_dir, config, head_type)


@export("contrib.timeseries.ARRegressor")
class ARRegressor(TimeSeriesRegressor):
    """An Estimator of an autoregressive model, linear or a network.

    Windows of training have `input_window_size + output_window_size` values.

    Args:
        periodicities, input_window_size, output_window_size, num_features, exogenous_feature_columns, num_time_buckets,
            loss: see `ARModel`.
        hidden_layer_sizes: the sizes of hidden layers; without any, the model is linear.
        anomaly_prior_probability: how likely anomalies are.
        anomaly_distribution: of AnomalyMixtureARModel; None allows for no anomalies.
        optimizer, model_dir, config: see `TimeSeriesRegressor`.

    Raises:
        ValueError: anomalies are allowed for with another loss than the likelihood.
    """

    def __init__(self, periodicities: Any, input_window_size: int, output_window_size: int, num_features: int,
                 exogenous_feature_columns: Any = None, num_time_buckets: int = 10,
                 loss: str = ARModel.NORMAL_LIKELIHOOD_LOSS, hidden_layer_sizes: Sequence[int] | None = None,
                 anomaly_prior_probability: float | None = None, anomaly_distribution: str | None = None,
                 optimizer: Any = None, model_dir: Any = None, config: Any = None) -> None:
        factory = functools.partial(FlatPredictionModel, hidden_layer_sizes=hidden_layer_sizes)
        options = {"periodicities": periodicities, "input_window_size": input_window_size,
                   "output_window_size": output_window_size, "num_features": num_features,
                   "prediction_model_factory": factory, "num_time_buckets": num_time_buckets,
                   "exogenous_feature_columns": exogenous_feature_columns}
        model: ARModel
        if anomaly_prior_probability is None and anomaly_distribution is None:
            model = ARModel(loss=loss, **options)
        elif loss != ARModel.NORMAL_LIKELIHOOD_LOSS:
            raise ValueError(f"anomalies are part of a likelihood: the loss is NORMAL_LIKELIHOOD_LOSS, not {loss!r}")
        else:
            model = AnomalyMixtureARModel(
                anomaly_prior_probability=0.01 if anomaly_prior_probability is None else anomaly_prior_probability,
                anomaly_distribution=anomaly_distribution or AnomalyMixtureARModel.GAUSSIAN_ANOMALY, **options)
        super().__init__(model, None, optimizer, model_dir, config)


class LSTMAutoRegressor(TimeSeriesRegressor):
    """An Estimator of an autoregressive model that is an LSTM.

    Args:
        periodicities, input_window_size, output_window_size: see `ARModel`.
        model_dir: see `tf.estimator.Estimator`.
        num_features: the number of values at each time.
        extra_feature_columns: columns of features that inform predictions.
        num_units: the size of the LSTM.
        num_timesteps: the number of buckets of each period.
        loss: of ARModel.
        optimizer, config: see `TimeSeriesRegressor`.
    """

    def __init__(self, periodicities: Any, input_window_size: int, output_window_size: int, model_dir: Any = None,
                 num_features: int = 1, extra_feature_columns: Any = None, num_timesteps: int = 10,
                 loss: str = ARModel.NORMAL_LIKELIHOOD_LOSS, num_units: int = 128, optimizer: Any = None,
                 config: Any = None) -> None:
        model = ARModel(periodicities, input_window_size, output_window_size, num_features,
                        functools.partial(LSTMPredictionModel, num_units=num_units), num_timesteps, loss,
                        extra_feature_columns)
        super().__init__(model, None, optimizer, model_dir, config)
