# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.losses."""

from evergraph import Tensor
from typing import Any
from evergraph.contrib.losses import metric_learning as metric_learning

def absolute_difference(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None,
) -> Any:
    """`tf.losses.absolute_difference` of predictions and labels."""

def add_loss(loss: Any, loss_collection: Any = 'losses') -> None:
    """Adds a loss to a collection."""

def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None) -> Any:
    """The mean of weighted losses over those whose weight is not zero; it joins the LOSSES collection."""

def cosine_distance(
    predictions: Any, labels: Any = None, axis: int | None = None, weights: Any = 1.0,
    scope: str | None = None, dim: int | None = None,
) -> Any:
    """`tf.losses.cosine_distance` of predictions and labels."""

def get_losses(scope: str | None = None, loss_collection: Any = 'losses') -> list[Any]:
    """The losses of a collection, in a scope."""

def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The penalties on weights, in a scope."""

def get_total_loss(add_regularization_losses: bool = True, name: str = 'total_loss') -> Any:
    """The sum of the losses and, unless told otherwise, of the penalties on weights."""

def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Tensor:
    """max(1 - logits * (1 or -1), 0), element by element: neither reduced nor in a collection."""

def log_loss(
    predictions: Any, labels: Any = None, weights: Any = 1.0, epsilon: float = 1e-07,
    scope: str | None = None,
) -> Any:
    """`tf.losses.log_loss` of predictions and labels."""

def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None,
) -> Any:
    """How much the differences between pairs of elements differ, in predictions and labels, summed over the
    batch."""

def mean_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None,
) -> Any:
    """`tf.losses.mean_squared_error` of predictions and labels."""

def sigmoid_cross_entropy(
    logits: Any, multi_class_labels: Any, weights: Any = 1.0, label_smoothing: float = 0,
    scope: str | None = None,
) -> Any:
    """`tf.losses.sigmoid_cross_entropy` of logits and labels."""

def softmax_cross_entropy(
    logits: Any, onehot_labels: Any, weights: Any = 1.0, label_smoothing: float = 0,
    scope: str | None = None,
) -> Any:
    """`tf.losses.softmax_cross_entropy` of logits and labels."""

def sparse_softmax_cross_entropy(
    logits: Any, labels: Any, weights: Any = 1.0, scope: str | None = None,
) -> Any:
    """`tf.losses.sparse_softmax_cross_entropy` of logits and numbers of classes, [batch] or [batch, 1]."""
