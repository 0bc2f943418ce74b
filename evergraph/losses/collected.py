"""The losses that a graph has collected, and their sums."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.frontend.math import add_n
from evergraph.graph.convert import constant


@export("losses.add_loss")
def add_loss(loss, loss_collection=GraphKeys.LOSSES):
    """Adds a loss tensor to a collection, from which `tf.losses.get_total_loss` sums the losses of a graph.

    Args:
        loss: a scalar tensor.
        loss_collection: the collection; None adds it to none.
    """
    if loss_collection:
        add_to_collection(loss_collection, loss)


@export("losses.get_losses")
def get_losses(scope=None, loss_collection=GraphKeys.LOSSES):
    """The losses in a collection, as a list of tensors.

    Args:
        scope: a regular expression; keeps the losses whose names match it at their beginning.
        loss_collection: the collection.
    """
    return get_collection(loss_collection, scope)


@export("losses.get_regularization_losses")
def get_regularization_losses(scope=None):
    """The regularization losses of the graph, which the regularizers of variables and layers add, as a list of tensors.

    Args:
        scope: a regular expression; keeps the losses whose names match it at their beginning.
    """
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


@export("losses.get_regularization_loss")
def get_regularization_loss(scope=None, name="total_regularization_loss"):
    """The sum of the regularization losses of the graph, a scalar; 0 if there are none.

    Args:
        scope: a regular expression; keeps the losses whose names match it at their beginning.
        name: the name of the sum.
    """
    losses = get_regularization_losses(scope)
    return add_n(losses, name=name) if losses else constant(0.0)


@export("losses.get_total_loss")
def get_total_loss(add_regularization_losses=True, name="total_loss", scope=None):
    """The sum of all losses in the graph's collection of losses, a scalar to be minimized.

    Args:
        add_regularization_losses: whether to add the regularization losses.
        name: the name of the sum.
        scope: a regular expression; keeps the losses whose names match it at their beginning.

    Raises:
        ValueError: there is no loss.

    >>> loss = tf.losses.mean_squared_error(labels=[1.0, 2.0], predictions=[1.0, 4.0])
    >>> print(tf.Session().run(tf.losses.get_total_loss()))
    2.0
    """
    losses = get_losses(scope=scope)
    if add_regularization_losses:
        losses = losses + get_regularization_losses(scope=scope)
    return add_n(losses, name=name)
