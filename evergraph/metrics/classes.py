"""Metrics of classifiers that weigh all classes alike: intersection over union, accuracy by class."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.confusion import confusion_matrix
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import reduce_mean, reduce_sum
from evergraph.frontend.variables import assign
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.metrics.means import quotient
from evergraph.metrics.streaming import collected, documented, flat, metric_variable, over_all
from evergraph.ops.arrays import diagonal
from evergraph.ops.math import elementwise


def streaming_confusion_matrix(labels, predictions, num_classes, weights=None):
    """A variable with a row for each label and a column for each prediction, and the update that counts a batch."""
    total = metric_variable([num_classes, num_classes], dtypes.float64, name="total_confusion_matrix")
    predictions, labels = math.cast(predictions, dtypes.int64), math.cast(labels, dtypes.int64)
    classes = math.cast(num_classes, dtypes.int64)
    predictions, labels = flat(predictions), flat(labels)
    if weights is not None:
        weights = flat(convert_to_tensor(weights))
    batch = confusion_matrix(labels, predictions, classes, weights=weights, dtype=dtypes.float64)
    return over_all(total), assign.assign_add(total, batch)


@export("metrics.mean_iou")
@documented
def mean_iou(labels, predictions, num_classes, weights=None, metrics_collections=None, updates_collections=None,
             name=None):
    """The mean intersection over union (mean IoU, Jaccard index) of a classifier or semantic segmentation.

    The IoU of a class is true positives / (true positives + false positives + false negatives); classes that occur
    neither in labels nor in predictions are left out of the mean. The update operation returns the confusion matrix,
    not the mean.

    Args:
        labels: the true class of each element, an integer below `num_classes`.
        predictions: the predicted class of each element, of the same shape.
        num_classes: the number of classes.
        {shared}
    """
    with variable_scope(name, "mean_iou", [predictions, labels, weights]):
        predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
        predictions.shape.assert_is_compatible_with(labels.shape)
        counts, update = streaming_confusion_matrix(labels, predictions, num_classes, weights)
        return collected(_mean_iou(counts), update, metrics_collections, updates_collections)


def _mean_iou(counts):
    as_float = lambda x: math.cast(x, dtypes.float32)
    by_prediction, by_label = as_float(reduce_sum(counts, 0)), as_float(reduce_sum(counts, 1))
    both = as_float(diagonal.diag_part(counts))
    either = by_prediction + by_label - both
    occurring = reduce_sum(as_float(elementwise.not_equal(either, 0)))
    shares = math.div(both, where(elementwise.greater(either, 0), either, array.ones_like(either)))
    some = elementwise.greater(occurring, 0)
    return where(some, reduce_sum(shares, name="mean_iou") / occurring, 0)


@export("metrics.mean_per_class_accuracy")
@documented
def mean_per_class_accuracy(labels, predictions, num_classes, weights=None, metrics_collections=None,
                            updates_collections=None, name=None):
    """The mean per-class accuracy, or balanced accuracy: the mean over classes of the fraction of correct predictions.

    The update operation returns the accuracy of each class, not the mean.

    Args:
        labels: the true class of each element, an integer below `num_classes`.
        predictions: the predicted class of each element, of the same shape.
        num_classes: the number of classes.
        {shared}
    """
    with variable_scope(name, "mean_accuracy", [predictions, labels, weights]):
        labels = flat(math.cast(labels, dtypes.int64))
        predictions = flat(convert_to_tensor(predictions))
        predictions.shape.assert_is_compatible_with(labels.shape)
        total = metric_variable([num_classes], dtypes.float32, name="total")
        count = metric_variable([num_classes], dtypes.float32, name="count")
        each = array.ones([array.size(labels)], dtypes.float32)
        right = elementwise.equal(math.cast(predictions, labels.dtype.base_dtype), labels)
        right = math.cast(right, dtypes.float32)
        if weights is not None:
            weights = math.cast(flat(convert_to_tensor(weights)), dtypes.float32)
            right, each = right * weights, each * weights
        update_total = assign.scatter_add(total, labels, each)
        update_count = assign.scatter_add(count, labels, right)
        value = reduce_mean(quotient(over_all(count), over_all(total)), name="mean_accuracy")
        update = quotient(update_count, update_total, "update_op")
        return collected(value, update, metrics_collections, updates_collections)
