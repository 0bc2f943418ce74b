# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tensor_forest.client.eval_metrics."""

from collections.abc import Callable
from typing import Any

def get_metric(metric_name: str) -> Callable[..., tuple[Any, Any]]:
    """The metric of a name, a function of (predictions, labels, weights) that returns its value and its
    update."""

def get_prediction_key(metric_name: str) -> str:
    """The prediction that a metric is of: classes, probabilities or scores."""
