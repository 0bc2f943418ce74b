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
    """|predictions - labels|.

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
    """(predictions - labels)^2.

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
    """Half the square of the error where that is within `delta`, and linear from there on.

    Args:
        {compared}
        {weights}
        delta: up to where the loss is quadratic.
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
    """The cross entropy of labels, 0 or 1, with predicted probabilities of 1.

    Args:
        {compared}
        {weights}
        epsilon: added to what a logarithm is taken of.
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
    """max(0, 1 - logits) where the label is 1, max(0, 1 + logits) where it is 0.

    Args:
        labels: 0 or 1.
        logits: of the same shape, positive for a guess of 1.
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
    """1 - the scalar product along an axis, of vectors that already have length 1.

    Args:
        {compared}
        axis: the axis of the vectors.
        dim: the older name of `axis`.
        weights: one number, or as many axes as `labels` has, each of the same size or of size 1, and 1 along `axis`.
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
    """How far the differences between pairs of predictions are from those between the same pairs of labels.

    The pairs are those within each example: for predictions a, b, c the squares of (a - b) less the labels' difference,
    and so on, averaged. Examples are added up.

    Args:
        labels: what the predictions should be; the first axis counts the examples.
        predictions: of the same shape.
        {weights}
        scope: a name for the operations.
        loss_collection: the collection that the loss joins; None for none.

    Raises:
        ValueError: an argument is None, or the shapes do not fit.
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
