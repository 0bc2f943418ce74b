"""How the losses of elements become one: weights and reductions."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.docstrings import with_parts
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope, root_graph
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.indexing import where
from evergraph.frontend.nn.weights import assert_broadcastable, broadcast_weights
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.replicas import LastLoss
from evergraph.graph.convert import convert_to_tensor
from evergraph.losses.collected import add_loss
from evergraph.ops.math import elementwise

documented = with_parts(
    compared="""labels: the true values, a tensor of any shape.
        predictions: the predicted values, of the same shape.""",
    weights="""weights: the weight of each loss: a scalar, or a tensor of the rank of the labels whose dimensions equal
            those of the labels or 1.""",
    shared="""scope: the name scope of the operations.
        loss_collection: the collection that the loss is added to; None for none.
        reduction: how the weighted losses of the elements are reduced, one of `tf.losses.Reduction`.

    Returns:
        The loss as a scalar; with `Reduction.NONE`, a tensor with the weighted loss of each element.

    Raises:
        ValueError: labels or predictions are None, the shapes do not fit, or the reduction is unknown.""")


@export("losses.Reduction")
class Reduction:
    """How the weighted losses of the elements are reduced to one loss.

    Attributes:
        NONE: not at all.
        SUM: the sum of the weighted losses.
        SUM_OVER_BATCH_SIZE: the sum of the weighted losses divided by the number of elements.
        MEAN: the sum of the weighted losses divided by the sum of the weights.
        SUM_BY_NONZERO_WEIGHTS: the sum of the weighted losses divided by the number of nonzero weights; the default.
        SUM_OVER_NONZERO_WEIGHTS: another name for SUM_BY_NONZERO_WEIGHTS.
    """

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"

    @classmethod
    def all(cls):
        """All reductions, as a tuple of strings."""
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS,
                cls.SUM_BY_NONZERO_WEIGHTS)

    @classmethod
    def validate(cls, key):
        """Raises ValueError if `key` is not a reduction."""
        if key not in cls.all():
            raise ValueError(f"Invalid ReductionKey {key}.")


def mean_or_zero(total, count):
    """The quotient; 0 where nothing was counted."""
    return math.div_no_nan(reduce_sum(total), count, name="value")


def number_present(losses, weights, per_example=False):
    """How many losses have a weight that is not zero: of all, or of each example along the first axis."""
    with name_scope(None, "num_present", [losses, weights]) as scope:
        weights = math.cast(weights, dtypes.float32)
        present = where(elementwise.equal(weights, 0.0), array.zeros_like(weights), array.ones_like(weights))
        present = broadcast_weights(present, losses)
        if not per_example:
            return reduce_sum(present, name=scope)
        return reduce_sum(present, axis=math.range(1, array.rank(present)), keepdims=True, name=scope)


def _number(losses):
    with name_scope(None, "num_elements", [losses]) as scope:
        return math.cast(array.size(losses, name=scope), losses.dtype.base_dtype)


_REDUCTIONS = {
    Reduction.NONE: lambda losses, weights: losses,
    Reduction.SUM: lambda losses, weights: reduce_sum(losses),
    Reduction.MEAN: lambda losses, weights:
        mean_or_zero(reduce_sum(losses), reduce_sum(array.ones_like(losses) * weights)),
    Reduction.SUM_OVER_BATCH_SIZE: lambda losses, weights: mean_or_zero(reduce_sum(losses), _number(losses)),
    Reduction.SUM_BY_NONZERO_WEIGHTS: lambda losses, weights:
        mean_or_zero(reduce_sum(losses), number_present(losses, weights)),
}


@export("losses.compute_weighted_loss")
def compute_weighted_loss(losses, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                          reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    """Multiplies losses by weights and reduces them to one loss, which is added to a collection.

    Args:
        losses: the loss of each element, a tensor of any shape.
        weights: the weight of each loss: a scalar, or a tensor of the rank of `losses` whose dimensions equal those of
            `losses` or 1.
        scope: the name scope of the operations.
        loss_collection: the collection that the loss is added to; None for none.
        reduction: how the weighted losses are reduced, one of `tf.losses.Reduction`.

    Returns:
        A scalar of the dtype of `losses`, or a tensor of their shape with `Reduction.NONE`.

    Raises:
        ValueError: the shape of the weights does not fit, or the reduction is unknown.

    >>> print(tf.Session().run(tf.losses.compute_weighted_loss([1.0, 2.0, 3.0], [1.0, 0.0, 2.0])))
    3.5
    """
    Reduction.validate(reduction)
    root_graph().memo(LastLoss).reduction = reduction
    with name_scope(scope, "weighted_loss", [losses, weights]), \
            control_dependencies([assert_broadcastable(weights, losses)]):
        losses = convert_to_tensor(losses)
        kind = losses.dtype.base_dtype
        weights = math.cast(weights, dtypes.float32)
        weighted = elementwise.mul(math.cast(losses, dtypes.float32), weights)
        loss = math.cast(_REDUCTIONS[reduction](weighted, weights), kind)
        add_loss(loss, loss_collection)
        return loss
