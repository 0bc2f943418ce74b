# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.metrics."""

from evergraph import Tensor
from typing import Any

import sys
if sys.platform == "":
    del (
        correlation, curves, scores,
    )

def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Tensor:
    """The share of predictions that are equal to the labels, of this batch alone."""

def aggregate_metric_map(names_to_tuples: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(the metrics by name, their updates by name) of pairs of both by name."""

def aggregate_metrics(*value_update_tuples: Any) -> tuple[list[Any], list[Any]]:
    """(the metrics, their updates) of pairs of both."""

def auc_with_confidence_intervals(
    labels: Any, predictions: Any, weights: Any = None, alpha: float = 0.95,
    logit_transformation: bool = True, metrics_collections: Any = ..., updates_collections: Any = ...,
    name: str | None = None,
) -> tuple[tuple, Any]:
    """The exact area under the ROC curve with bounds of its confidence interval (DeLong et al., 1988)."""

def cohen_kappa(
    labels: Any, predictions_idx: Any, num_classes: int, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """Cohen's kappa: how much two raters agree beyond chance."""

from evergraph import confusion_matrix as confusion_matrix

def count(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The number of values over batches, or the sum of their weights."""

def f1_score(
    labels: Any, predictions: Any, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The best F1 score over evenly spaced thresholds: the harmonic mean of precision and recall."""

def precision_at_recall(
    labels: Any, predictions: Any, target_recall: float, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The precision at the threshold whose recall is nearest to a given one, among those that reach it."""

def precision_recall_at_equal_thresholds(
    labels: Any, predictions: Any, weights: Any = None, num_thresholds: int | None = None,
    use_locking: bool | None = None, name: str | None = None,
) -> tuple[tuple, Any]:
    """The four counts, precision and recall at evenly spaced thresholds from 0 to 1, in time linear in the
    elements."""

def recall_at_precision(
    labels: Any, predictions: Any, precision: float, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
    strict_mode: bool = False,
) -> tuple[Any, Any]:
    """The recall at the threshold whose precision is nearest to a given one."""

from evergraph.sets import set_difference as set_difference
from evergraph.sets import set_intersection as set_intersection
from evergraph.sets import set_size as set_size
from evergraph.sets import set_union as set_union

def sparse_recall_at_top_k(
    labels: Any, top_k_predictions: Any, class_id: Any = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The recall of the k best classes, as `tf.metrics.recall_at_top_k` without `k`, which is in names
    only."""

def streaming_accuracy(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.accuracy`, predictions before labels: (the metric, an operation that updates
    it)."""

def streaming_auc(
    predictions: Any, labels: Any, weights: Any = None, num_thresholds: Any = 200,
    metrics_collections: Any = None, updates_collections: Any = None, curve: Any = 'ROC',
    name: str | None = None, summation_method: Any = 'trapezoidal', thresholds: Any = None,
) -> Any:
    """The same as `tf.metrics.auc`, predictions before labels: (the metric, an operation that updates
    it)."""

def streaming_concat(
    values: Any, axis: int = 0, max_size: int | None = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The values of all batches, joined along an axis."""

def streaming_covariance(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The unbiased covariance of predictions and labels over batches."""

def streaming_curve_points(
    labels: Any = None, predictions: Any = None, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, curve: str = 'ROC',
    name: str | None = None,
) -> tuple[Any, Any]:
    """The points of a curve at evenly spaced thresholds, a matrix of two columns."""

def streaming_dynamic_auc(
    labels: Any, predictions: Any, curve: str = 'ROC', metrics_collections: Any = ...,
    updates_collections: Any = ..., name: str | None = None, weights: Any = None,
) -> tuple[Any, Any]:
    """The exact area under the ROC or precision-recall curve, for which the elements of all batches are
    kept."""

def streaming_false_negative_rate(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The share of positive elements predicted as negative over batches: (the metric, an operation that
    updates it)."""

def streaming_false_negative_rate_at_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The share of positive elements predicted as negative at each threshold over batches: (the metric, an
    operation that updates it)."""

def streaming_false_negatives(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.false_negatives`, predictions before labels: (the metric, an operation that
    updates it)."""

def streaming_false_negatives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.false_negatives_at_thresholds`, predictions before labels: (the metric, an
    operation that updates it)."""

def streaming_false_positive_rate(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The share of negative elements predicted as positive over batches: (the metric, an operation that
    updates it)."""

def streaming_false_positive_rate_at_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The share of negative elements predicted as positive at each threshold over batches: (the metric, an
    operation that updates it)."""

def streaming_false_positives(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.false_positives`, predictions before labels: (the metric, an operation that
    updates it)."""

def streaming_false_positives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.false_positives_at_thresholds`, predictions before labels: (the metric, an
    operation that updates it)."""

def streaming_mean(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """The same as `tf.metrics.mean`: (the metric, an operation that updates it)."""

def streaming_mean_absolute_error(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.mean_absolute_error`, predictions before labels: (the metric, an operation
    that updates it)."""

def streaming_mean_cosine_distance(
    predictions: Any, labels: Any, dim: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.mean_cosine_distance`, predictions before labels: (the metric, an operation
    that updates it)."""

def streaming_mean_iou(
    predictions: Any, labels: Any, num_classes: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.mean_iou`, predictions before labels: (the metric, an operation that updates
    it)."""

def streaming_mean_relative_error(
    predictions: Any, labels: Any, normalizer: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.mean_relative_error`, predictions before labels: (the metric, an operation
    that updates it)."""

def streaming_mean_squared_error(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.mean_squared_error`, predictions before labels: (the metric, an operation
    that updates it)."""

def streaming_mean_tensor(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """The same as `tf.metrics.mean_tensor`: (the metric, an operation that updates it)."""

def streaming_pearson_correlation(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """Pearson's correlation of predictions and labels over batches."""

def streaming_percentage_less(
    values: Any, threshold: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.percentage_below`: (the metric, an operation that updates it)."""

def streaming_precision(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.precision`, predictions before labels: (the metric, an operation that updates
    it)."""

def streaming_precision_at_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.precision_at_thresholds`, predictions before labels: (the metric, an
    operation that updates it)."""

def streaming_recall(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.recall`, predictions before labels: (the metric, an operation that updates
    it)."""

def streaming_recall_at_k(
    predictions: Any, labels: Any, k: int, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """How often the class that is right is among the k largest predictions: (the metric, an update of
    it)."""

def streaming_recall_at_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.recall_at_thresholds`, predictions before labels: (the metric, an operation
    that updates it)."""

def streaming_root_mean_squared_error(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.root_mean_squared_error`, predictions before labels: (the metric, an
    operation that updates it)."""

def streaming_sensitivity_at_specificity(
    predictions: Any, labels: Any, specificity: Any, weights: Any = None, num_thresholds: Any = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.sensitivity_at_specificity`, predictions before labels: (the metric, an
    operation that updates it)."""

def streaming_sparse_average_precision_at_k(
    predictions: Any, labels: Any, k: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.average_precision_at_k`, predictions before labels: (the metric, an operation
    that updates it)."""

def streaming_sparse_average_precision_at_top_k(
    top_k_predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The mean average precision at k of a ranking of which the best classes are given; see
    `tf.metrics.average_precision_at_k`."""

def streaming_sparse_precision_at_k(
    predictions: Any, labels: Any, k: Any, class_id: Any = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.precision_at_k`, predictions before labels: (the metric, an operation that
    updates it)."""

def streaming_sparse_precision_at_top_k(
    top_k_predictions: Any, labels: Any, class_id: Any = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The precision of the k best classes, as `tf.metrics.precision_at_top_k`, predictions before
    labels."""

def streaming_sparse_recall_at_k(
    predictions: Any, labels: Any, k: Any, class_id: Any = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.recall_at_k`, predictions before labels: (the metric, an operation that
    updates it)."""

def streaming_specificity_at_sensitivity(
    predictions: Any, labels: Any, sensitivity: Any, weights: Any = None, num_thresholds: Any = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.specificity_at_sensitivity`, predictions before labels: (the metric, an
    operation that updates it)."""

def streaming_true_negatives(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.true_negatives`, predictions before labels: (the metric, an operation that
    updates it)."""

def streaming_true_negatives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.true_negatives_at_thresholds`, predictions before labels: (the metric, an
    operation that updates it)."""

def streaming_true_positives(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.true_positives`, predictions before labels: (the metric, an operation that
    updates it)."""

def streaming_true_positives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The same as `tf.metrics.true_positives_at_thresholds`, predictions before labels: (the metric, an
    operation that updates it)."""
