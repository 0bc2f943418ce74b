"""The heads of tf.contrib.estimator and of TensorFlow 1's canned models: reductions and metrics of TensorFlow 1.

Such a head has `create_loss` and an optimizer of tf.train. It wraps one of tf.estimator's, which knows the labels,
losses and predictions.
"""
from __future__ import annotations

from typing import Any, NamedTuple

from evergraph.estimator.heads.binary import BinaryClassHead
from evergraph.estimator.heads.keys import MetricKeys, under_head
from evergraph.estimator.heads.measures import Measure, Sample, streaming
from evergraph.estimator.heads.multi import checked_heads, logits_of, merged_outputs, merged_predictions
from evergraph.estimator.heads.multi_class import MultiClassHead
from evergraph.estimator.heads.regression import RegressionHead
from evergraph.estimator.heads.single import Losses, SingleHead
from evergraph.estimator.heads.specs import summarize
from evergraph.estimator.heads.training import total, train_op, with_updates
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.math import add_n
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.node import Tensor
from evergraph.losses.weighting import Reduction, compute_weighted_loss
from evergraph.metrics.means import mean
from evergraph.summary.summaries import scalar
from evergraph.train.global_step import get_global_step


class LossSpec(NamedTuple):
    """The losses of a batch: one number, by element, the weights, and the labels as numbers."""

    training_loss: Any
    unreduced_loss: Any
    weights: Any
    processed_labels: Any


class LegacyHead:
    """A head of TensorFlow 1 with one set of logits.

    Args:
        head: the head that it wraps.
        loss_reduction: one of tf.losses.Reduction.

    Raises:
        ValueError: the reduction is unknown, or none.
    """

    def __init__(self, head: SingleHead, loss_reduction: str) -> None:
        if loss_reduction not in Reduction.all() or loss_reduction == Reduction.NONE:
            raise ValueError(f"Invalid loss_reduction: {loss_reduction}")
        self.head, self._loss_reduction = head, loss_reduction

    @property
    def name(self) -> str | None:
        """The name of the head, which its metrics and summaries end with, or None."""
        return self.head.name

    @property
    def logits_dimension(self) -> int:
        """The size of the last axis of the logits."""
        return self.head.logits_dimension

    def create_loss(self, features: Any, mode: Any, logits: Any, labels: Any) -> LossSpec:
        """The losses of a batch.

        Args:
            features: the features by name, for the weights of examples.
            mode: a `tf.estimator.ModeKeys`.
            logits: the logits, [..., logits_dimension].
            labels: the labels, of the shape that the head wants.
        """
        found = self.head.losses(labels, logits, features)
        loss = compute_weighted_loss(found.unreduced, found.weights, reduction=self._loss_reduction)
        return LossSpec(loss, found.unreduced, found.weights, found.labels)

    def create_estimator_spec(self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
                              train_op_fn: Any = None, regularization_losses: Any = None) -> EstimatorSpec:
        """The EstimatorSpec that a model function returns.

        Args:
            features: the features by name.
            mode: a `tf.estimator.ModeKeys`.
            logits: the logits, [..., logits_dimension].
            labels: the labels; not for predictions.
            optimizer: a tf.train.Optimizer that minimizes the loss; either this or `train_op_fn` for training.
            train_op_fn: a function of the loss that returns the train op.
            regularization_losses: losses to add to that of the labels.
        """
        with name_scope(self.name, "head"):
            predictions = self.head.predictions(logits)
            if mode == ModeKeys.PREDICT:
                return predicting(predictions, self.head.export_outputs(predictions))
            found = self.create_loss(features, mode, logits, labels)
            extra = total(regularization_losses)
            loss = found.training_loss if extra is None else found.training_loss + extra
            if mode == ModeKeys.EVAL:
                return EstimatorSpec(mode, predictions=predictions, loss=loss,
                                     eval_metric_ops=self.metric_ops(logits, found, regularization_losses))
            step = train_op(loss, optimizer, train_op_fn, lambda loss: minimized(loss, optimizer))
            summarize(self.name, loss, regularization_losses, self._mean(found, extra))
            return training(predictions, loss, step)

    def _mean(self, found: LossSpec, regularization_loss: Any) -> Any:
        """The mean of a summed loss over examples; None for other reductions, and beside a regularization loss."""
        if self._loss_reduction != Reduction.SUM or regularization_loss is not None:
            return None
        return found.training_loss / reduce_sum(found.weights * array.ones_like(found.unreduced_loss))

    def metric_ops(self, logits: Any, found: LossSpec, regularization_losses: Any = None) -> dict[str, Any]:
        """The metrics of an evaluation: (value, update) by name."""
        losses = Losses(found.unreduced_loss, found.weights, found.processed_labels)
        with name_scope("metrics"):
            samples = self.head.samples(logits, losses, regularization_losses)
            measures = self.head.measures(regularization_losses)
            return {key: streaming(key, measure, samples[key]) for key, measure in measures.items()}


class LegacyMultiHead:
    """Several heads of TensorFlow 1 over one model, whose loss is the weighted sum of theirs.

    Args:
        heads: heads with names.
        head_weights: the weight of each head's loss, 1 by default.

    Raises:
        ValueError: there is no head, one has no name, or there are not as many weights.
    """

    def __init__(self, heads: Any, head_weights: Any = None) -> None:
        self._heads, weights = checked_heads(heads, head_weights)
        self._head_weights = weights or [1.0] * len(self._heads)

    @property
    def name(self) -> str:
        """The names of the heads, joined."""
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        """The number of logits of all heads."""
        return sum(head.logits_dimension for head in self._heads)

    def create_loss(self, features: Any, mode: Any, logits: Any, labels: Any) -> LossSpec:
        """The loss of all heads, and dictionaries with the other parts by the names of heads."""
        found = self._losses(features, mode, logits, labels)
        names = list(found)
        weights = {name: found[name].weights * weight for name, weight in zip(names, self._head_weights)}
        return LossSpec(self._merged(found), {name: found[name].unreduced_loss for name in names}, weights,
                        {name: found[name].processed_labels for name in names})

    def _losses(self, features: Any, mode: Any, logits: Any, labels: Any) -> dict[str, LossSpec]:
        parts = logits_of(self._heads, logits)
        return {head.name: head.create_loss(features, mode, parts[head.name], labels[head.name])
                for head in self._heads}

    def _merged(self, found: dict[str, LossSpec]) -> Tensor:
        return add_n([spec.training_loss * weight for spec, weight in zip(found.values(), self._head_weights)])

    def create_estimator_spec(self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
                              train_op_fn: Any = None, regularization_losses: Any = None) -> EstimatorSpec:
        """The EstimatorSpec that a model function returns; see `LegacyHead`."""
        parts = logits_of(self._heads, logits)
        with name_scope("multi_head"):
            found = {head.name: self._predicted(head, parts[head.name]) for head in self._heads}
            predictions = merged_predictions(found)
            if mode == ModeKeys.PREDICT:
                outputs = {head.name: head.head.export_outputs(found[head.name]) for head in self._heads}
                return predicting(predictions, merged_outputs(outputs, predictions))
            losses = self._losses(features, mode, logits, labels)
            extra = total(regularization_losses)
            loss = self._merged(losses) if extra is None else self._merged(losses) + extra
            if mode == ModeKeys.EVAL:
                return EstimatorSpec(mode, predictions=predictions, loss=loss,
                                     eval_metric_ops=self._metric_ops(parts, losses, extra))
            step = train_op(loss, optimizer, train_op_fn, lambda loss: minimized(loss, optimizer))
            self._summarize(losses)
            summarize(None, loss, regularization_losses)
            return training(predictions, loss, step)

    @staticmethod
    def _predicted(head: LegacyHead, logits: Any) -> dict[str, Any]:
        with name_scope(head.name):
            return head.head.predictions(logits)

    @staticmethod
    def _summarize(losses: dict[str, LossSpec]) -> None:
        with name_scope(""):
            for name, found in losses.items():
                scalar(under_head(name, MetricKeys.LOSS), found.training_loss)

    def _metric_ops(self, logits: dict[str, Any], losses: dict[str, LossSpec], extra: Any) -> dict[str, Any]:
        found = {} if extra is None else {
            MetricKeys.LOSS_REGULARIZATION: streaming(MetricKeys.LOSS_REGULARIZATION, Measure("mean"), Sample(extra))}
        for head in self._heads:
            key = under_head(head.name, MetricKeys.LOSS)
            found[key] = mean(losses[head.name].training_loss, name=key)
            found.update(head.metric_ops(logits[head.name], losses[head.name]))
        return found


def predicting(predictions: Any, outputs: dict[str, Any]) -> EstimatorSpec:
    """The spec of predictions."""
    with name_scope(""):
        return EstimatorSpec(ModeKeys.PREDICT, predictions=predictions, export_outputs=outputs)


def training(predictions: Any, loss: Any, step: Any) -> EstimatorSpec:
    """The spec of training, whose step runs the operations in UPDATE_OPS too."""
    return EstimatorSpec(ModeKeys.TRAIN, predictions=predictions, loss=loss,
                         train_op=with_updates(step, get_collection(GraphKeys.UPDATE_OPS)))


def minimized(loss: Any, optimizer: Any) -> Any:
    """The train op of an optimizer of tf.train."""
    return optimizer.minimize(loss, global_step=get_global_step())


# ---- the heads of the canned models

def multi_class_head(n_classes: int, weight_column: Any = None, label_vocabulary: Any = None,
                     loss_reduction: str = Reduction.SUM, loss_fn: Any = None, name: str | None = None) -> LegacyHead:
    """The head of more than two classes; see tf.estimator.MultiClassHead."""
    return LegacyHead(MultiClassHead(n_classes, weight_column, label_vocabulary, loss_fn=loss_fn, name=name),
                      loss_reduction)


def binary_head(weight_column: Any = None, thresholds: Any = None, label_vocabulary: Any = None,
                loss_reduction: str = Reduction.SUM, loss_fn: Any = None, name: str | None = None) -> LegacyHead:
    """The head of two classes; see tf.estimator.BinaryClassHead."""
    return LegacyHead(BinaryClassHead(weight_column, thresholds, label_vocabulary, loss_fn=loss_fn, name=name),
                      loss_reduction)


def regression_head(weight_column: Any = None, label_dimension: int = 1, loss_reduction: str = Reduction.SUM,
                    loss_fn: Any = None, inverse_link_fn: Any = None, name: str | None = None) -> LegacyHead:
    """The head of numbers; see tf.estimator.RegressionHead."""
    return LegacyHead(RegressionHead(label_dimension, weight_column, loss_fn=loss_fn, inverse_link_fn=inverse_link_fn,
                                     name=name), loss_reduction)


def classification_head(n_classes: int, weight_column: Any = None, label_vocabulary: Any = None,
                        loss_reduction: str = Reduction.SUM) -> LegacyHead:
    """The head of two classes or of more."""
    if n_classes == 2:
        return binary_head(weight_column, label_vocabulary=label_vocabulary, loss_reduction=loss_reduction)
    return multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
