"""The base class of models of time series."""

from __future__ import annotations

import abc
import collections
from collections.abc import Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.contrib.layers.feature_columns import OlderColumn
from evergraph.contrib.layers.feature_columns_layers import create_feature_spec_for_parsing, input_from_feature_columns
from evergraph.contrib.timeseries.keys import PredictionFeatures, TrainEvalFeatures
from evergraph.contrib.timeseries.state import replicate_state
from evergraph.contrib.timeseries.statistics import InputStatistics
from evergraph.feature.input_layer import input_layer
from evergraph.feature.parse_spec import make_parse_example_spec
from evergraph.frontend import array, math
from evergraph.frontend.variables.scope import AUTO_REUSE, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise

ModelOutputs = collections.namedtuple("ModelOutputs", ["loss", "end_state", "predictions", "prediction_times"])
"""The loss, a scalar; the state after the window; what was predicted for its times, by name; and these times."""

_OF_MODELS = (TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES, PredictionFeatures.STATE_TUPLE)


class TimeSeriesModel(abc.ABC):
    """Builds the graphs of a model; an Estimator runs them.

    Args:
        num_features: the number of values at each time.
        exogenous_feature_columns: columns of features that inform predictions and are not predicted.
        dtype: the floating-point dtype of the computation.
    """

    def __init__(self, num_features: int, exogenous_feature_columns: Any = None, dtype: Any = dtypes.float32) -> None:
        self.num_features, self.dtype = num_features, dtypes.as_dtype(dtype)
        self._exogenous_feature_columns = list(exogenous_feature_columns or ())
        self._input_statistics: InputStatistics | None = None
        self._initialized_graph: Any = None
        self._stats_means: Any = None
        self._stats_sigmas: Any = None

    @property
    def exogenous_feature_columns(self) -> list[Any]:
        """The columns of features that are not predicted."""
        return self._exogenous_feature_columns

    def initialize_graph(self, input_statistics: InputStatistics | None = None) -> None:
        """Begins to build in the default graph: models make their variables here.

        Args:
            input_statistics: what is known of the data, by which values are scaled.
        """
        self._initialized_graph, self._input_statistics = default_graph(), input_statistics
        self._stats_means = self._stats_sigmas = None
        if input_statistics is not None:
            moments = input_statistics.overall_feature_moments
            self._stats_means = math.cast(moments.mean, self.dtype)
            self._stats_sigmas = elementwise.sqrt(elementwise.maximum(math.cast(moments.variance, self.dtype), 1e-12))

    def _check_graph_initialized(self) -> None:
        """Raises ValueError where the model has not begun to build in the default graph."""
        if self._initialized_graph is None or self._initialized_graph is not default_graph():
            raise ValueError("call initialize_graph of the model before anything else is built in a graph")

    # ---- what models define

    @abc.abstractmethod
    def get_start_state(self) -> Any:
        """The state before a series: a structure of tensors without an axis for batches."""

    @abc.abstractmethod
    def get_batch_loss(self, features: Mapping[str, Any], mode: str | None, state: Any) -> ModelOutputs:
        """The ModelOutputs for windows of series.

        Args:
            features: times, [batch, window], values, [batch, window, features], and exogenous features.
            mode: of ModeKeys.
            state: that before each window.
        """

    @abc.abstractmethod
    def predict(self, features: Mapping[str, Any]) -> dict[str, Tensor]:
        """Predictions by name, [batch, window, ...], for the times and the state of the features."""

    def define_loss(self, features: Mapping[str, Any], mode: str | None) -> ModelOutputs:
        """The ModelOutputs for windows that start from the state before a series."""
        self._check_graph_initialized()
        batch = array.shape(features[TrainEvalFeatures.TIMES])[0]
        return self.get_batch_loss(features, mode, replicate_state(self.get_start_state(), batch))

    def generate(self, number_of_series: int, series_length: int, model_parameters: Any = None,
                 seed: Any = None) -> dict[str, Any]:
        """Draws series from a model that can: {"times": [series, length], "values": [series, length, features]}."""
        raise NotImplementedError(f"{type(self).__name__} does not generate series")

    def random_model_parameters(self, seed: Any = None) -> dict[Any, Any]:
        """Parameters for `generate`: from tensors to arrays."""
        return {}

    # ---- scales

    def _scale_data(self, values: Any) -> Tensor:
        """Values with a mean of 0 and a variance of 1."""
        return values if self._stats_means is None else (values - self._stats_means) / self._stats_sigmas

    def _scale_back_data(self, values: Any) -> Tensor:
        """The inverse of `_scale_data`."""
        return values if self._stats_means is None else values * self._stats_sigmas + self._stats_means

    def _scale_variance(self, variance: Any) -> Tensor:
        """The variance of scaled values."""
        return variance if self._stats_means is None else variance / elementwise.square(self._stats_sigmas)

    def _scale_back_variance(self, variance: Any) -> Tensor:
        """The inverse of `_scale_variance`."""
        return variance if self._stats_means is None else variance * elementwise.square(self._stats_sigmas)

    # ---- exogenous features

    def _process_exogenous_features(self, times: Any, features: Mapping[str, Any]) -> Tensor:
        """[batch, window, size] of what the columns make of features, [batch, window, ...]."""
        shape = array.shape(times)
        if not self._exogenous_feature_columns:
            return array.zeros(array.concat([shape, [0]], 0), self.dtype)
        flat = {name: _flat(convert_to_tensor(each)) for name, each in features.items() if name not in _OF_MODELS}
        embedded = math.cast(self._embedded(flat), self.dtype)
        whole = array.reshape(embedded, array.concat([shape, [embedded.shape.as_list()[-1]]], 0))
        whole.set_shape(convert_to_tensor(times).shape.concatenate(embedded.shape[-1:]))
        return whole

    def _embedded(self, features: dict[str, Tensor]) -> Tensor:
        """[records, size] of features, [records, ...], by columns of tf.feature_column or tf.contrib.layers."""
        with variable_scope("exogenous_inputs", reuse=AUTO_REUSE):
            if _are_core(self._exogenous_feature_columns):
                return input_layer(features, self._exogenous_feature_columns)
            return input_from_feature_columns(features, self._exogenous_feature_columns)

    def _get_exogenous_embedding_shape(self) -> Any:
        """The shape of what the columns make of one record."""
        if not self._exogenous_feature_columns:
            return array.zeros([0]).shape
        from_specs = feature_specs(self._exogenous_feature_columns)
        with Graph().as_default():
            records = {name: array.placeholder(spec.dtype, [None, *_shape_of(spec)])
                       for name, spec in from_specs.items()}
            return self._embedded(records).shape[1:]


def _flat(feature: Tensor) -> Tensor:
    """[batch * window, ...] of a feature, [batch, window, ...]; one number at each time gets an axis."""
    rest = feature.shape.as_list()[2:] or [1]
    return array.reshape(feature, [-1, *rest])


def _shape_of(spec: Any) -> list[int]:
    """The shape of a feature in one record."""
    return list(getattr(spec, "shape", None) or [1])


def feature_specs(columns: Any) -> dict[str, Any]:
    """The specs of what columns parse, for columns of tf.feature_column or tf.contrib.layers."""
    return (make_parse_example_spec if _are_core(columns) else create_feature_spec_for_parsing)(columns)


def _are_core(columns: Any) -> bool:
    """Whether columns are of tf.feature_column; others are of tf.contrib.layers."""
    return not any(isinstance(column, OlderColumn) for column in columns)
