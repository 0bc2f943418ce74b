"""The head of several heads that share a model."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.export.outputs import PredictOutput
from evergraph.estimator.heads.base import Head
from evergraph.estimator.heads.keys import MetricKeys, under_head
from evergraph.estimator.heads.single import PREDICT, SERVING_DEFAULT
from evergraph.estimator.heads.specs import spec_of
from evergraph.estimator.heads.training import total
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.math import add_n
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.keras.metrics import Mean
from evergraph.summary.summaries import scalar


def checked_heads(heads: Any, head_weights: Any) -> tuple[list[Any], list[float] | None]:
    """Heads with names, and a weight for each of them or None.

    Raises:
        ValueError: there is no head, one has no name, or there are not as many weights.
    """
    heads = list(heads or ())
    if not heads:
        raise ValueError(f"Must specify heads. Given: {heads}")
    if head_weights and len(head_weights) != len(heads):
        raise ValueError(f"heads and head_weights must have the same size. Given len(heads): {len(heads)}. "
                         f"Given len(head_weights): {len(head_weights)}.")
    unnamed = [head for head in heads if not head.name]
    if unnamed:
        raise ValueError(f"All given heads must have name specified. This one has none: {unnamed[0]}")
    return heads, list(head_weights) if head_weights else None


def logits_of(heads: list[Any], logits: Any) -> dict[str, Any]:
    """The logits of each head by its name: as they are given, or parts of one tensor along its last axis."""
    if isinstance(logits, Mapping):
        missing = [head.name for head in heads if head.name not in logits]
        if missing:
            raise ValueError(f"the heads {missing} have no logits, which are given for {sorted(logits)}")
        return dict(logits)
    logits = convert_to_tensor(logits)
    sizes = [head.logits_dimension for head in heads]
    if logits.shape.ndims is not None and logits.shape.tuple[-1] not in (None, sum(sizes)):
        raise ValueError(f"Could not split logits: their shape is {logits.shape}, and the heads take {sizes}, so "
                         f"the last axis must have {sum(sizes)} elements")
    return dict(zip([head.name for head in heads], array.split(logits, sizes, -1)))


def merged_predictions(found: dict[str, dict[str, Any]]) -> dict[Any, Any]:
    """The predictions of all heads, by the names of head and prediction."""
    return {(name, key): value for name, predictions in found.items() for key, value in predictions.items()}


def merged_outputs(outputs: dict[str, dict[str, Any]], predictions: dict[Any, Any]) -> dict[str, Any]:
    """The exports of all heads: those of the first are the default ones, others stand below the name of their head."""
    first = next(iter(outputs.values()))
    merged = {SERVING_DEFAULT: first[SERVING_DEFAULT]}
    for name, own in outputs.items():
        merged.update({name if key == SERVING_DEFAULT else f"{name}/{key}": output for key, output in own.items()})
    return {**merged, PREDICT: PredictOutput(
        {f"{name}/{key}": value for (name, key), value in predictions.items()})}


@export("estimator.MultiHead")
class MultiHead(Head):
    """Several heads over one model, whose loss is the weighted sum of theirs.

    Logits and labels are dictionaries by the names of heads; logits may also be one tensor, the logits of the heads
    side by side. Predictions have pairs of names as keys, (head, prediction). Metrics end with the name of their head.

    >>> heads = [tf.estimator.RegressionHead(name="price"), tf.estimator.BinaryClassHead(name="sold")]
    >>> head = tf.estimator.MultiHead(heads, head_weights=[1.0, 0.5])
    >>> head.logits_dimension
    2

    Args:
        heads: heads with names.
        head_weights: the weight of each head's loss, 1 by default.

    Raises:
        ValueError: there is no head, one has no name, or there are not as many weights.
    """

    def __init__(self, heads: Any, head_weights: Any = None) -> None:
        self._heads, self._head_weights = checked_heads(heads, head_weights)

    @property
    def name(self) -> str:
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        return sum(head.logits_dimension for head in self._heads)

    @property
    def loss_reduction(self) -> str:
        found = {head.loss_reduction for head in self._heads}
        if len(found) > 1:
            raise ValueError(f"The loss_reduction of all heads must be the same, given: {sorted(found)}")
        return found.pop()

    def _losses(self, labels: Any, logits: Any, features: Any, mode: Any) -> dict[str, Tensor]:
        """The loss of each head."""
        parts = logits_of(self._heads, logits)
        return {head.name: head.loss(labels[head.name], parts[head.name], features, mode) for head in self._heads}

    def _merged(self, losses: dict[str, Tensor], regularization_losses: Any) -> Tensor:
        weights = self._head_weights or [1.0] * len(self._heads)
        merged = add_n([loss * weight for loss, weight in zip(losses.values(), weights)])
        extra = total(regularization_losses)
        return merged if extra is None else merged + extra

    def loss(self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
             regularization_losses: Any = None) -> Tensor:
        return self._merged(self._losses(labels, logits, features, mode), regularization_losses)

    def training_loss(self, labels: Any, logits: Any, features: Any, mode: Any, regularization_losses: Any) -> Tensor:
        """The loss of a training step, with a summary of each head's loss."""
        losses = self._losses(labels, logits, features, mode)
        with name_scope(""):
            for name, loss in losses.items():
                scalar(under_head(name, MetricKeys.LOSS), loss)
        return self._merged(losses, regularization_losses)

    def predictions(self, logits: Any, keys: Any = None) -> dict[Any, Any]:
        parts = logits_of(self._heads, logits)
        return merged_predictions({head.name: self._predicted(head, parts[head.name], keys) for head in self._heads})

    @staticmethod
    def _predicted(head: Any, logits: Any, keys: Any) -> dict[str, Any]:
        with name_scope(head.name):
            return head.predictions(logits, keys)

    def export_outputs(self, predictions: dict[Any, Any]) -> dict[str, Any]:
        """The outputs to export by signature."""
        outputs = {head.name: head.export_outputs(
            {key: value for (name, key), value in predictions.items() if name == head.name}) for head in self._heads}
        return merged_outputs(outputs, predictions)

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        extra = {MetricKeys.LOSS_REGULARIZATION: Mean(name=MetricKeys.LOSS_REGULARIZATION)} if (
            regularization_losses) else {}
        with name_scope("merge_eval"):
            for head in self._heads:
                key = under_head(head.name, MetricKeys.LOSS)
                extra = {**extra, key: Mean(name=key), **head.metrics()}
        return extra

    def update_metrics(self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
                       regularization_losses: Any = None) -> dict[str, Any]:
        parts = logits_of(self._heads, logits)
        if regularization_losses:
            eval_metrics[MetricKeys.LOSS_REGULARIZATION].update_state(total(regularization_losses))
        for head in self._heads:
            own = labels[head.name]
            loss = head.loss(own, parts[head.name], features)
            eval_metrics[under_head(head.name, MetricKeys.LOSS)].update_state(loss)
            head.update_metrics(eval_metrics, features, parts[head.name], own)
        return eval_metrics

    def create_estimator_spec(self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
                              trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
                              regularization_losses: Any = None) -> Any:
        with name_scope("multi_head"):
            _ = self.loss_reduction
            return spec_of(self, features, mode, logits, labels, self.predictions(logits), optimizer,
                           trainable_variables, train_op_fn, update_ops, regularization_losses, name=None)
