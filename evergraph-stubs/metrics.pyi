# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.metrics."""

from typing import Any

import sys
if sys.platform == "":
    del (
        areas, classes, counts, means, ranking, streaming, thresholds,
    )

def accuracy(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The accuracy: the fraction of predictions that equal their labels, between 0 and 1."""

def auc(
    labels: Any, predictions: Any, weights: Any = None, num_thresholds: Any = 200,
    metrics_collections: Any = None, updates_collections: Any = None, curve: Any = 'ROC',
    name: str | None = None, summation_method: Any = 'trapezoidal', thresholds: Any = None,
) -> tuple[Any, Any]:
    """The area under the ROC or precision-recall curve (AUC) of a binary classifier, approximated at
    thresholds."""

def average_precision_at_k(
    labels: Any, predictions: Any, k: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The mean average precision at k (MAP@k) of a ranking."""

def false_negatives(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The number of false negatives: positive elements that are predicted to be negative."""

def false_negatives_at_thresholds(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The number of false negatives at each threshold: positive elements that are predicted to be
    negative."""

def false_positives(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The number of false positives: negative elements that are predicted to be positive."""

def false_positives_at_thresholds(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The number of false positives at each threshold: negative elements that are predicted to be
    positive."""

def mean(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The streaming weighted mean of values over batches."""

def mean_absolute_error(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The mean absolute error (MAE): the mean of |predictions - labels|."""

def mean_cosine_distance(
    labels: Any, predictions: Any, dim: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The mean cosine distance of unit vectors: the mean of 1 - sum(labels * predictions), without
    normalization."""

def mean_iou(
    labels: Any, predictions: Any, num_classes: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The mean intersection over union (mean IoU, Jaccard index) of a classifier or semantic
    segmentation."""

def mean_per_class_accuracy(
    labels: Any, predictions: Any, num_classes: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The mean per-class accuracy, or balanced accuracy: the mean over classes of the fraction of correct
    predictions."""

def mean_relative_error(
    labels: Any, predictions: Any, normalizer: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The mean relative error: the mean of |predictions - labels| / normalizer, or 0 where the normalizer
    is 0."""

def mean_squared_error(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The mean squared error (MSE): the mean of (predictions - labels)^2."""

def mean_tensor(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The streaming weighted mean of each element of a tensor over batches."""

def percentage_below(
    values: Any, threshold: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The fraction of values below a threshold, between 0 and 1."""

def precision(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The precision: true positives / (true positives + false positives), 0 without any."""

def precision_at_k(
    labels: Any, predictions: Any, k: Any, class_id: Any = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The precision at k: the fraction of the k classes with the highest scores that are relevant."""

def precision_at_thresholds(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The precision at each threshold: true positives / (true positives + false positives)."""

def precision_at_top_k(
    labels: Any, predictions_idx: Any, k: Any = None, class_id: Any = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The precision at k of given predictions: the fraction of predicted classes that are relevant."""

def recall(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The recall: true positives / (true positives + false negatives), 0 without any."""

def recall_at_k(
    labels: Any, predictions: Any, k: Any, class_id: Any = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The recall at k: the fraction of relevant classes that are among the k classes with the highest
    scores."""

def recall_at_thresholds(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The recall at each threshold: true positives / (true positives + false negatives)."""

def recall_at_top_k(
    labels: Any, predictions_idx: Any, k: Any = None, class_id: Any = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The recall at k of given predictions: the fraction of relevant classes that are predicted."""

def root_mean_squared_error(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The root mean squared error (RMSE): the square root of the mean of (predictions - labels)^2."""

def sensitivity_at_specificity(
    labels: Any, predictions: Any, specificity: Any, weights: Any = None, num_thresholds: Any = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The sensitivity (recall) of a binary classifier at the threshold whose specificity is closest to a
    given one."""

sparse_average_precision_at_k = average_precision_at_k
sparse_precision_at_k = precision_at_k

def specificity_at_sensitivity(
    labels: Any, predictions: Any, sensitivity: Any, weights: Any = None, num_thresholds: Any = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The specificity of a binary classifier at the last threshold whose sensitivity is closest to a given
    one."""

def true_negatives(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The number of true negatives: negative elements that are predicted to be negative."""

def true_negatives_at_thresholds(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The number of true negatives at each threshold: negative elements that are predicted to be
    negative."""

def true_positives(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The number of true positives: positive elements that are predicted to be positive."""

def true_positives_at_thresholds(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:
    """The number of true positives at each threshold: positive elements that are predicted to be
    positive."""
