"""Streaming covariance, correlation, concatenation and counts."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export, names_in
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import group
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables import assign
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.metrics.means import quotient
from evergraph.metrics.streaming import as_float_weights, collected, documented, fitted, metric_variable
from evergraph.ops.math import elementwise

_names = names_in("contrib.metrics", "contrib.slim.metrics")


@export(*_names("streaming_covariance"))
@documented
def streaming_covariance(predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
                         updates_collections: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """The unbiased covariance of predictions and labels over batches. Weights say how often an element counts.

    Args:
        predictions: a tensor.
        labels: a tensor of the same shape.
        {shared}
    """
    with variable_scope(name, "covariance", [predictions, labels, weights]):
        predictions, labels, weights = fitted(predictions, labels, weights)
        predictions, labels = math.cast(predictions, dtypes.float32), math.cast(labels, dtypes.float32)
        known = {each: metric_variable([], dtypes.float32, name=each)
                 for each in ("count", "mean_prediction", "mean_label", "comoment")}
        value = _unbiased(known["comoment"], known["count"], "covariance")
        update = _add_batch(known, predictions, labels, weights)
        return collected(value, update, metrics_collections, updates_collections)


def _unbiased(comoment: Any, count: Any, name: str) -> Any:
    """comoment / (count - 1); NaN while there are fewer than two elements."""
    return math.div(comoment, elementwise.maximum(count - 1.0, 0.0), name)


def _add_batch(known: dict[str, Any], predictions: Any, labels: Any, weights: Any) -> Any:
    """Joins the comoment of a batch with what is known: the two, and a term for the distance of their means."""
    shares = array.ones_like(labels) if weights is None else as_float_weights(weights, labels)
    number = reduce_sum(shares)
    means = [quotient(reduce_sum(values * shares), number) for values in (predictions, labels)]
    comoment = reduce_sum((predictions - means[0]) * (labels - means[1]) * shares)
    before = known["count"] + 0.0
    total = before + number
    shifts = [means[0] - known["mean_prediction"], means[1] - known["mean_label"]]
    joined = known["comoment"] + comoment + quotient(shifts[0] * shifts[1] * before * number, total)
    moved = [known[each] + quotient(shift * number, total)
             for each, shift in zip(("mean_prediction", "mean_label"), shifts)]
    with control_dependencies([total, joined, *moved]):
        updates = [assign.assign(known["count"], total), assign.assign(known["mean_prediction"], moved[0]),
                   assign.assign(known["mean_label"], moved[1]), assign.assign(known["comoment"], joined)]
    with control_dependencies(updates):
        return _unbiased(array.identity(updates[3]), array.identity(updates[0]), "update_op")


@export(*_names("streaming_pearson_correlation"))
@documented
def streaming_pearson_correlation(predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
                                  updates_collections: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """Pearson's correlation of predictions and labels over batches.

    Args:
        predictions: a tensor.
        labels: a tensor of the same shape.
        {shared}
    """
    with variable_scope(name, "pearson_r", [predictions, labels, weights]):
        predictions, labels, weights = fitted(predictions, labels, weights)
        pairs = [(predictions, labels, "covariance"), (predictions, predictions, "variance_predictions"),
                 (labels, labels, "variance_labels")]
        found = [streaming_covariance(one, two, weights, name=each) for one, two, each in pairs]
        value = _correlation(*(value for value, _ in found), "pearson_r")
        update = _correlation(*(update for _, update in found), "update_op")
        return collected(value, update, metrics_collections, updates_collections)


def _correlation(covariance: Any, one: Any, two: Any, name: str) -> Any:
    return math.div(covariance, elementwise.sqrt(one) * elementwise.sqrt(two), name)


@export(*_names("streaming_concat"))
def streaming_concat(values: Any, axis: int = 0, max_size: int | None = None, metrics_collections: Any = None,
                     updates_collections: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """The values of all batches, joined along an axis.

    Args:
        values: a tensor whose sizes are known but for that of the axis.
        axis: the axis.
        max_size: the largest size along it, beyond which nothing is added; None for no limit.
        metrics_collections, updates_collections, name: as for `tf.metrics.mean`.

    Returns:
        (value, update): the values so far, and an operation that adds a batch and returns the size along the axis.

    Raises:
        ValueError: the rank is not known, the axis is not there, or a size other than that of the axis is not known.
    """
    with variable_scope(name, "streaming_concat", [values]):
        values = convert_to_tensor(values)
        first, order = _with_axis_first(values, axis)
        array_variable = metric_variable([0, *first.shape.as_list()[1:]], values.dtype, validate_shape=False,
                                         name="array")
        held = array_variable.read_value() if hasattr(array_variable, "handle") else array.identity(array_variable)
        held.set_shape([None, *first.shape.as_list()[1:]])
        size_variable = metric_variable([], dtypes.int32, name="size")
        size = array.shape(held)[0]
        room = array.shape(first)[0]
        if max_size is not None:
            room = elementwise.minimum(room, max_size - size)
        update = assign.assign(array_variable, array.concat([held, first[:room]], 0), validate_shape=False)
        with control_dependencies([update]):
            new_size = array.identity(assign.assign(size_variable, size + room), name="update_op")
        value = array.transpose(held, order)
        value.set_shape([None if at == axis % values.shape.ndims else each
                         for at, each in enumerate(values.shape.as_list())])
        return collected(value, new_size, metrics_collections, updates_collections)


def _with_axis_first(values: Any, axis: int) -> tuple[Any, list[int]]:
    """(the values with the axis in front, the permutation that puts it back)."""
    rank = values.shape.ndims
    if rank is None:
        raise ValueError("the rank of values must be known")
    if not -rank <= axis < rank:
        raise ValueError(f"axis must be in [{-rank}, {rank}), it is {axis}")
    axis %= rank
    if any(size is None for at, size in enumerate(values.shape.as_list()) if at != axis):
        raise ValueError(f"all sizes of values but that of axis {axis} must be known, the shape is {values.shape}")
    order = [axis, *(at for at in range(rank) if at != axis)]
    return array.transpose(values, order), [order.index(at) for at in range(rank)]


@export(*_names("count"))
@documented
def count(values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
          name: str | None = None) -> tuple[Any, Any]:
    """The number of values over batches, or the sum of their weights.

    Args:
        values: a tensor, of which only the shape matters.
        {shared}
    """
    with variable_scope(name, "count", [values, weights]):
        number = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            added = math.cast(array.size(values), dtypes.float32)
        else:
            values, _, weights = fitted(values, None, weights)
            added = reduce_sum(as_float_weights(weights, values))
        with control_dependencies([group(values)]):
            update = assign.assign_add(number, added)
        return collected(array.identity(number), update, metrics_collections, updates_collections)
