"""F1, Cohen's kappa, and shares at the threshold where another share is reached."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export, names_in
from evergraph.frontend import array, math
from evergraph.frontend.confusion import confusion_matrix
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import argmax, reduce_max, reduce_sum
from evergraph.frontend.variables.scope import variable_scope
from evergraph.metrics import ranking
from evergraph.metrics.classes import streaming_confusion_matrix
from evergraph.metrics.streaming import collected, documented
from evergraph.metrics.thresholds import EPSILON, KINDS, confusion_at_thresholds, evenly_spaced
from evergraph.ops.arrays import diagonal
from evergraph.ops.math import elementwise

_names = names_in("contrib.metrics", "contrib.slim.metrics")
_SMALL = 1e-7

export(*_names("confusion_matrix"))(confusion_matrix)


@export(*_names("f1_score"))
@documented
def f1_score(labels: Any, predictions: Any, weights: Any = None, num_thresholds: int = 200,
             metrics_collections: Any = None, updates_collections: Any = None,
             name: str | None = None) -> tuple[Any, Any]:
    """The best F1 score over evenly spaced thresholds: the harmonic mean of precision and recall.

    Args:
        labels: whether each element is positive.
        predictions: scores from 0 to 1.
        num_thresholds: the number of thresholds.
        {shared}
    """

    def best(counts: dict[str, Any], name: str) -> Any:
        tp, fn, _, fp = (counts[kind] for kind in KINDS)
        precision, recall = math.div(tp, _SMALL + tp + fp), math.div(tp, _SMALL + tp + fn)
        return reduce_max(2.0 * precision * recall / (precision + recall + _SMALL), name=name)

    with variable_scope(name, "f1", [labels, predictions, weights]):
        counts, updates = confusion_at_thresholds(labels, predictions, evenly_spaced(num_thresholds), weights)
        return collected(best(counts, "value"), best(updates, "update_op"), metrics_collections, updates_collections)


@export(*_names("recall_at_precision"))
@documented
def recall_at_precision(labels: Any, predictions: Any, precision: float, weights: Any = None,
                        num_thresholds: int = 200, metrics_collections: Any = None, updates_collections: Any = None,
                        name: str | None = None, strict_mode: bool = False) -> tuple[Any, Any]:
    """The recall at the threshold whose precision is nearest to a given one.

    Args:
        labels: whether each element is positive.
        predictions: scores from 0 to 1.
        precision: the given precision, from 0 to 1.
        num_thresholds: the number of thresholds.
        strict_mode: whether thresholds of less precision do not count; 0 if there are no others.
        {shared}
    """
    _check_share("precision", precision)

    def at(counts: dict[str, Any], name: str) -> Any:
        tp, fn, _, fp = (counts[kind] for kind in KINDS)
        precisions, recalls = math.div_no_nan(tp, tp + fp), math.div_no_nan(tp, tp + fn)
        distances = math.abs(precisions - precision)
        if strict_mode:
            is_enough = elementwise.greater_equal(precisions, precision - _SMALL)
            distances, recalls = _or_else(is_enough, distances, 2.0), _or_else(is_enough, recalls, 0.0)
        return array.identity(recalls[math.cast(argmax(-distances, 0), dtypes.int32)], name=name)

    with variable_scope(name, "recall_at_precision", [predictions, labels, weights]):
        counts, updates = confusion_at_thresholds(labels, predictions, evenly_spaced(num_thresholds), weights)
        return collected(at(counts, "value"), at(updates, "update_op"), metrics_collections, updates_collections)


@export(*_names("precision_at_recall"))
@documented
def precision_at_recall(labels: Any, predictions: Any, target_recall: float, weights: Any = None,
                        num_thresholds: int = 200, metrics_collections: Any = None, updates_collections: Any = None,
                        name: str | None = None) -> tuple[Any, Any]:
    """The precision at the threshold whose recall is nearest to a given one, among those that reach it.

    Args:
        labels: whether each element is positive.
        predictions: scores from 0 to 1.
        target_recall: the given recall, from 0 to 1.
        num_thresholds: the number of thresholds.
        {shared}
    """
    _check_share("target_recall", target_recall)

    def at(counts: dict[str, Any], name: str) -> Any:
        tp, fn, _, fp = (counts[kind] for kind in KINDS)
        excess = math.div_no_nan(tp, tp + fn) - target_recall
        reached = elementwise.greater_equal(excess, -_SMALL)
        distances = _or_else(reached, excess, 2.0)
        # Of thresholds with the same recall the highest is the most precise.
        place = num_thresholds - 1 - math.cast(argmax(-distances[::-1], 0), dtypes.int32)
        return math.div_no_nan(tp[place], tp[place] + fp[place], name=name)

    with variable_scope(name, "precision_at_recall", [predictions, labels, weights]):
        counts, updates = confusion_at_thresholds(labels, predictions, evenly_spaced(num_thresholds), weights)
        return collected(at(counts, "value"), at(updates, "update_op"), metrics_collections, updates_collections)


def _or_else(condition: Any, values: Any, other: float) -> Any:
    """The values where the condition holds, elsewhere another number."""
    return where(condition, values, array.zeros_like(values) + other)


def _check_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must be in the range [0, 1], it is {value}")


@export(*_names("cohen_kappa"))
@documented
def cohen_kappa(labels: Any, predictions_idx: Any, num_classes: int, weights: Any = None,
                metrics_collections: Any = None, updates_collections: Any = None,
                name: str | None = None) -> tuple[Any, Any]:
    """Cohen's kappa: how much two raters agree beyond chance.

    Args:
        labels: the true classes, a vector of integers from 0 on.
        predictions_idx: the predicted classes.
        num_classes: the number of classes, at least 2.
        {shared}
    """
    if num_classes < 2:
        raise ValueError(f"num_classes must be at least 2, it is {num_classes}")

    def kappa(matrix: Any, name: str) -> Any:
        matrix = math.cast(matrix, dtypes.float32)
        rows, columns, total = reduce_sum(matrix, 1), reduce_sum(matrix, 0), reduce_sum(matrix)
        agreed = reduce_sum(diagonal.matrix_diag_part(matrix))
        expected = reduce_sum(math.div_no_nan(rows * columns, total))
        return math.div_no_nan(agreed - expected, total - expected, name=name)

    with variable_scope(name, "cohen_kappa", [labels, predictions_idx, weights]):
        matrix, update = streaming_confusion_matrix(labels, predictions_idx, num_classes, weights)
        return collected(kappa(matrix, "value"), kappa(update, "update_op"), metrics_collections, updates_collections)


@export(*_names("streaming_sparse_precision_at_top_k"))
def streaming_sparse_precision_at_top_k(top_k_predictions: Any, labels: Any, class_id: Any = None, weights: Any = None,
                                        metrics_collections: Any = None, updates_collections: Any = None,
                                        name: str | None = None) -> tuple[Any, Any]:
    """The precision of the k best classes, as `tf.metrics.precision_at_top_k`, predictions before labels."""
    return ranking.precision_at_top_k(labels, top_k_predictions, None, class_id, weights, metrics_collections,
                                      updates_collections, name)


@export(*_names("sparse_recall_at_top_k"))
def sparse_recall_at_top_k(labels: Any, top_k_predictions: Any, class_id: Any = None, weights: Any = None,
                           metrics_collections: Any = None, updates_collections: Any = None,
                           name: str | None = None) -> tuple[Any, Any]:
    """The recall of the k best classes, as `tf.metrics.recall_at_top_k` without `k`, which is in names only."""
    return ranking.recall_at_top_k(labels, top_k_predictions, None, class_id, weights, metrics_collections,
                                   updates_collections, name)


def _rate(kind: str, other: str, what: str) -> Any:
    """The share of one kind of prediction among it and another kind, at one threshold: booleans are scores 0 and 1."""

    def rate(predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
             updates_collections: Any = None, name: str | None = None) -> tuple[Any, Any]:
        with variable_scope(name, f"{kind.removesuffix('s')}_rate", [predictions, labels, weights]):
            scores = math.cast(math.cast(predictions, dtypes.bool), dtypes.float32)
            counts, updates = confusion_at_thresholds(labels, scores, [0.5], weights, (kind, other))
            value, update = (math.div_no_nan(each[kind][0], each[kind][0] + each[other][0], name=own)
                             for each, own in ((counts, "value"), (updates, "update_op")))
            return collected(value, update, metrics_collections, updates_collections)

    rate.__name__ = rate.__qualname__ = f"streaming_{kind.removesuffix('s')}_rate"
    rate.__doc__ = f"The share of {what} over batches: (the metric, an operation that updates it)."
    return export(*_names(rate.__name__))(rate)


def _rate_at_thresholds(kind: str, other: str, what: str) -> Any:
    """The share of one kind of prediction among it and another kind, at each threshold."""
    public = f"{kind.removesuffix('s')}_rate_at_thresholds"

    def rate(predictions: Any, labels: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
             updates_collections: Any = None, name: str | None = None) -> tuple[Any, Any]:
        with variable_scope(name, public, [predictions, labels, weights]):
            counts, updates = confusion_at_thresholds(labels, predictions, thresholds, weights, (kind, other))
            value, update = (math.div(each[kind], EPSILON + each[kind] + each[other], name=own)
                             for each, own in ((counts, "value"), (updates, "update_op")))
            return collected(value, update, metrics_collections, updates_collections)

    rate.__name__ = rate.__qualname__ = f"streaming_{public}"
    rate.__doc__ = (f"The share of {what} at each threshold over batches: (the metric, an operation that updates it). "
                    "The arguments are those of `tf.metrics.true_positives_at_thresholds`.")
    return export(*_names(rate.__name__))(rate)


streaming_false_positive_rate = _rate("false_positives", "true_negatives", "negative elements predicted as positive")
streaming_false_negative_rate = _rate("false_negatives", "true_positives", "positive elements predicted as negative")
streaming_false_positive_rate_at_thresholds = _rate_at_thresholds(
    "false_positives", "true_negatives", "negative elements predicted as positive")
streaming_false_negative_rate_at_thresholds = _rate_at_thresholds(
    "false_negatives", "true_positives", "positive elements predicted as negative")
