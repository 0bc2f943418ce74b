# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.predictor.contrib_estimator_predictor."""

from collections.abc import Callable
from evergraph import Graph
from evergraph.contrib.predictor.predictor import Predictor
from typing import Any

class ContribEstimatorPredictor(Predictor):
    """What `tf.contrib.predictor.from_contrib_estimator` makes; see there for the arguments."""
    def __init__(
        self, estimator: Any, prediction_input_fn: Callable[[], Any], input_alternative_key: str | None = None,
        output_alternative_key: str | None = None, graph: Graph | None = None, config: Any = None,
    ) -> None: ...
