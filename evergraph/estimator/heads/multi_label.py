"""The head of classes of which an example may have several."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.estimator.heads.binary import measures_at
from evergraph.estimator.heads.keys import MetricKeys, PredictionKeys
from evergraph.estimator.heads.measures import Measure, Sample
from evergraph.estimator.heads.shapes import checked_logits, dense_labels, present, values_between
from evergraph.estimator.heads.single import CLASSIFY, Classes, Losses, SingleHead, selected
from evergraph.frontend import math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.nn.cross_entropy import sigmoid_cross_entropy_with_logits
from evergraph.frontend.reduce import reduce_mean
from evergraph.frontend.sparse.arithmetic import sparse_to_indicator
from evergraph.graph.composite import SparseTensor
from evergraph.graph.node import Tensor
from evergraph.keras.loss_classes import Reduction
from evergraph.ops.math import elementwise


@export("estimator.MultiLabelHead")
class MultiLabelHead(SingleHead):
    """The head of a classifier whose examples have any number of the classes, by sigmoid cross entropy.

    Logits are [..., n_classes]. Labels are zeros and ones of that shape, or a SparseTensor [..., ?] with the ids of the
    classes that an example has, or with strings of the vocabulary. The loss of an example is the mean over its classes.

    >>> head = tf.estimator.MultiLabelHead(n_classes=3)
    >>> loss = head.loss(labels=[[1, 0, 1]], logits=[[2.0, -1.0, 0.5]])

    Args:
        n_classes: the number of classes.
        weight_column: the name of the feature with the weights of examples, or a numeric column.
        thresholds: probabilities, at which accuracy, precision and recall over all classes are metrics.
        label_vocabulary: the labels, strings.
        loss_reduction: how the losses of examples become one loss: one of tf.keras.losses.Reduction.
        loss_fn: a function of labels, logits and, if it wants them, features and loss_reduction that returns the losses
            of examples, [..., 1], in place of the cross entropy.
        classes_for_class_based_metrics: classes, by id or by name, that have metrics of their own.
        name: the name of the head, which its metrics and summaries end with.

    Raises:
        ValueError: an argument is out of its range.
    """

    def __init__(self, n_classes: int, weight_column: Any = None, thresholds: Iterable[float] | None = None,
                 label_vocabulary: Any = None, loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
                 classes_for_class_based_metrics: Any = None, name: str | None = None) -> None:
        if n_classes is None or n_classes < 2:
            raise ValueError(f"n_classes must be > 1 for multi-label classification. Given: {n_classes}")
        self._thresholds = tuple(thresholds or ())
        for threshold in self._thresholds:
            if not 0.0 < threshold < 1.0:
                raise ValueError(f"thresholds must be in (0, 1) range. Given: {threshold}")
        self._classes = Classes(n_classes, label_vocabulary)
        self._watched = self._ids_of(classes_for_class_based_metrics)
        super().__init__(n_classes, weight_column, loss_fn, loss_reduction, name)

    def _ids_of(self, classes: Any) -> list[int]:
        """The ids of classes that are given by id or by name."""
        if not classes:
            return []
        if isinstance(classes[0], str):
            return [list(self._classes.vocabulary or ()).index(name) for name in classes]
        largest = self._classes.number - 1
        for number in classes:
            if not 0 <= number <= largest:
                raise ValueError(f"All classes_for_class_based_metrics must be in range [0, {largest}]. "
                                 f"Given: {number}")
        return list(classes)

    # ---- labels

    def _numbers(self, labels: Any, logits: Tensor) -> Tensor:
        labels = present(labels)
        found = self._indicators(labels) if isinstance(labels, SparseTensor) else self._checked(labels)
        return math.cast(dense_labels(found, logits, self._dimension), dtypes.float32)

    def _indicators(self, labels: SparseTensor) -> Tensor:
        """Zeros and ones from the ids, or names, of the classes that each example has."""
        ids = labels.values
        if labels.dtype == dtypes.string:
            ids = self._classes.ids(ids)
        if not ids.dtype.is_integer:
            raise ValueError(f"Labels dtype must be an integer type, not {labels.dtype}")
        wanted = f"labels must be an integer SparseTensor with values in [0, {self._dimension})"
        ids = math.cast(ids, dtypes.int64)
        ids = values_between(ids, 0, self._dimension - 1, wanted, wanted)
        dense = sparse_to_indicator(SparseTensor(labels.indices, ids, labels.dense_shape), self._dimension)
        return math.cast(dense, dtypes.int64)

    @staticmethod
    def _checked(labels: Tensor) -> Tensor:
        wanted = "labels must be an integer indicator Tensor with values in [0, 1]"
        if not (labels.dtype.is_integer or labels.dtype.is_bool):
            raise ValueError(f"{wanted}, not of dtype {labels.dtype}")
        return values_between(math.cast(labels, dtypes.int64), 0, 1, wanted, wanted)

    # ---- losses and predictions

    def _unreduced(self, labels: Tensor, logits: Tensor) -> Tensor:
        losses = sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        return reduce_mean(losses, axis=-1, keepdims=True)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Tensor]:
        with name_scope("predictions", values=[logits]):
            logits = checked_logits(logits, self._dimension)
            return selected({
                PredictionKeys.LOGITS: lambda: logits,
                PredictionKeys.PROBABILITIES: lambda: elementwise.sigmoid(logits, name=PredictionKeys.PROBABILITIES),
            }, keys)

    def _outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        return {CLASSIFY: self._classes.output(predictions[PredictionKeys.PROBABILITIES])}

    # ---- metrics

    def _class_keys(self, number: int) -> tuple[str, str, str]:
        """The names of the metrics of a class: its mean probability and its areas under curves."""
        if self._classes.vocabulary is None:
            patterns = MetricKeys.PROBABILITY_MEAN_AT_CLASS, MetricKeys.AUC_AT_CLASS, MetricKeys.AUC_PR_AT_CLASS
            return tuple(pattern % number for pattern in patterns)
        patterns = MetricKeys.PROBABILITY_MEAN_AT_NAME, MetricKeys.AUC_AT_NAME, MetricKeys.AUC_PR_AT_NAME
        return tuple(pattern % self._classes.vocabulary[number] for pattern in patterns)

    def _measures(self) -> dict[str, Measure]:
        watched = {}
        for number in self._watched:
            watched.update(zip(self._class_keys(number), (Measure("mean"), Measure("auc"), Measure("auc_pr"))))
        return {MetricKeys.AUC: Measure("auc"), MetricKeys.AUC_PR: Measure("auc_pr"), **measures_at(self._thresholds),
                **watched}

    def _samples(self, logits: Tensor, losses: Losses) -> dict[str, Sample]:
        probabilities = self.predictions(logits, (PredictionKeys.PROBABILITIES,))[PredictionKeys.PROBABILITIES]
        labels, weights = losses.labels, losses.weights
        all_classes, watched = Sample(probabilities, labels, weights), {}
        for number in self._watched:
            column = Sample(probabilities[..., number:number + 1], labels[..., number:number + 1], weights)
            mean, *areas = self._class_keys(number)
            watched.update({mean: Sample(column.values, weights=weights), **dict.fromkeys(areas, column)})
        return {MetricKeys.AUC: all_classes, MetricKeys.AUC_PR: all_classes,
                **dict.fromkeys(measures_at(self._thresholds), all_classes), **watched}
