# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.predictor."""

from collections.abc import Callable, Iterable, Mapping
from evergraph import Graph
from evergraph.contrib.predictor.contrib_estimator_predictor import ContribEstimatorPredictor
from evergraph.contrib.predictor.core_estimator_predictor import CoreEstimatorPredictor
from evergraph.contrib.predictor.saved_model_predictor import SavedModelPredictor
from evergraph.estimator import Estimator
from typing import Any
from evergraph.contrib.predictor import (
    contrib_estimator_predictor as contrib_estimator_predictor,
    core_estimator_predictor as core_estimator_predictor, predictor as predictor,
    saved_model_predictor as saved_model_predictor,
)

def from_contrib_estimator(
    estimator: Any, prediction_input_fn: Callable[[], Any], input_alternative_key: str | None = None,
    output_alternative_key: str | None = None, graph: Graph | None = None, config: Any = None,
) -> ContribEstimatorPredictor:
    """A predictor of an Estimator of tf.contrib.learn, from its latest checkpoint."""

def from_estimator(
    estimator: Estimator, serving_input_receiver_fn: Callable[[], Any], output_key: str | None = None,
    graph: Graph | None = None, config: Any = None,
) -> CoreEstimatorPredictor:
    """A predictor of an Estimator, from its latest checkpoint."""

def from_saved_model(
    export_dir: Any, signature_def_key: str | None = None, signature_def: Any = None,
    input_names: Mapping[str, str] | None = None, output_names: Mapping[str, str] | None = None,
    tags: str | Iterable[str] | None = None, graph: Graph | None = None, config: Any = None,
) -> SavedModelPredictor:
    """A predictor of a SavedModel."""
