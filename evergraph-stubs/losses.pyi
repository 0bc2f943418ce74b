# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.losses."""

from evergraph import Tensor
from typing import Any

import sys
if sys.platform == "":
    del (
        collected, distance, entropy, weighting,
    )

class Reduction:
    """How the weighted losses of the elements are reduced to one loss."""
    NONE: str
    SUM: str
    SUM_OVER_BATCH_SIZE: str
    MEAN: str
    SUM_BY_NONZERO_WEIGHTS: str
    SUM_OVER_NONZERO_WEIGHTS: str
    @classmethod
    def all(cls) -> tuple[Any, Any, Any, Any, Any, Any]:
        """All reductions, as a tuple of strings."""
    @classmethod
    def validate(cls, key: Any) -> None:
        """Raises ValueError if `key` is not a reduction."""

def absolute_difference(
    labels: Any, predictions: Any, weights: Any = 1.0, scope: Any = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """The absolute error, or L1 loss: |predictions - labels|."""

def add_loss(loss: Any, loss_collection: Any = 'losses') -> None:
    """Adds a loss tensor to a collection, from which `tf.losses.get_total_loss` sums the losses of a
    graph."""

def compute_weighted_loss(
    losses: Any, weights: Any = 1.0, scope: Any = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """Multiplies losses by weights and reduces them to one loss, which is added to a collection."""

def cosine_distance(
    labels: Any, predictions: Any, axis: Any = None, weights: Any = 1.0, scope: Any = None,
    loss_collection: Any = 'losses', reduction: Any = 'weighted_sum_by_nonzero_weights', dim: Any = None,
) -> Any:
    """The cosine distance of unit vectors: 1 - sum(labels * predictions) along an axis."""

def get_losses(scope: Any = None, loss_collection: Any = 'losses') -> list[Any]:
    """The losses in a collection, as a list of tensors."""

def get_regularization_loss(scope: Any = None, name: str = 'total_regularization_loss') -> Any:
    """The sum of the regularization losses of the graph, a scalar; 0 if there are none."""

def get_regularization_losses(scope: Any = None) -> list[Any]:
    """The regularization losses of the graph, which the regularizers of variables and layers add, as a list
    of tensors."""

def get_total_loss(
    add_regularization_losses: Any = True, name: str = 'total_loss', scope: Any = None,
) -> Any:
    """The sum of all losses in the graph's collection of losses, a scalar to be minimized."""

def hinge_loss(
    labels: Any, logits: Any, weights: Any = 1.0, scope: Any = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """The hinge loss of support vector machines: max(0, 1 - y * logits), where y is 1 for label 1 and -1
    for label 0."""

def huber_loss(
    labels: Any, predictions: Any, weights: Any = 1.0, delta: Any = 1.0, scope: Any = None,
    loss_collection: Any = 'losses', reduction: Any = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """The Huber loss (1964): quadratic for small errors, linear for large ones, and so less sensitive to
    outliers."""

def log_loss(
    labels: Any, predictions: Any, weights: Any = 1.0, epsilon: Any = 1e-07, scope: Any = None,
    loss_collection: Any = 'losses', reduction: Any = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """The log loss, or binary cross entropy: -labels * log(predictions) - (1 - labels) * log(1 -
    predictions)."""

def mean_pairwise_squared_error(
    labels: Any, predictions: Any, weights: Any = 1.0, scope: Any = None, loss_collection: Any = 'losses',
) -> Tensor:
    """The mean pairwise squared error: compares the differences between predictions with those between
    labels."""

def mean_squared_error(
    labels: Any, predictions: Any, weights: Any = 1.0, scope: Any = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """The mean squared error, or L2 loss: (predictions - labels)^2."""

def sigmoid_cross_entropy(
    multi_class_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: Any = 0, scope: Any = None,
    loss_collection: Any = 'losses', reduction: Any = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """Sigmoid cross entropy: the binary cross entropy between labels and sigmoid(logits), for independent
    classes."""

def softmax_cross_entropy(
    onehot_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: Any = 0, scope: Any = None,
    loss_collection: Any = 'losses', reduction: Any = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """Softmax cross entropy: -sum(onehot_labels * log(softmax(logits))) over the classes, which exclude
    each other."""

def sparse_softmax_cross_entropy(
    labels: Any, logits: Any, weights: Any = 1.0, scope: Any = None, loss_collection: Any = 'losses',
    reduction: Any = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """Sparse softmax cross entropy: -log(softmax(logits)[label]) for labels that are class numbers."""
