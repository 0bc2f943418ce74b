"""Losses of classifiers: cross entropies between labels and logits."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.confusion import remove_squeezable_dimensions
from evergraph.frontend.nn.cross_entropy import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)
from evergraph.graph.convert import convert_to_tensor
from evergraph.losses.distance import require
from evergraph.losses.weighting import Reduction, compute_weighted_loss, documented
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise


@export("losses.sigmoid_cross_entropy")
@documented
def sigmoid_cross_entropy(multi_class_labels, logits, weights=1.0, label_smoothing=0, scope=None,
                          loss_collection=GraphKeys.LOSSES, reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    """Sigmoid cross entropy: the binary cross entropy between labels and sigmoid(logits), for independent classes.

    Args:
        multi_class_labels: 0 or 1, a tensor of shape [batch, classes].
        logits: the log odds of 1, of the same shape.
        {weights}
        label_smoothing: smoothes the labels towards 1/2 if greater than 0: labels * (1 - label_smoothing) +
            label_smoothing / 2.
        {shared}
    """
    require(multi_class_labels=multi_class_labels, logits=logits)
    with name_scope(scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]) as scope:
        logits = convert_to_tensor(logits)
        labels = math.cast(multi_class_labels, logits.dtype.base_dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("losses.softmax_cross_entropy")
@documented
def softmax_cross_entropy(onehot_labels, logits, weights=1.0, label_smoothing=0, scope=None,
                          loss_collection=GraphKeys.LOSSES, reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    """Softmax cross entropy: -sum(onehot_labels * log(softmax(logits))) over the classes, which exclude each other.

    Gradients do not flow to the labels.

    Args:
        onehot_labels: the true class as a one-hot vector, or the probability of each class, of shape [batch, classes].
        logits: unnormalized log probabilities, of the same shape.
        weights: the weight of each loss: a scalar, or a tensor of shape [batch].
        label_smoothing: smoothes the labels towards the uniform distribution if greater than 0: labels *
            (1 - label_smoothing) + label_smoothing / classes.
        {shared}
    """
    require(onehot_labels=onehot_labels, logits=logits)
    with name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as scope:
        logits = convert_to_tensor(logits)
        labels = math.cast(onehot_labels, logits.dtype.base_dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            share = label_smoothing / math.cast(array.shape(labels)[-1], logits.dtype.base_dtype)
            labels = labels * (1 - label_smoothing) + share
        labels = basic.stop_gradient(labels, name="labels_stop_gradient")
        losses = softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("losses.sparse_softmax_cross_entropy")
@documented
def sparse_softmax_cross_entropy(labels, logits, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                                 reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    """Sparse softmax cross entropy: -log(softmax(logits)[label]) for labels that are class numbers.

    Args:
        labels: the class of each example, an integer tensor of the shape of `logits` without the last dimension, or
            with 1 in its place.
        logits: unnormalized log probabilities, of shape [..., classes].
        weights: the weight of each loss: a scalar, or a tensor of the shape of the labels.
        {shared}
    """
    require(labels=labels, logits=logits)
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels, logits, weights = _without_excess(labels, logits, weights)
        losses = sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def _without_excess(labels, logits, weights):
    """The three, labels and weights without a last axis of size 1 that is one too many."""
    labels, logits = remove_squeezable_dimensions(labels, logits, expected_rank_diff=1)
    weights = convert_to_tensor(weights)
    if weights.shape.rank == 0:
        return labels, logits, weights
    if None not in (labels.shape.rank, weights.shape.rank):
        if weights.shape.rank - labels.shape.rank == 1:
            weights = array.squeeze(weights, [-1])
        return labels, logits, weights
    return labels, logits, _squeezed_if_wider(weights, labels)


def _squeezed_if_wider(weights, labels):
    """The weights, without their last axis when they have one more than the labels: known only when it runs."""
    excess = basic.rank(weights) - basic.rank(labels)
    kept = basic.rank(weights) - math.cast(elementwise.equal(1, excess), excess.dtype)
    return array.reshape(weights, array.shape(weights)[:kept])
