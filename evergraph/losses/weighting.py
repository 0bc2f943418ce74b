"""How the losses of elements become one: weights and reductions."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.docstrings import with_parts
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.indexing import where
from evergraph.frontend.nn.weights import assert_broadcastable, broadcast_weights
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.losses.collected import add_loss
from evergraph.ops.math import elementwise

documented = with_parts(
    compared="""labels: what the predictions should be.
        predictions: of the same shape.""",
    weights="weights: one number, or as many axes as the labels have, each of the same size or of size 1.",
    shared="""scope: a name for the operations.
        loss_collection: the collection that the loss joins; None for none.
        reduction: how the losses become one, see `tf.losses.Reduction`.

    Raises:
        ValueError: an argument is None, or the shapes do not fit.""")


@export("losses.Reduction")
class Reduction:
    """The ways to make one loss of many.

    Attributes:
        NONE: the weighted losses stay apart.
        SUM: their sum.
        SUM_OVER_BATCH_SIZE: their sum over their number.
        MEAN: their sum over the sum of the weights.
        SUM_BY_NONZERO_WEIGHTS: their sum over the number of weights that are not zero; the default.
        SUM_OVER_NONZERO_WEIGHTS: the older name of that.
    """

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"

    @classmethod
    def all(cls):
        """Every reduction."""
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS,
                cls.SUM_BY_NONZERO_WEIGHTS)

    @classmethod
    def validate(cls, key):
        """Raises ValueError unless `key` is one of them."""
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
    """One loss of many.

    Args:
        losses: the loss of each element.
        weights: one number, or as many axes as `losses` has, each of the same size or of size 1.
        scope: a name for the operations.
        loss_collection: the collection that the result joins; None for none.
        reduction: how the weighted losses become one, see `tf.losses.Reduction`.

    Returns:
        A scalar of the dtype of `losses`, or a tensor of their shape with `Reduction.NONE`.

    Raises:
        ValueError: the weights do not fit, or there is no such reduction.

    >>> print(tf.Session().run(tf.losses.compute_weighted_loss([1.0, 2.0, 3.0], [1.0, 0.0, 2.0])))
    3.5
    """
    Reduction.validate(reduction)
    with name_scope(scope, "weighted_loss", [losses, weights]), \
            control_dependencies([assert_broadcastable(weights, losses)]):
        losses = convert_to_tensor(losses)
        kind = losses.dtype.base_dtype
        weights = math.cast(weights, dtypes.float32)
        weighted = elementwise.mul(math.cast(losses, dtypes.float32), weights)
        loss = math.cast(_REDUCTIONS[reduction](weighted, weights), kind)
        add_loss(loss, loss_collection)
        return loss
