"""The head of more than two classes."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.estimator.heads.keys import MetricKeys, PredictionKeys
from evergraph.estimator.heads.measures import Measure, Sample
from evergraph.estimator.heads.shapes import checked_logits, dense_labels, labels_in_range
from evergraph.estimator.heads.single import CLASSIFY, Classes, Losses, SingleHead, selected
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.nn.activations import softmax
from evergraph.frontend.reduce import argmax
from evergraph.graph.node import Tensor
from evergraph.keras.loss_classes import Reduction
from evergraph.losses import weighting
from evergraph.losses.entropy import sparse_softmax_cross_entropy


@export("estimator.MultiClassHead")
class MultiClassHead(SingleHead):
    """The head of a classifier with more than two classes that exclude each other, by softmax cross entropy.

    Logits are [..., n_classes]. Labels are [..., 1] or [...]: ids of classes, or strings of the vocabulary.

    >>> head = tf.estimator.MultiClassHead(n_classes=3)
    >>> loss = head.loss(labels=[[2], [0]], logits=[[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]])

    Args:
        n_classes: the number of classes.
        weight_column: the name of the feature with the weights of examples, or a numeric column.
        label_vocabulary: the labels, strings.
        loss_reduction: how the losses of examples become one loss: one of tf.keras.losses.Reduction.
        loss_fn: a function of labels, logits and, if it wants them, features and loss_reduction that returns the losses
            of examples, [..., 1], in place of the cross entropy.
        name: the name of the head, which its metrics and summaries end with.

    Raises:
        ValueError: an argument is out of its range.
    """

    def __init__(self, n_classes: int, weight_column: Any = None, label_vocabulary: Any = None,
                 loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
                 name: str | None = None) -> None:
        if n_classes is None:
            raise ValueError("n_classes cannot be None")
        if n_classes <= 2:
            raise ValueError(f"n_classes must be > 2: {n_classes}.")
        self._classes = Classes(n_classes, label_vocabulary)
        super().__init__(n_classes, weight_column, loss_fn, loss_reduction, name)

    def _numbers(self, labels: Any, logits: Tensor) -> Tensor:
        labels = dense_labels(labels, logits, 1)
        if self._classes.vocabulary is None and not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype must be an integer type, not {labels.dtype}. With a label_vocabulary "
                             "labels are strings")
        return labels_in_range(self._classes.ids(labels), self._dimension)

    def _unreduced(self, labels: Tensor, logits: Tensor) -> Tensor:
        losses = sparse_softmax_cross_entropy(labels, logits, loss_collection=None,
                                              reduction=weighting.Reduction.NONE)
        return array.expand_dims(losses, -1)  # weights and metrics want the rank of the logits

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Tensor]:
        with name_scope("predictions", values=[logits]):
            logits = checked_logits(logits, self._dimension)
            ids = array.expand_dims(argmax(logits, -1, name=PredictionKeys.CLASS_IDS), -1)
            return selected({
                PredictionKeys.LOGITS: lambda: logits,
                PredictionKeys.PROBABILITIES: lambda: softmax(logits, name=PredictionKeys.PROBABILITIES),
                PredictionKeys.CLASS_IDS: lambda: ids,
                PredictionKeys.CLASSES: lambda: self._classes.names(ids),
                PredictionKeys.ALL_CLASS_IDS: lambda: self._classes.all_ids(logits),
                PredictionKeys.ALL_CLASSES: lambda: self._classes.all_names(logits),
            }, keys)

    def _outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        return {CLASSIFY: self._classes.output(predictions[PredictionKeys.PROBABILITIES])}

    def _measures(self) -> dict[str, Measure]:
        return {MetricKeys.ACCURACY: Measure("accuracy")}

    def _samples(self, logits: Tensor, losses: Losses) -> dict[str, Sample]:
        ids = self.predictions(logits, (PredictionKeys.CLASS_IDS,))[PredictionKeys.CLASS_IDS]
        return {MetricKeys.ACCURACY: Sample(ids, losses.labels, losses.weights)}
