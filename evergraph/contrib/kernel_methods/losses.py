"""sparse_multiclass_hinge_loss: the loss of a support vector machine for several classes."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import assert_less, assert_non_negative
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.indexing import one_hot
from evergraph.frontend.reduce import reduce_max, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.losses.weighting import Reduction, compute_weighted_loss
from evergraph.ops.math import elementwise


@export("contrib.kernel_methods.sparse_multiclass_hinge_loss")
def sparse_multiclass_hinge_loss(labels: Any, logits: Any, weights: Any = 1.0, scope: str | None = None,
                                 loss_collection: str | None = GraphKeys.LOSSES,
                                 reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """How much the score of the best other class comes within 1 of that of the true one (Crammer and Singer, 2001).

    Args:
        labels: integers, [batch] or [batch, 1].
        logits: scores, [batch, classes].
        weights: of the losses: a scalar, [batch] or [batch, 1].
        scope: a name for the operations.
        loss_collection: the collection that the loss is added to.
        reduction: how losses become one.

    Raises:
        ValueError: shapes do not fit, labels are no integers, or an argument is None.
    """
    if labels is None or logits is None or weights is None:
        raise ValueError("sparse_multiclass_hinge_loss needs labels, logits and weights")
    with name_scope(scope, "sparse_multiclass_hinge_loss", [labels, logits, weights]) as name:
        logits, labels = convert_to_tensor(logits), convert_to_tensor(labels)
        weights = convert_to_tensor(weights)
        logits.shape.assert_has_rank(2)
        if not labels.dtype.is_integer:
            raise ValueError(f"labels must be integers, not {labels.dtype.name}")
        labels, weights = _flat(labels, logits, "labels"), math.cast(_flat(weights, logits, "weights"), dtypes.float32)
        classes = array.shape(logits, out_type=labels.dtype)[1]
        with control_dependencies([assert_non_negative(labels), assert_less(labels, classes)]):
            labels = array.identity(labels)
        is_true = one_hot(labels, math.cast(classes, dtypes.int32), dtype=logits.dtype)
        true = reduce_sum(is_true * logits, axis=1)
        lowest = array.fill(array.shape(logits), math.cast(logits.dtype.min / 2, logits.dtype))
        others = reduce_max(elementwise.select(elementwise.greater(is_true, 0.0), lowest, logits), axis=1)
        losses = elementwise.maximum(1.0 + others - true, 0.0)
        return compute_weighted_loss(losses, weights, name, loss_collection, reduction)


def _flat(values: Tensor, logits: Tensor, what: str) -> Tensor:
    """A value for each example as a vector; a scalar as it is."""
    rank = values.shape.rank
    if rank == 0:
        if what == "weights":
            return values
        raise ValueError(f"{what} must have an element for each example, not be a scalar")
    if rank is not None and (rank > 2 or rank == 2 and values.shape.as_list()[1] not in (None, 1)):
        raise ValueError(f"{what} must be of shape [batch] or [batch, 1], not {values.shape}")
    flat = values if rank == 1 else array.reshape(values, [-1])
    flat.shape.assert_is_compatible_with(logits.shape[:1])
    return flat
