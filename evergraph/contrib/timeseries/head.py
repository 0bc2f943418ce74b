"""Heads of time series: what models give becomes EstimatorSpecs, and signatures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.contrib.timeseries.keys import (
    FilteringFeatures,
    FilteringResults,
    PredictionFeatures,
    SavedModelLabels,
    State,
    TrainEvalFeatures,
)
from evergraph.contrib.timeseries.model import ModelOutputs
from evergraph.contrib.timeseries.state import as_tensors
from evergraph.contrib.timeseries.state_managers import PassthroughStateManager
from evergraph.estimator.export.outputs import ExportOutput, PredictOutput
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.frontend import array, math
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.assign import assign
from evergraph.frontend.variables.scope import variable_scope
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.metrics.means import mean
from evergraph.train.global_step import get_global_step

_TIMES, _VALUES, _STATE = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES, State.STATE_TUPLE


class TimeSeriesRegressionHead:
    """Trains, evaluates and predicts with a model, and exports it with three signatures.

    "serving_default" predicts times from a state, "filter" takes values into a state, and "cold_start_filter" takes
    them into that before a series.

    Args:
        model: a TimeSeriesModel.
        state_manager: where windows get their states.
        optimizer: a tf.train.Optimizer.
        input_statistics_generator: what makes the statistics of the data, or None.
        name: the scope of the variables; "model" by default.
    """

    def __init__(self, model: Any, state_manager: Any, optimizer: Any, input_statistics_generator: Any = None,
                 name: str | None = None) -> None:
        self._model, self._state_manager, self._optimizer = model, state_manager, optimizer
        self._statistics, self._name = input_statistics_generator, name or "model"

    name = property(lambda self: self._name)

    def create_estimator_spec(self, features: Mapping[str, Any], mode: str, labels: Any = None) -> EstimatorSpec:
        """The EstimatorSpec of a mode: a model function for an Estimator.

        Raises:
            ValueError: there are labels, the mode is none, or a feature is missing or has the wrong shape.
        """
        if labels is not None and not (isinstance(labels, dict) and not labels):
            raise ValueError("the model received a `labels` argument, but a series has its values among its features")
        makers = {ModeKeys.TRAIN: self._train_spec, ModeKeys.EVAL: self._eval_spec,
                  ModeKeys.PREDICT: self._predict_spec}
        if mode not in makers:
            raise ValueError(f"Unknown mode '{mode}': modes are those of tf.estimator.ModeKeys")
        is_served = mode == ModeKeys.PREDICT and _VALUES in features
        checked = self._checked(dict(features), with_values=mode != ModeKeys.PREDICT or is_served,
                                with_state=mode == ModeKeys.PREDICT and not is_served)
        with variable_scope(self._name, use_resource=True):
            return (self._serving_spec if is_served else makers[mode])(checked)

    # ---- features

    def _checked(self, features: dict[str, Any], with_values: bool, with_state: bool) -> dict[str, Any]:
        """The features as tensors.

        Raises:
            ValueError: one is missing or has the wrong shape.
        """
        needed = [_TIMES, *[_VALUES] * with_values, *[_STATE] * with_state]
        for name in needed:
            if name not in features:
                raise ValueError(f"Expected a '{name}' feature, got {sorted(features)}")
        made = {name: as_tensors(each) if name == _STATE else convert_to_tensor(each)
                for name, each in features.items()}
        made[_TIMES] = math.cast(made[_TIMES], dtypes.int64)
        _check_shape(made[_TIMES], [None, None], _TIMES)
        if with_values:
            made[_VALUES] = math.cast(made[_VALUES], self._model.dtype)
            _check_shape(made[_VALUES], [None, None, self._model.num_features], _VALUES)
        for name, each in made.items():
            if name not in (_TIMES, _VALUES, _STATE) and not name.startswith(State.STATE_PREFIX):
                self._check_exogenous(name, each, made[_TIMES])
        return made

    def _check_exogenous(self, name: str, feature: Tensor, times: Tensor) -> None:
        """Raises ValueError for a feature that has not the axes of the times."""
        shape = feature.shape
        if shape.rank is not None and (shape.rank < 2 or not shape[:2].is_compatible_with(times.shape)):
            raise ValueError(f"Features must have shape [batch, window, ...], as the times have, {times.shape}; got "
                             f"shape {shape} for feature '{name}'")

    # ---- modes

    def _prepare(self, features: Mapping[str, Any], mode: str) -> None:
        """Begins the graph."""
        statistics = None
        if self._statistics is not None:
            statistics = self._statistics.initialize_graph(features, update_statistics=mode == ModeKeys.TRAIN)
        if statistics is None:
            self._model.initialize_graph(input_statistics=None)
            self._state_manager.initialize_graph(self._model)
        else:
            self._model.initialize_graph(input_statistics=statistics)
            self._state_manager.initialize_graph(self._model, statistics)

    def _outputs(self, features: Mapping[str, Any], mode: str) -> ModelOutputs:
        self._prepare(features, mode)
        return self._state_manager.define_loss(self._model, features, mode)

    def _train_spec(self, features: Mapping[str, Any]) -> EstimatorSpec:
        outputs = self._outputs(features, ModeKeys.TRAIN)
        train_op = self._optimizer.minimize(outputs.loss, global_step=get_global_step())
        return EstimatorSpec(ModeKeys.TRAIN, loss=outputs.loss, train_op=train_op)

    def _eval_spec(self, features: Mapping[str, Any]) -> EstimatorSpec:
        outputs = self._outputs(features, ModeKeys.EVAL)
        loss = outputs.loss
        metrics = {name: _latest(each, name) for name, each in self._reported(outputs).items()}
        metrics["average_loss"] = mean(loss)
        return EstimatorSpec(ModeKeys.EVAL, loss=loss, eval_metric_ops=metrics, predictions=outputs.predictions)

    def _reported(self, outputs: ModelOutputs) -> dict[str, Any]:
        """What an evaluation gives beside the loss."""
        return {**outputs.predictions, FilteringResults.TIMES: outputs.prediction_times,
                FilteringResults.STATE_TUPLE: outputs.end_state}

    def _predict_spec(self, features: Mapping[str, Any]) -> EstimatorSpec:
        self._prepare(features, ModeKeys.PREDICT)
        predictions = self._model.predict(features)
        return EstimatorSpec(ModeKeys.PREDICT, predictions={**predictions, _TIMES: features[_TIMES]})

    def _serving_spec(self, features: Mapping[str, Any]) -> EstimatorSpec:
        """Predictions, and two kinds of filtering."""
        self._prepare(features, ModeKeys.PREDICT)
        cold = {name: each for name, each in features.items() if not name.startswith(State.STATE_PREFIX)}
        parts = [features[name] for name in sorted(set(features) - set(cold))]
        state = {_STATE: nest.pack_sequence_as(self._model.get_start_state(), parts)}
        predictions = self._model.predict({**state, **{name: cold[name] for name in cold if name != _VALUES}})
        filtering = PassthroughStateManager()
        filtered = filtering.define_loss(self._model, {**cold, **state}, ModeKeys.EVAL)
        cold_filtered = filtering.define_loss(self._model, cold, ModeKeys.EVAL)
        signatures = {
            SavedModelLabels.PREDICT: _Signature({**predictions, _TIMES: features[_TIMES]}, {_VALUES}),
            SavedModelLabels.FILTER: _Signature(_filtering_results(filtered, features), set()),
            SavedModelLabels.COLD_START_FILTER: _Signature(_filtering_results(cold_filtered, features),
                                                           {State.STATE_PREFIX})}
        return EstimatorSpec(ModeKeys.PREDICT, predictions=predictions, export_outputs=signatures)


@export("contrib.timeseries.OneShotPredictionHead")
class OneShotPredictionHead(TimeSeriesRegressionHead):
    """A head whose export needs no state: one signature takes values and more times than values, and predicts the rest.

    Args:
        model, state_manager, optimizer, input_statistics_generator, name: see `TimeSeriesRegressor`'s other head.
    """

    def _reported(self, outputs: ModelOutputs) -> dict[str, Any]:
        return {name: each for name, each in super()._reported(outputs).items()
                if name != FilteringResults.STATE_TUPLE}

    def _serving_spec(self, features: Mapping[str, Any]) -> EstimatorSpec:
        self._prepare(features, ModeKeys.PREDICT)
        known = array.shape(features[_VALUES])[1]
        others = {name: each for name, each in features.items() if name not in (_VALUES, _STATE)}
        seen = {name: each[:, :known] for name, each in others.items()}
        outputs = PassthroughStateManager().define_loss(
            self._model, {**seen, _VALUES: features[_VALUES]}, ModeKeys.EVAL)
        later = {name: each[:, known:] for name, each in others.items()}
        predictions = self._model.predict({**later, PredictionFeatures.STATE_TUPLE: outputs.end_state})
        predictions = {**predictions, _TIMES: later[_TIMES]}
        return EstimatorSpec(ModeKeys.PREDICT, predictions=predictions,
                             export_outputs={SavedModelLabels.PREDICT: PredictOutput(predictions)})


class _Signature(ExportOutput):
    """Outputs, and the inputs without those of some names or prefixes."""

    def __init__(self, outputs: Mapping[str, Tensor], without: set[str]) -> None:
        self._outputs, self._without = PredictOutput(dict(outputs)), tuple(without)

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        return self._outputs.as_signature_def({name: each for name, each in receiver_tensors.items()
                                               if not (self._without and name.startswith(self._without))})


def _filtering_results(outputs: ModelOutputs, features: Mapping[str, Any]) -> dict[str, Tensor]:
    return {FilteringResults.TIMES: features[FilteringFeatures.TIMES], **flat_state(outputs.end_state)}


def flat_state(state: Any) -> dict[str, Any]:
    """The parts of a state by the names that signatures have for them."""
    return {f"{State.STATE_PREFIX}_{number:02d}": part for number, part in enumerate(nest.flatten(state))}


def _check_shape(tensor: Tensor, wanted: list[int | None], name: str) -> None:
    if not tensor.shape.is_compatible_with(wanted):
        raise ValueError(f"Expected shape {wanted} for feature '{name}', got {tensor.shape}")


def _latest(value: Any, name: str) -> tuple[Any, Any]:
    """A metric, (value, update), that is what a structure of tensors was in the last batch."""
    kept, updates = [], []
    for part in nest.flatten(as_tensors(value)):
        start = array.zeros([size or 0 for size in part.shape.as_list()], part.dtype)
        variable = Variable(start, trainable=False, validate_shape=False, name=f"latest_{name}",
                            collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES], use_resource=False)
        updates.append(assign(variable, part, validate_shape=False))
        kept.append(array.identity(variable))
    return nest.pack_sequence_as(value, kept), group(*updates)
