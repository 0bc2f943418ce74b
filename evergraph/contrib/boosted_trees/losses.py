"""Losses of every example, which boosted trees take gradients and hessians of."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.frontend import array, math
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.indexing import one_hot, where
from evergraph.frontend.nn.cross_entropy import sigmoid_cross_entropy_with_logits
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations

Loss = tuple[Tensor, Operation]
"""The loss of each example, and an operation that updates what the loss needs: nothing, here."""


def _floats(*values: Any) -> list[Tensor]:
    return [math.cast(convert_to_tensor(each), dtypes.float32) for each in values]


def _signs(labels: Tensor) -> Tensor:
    """1 for the label 1, and -1 for 0."""
    return 2.0 * labels - 1.0


def per_example_squared_hinge_loss(labels: Any, weights: Any, predictions: Any) -> Loss:
    """weights * max(0, 1 - y * predictions)^2, where y is 1 or -1 for the labels 1 and 0."""
    labels, weights, predictions = _floats(labels, weights, predictions)
    return weights * elementwise.square(activations.relu(1.0 - _signs(labels) * predictions)), no_op()


def per_example_logistic_loss(labels: Any, weights: Any, predictions: Any) -> Loss:
    """The weighted cross entropy of labels 0 and 1 and logits."""
    labels, weights, predictions = _floats(labels, weights, predictions)
    return weights * sigmoid_cross_entropy_with_logits(labels=labels, logits=predictions), no_op()


def per_example_squared_loss(labels: Any, weights: Any, predictions: Any) -> Loss:
    """The weighted sum of squared differences along the last axis, which stays."""
    labels, weights, predictions = _floats(labels, weights, predictions)
    return weights * reduce_sum(elementwise.square(labels - predictions), axis=1, keepdims=True), no_op()


def per_example_quantile_regression_loss(labels: Any, weights: Any, predictions: Any, quantile: float) -> Loss:
    """The weighted pinball loss of a quantile, squared where it is below 1."""
    labels, weights, predictions = _floats(labels, weights, predictions)
    error = labels - predictions
    loss = elementwise.maximum(quantile * error, (quantile - 1.0) * error)
    return weights * where(elementwise.less(loss, 1.0), elementwise.square(loss), loss), no_op()


def per_example_maxent_loss(labels: Any, weights: Any, logits: Any, num_classes: int, eps: float = 1e-15) -> Loss:
    """The weighted cross entropy of classes and logits, [batch, 1].

    Args:
        labels: the classes, [batch] or [batch, 1].
        weights: [batch, 1].
        logits: [batch, classes].
        num_classes: how many classes there are.
        eps: the least probability of a class.
    """
    labels = array.reshape(math.cast(convert_to_tensor(labels), dtypes.int64), [-1])
    weights, logits = _floats(weights, logits)
    is_true = one_hot(labels, num_classes, dtype=dtypes.float32)
    chance = reduce_sum(is_true * activations.softmax(logits), axis=1, keepdims=True)
    return -weights * elementwise.log(elementwise.maximum(chance, eps)), no_op()


def per_example_exp_loss(labels: Any, weights: Any, predictions: Any, name: str | None = None,
                         eps: float = 0.1) -> Loss:
    """weights * exp(-y * score): the score is the probability, mapped from 0.5 - eps ... 0.5 + eps to -1 ... 1.

    Args:
        labels: 0 or 1.
        weights: of the examples.
        predictions: logits.
        name: has no meaning.
        eps: where the score ends.
    """
    labels, weights, predictions = _floats(labels, weights, predictions)
    score = clip_by_value((elementwise.sigmoid(predictions) - 0.5) / eps, -1.0, 1.0)
    return weights * elementwise.exp(-_signs(labels) * score), no_op()


def per_example_full_exp_loss(labels: Any, weights: Any, predictions: Any, name: str | None = None) -> Loss:
    """weights * exp(-y * predictions).

    Args:
        labels: 0 or 1.
        weights: of the examples.
        predictions: logits.
        name: has no meaning.
    """
    labels, weights, predictions = _floats(labels, weights, predictions)
    return weights * elementwise.exp(-_signs(labels) * predictions), no_op()
