"""tf.contrib.tensor_forest.client.eval_metrics: metrics of forests by name, as MetricSpecs take them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.learn.keys import PredictionKey
from evergraph.contrib.metrics.correlation import streaming_concat
from evergraph.contrib.slim import metric_functions as metrics
from evergraph.frontend import array, math
from evergraph.frontend.indexing import one_hot
from evergraph.frontend.ordering import in_top_k
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math.elementwise import log

_HOME = "contrib.tensor_forest.client.eval_metrics"
_LEAST = 1e-15  # the least probability that has a logarithm
_THRESHOLDS = tuple(number / 10 for number in range(10))
Metric = Callable[..., tuple[Any, Any]]


def _one_hot(targets: Any, predictions: Tensor) -> Tensor:
    """Classes as rows of the width of probabilities."""
    ids = math.cast(array.reshape(targets, [-1]), dtypes.int64)
    return one_hot(ids, array.shape(predictions)[1], dtype=predictions.dtype)


def _cross_entropy(probabilities: Any, targets: Any, weights: Any = None) -> tuple[Any, Any]:
    """The mean over examples of the negative logarithm of the probability of the class that it is."""
    chances = convert_to_tensor(probabilities)
    losses = -reduce_sum(_one_hot(targets, chances) * log(chances + _LEAST), 1)
    return metrics.streaming_mean(losses, weights)


def _binary_cross_entropy(probabilities: Any, targets: Any, weights: Any = None) -> tuple[Any, Any]:
    """The mean over examples and classes of the cross entropy of each class with that it is not this one."""
    chances = convert_to_tensor(probabilities)
    wanted = _one_hot(targets, chances)
    losses = -(wanted * log(chances + _LEAST) + (1.0 - wanted) * log(1.0 - chances + _LEAST))
    return metrics.streaming_mean(reduce_sum(losses, 1), weights)


def _r2(scores: Any, targets: Any, weights: Any = None) -> tuple[Any, Any]:
    """The share of the batch's variance that scores explain, the mean over batches."""
    scores, targets = (math.cast(array.reshape(each, [-1]), dtypes.float32) for each in (scores, targets))
    parts = array.ones_like(targets) if weights is None else math.cast(array.reshape(weights, [-1]), dtypes.float32)
    mean = reduce_sum(parts * targets) / reduce_sum(parts)
    whole, left = (reduce_sum(parts * (targets - each) ** 2) for each in (mean, scores))
    return metrics.streaming_mean(1.0 - math.div_no_nan(left, whole))


def _of_class_one(metric: Metric, *more: Any) -> Metric:
    """A metric of the probability of the second of two classes."""
    def scored(probabilities: Any, targets: Any, weights: Any = None) -> tuple[Any, Any]:
        return metric(convert_to_tensor(probabilities)[:, 1], array.reshape(targets, [-1]), *more, weights=weights)
    return scored


def _of_classes(metric: Metric) -> Metric:
    """A metric of the predicted classes."""
    def scored(predictions: Any, targets: Any, weights: Any = None) -> tuple[Any, Any]:
        return metric(array.reshape(predictions, [-1]), array.reshape(targets, [-1]), weights=weights)
    return scored


def _predicted(predictions: Any, targets: Any, weights: Any = None) -> tuple[Any, Any]:
    """All predictions that were made, in their order; neither targets nor weights change them."""
    return streaming_concat(predictions)


def _top_five(probabilities: Any, targets: Any, weights: Any = None) -> tuple[Any, Any]:
    ids = math.cast(array.reshape(targets, [-1]), dtypes.int32)
    return metrics.streaming_mean(math.cast(in_top_k(probabilities, ids, 5), dtypes.float32), weights)


_METRICS: dict[str, tuple[Metric, str]] = {
    "auc": (_of_class_one(metrics.streaming_auc), PredictionKey.PROBABILITIES),
    "sigmoid_entropy": (_binary_cross_entropy, PredictionKey.PROBABILITIES),
    "softmax_entropy": (_cross_entropy, PredictionKey.PROBABILITIES),
    "accuracy": (_of_classes(metrics.streaming_accuracy), PredictionKey.CLASSES),
    "r2": (_r2, PredictionKey.SCORES),
    "predictions": (_predicted, PredictionKey.CLASSES),
    "classification_log_loss": (_cross_entropy, PredictionKey.PROBABILITIES),
    "precision": (_of_classes(metrics.streaming_precision), PredictionKey.CLASSES),
    "precision_at_thresholds": (_of_class_one(metrics.streaming_precision_at_thresholds, _THRESHOLDS),
                                PredictionKey.PROBABILITIES),
    "recall": (_of_classes(metrics.streaming_recall), PredictionKey.CLASSES),
    "recall_at_thresholds": (_of_class_one(metrics.streaming_recall_at_thresholds, _THRESHOLDS),
                             PredictionKey.PROBABILITIES),
    "top_5": (_top_five, PredictionKey.PROBABILITIES),
}


def _known(metric_name: str) -> tuple[Metric, str]:
    if metric_name not in _METRICS:
        raise KeyError(f"forests have no metric {metric_name!r}; they have {', '.join(_METRICS)}")
    return _METRICS[metric_name]


@export(f"{_HOME}.get_metric")
def get_metric(metric_name: str) -> Metric:
    """The metric of a name, a function of (predictions, labels, weights) that returns its value and its update.

    Args:
        metric_name: accuracy, auc, r2, precision, recall, softmax_entropy, sigmoid_entropy, classification_log_loss,
            precision_at_thresholds, recall_at_thresholds, top_5 or predictions.

    Raises:
        KeyError: there is no such metric.
    """
    return _known(metric_name)[0]


@export(f"{_HOME}.get_prediction_key")
def get_prediction_key(metric_name: str) -> str:
    """The prediction that a metric is of: classes, probabilities or scores.

    Args:
        metric_name: see `get_metric`.
    """
    return _known(metric_name)[1]
