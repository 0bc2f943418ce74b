"""tf.contrib.metrics, which tf.contrib.slim.metrics is: tf.metrics with predictions before labels."""
from __future__ import annotations

import inspect
from typing import Any

from evergraph.base.export import export, names_in
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.math import cast
from evergraph.frontend.ordering import in_top_k
from evergraph.frontend.reduce import reduce_mean, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.metrics import areas, classes, counts, means, ranking, thresholds
from evergraph.ops.math import elementwise

_names = names_in("contrib.metrics", "contrib.slim.metrics")


def _streaming(name: str, metric: Any) -> Any:
    """A metric of tf.metrics under its older name, predictions first."""
    parameters = list(inspect.signature(metric).parameters.values())
    swaps = parameters[0].name == "labels"
    if swaps:
        parameters[:2] = parameters[1], parameters[0]
    signature = inspect.Signature(parameters)

    def function(*args: Any, **kwargs: Any) -> Any:
        return metric(**signature.bind(*args, **kwargs).arguments)

    function.__name__ = function.__qualname__ = name
    function.__signature__ = signature  # type: ignore[attr-defined]
    order = ", predictions before labels" if swaps else ""
    function.__doc__ = f"The same as `tf.metrics.{metric.__name__}`{order}: (the metric, an operation that updates it)."
    return export(*_names(name))(function)


streaming_mean = _streaming("streaming_mean", means.mean)
streaming_mean_tensor = _streaming("streaming_mean_tensor", means.mean_tensor)
streaming_accuracy = _streaming("streaming_accuracy", means.accuracy)
streaming_mean_absolute_error = _streaming("streaming_mean_absolute_error", means.mean_absolute_error)
streaming_mean_squared_error = _streaming("streaming_mean_squared_error", means.mean_squared_error)
streaming_root_mean_squared_error = _streaming("streaming_root_mean_squared_error", means.root_mean_squared_error)
streaming_mean_relative_error = _streaming("streaming_mean_relative_error", means.mean_relative_error)
streaming_mean_cosine_distance = _streaming("streaming_mean_cosine_distance", means.mean_cosine_distance)
streaming_percentage_less = _streaming("streaming_percentage_less", means.percentage_below)
streaming_auc = _streaming("streaming_auc", areas.auc)
streaming_mean_iou = _streaming("streaming_mean_iou", classes.mean_iou)
streaming_true_positives = _streaming("streaming_true_positives", counts.true_positives)
streaming_true_negatives = _streaming("streaming_true_negatives", counts.true_negatives)
streaming_false_positives = _streaming("streaming_false_positives", counts.false_positives)
streaming_false_negatives = _streaming("streaming_false_negatives", counts.false_negatives)
streaming_true_positives_at_thresholds = _streaming(
    "streaming_true_positives_at_thresholds", thresholds.true_positives_at_thresholds)
streaming_true_negatives_at_thresholds = _streaming(
    "streaming_true_negatives_at_thresholds", thresholds.true_negatives_at_thresholds)
streaming_false_positives_at_thresholds = _streaming(
    "streaming_false_positives_at_thresholds", thresholds.false_positives_at_thresholds)
streaming_false_negatives_at_thresholds = _streaming(
    "streaming_false_negatives_at_thresholds", thresholds.false_negatives_at_thresholds)
streaming_precision = _streaming("streaming_precision", counts.precision)
streaming_recall = _streaming("streaming_recall", counts.recall)
streaming_precision_at_thresholds = _streaming("streaming_precision_at_thresholds", thresholds.precision_at_thresholds)
streaming_recall_at_thresholds = _streaming("streaming_recall_at_thresholds", thresholds.recall_at_thresholds)
streaming_sensitivity_at_specificity = _streaming(
    "streaming_sensitivity_at_specificity", thresholds.sensitivity_at_specificity)
streaming_specificity_at_sensitivity = _streaming(
    "streaming_specificity_at_sensitivity", thresholds.specificity_at_sensitivity)
streaming_sparse_recall_at_k = _streaming("streaming_sparse_recall_at_k", ranking.recall_at_k)
streaming_sparse_precision_at_k = _streaming("streaming_sparse_precision_at_k", ranking.precision_at_k)
streaming_sparse_average_precision_at_k = _streaming(
    "streaming_sparse_average_precision_at_k", ranking.average_precision_at_k)


@export(*_names("streaming_recall_at_k"))
def streaming_recall_at_k(predictions: Any, labels: Any, k: int, weights: Any = None, metrics_collections: Any = None,
                          updates_collections: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """How often the class that is right is among the k largest predictions: (the metric, an update of it).

    Args:
        predictions: a tensor [batch, classes].
        labels: numbers of classes, [batch].
        k: how many are looked at.
        weights, metrics_collections, updates_collections, name: as for `tf.metrics.mean`.
    """
    found = cast(in_top_k(predictions, labels, k), "float32")
    return means.mean(found, weights, metrics_collections, updates_collections, name or f"recall_at_{k}")


@export(*_names("accuracy"))
def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """The share of predictions that are equal to the labels, of this batch alone.

    Args:
        predictions: a tensor.
        labels: a tensor of its shape and dtype.
        weights: how much each counts.
        name: a name prefix for the operations.

    Raises:
        ValueError: the dtypes differ.
    """
    predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
    if predictions.dtype.base_dtype is not labels.dtype.base_dtype:
        raise ValueError(f"predictions are {predictions.dtype.name}, labels {labels.dtype.name}: they must be alike")
    with name_scope(name, "accuracy", [predictions, labels]):
        right = cast(elementwise.equal(predictions, labels), "float32")
        if weights is None:
            return reduce_mean(right)
        weights = cast(convert_to_tensor(weights), "float32")
        return reduce_sum(right * weights) / reduce_sum(weights * cast(elementwise.equal(labels, labels), "float32"))


@export(*_names("aggregate_metrics"))
def aggregate_metrics(*value_update_tuples: Any) -> tuple[list[Any], list[Any]]:
    """(the metrics, their updates) of pairs of both.

    Raises:
        ValueError: there are none.
    """
    if not value_update_tuples:
        raise ValueError("there is no metric")
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


@export(*_names("aggregate_metric_map"))
def aggregate_metric_map(names_to_tuples: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(the metrics by name, their updates by name) of pairs of both by name."""
    return ({name: pair[0] for name, pair in names_to_tuples.items()},
            {name: pair[1] for name, pair in names_to_tuples.items()})
