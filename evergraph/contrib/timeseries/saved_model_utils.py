"""Predicts and filters with exported models of time series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.contrib.timeseries.head import flat_state
from evergraph.contrib.timeseries.keys import (
    FilteringFeatures,
    FilteringResults,
    PredictionFeatures,
    PredictionResults,
    SavedModelLabels,
    State,
)
from evergraph.contrib.timeseries.windows import in_windows, prediction_times

_KNOWN = (FilteringFeatures.TIMES, FilteringFeatures.VALUES)


@export("contrib.timeseries.saved_model_utils.predict_continuation")
def predict_continuation(continue_from: Mapping[str, Any], signatures: Any, session: Any, steps: int | None = None,
                         times: Any = None, exogenous_features: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Predicts what follows a result of evaluation or filtering.

    Args:
        continue_from: what `evaluate`, `filter_continuation` or `cold_start_filter` gave.
        signatures: the MetaGraphDef that `tf.saved_model.loader.load` gave.
        session: the session it was loaded in.
        steps: how many times to predict, one apart; or give `times`.
        times: [batch, times], or [times], to predict.
        exogenous_features: names to arrays, [batch, times, ...].

    Returns:
        Predictions by name, [batch, times, ...], and the times.
    """
    times = prediction_times(continue_from, steps, times)
    return _called(signatures.signature_def[SavedModelLabels.PREDICT], session, times,
                   {PredictionFeatures.TIMES: times, **(exogenous_features or {})}, continue_from)


@export("contrib.timeseries.saved_model_utils.cold_start_filter")
def cold_start_filter(signatures: Any, session: Any, features: Mapping[str, Any]) -> dict[str, Any]:
    """Takes values into the state before a series.

    Args:
        signatures: the MetaGraphDef that `tf.saved_model.loader.load` gave.
        session: the session it was loaded in.
        features: times, values and exogenous features; the axis of a batch of one may be left out.

    Returns:
        A state to continue from, with the times.
    """
    return _filtered(signatures, SavedModelLabels.COLD_START_FILTER, session, features, None)


@export("contrib.timeseries.saved_model_utils.filter_continuation")
def filter_continuation(continue_from: Mapping[str, Any], signatures: Any, session: Any,
                        features: Mapping[str, Any]) -> dict[str, Any]:
    """Takes more values into the state of a result.

    Args:
        continue_from: what `evaluate`, `filter_continuation` or `cold_start_filter` gave.
        signatures: the MetaGraphDef that `tf.saved_model.loader.load` gave.
        session: the session it was loaded in.
        features: times, values and exogenous features; the axis of a batch of one may be left out.

    Returns:
        A state to continue from, with the times.
    """
    return _filtered(signatures, SavedModelLabels.FILTER, session, features, continue_from)


def _filtered(signatures: Any, label: str, session: Any, features: Mapping[str, Any], start: Any) -> dict[str, Any]:
    times = np.asarray(features[FilteringFeatures.TIMES], np.int64)
    times = times.reshape([1] * (2 - times.ndim) + list(times.shape))
    return _called(signatures.signature_def[label], session, times, {**features, FilteringFeatures.TIMES: times}, start)


def _called(signature: Any, session: Any, times: np.ndarray, features: Mapping[str, Any], start: Any) -> dict[str, Any]:
    """The outputs of a signature, fed with features and, where it has one, a state."""
    given = {**features, **({} if start is None else _state_of(start))}
    feeds = {}
    for name, info in signature.inputs.items():
        if name not in given:
            raise ValueError(f"the exported model needs {name!r}; given are {sorted(given)}")
        tensor = session.graph.as_graph_element(info.name)
        value = np.asarray(given[name])
        if not name.startswith(State.STATE_PREFIX) and name != FilteringFeatures.TIMES:
            value = in_windows(value, times.shape, tuple(tensor.shape.as_list()[2:]))
        feeds[tensor] = value if tensor.dtype.base_dtype is dtypes.string else value.astype(
            tensor.dtype.as_numpy_dtype)
    outputs = {name: session.graph.as_graph_element(info.name) for name, info in signature.outputs.items()}
    found = session.run(outputs, feed_dict=feeds)
    return {**found, PredictionResults.TIMES: times}


def _state_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a state, by name, from a result that has it whole or in parts."""
    if FilteringResults.STATE_TUPLE in result:
        return flat_state(nest.map_structure(np.asarray, result[FilteringResults.STATE_TUPLE]))
    return {name: each for name, each in result.items() if name.startswith(State.STATE_PREFIX)}
