# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.predictor.core_estimator_predictor."""

from collections.abc import Callable
from evergraph import Graph
from evergraph.contrib.predictor.predictor import Predictor
from evergraph.estimator import Estimator
from typing import Any

class CoreEstimatorPredictor(Predictor):
    """What `tf.contrib.predictor.from_estimator` makes; see there for the arguments."""
    def __init__(
        self, estimator: Estimator, serving_input_receiver_fn: Callable[[], Any], output_key: str | None = None,
        graph: Graph | None = None, config: Any = None,
    ) -> None: ...
