"""Losses that measure how far predictions are from what they should be."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.indexing import where
from evergraph.frontend.nn.weights import assert_broadcastable
from evergraph.frontend.reduce import either, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.losses.collected import add_loss
from evergraph.losses.weighting import Reduction, compute_weighted_loss, documented, number_present
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations


def require(**arguments):
    """Raises ValueError for an argument that is None."""
    for name, value in arguments.items():
        if value is None:
            raise ValueError(f"{name} must not be None.")


def _as_floats(predictions, labels):
    """Both as float32 tensors of one shape.

    Raises:
        ValueError: the shapes differ.
    """
    predictions, labels = math.cast(predictions, dtypes.float32), math.cast(labels, dtypes.float32)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return predictions, labels


@export("losses.absolute_difference")
@documented
def absolute_difference(labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                        reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    """The absolute error, or L1 loss: |predictions - labels|.

    Args:
        {compared}
        {weights}
        {shared}
    """
    require(labels=labels, predictions=predictions)
    with name_scope(scope, "absolute_difference", [predictions, labels, weights]) as scope:
        predictions, labels = _as_floats(predictions, labels)
        losses = math.abs(elementwise.sub(predictions, labels))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("losses.mean_squared_error")
@documented
def mean_squared_error(labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                       reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    """The mean squared error, or L2 loss: (predictions - labels)^2.

    Args:
        {compared}
        {weights}
        {shared}
    """
    require(labels=labels, predictions=predictions)
    with name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as scope:
        losses = elementwise.squared_difference(*_as_floats(predictions, labels))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("losses.huber_loss")
@documented
def huber_loss(labels, predictions, weights=1.0, delta=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
               reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    """The Huber loss (1964): quadratic for small errors, linear for large ones, and so less sensitive to outliers.

    With e = |predictions - labels|, it is e^2 / 2 where e <= delta, else delta * e - delta^2 / 2.

    Args:
        {compared}
        {weights}
        delta: the error from which on the loss is linear.
        {shared}
    """
    require(labels=labels, predictions=predictions)
    with name_scope(scope, "huber_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _as_floats(predictions, labels)
        error = math.abs(elementwise.sub(predictions, labels))
        near = elementwise.minimum(error, delta)
        # A difference and not max(error - delta, 0): at error == delta the gradient must not count twice.
        beyond = elementwise.sub(error, near)
        half = convert_to_tensor(0.5, dtype=near.dtype.base_dtype)
        losses = elementwise.add(elementwise.mul(half, elementwise.mul(near, near)), elementwise.mul(delta, beyond))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("losses.log_loss")
@documented
def log_loss(labels, predictions, weights=1.0, epsilon=1e-7, scope=None, loss_collection=GraphKeys.LOSSES,
             reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    """The log loss, or binary cross entropy: -labels * log(predictions) - (1 - labels) * log(1 - predictions).

    Args:
        labels: 0 or 1, or probabilities, a tensor of any shape.
        predictions: the predicted probabilities of 1, of the same shape.
        {weights}
        epsilon: added to the arguments of the logarithms.
        {shared}
    """
    require(labels=labels, predictions=predictions)
    with name_scope(scope, "log_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _as_floats(predictions, labels)
        of_ones = elementwise.neg(elementwise.mul(labels, elementwise.log(predictions + epsilon)))
        losses = of_ones - elementwise.mul(1 - labels, elementwise.log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("losses.hinge_loss")
@documented
def hinge_loss(labels, logits, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
               reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    """The hinge loss of support vector machines: max(0, 1 - y * logits), where y is 1 for label 1 and -1 for label 0.

    Args:
        labels: 0 or 1, a tensor of any shape.
        logits: the scores, of the same shape; a positive score predicts 1.
        {weights}
        {shared}
    """
    require(labels=labels, logits=logits)
    with name_scope(scope, "hinge_loss", [logits, labels, weights]) as scope:
        logits, labels = _as_floats(logits, labels)
        ones = array.ones_like(labels)
        signs = elementwise.sub(2 * labels, ones)
        losses = activations.relu(elementwise.sub(ones, elementwise.mul(signs, logits)))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("losses.cosine_distance")
@documented
def cosine_distance(labels, predictions, axis=None, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                    reduction=Reduction.SUM_BY_NONZERO_WEIGHTS, dim=None):
    """The cosine distance of unit vectors: 1 - sum(labels * predictions) along an axis. The vectors are not normalized.

    Args:
        labels: the true unit vectors, a tensor of any shape.
        predictions: the predicted unit vectors, of the same shape.
        axis: the axis along which the vectors lie.
        dim: the older name of `axis`.
        weights: the weight of each loss: a scalar, or a tensor of the rank of the labels whose dimensions equal those
            of the labels or 1, and which is 1 along `axis`.
        {shared}
    """
    axis = either("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    require(labels=labels, predictions=predictions)
    with name_scope(scope, "cosine_distance_loss", [predictions, labels, weights]) as scope:
        products = elementwise.mul(*_as_floats(predictions, labels))
        losses = 1 - reduce_sum(products, axis=(axis,), keepdims=True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("losses.mean_pairwise_squared_error")
@documented
def mean_pairwise_squared_error(labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES):
    """The mean pairwise squared error: compares the differences between predictions with those between labels.

    The pairs are those of elements of one example: for three elements a, b, c it is the mean of
    ((predictions_a - predictions_b) - (labels_a - labels_b))^2 over the pairs (a, b), (a, c) and (b, c). The losses of
    the examples are summed.

    Args:
        labels: the true values, a tensor of shape [batch, ...].
        predictions: the predicted values, of the same shape.
        {weights}
        scope: the name scope of the operations.
        loss_collection: the collection that the loss is added to; None for none.

    Returns:
        The loss as a scalar.

    Raises:
        ValueError: labels or predictions are None, or the shapes do not fit.
    """
    require(labels=labels, predictions=predictions)
    with name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]):
        weights, labels = math.cast(weights, dtypes.float32), math.cast(labels, dtypes.float32)
        with control_dependencies([assert_broadcastable(weights, labels)]):
            predictions = math.cast(predictions, dtypes.float32)
            predictions.shape.assert_is_compatible_with(labels.shape)
            loss = _pairwise(elementwise.sub(predictions, labels), weights)
            add_loss(loss, loss_collection)
            return loss


def _pairwise(errors, weights):
    """The loss by two sums an example: the mean of (x - y)^2 over pairs is 2 / (n - 1) * (sum x^2 - (sum x)^2 / n)."""
    axes = math.range(1, array.rank(errors))
    squares = reduce_sum(elementwise.square(errors), axis=axes, keepdims=True)
    count = number_present(errors, weights, per_example=True)
    first = 2.0 * math.div_no_nan(squares, elementwise.maximum(count - 1, 0), name="value")
    squared_total = elementwise.square(reduce_sum(errors, axis=axes, keepdims=True))
    pairs = elementwise.maximum(elementwise.mul(count, count - 1), 0)
    second = 2.0 * math.div_no_nan(squared_total, pairs, name="value")
    loss = reduce_sum(elementwise.mul(first - second, weights))
    return where(reduce_sum(count) > 0, loss, array.zeros_like(loss), name="value")
