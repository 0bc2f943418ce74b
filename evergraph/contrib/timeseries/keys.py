"""Names of features and results."""

from __future__ import annotations

from evergraph.base.export import export
from evergraph.save.saved_model_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY


class State:
    """Where a model's state is."""

    STATE_TUPLE = "start_tuple"
    STATE_PREFIX = "model_state"


class Times:
    """Where the times of observations are."""

    TIMES = "times"


class Values:
    """Where the values of observations are."""

    VALUES = "values"


@export("contrib.timeseries.TrainEvalFeatures")
class TrainEvalFeatures(Times, Values):
    """The features of training and evaluation."""


class PredictionFeatures(Times, State):
    """The features of prediction."""


class FilteringFeatures(Times, Values, State):
    """The features of filtering, which takes observations into a state."""


class PredictionResults(Times):
    """The results of prediction."""


@export("contrib.timeseries.FilteringResults")
class FilteringResults(Times, State):
    """The results of filtering."""


class SavedModelLabels:
    """The names of an exported model's signatures."""

    PREDICT = DEFAULT_SERVING_SIGNATURE_DEF_KEY
    FILTER = "filter"
    COLD_START_FILTER = "cold_start_filter"
