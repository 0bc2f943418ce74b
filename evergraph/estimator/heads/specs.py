"""The EstimatorSpec of a head, trained by an optimizer of tf.keras or a function."""
from __future__ import annotations

from typing import Any

from evergraph.estimator.heads.keys import MetricKeys, under_head
from evergraph.estimator.heads.training import keras_step, total, train_op, with_updates
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.frontend.blocks import name_scope
from evergraph.keras.optimizer import Optimizer
from evergraph.summary.summaries import scalar


def spec_of(head: Any, features: Any, mode: Any, logits: Any, labels: Any, predictions: Any, optimizer: Any,
            trainable_variables: Any, train_op_fn: Any, update_ops: Any, regularization_losses: Any,
            name: str | None) -> EstimatorSpec:
    """The spec of a mode, with summaries under that name."""
    if mode == ModeKeys.PREDICT:
        with name_scope(""):
            return EstimatorSpec(mode, predictions=predictions, export_outputs=head.export_outputs(predictions))
    if mode == ModeKeys.EVAL:
        loss = head.loss(labels, logits, features, mode, regularization_losses)
        metrics = head.update_metrics(head.metrics(regularization_losses), features, logits, labels,
                                      regularization_losses=regularization_losses)
        return EstimatorSpec(mode, predictions=predictions, loss=loss,
                             eval_metric_ops={key: metric_ops(metric) for key, metric in metrics.items()})
    loss = head.training_loss(labels, logits, features, mode, regularization_losses)
    step = train_op(loss, optimizer, train_op_fn, lambda loss: minimized(loss, optimizer, trainable_variables))
    summarize(name, loss, regularization_losses)
    return EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=with_updates(step, update_ops))


def metric_ops(metric: Any) -> tuple[Any, Any]:
    """(value, update) of a metric of tf.keras that has been given a batch."""
    return metric.result(), metric.updates[-1]


def minimized(loss: Any, optimizer: Any, variables: Any) -> Any:
    """The train op of an optimizer of tf.keras."""
    if not isinstance(optimizer, Optimizer):
        raise ValueError(f"a Head trains with a tf.keras.optimizers.Optimizer, not with {optimizer}")
    if variables is None:
        raise ValueError("trainable_variables cannot be None under an optimizer of Keras")
    if not isinstance(variables, (list, tuple)):
        raise ValueError(f"trainable_variables should be a list or a tuple, not {type(variables)}")
    return keras_step(optimizer, loss, variables)


def summarize(name: str | None, loss: Any, regularization_losses: Any, mean: Any = None) -> None:
    """Adds the summaries of a training step: the loss, its mean over examples, the regularization loss."""
    with name_scope(""):
        scalar(under_head(name, MetricKeys.LOSS), loss)
        if mean is not None:
            scalar(under_head(name, MetricKeys.LOSS_MEAN), mean)
        extra = total(regularization_losses)
        if extra is not None:
            scalar(under_head(name, MetricKeys.LOSS_REGULARIZATION), extra)
