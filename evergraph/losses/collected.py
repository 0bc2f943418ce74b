"""The losses that a graph has collected, and their sums."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.frontend.math import add_n
from evergraph.graph.convert import constant


@export("losses.add_loss")
def add_loss(loss, loss_collection=GraphKeys.LOSSES):
    """Adds a loss that was computed elsewhere to the collected ones; to none when `loss_collection` is None."""
    if loss_collection:
        add_to_collection(loss_collection, loss)


@export("losses.get_losses")
def get_losses(scope=None, loss_collection=GraphKeys.LOSSES):
    """The list of losses collected so far.

    Args:
        scope: keeps only the losses whose names begin with a match of this expression.
        loss_collection: the collection.
    """
    return get_collection(loss_collection, scope)


@export("losses.get_regularization_losses")
def get_regularization_losses(scope=None):
    """The list of penalties that regularizers have collected.

    Args:
        scope: keeps only those whose names begin with a match of this expression.
    """
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


@export("losses.get_regularization_loss")
def get_regularization_loss(scope=None, name="total_regularization_loss"):
    """The sum of the penalties that regularizers have collected; 0 when there are none.

    Args:
        scope: keeps only those whose names begin with a match of this expression.
        name: a name for the sum.
    """
    losses = get_regularization_losses(scope)
    return add_n(losses, name=name) if losses else constant(0.0)


@export("losses.get_total_loss")
def get_total_loss(add_regularization_losses=True, name="total_loss", scope=None):
    """The sum of all losses collected so far: what an optimizer is to make small.

    Args:
        add_regularization_losses: whether the penalties of regularizers count too.
        name: a name for the sum.
        scope: keeps only the losses whose names begin with a match of this expression.

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
