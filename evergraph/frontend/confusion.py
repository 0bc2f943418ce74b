"""tf.confusion_matrix: how often each class was taken for each other."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.array import ones_like, squeeze, stack
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_less, assert_non_negative
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.math import cast
from evergraph.frontend.reduce import reduce_max
from evergraph.graph.convert import to_tensor
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.gather import scatter_nd
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.math import elementwise


def remove_squeezable_dimensions(labels, predictions, expected_rank_diff=0, name=None):
    """Labels and predictions, one of them without its last axis of size 1 when it has one axis more than expected.

    Args:
        labels: a tensor.
        predictions: a tensor.
        expected_rank_diff: rank of the predictions minus rank of the labels, as it should be.
        name: a name for the operations.
    """
    with name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions, labels = to_tensor(predictions), to_tensor(labels)
        ranks = labels.shape.rank, predictions.shape.rank
        if None not in ranks:
            excess = ranks[1] - ranks[0] - expected_rank_diff
            if excess == 1 and predictions.shape.as_list()[-1] in (1, None):
                predictions = squeeze(predictions, [-1])
            elif excess == -1 and labels.shape.as_list()[-1] in (1, None):
                labels = squeeze(labels, [-1])
            return labels, predictions
        excess = basic.rank(predictions) - basic.rank(labels)
        if _may_end_in_one(predictions):
            predictions = _squeezed_if(elementwise.equal(excess, expected_rank_diff + 1), predictions)
        if _may_end_in_one(labels):
            labels = _squeezed_if(elementwise.equal(excess, expected_rank_diff - 1), labels)
        return labels, predictions


def _may_end_in_one(tensor):
    return tensor.shape.rank is None or tensor.shape.as_list()[-1:] in ([1], [None])


def _squeezed_if(condition, tensor):
    """Reshapes to the shape without its last size when `condition` holds, to the whole shape otherwise."""
    whole = basic.shape(tensor)
    last = basic.rank(tensor) - basic.cast(condition, dtypes.int32)
    return reshape(tensor, whole[:last])


@export("confusion_matrix", "math.confusion_matrix")
def confusion_matrix(labels, predictions, num_classes=None, dtype=dtypes.int32, name=None, weights=None):
    """A matrix whose element [i, j] says how often label i was predicted as j.

    Args:
        labels: 1-D, the true classes, numbered from 0.
        predictions: 1-D, the predicted classes.
        num_classes: how many classes there are; by default the largest number says.
        dtype: the dtype of the matrix.
        name: a name for the operations.
        weights: how much each prediction counts; 1 by default.

    Raises:
        ValueError: the shapes of predictions and weights differ.

    >>> tf.Session().run(tf.confusion_matrix([1, 2, 2], [1, 2, 1]))
    array([[0, 0, 0],
           [0, 1, 0],
           [0, 1, 1]], dtype=int32)
    """
    with name_scope(name, "confusion_matrix", [predictions, labels]):
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        labels, predictions = cast(labels, dtypes.int64), cast(predictions, dtypes.int64)
        labels = _if_non_negative(labels, "labels")
        predictions = _if_non_negative(predictions, "predictions")
        if num_classes is None:
            count = elementwise.maximum(reduce_max(predictions), reduce_max(labels)) + 1
        else:
            count = cast(num_classes, dtypes.int64)
            labels = with_dependencies([assert_less(labels, count, message="`labels` out of bound")], labels)
            predictions = with_dependencies(
                [assert_less(predictions, count, message="`predictions` out of bound")], predictions)
        if weights is None:
            weights = ones_like(predictions, dtype)
        else:
            weights = to_tensor(weights)
            predictions.shape.assert_is_compatible_with(weights.shape)
            weights = cast(weights, dtype)
        result = scatter_nd(stack([labels, predictions], axis=1), weights, stack([count, count]))
        if num_classes is not None:
            result.set_shape([_known(num_classes)] * 2)
        return result


def _known(num_classes):
    return num_classes if isinstance(num_classes, int) else None


def _if_non_negative(classes, what):
    """The classes, once they are known not to be negative."""
    return with_dependencies([assert_non_negative(classes, message=f"`{what}` contains negative values")], classes)
