"""Metrics that are means: of values, of correct answers, of errors."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.confusion import remove_squeezable_dimensions
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables import assign
from evergraph.frontend.variables.scope import variable_scope
from evergraph.metrics.streaming import as_float_weights, collected, documented, fitted, metric_variable, over_all
from evergraph.ops.math import elementwise


def quotient(total, count, name=None):
    """total / count; 0 where nothing was counted."""
    return math.div_no_nan(total, elementwise.maximum(count, 0), name=name)


def _streamed(total, count, values, batch_total, batch_count):
    """(value, update) of a mean, from its variables and what a batch adds to them."""
    update_total = assign.assign_add(total, batch_total)
    with control_dependencies([values]):
        update_count = assign.assign_add(count, batch_count)
    return quotient(over_all(total), over_all(count), "value"), quotient(update_total, update_count, "update_op")


@export("metrics.mean")
@documented
def mean(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The streaming weighted mean of values over batches.

    Args:
        values: a tensor of any shape.
        {shared}

    >>> x = tf.placeholder(tf.float32, [None])
    >>> value, update = tf.metrics.mean(x)
    >>> with tf.Session() as session:
    ...     session.run(tf.local_variables_initializer())
    ...     _ = session.run(update, {x: [1.0, 2.0]})
    ...     _ = session.run(update, {x: [6.0]})
    ...     print(session.run(value))
    3.0
    """
    with variable_scope(name, "mean", [values, weights]):
        values = math.cast(values, dtypes.float32)
        total = metric_variable([], dtypes.float32, name="total")
        count = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            number = math.cast(array.size(values), dtypes.float32)
        else:
            values, _, weights = fitted(values, None, weights)
            weights = as_float_weights(weights, values)
            values = elementwise.mul(values, weights)
            number = reduce_sum(weights)
        value, update = _streamed(total, count, values, reduce_sum(values), number)
        return collected(value, update, metrics_collections, updates_collections)


@export("metrics.mean_tensor")
@documented
def mean_tensor(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The streaming weighted mean of each element of a tensor over batches.

    Args:
        values: a tensor of the same static shape in every batch.
        {shared}
    """
    with variable_scope(name, "mean", [values, weights]):
        values = math.cast(values, dtypes.float32)
        total = metric_variable(values.shape, dtypes.float32, name="total_tensor")
        count = metric_variable(values.shape, dtypes.float32, name="count_tensor")
        number = array.ones_like(values)
        if weights is not None:
            values, _, weights = fitted(values, None, weights)
            weights = as_float_weights(weights, values)
            values = elementwise.mul(values, weights)
            number = elementwise.mul(number, weights)
        value, update = _streamed(total, count, values, values, number)
        return collected(value, update, metrics_collections, updates_collections)


@export("metrics.percentage_below")
@documented
def percentage_below(values, threshold, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The fraction of values below a threshold, between 0 and 1.

    Args:
        values: a tensor of any shape.
        threshold: a scalar.
        {shared}
    """
    below = math.cast(elementwise.less(values, threshold), dtypes.float32)
    return mean(below, weights, metrics_collections, updates_collections, name or "percentage_below_threshold")


@export("metrics.accuracy")
@documented
def accuracy(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The accuracy: the fraction of predictions that equal their labels, between 0 and 1.

    Args:
        labels: the true values, a tensor of any shape.
        predictions: the predicted values, of the same shape.
        {shared}
    """
    predictions, labels, weights = fitted(predictions, labels, weights)
    right = elementwise.equal(math.cast(predictions, labels.dtype.base_dtype), labels)
    return mean(math.cast(right, dtypes.float32), weights, metrics_collections, updates_collections,
                name or "accuracy")


@export("metrics.mean_absolute_error")
@documented
def mean_absolute_error(labels, predictions, weights=None, metrics_collections=None, updates_collections=None,
                        name=None):
    """The mean absolute error (MAE): the mean of |predictions - labels|.

    Args:
        labels: the true values, a tensor of any shape.
        predictions: the predicted values, of the same shape.
        {shared}
    """
    predictions, labels, weights = fitted(predictions, labels, weights)
    return mean(math.abs(predictions - labels), weights, metrics_collections, updates_collections,
                name or "mean_absolute_error")


@export("metrics.mean_squared_error")
@documented
def mean_squared_error(labels, predictions, weights=None, metrics_collections=None, updates_collections=None,
                       name=None):
    """The mean squared error (MSE): the mean of (predictions - labels)^2.

    Args:
        labels: the true values, a tensor of any shape.
        predictions: the predicted values, of the same shape.
        {shared}
    """
    predictions, labels, weights = fitted(predictions, labels, weights)
    return mean(elementwise.squared_difference(labels, predictions), weights, metrics_collections,
                updates_collections, name or "mean_squared_error")


@export("metrics.root_mean_squared_error")
@documented
def root_mean_squared_error(labels, predictions, weights=None, metrics_collections=None, updates_collections=None,
                            name=None):
    """The root mean squared error (RMSE): the square root of the mean of (predictions - labels)^2.

    Args:
        labels: the true values, a tensor of any shape.
        predictions: the predicted values, of the same shape.
        {shared}
    """
    predictions, labels, weights = fitted(predictions, labels, weights)
    squared, update = mean_squared_error(labels, predictions, weights, None, None, name or "root_mean_squared_error")
    return collected(math.sqrt(squared), math.sqrt(update), metrics_collections, updates_collections)


@export("metrics.mean_relative_error")
@documented
def mean_relative_error(labels, predictions, normalizer, weights=None, metrics_collections=None,
                        updates_collections=None, name=None):
    """The mean relative error: the mean of |predictions - labels| / normalizer, or 0 where the normalizer is 0.

    Args:
        labels: the true values, a tensor of any shape.
        predictions: the predicted values, of the same shape.
        normalizer: the divisors, of the same shape.
        {shared}
    """
    predictions, labels, weights = fitted(predictions, labels, weights)
    predictions, normalizer = remove_squeezable_dimensions(predictions, normalizer)
    predictions.shape.assert_is_compatible_with(normalizer.shape)
    nothing = elementwise.equal(normalizer, 0.0)
    errors = where(nothing, array.zeros_like(labels), math.div(math.abs(labels - predictions), normalizer))
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_relative_error")


@export("metrics.mean_cosine_distance")
@documented
def mean_cosine_distance(labels, predictions, dim, weights=None, metrics_collections=None, updates_collections=None,
                         name=None):
    """The mean cosine distance of unit vectors: the mean of 1 - sum(labels * predictions), without normalization.

    Args:
        labels: the true unit vectors, a tensor of any shape.
        predictions: the predicted unit vectors, of the same shape.
        dim: the axis along which the vectors lie.
        {shared}
    """
    predictions, labels, weights = fitted(predictions, labels, weights)
    products = reduce_sum(elementwise.mul(predictions, labels), axis=[dim], keepdims=True)
    similarity, update = mean(products, weights, None, None, name or "mean_cosine_distance")
    return collected(elementwise.sub(1.0, similarity), elementwise.sub(1.0, update), metrics_collections,
                     updates_collections)
