"""The head of two classes."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.estimator.heads.keys import MetricKeys, PredictionKeys
from evergraph.estimator.heads.measures import Measure, Sample
from evergraph.estimator.heads.shapes import checked_logits, dense_labels, labels_in_range
from evergraph.estimator.heads.single import CLASSIFY, REGRESS, Classes, Losses, SingleHead, regression_output, selected
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.nn.activations import softmax
from evergraph.frontend.nn.cross_entropy import sigmoid_cross_entropy_with_logits
from evergraph.frontend.reduce import argmax
from evergraph.graph.node import Tensor
from evergraph.keras.loss_classes import Reduction
from evergraph.ops.math import elementwise

THRESHOLDED = {
    MetricKeys.ACCURACY_AT_THRESHOLD: "accuracy_at",
    MetricKeys.PRECISION_AT_THRESHOLD: "precision_at",
    MetricKeys.RECALL_AT_THRESHOLD: "recall_at",
}


def checked_thresholds(thresholds: Iterable[float] | None) -> tuple[float, ...]:
    """Thresholds of probabilities, each between 0 and 1."""
    found = tuple(thresholds or ())
    for threshold in found:
        if not 0.0 < threshold < 1.0:
            raise ValueError(f"thresholds not in (0, 1): {found}.")
    return found


def measures_at(thresholds: tuple[float, ...]) -> dict[str, Measure]:
    """The metrics at each of the thresholds."""
    return {key % threshold: Measure(kind, threshold)
            for threshold in thresholds for key, kind in THRESHOLDED.items()}


@export("estimator.BinaryClassHead")
class BinaryClassHead(SingleHead):
    """The head of a classifier with two classes, by sigmoid cross entropy (binary logistic classification).

    Logits are [..., 1]. Labels are [..., 1] or [...]: 0 or 1, numbers between them, or strings of the vocabulary.

    >>> head = tf.estimator.BinaryClassHead()
    >>> loss = head.loss(labels=[[1], [0]], logits=[[2.0], [-1.0]])
    >>> sorted(head.predictions([[2.0]]))
    ['all_class_ids', 'all_classes', 'class_ids', 'classes', 'logistic', 'logits', 'probabilities']

    Args:
        weight_column: the name of the feature with the weights of examples, or a numeric column.
        thresholds: probabilities of class 1, at which accuracy, precision and recall are metrics.
        label_vocabulary: the two labels, strings.
        loss_reduction: how the losses of examples become one loss: one of tf.keras.losses.Reduction.
        loss_fn: a function of labels, logits and, if it wants them, features and loss_reduction that returns the losses
            of examples, [..., 1], in place of the cross entropy.
        name: the name of the head, which its metrics and summaries end with.

    Raises:
        ValueError: an argument is out of its range.
    """

    def __init__(self, weight_column: Any = None, thresholds: Iterable[float] | None = None,
                 label_vocabulary: Any = None, loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
                 name: str | None = None) -> None:
        self._classes, self._thresholds = Classes(2, label_vocabulary), checked_thresholds(thresholds)
        super().__init__(1, weight_column, loss_fn, loss_reduction, name)

    def _numbers(self, labels: Any, logits: Tensor) -> Tensor:
        ids = self._classes.ids(dense_labels(labels, logits, 1))
        return labels_in_range(math.cast(ids, dtypes.float32, name="labels"), 2)

    def _unreduced(self, labels: Tensor, logits: Tensor) -> Tensor:
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Tensor]:
        with name_scope("predictions", values=[logits]):
            logits = checked_logits(logits, 1)
            two = array.concat([array.zeros_like(logits), logits], -1, name="two_class_logits")
            ids = array.expand_dims(argmax(two, -1, name=PredictionKeys.CLASS_IDS), -1)
            return selected({
                PredictionKeys.LOGITS: lambda: logits,
                PredictionKeys.LOGISTIC: lambda: elementwise.sigmoid(logits, name=PredictionKeys.LOGISTIC),
                PredictionKeys.PROBABILITIES: lambda: softmax(two, name=PredictionKeys.PROBABILITIES),
                PredictionKeys.CLASS_IDS: lambda: ids,
                PredictionKeys.CLASSES: lambda: self._classes.names(ids),
                PredictionKeys.ALL_CLASS_IDS: lambda: self._classes.all_ids(logits),
                PredictionKeys.ALL_CLASSES: lambda: self._classes.all_names(logits),
            }, keys)

    def _outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        return {CLASSIFY: self._classes.output(predictions[PredictionKeys.PROBABILITIES]),
                REGRESS: regression_output(predictions[PredictionKeys.LOGISTIC])}

    def _measures(self) -> dict[str, Measure]:
        return {
            MetricKeys.ACCURACY: Measure("accuracy"),
            MetricKeys.PRECISION: Measure("precision"),
            MetricKeys.RECALL: Measure("recall"),
            MetricKeys.PREDICTION_MEAN: Measure("mean"),
            MetricKeys.LABEL_MEAN: Measure("mean"),
            MetricKeys.ACCURACY_BASELINE: Measure("baseline"),
            MetricKeys.AUC: Measure("auc"),
            MetricKeys.AUC_PR: Measure("auc_pr"),
            **measures_at(self._thresholds),
        }

    def _samples(self, logits: Tensor, losses: Losses) -> dict[str, Sample]:
        found = self.predictions(logits, (PredictionKeys.CLASS_IDS, PredictionKeys.LOGISTIC))
        labels, weights = losses.labels, losses.weights
        said = Sample(found[PredictionKeys.CLASS_IDS], labels, weights)
        scored = Sample(found[PredictionKeys.LOGISTIC], labels, weights)
        return {
            MetricKeys.ACCURACY: said, MetricKeys.PRECISION: said, MetricKeys.RECALL: said,
            MetricKeys.PREDICTION_MEAN: Sample(found[PredictionKeys.LOGISTIC], weights=weights),
            MetricKeys.LABEL_MEAN: Sample(labels, weights=weights),
            MetricKeys.ACCURACY_BASELINE: Sample(labels, weights=weights),
            MetricKeys.AUC: scored, MetricKeys.AUC_PR: scored,
            **dict.fromkeys(measures_at(self._thresholds), scored),
        }
