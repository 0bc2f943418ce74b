"""The total loss and the metrics of a compiled model, as functions of predictions, labels and weights."""
from __future__ import annotations

from typing import Any

from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.keras.compilation import Compilation, Output
from evergraph.keras.loss_classes import Loss
from evergraph.layers.connections import mask_of


def total_loss(model: Any, compilation: Compilation, outputs: list[Any], targets: list[Any],
               weights: list[Any]) -> Any:
    """The weighted sum of the losses of the outputs, plus the losses of layers.

    The means of the losses of several outputs are updated.

    Args:
        model: the model.
        compilation: its losses.
        outputs: all its outputs.
        targets: the labels of outputs with a loss.
        weights: the weights of examples for these, None for none.

    Raises:
        ValueError: there is no loss at all.
    """
    total = None
    predictions = [tensor for output, tensor in zip(compilation.outputs, outputs) if output.has_target]
    with name_scope("loss"):
        for output, prediction, target, weight in zip(compilation.trained, predictions, targets, weights):
            with name_scope(f"{output.name}_loss"):
                loss = _loss(output, target, prediction, with_mask(weight, prediction))
            if output.mean_loss is not None:
                output.mean_loss(loss)
            part = loss * output.loss_weight if output.loss_weight is not None else loss
            total = part if total is None else total + part
        for penalty in model._relevant_losses():
            penalty = math.cast(penalty, total.dtype) if total is not None else penalty
            total = penalty if total is None else total + penalty
    if total is None:
        raise ValueError("There is no loss, so nothing to learn: give compile a loss, or add one with add_loss.")
    return total


def _loss(output: Output, target: Any, prediction: Any, weight: Any) -> Any:
    if isinstance(output.loss, Loss):
        return output.loss.reduced(target, prediction, weight)
    return output.loss(target, prediction, sample_weight=weight)


def with_mask(weight: Any, prediction: Any) -> Any:
    """The weights of examples, times the mask of the predictions if they have one."""
    mask = mask_of(prediction)
    if mask is None:
        return weight
    mask = math.cast(mask, prediction.dtype)
    if weight is None:
        return mask
    if mask.shape.rank is not None and weight.shape.rank is not None:
        for _ in range(mask.shape.rank - weight.shape.rank):
            weight = array.expand_dims(weight, -1)
    return math.cast(weight, mask.dtype) * mask


def update_metrics(compilation: Compilation, outputs: list[Any], targets: list[Any], weights: list[Any]) -> None:
    """Has the metrics of `compile` take in a batch; arguments as for `total_loss`."""
    predictions = [tensor for output, tensor in zip(compilation.outputs, outputs) if output.has_target]
    with name_scope("metrics"):
        for output, prediction, target, weight in zip(compilation.trained, predictions, targets, weights):
            for metric in output.metrics:
                with name_scope(metric.name):
                    metric(target, prediction, sample_weight=with_mask(None, prediction))
            for metric in output.weighted_metrics:
                with name_scope(metric.name):
                    metric(target, prediction, sample_weight=with_mask(weight, prediction))
