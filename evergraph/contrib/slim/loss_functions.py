"""tf.contrib.losses, which tf.contrib.slim.losses is: tf.losses with predictions before labels."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export, names_in
from evergraph.contrib.framework.arg_scopes import add_arg_scope
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.reduce import reduce_mean, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.losses import collected, distance, entropy, weighting
from evergraph.ops.nn import activations

_names = names_in("contrib.losses", "contrib.slim.losses")


def _given(labels: Any) -> Any:
    if labels is None:
        raise ValueError("the labels are missing")
    return labels


@export(*_names("compute_weighted_loss"))
def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None) -> Any:
    """The mean of weighted losses over those whose weight is not zero; it joins the LOSSES collection.

    Args:
        losses: a tensor [batch, ...].
        weights: a scalar, a vector for the batch, or a tensor of the shape of the losses.
        scope: a name prefix for the operations.
    """
    losses, weights = convert_to_tensor(losses), math.cast(convert_to_tensor(weights), "float32")
    return _added(weighting.compute_weighted_loss(losses, _spread(losses, weights), scope=scope, loss_collection=None))


def _spread(losses: Any, weights: Any) -> Any:
    """Weights of a batch with as many axes as the losses."""
    weights = convert_to_tensor(weights)
    if weights.shape.rank and losses.shape.rank:
        for _ in range(losses.shape.rank - weights.shape.rank):
            weights = array.expand_dims(weights, -1)
    return weights


@export(*_names("add_loss"))
@add_arg_scope
def add_loss(loss: Any, loss_collection: Any = GraphKeys.LOSSES) -> None:
    """Adds a loss to a collection."""
    collected.add_loss(loss, loss_collection)


def _added(loss: Any) -> Any:
    """The loss, once `add_loss` has it: with the collection that an `arg_scope` of it says."""
    add_loss(loss)
    return loss


@export(*_names("get_losses"))
def get_losses(scope: str | None = None, loss_collection: Any = GraphKeys.LOSSES) -> list[Any]:
    """The losses of a collection, in a scope."""
    return collected.get_losses(scope, loss_collection)


@export(*_names("get_regularization_losses"))
def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The penalties on weights, in a scope."""
    return collected.get_regularization_losses(scope)


@export(*_names("get_total_loss"))
def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss") -> Any:
    """The sum of the losses and, unless told otherwise, of the penalties on weights."""
    losses = get_losses() + (get_regularization_losses() if add_regularization_losses else [])
    return math.add_n(losses, name=name)


@export(*_names("absolute_difference"))
def absolute_difference(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Any:
    """`tf.losses.absolute_difference` of predictions and labels."""
    return _added(distance.absolute_difference(_given(labels), predictions, _weights(predictions, weights), scope,
                                               loss_collection=None))


@export(*_names("mean_squared_error"))
def mean_squared_error(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Any:
    """`tf.losses.mean_squared_error` of predictions and labels."""
    return _added(distance.mean_squared_error(_given(labels), predictions, _weights(predictions, weights), scope,
                                              loss_collection=None))


@export(*_names("mean_pairwise_squared_error"))
def mean_pairwise_squared_error(predictions: Any, labels: Any = None, weights: Any = 1.0,
                                scope: str | None = None) -> Any:
    """How much the differences between pairs of elements differ, in predictions and labels, summed over the batch.

    Args:
        predictions: a tensor [batch, ...].
        labels: a tensor of its shape.
        weights: a scalar, or one for each example.
        scope: a name prefix for the operations.
    """
    with name_scope(scope, "mean_pairwise_squared_error", [predictions, labels]):
        predictions = math.cast(convert_to_tensor(predictions), "float32")
        labels = math.cast(convert_to_tensor(_given(labels)), "float32")
        predictions.shape.assert_is_compatible_with(labels.shape)
        difference = predictions - labels
        axes = list(range(1, difference.shape.rank))
        spread = 2.0 * (reduce_mean(math.square(difference), axes) - math.square(reduce_mean(difference, axes)))
        factors = math.cast(convert_to_tensor(weights), "float32")
        loss = reduce_sum(spread * (array.reshape(factors, [-1]) if factors.shape.rank else factors))
        return _added(loss)


@export(*_names("log_loss"))
def log_loss(predictions: Any, labels: Any = None, weights: Any = 1.0, epsilon: float = 1e-7,
             scope: str | None = None) -> Any:
    """`tf.losses.log_loss` of predictions and labels."""
    return _added(distance.log_loss(_given(labels), predictions, _weights(predictions, weights), epsilon, scope,
                                    loss_collection=None))


@export(*_names("cosine_distance"))
def cosine_distance(predictions: Any, labels: Any = None, axis: int | None = None, weights: Any = 1.0,
                    scope: str | None = None, dim: int | None = None) -> Any:
    """`tf.losses.cosine_distance` of predictions and labels.

    Raises:
        ValueError: there is no axis, under either of its names.
    """
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    with name_scope(scope, "cosine_distance_loss", [predictions, labels, weights]) as inner:
        predictions = math.cast(convert_to_tensor(predictions), "float32")
        labels = math.cast(convert_to_tensor(_given(labels)), "float32")
        predictions.shape.assert_is_compatible_with(labels.shape)
        return compute_weighted_loss(1.0 - reduce_sum(predictions * labels, [axis]), weights, scope=inner)


def _weights(predictions: Any, weights: Any) -> Any:
    return weights if isinstance(weights, (int, float)) else _spread(convert_to_tensor(predictions), weights)


@export(*_names("sigmoid_cross_entropy"))
def sigmoid_cross_entropy(logits: Any, multi_class_labels: Any, weights: Any = 1.0, label_smoothing: float = 0,
                          scope: str | None = None) -> Any:
    """`tf.losses.sigmoid_cross_entropy` of logits and labels."""
    return _added(entropy.sigmoid_cross_entropy(multi_class_labels, logits, _weights(logits, weights), label_smoothing,
                                                scope, loss_collection=None))


@export(*_names("softmax_cross_entropy"))
def softmax_cross_entropy(logits: Any, onehot_labels: Any, weights: Any = 1.0, label_smoothing: float = 0,
                          scope: str | None = None) -> Any:
    """`tf.losses.softmax_cross_entropy` of logits and labels."""
    return _added(entropy.softmax_cross_entropy(onehot_labels, logits, _of_batch(weights), label_smoothing, scope,
                                                loss_collection=None))


@export(*_names("sparse_softmax_cross_entropy"))
def sparse_softmax_cross_entropy(logits: Any, labels: Any, weights: Any = 1.0, scope: str | None = None) -> Any:
    """`tf.losses.sparse_softmax_cross_entropy` of logits and numbers of classes, [batch] or [batch, 1]."""
    labels = convert_to_tensor(labels)
    labels = array.reshape(labels, [array.shape(labels)[0]])
    return _added(entropy.sparse_softmax_cross_entropy(labels, logits, _of_batch(weights), scope,
                                                       loss_collection=None))


def _of_batch(weights: Any) -> Any:
    """Weights without an axis of size 1 after that of the batch."""
    if isinstance(weights, (int, float)):
        return weights
    weights = convert_to_tensor(weights)
    return array.squeeze(weights, [1]) if weights.shape.rank == 2 else weights


@export(*_names("hinge_loss"))
def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Any:
    """max(1 - logits * (1 or -1), 0), element by element: neither reduced nor in a collection.

    Args:
        logits: a tensor of floats.
        labels: 0 or 1 for each.
        scope: a name prefix for the operations.
    """
    with name_scope(scope, "hinge_loss", [logits, labels]):
        logits, labels = convert_to_tensor(logits), convert_to_tensor(_given(labels))
        logits.shape.assert_is_compatible_with(labels.shape)
        signs = 2.0 * math.cast(labels, logits.dtype) - 1.0
        return activations.relu(1.0 - signs * logits)
