"""Metrics of rankings: how many of the k classes with the highest scores are among the classes that are right.

Labels are [..., number of labels], dense or sparse, or [...] where there is one for each; predictions are
[..., number of classes], or [..., k] where the classes themselves are given.
"""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.docstrings import with_parts
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import cond
from evergraph.frontend.indexing import boolean_mask, where_v2
from evergraph.frontend.nn.weights import assert_broadcastable, broadcast_weights
from evergraph.frontend.ordering import top_k
from evergraph.frontend.reduce import cumsum, reduce_any, reduce_max, reduce_sum
from evergraph.frontend.sparse.sets import set_difference, set_intersection, set_size
from evergraph.frontend.variables import assign
from evergraph.graph.composite import SparseTensor, convert_to_tensor_or_sparse_tensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.metrics.streaming import ARGUMENTS, collected, metric_variable, over_all
from evergraph.ops.arrays.gather import scatter_nd
from evergraph.ops.math import elementwise

_documented = with_parts(
    labels="""labels: the relevant classes of each row, an int64 tensor or SparseTensor of shape [..., labels], or of
            shape [...] with one label for each row.""",
    scores="""predictions: the scores of the classes, of shape [..., number of classes].
        k: the number of classes with the highest scores to take.""",
    class_id="class_id: restricts the metric to this class; None for all classes.", shared=ARGUMENTS)


# ---- labels

def _with_label_axis(labels, predictions):
    """The labels, with a last axis of size 1 when they lack the axis that the predictions have."""
    with name_scope(None, "expand_labels", [labels, predictions]) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            return _sparse_with_label_axis(labels, array.rank(predictions))
        ranks = labels.shape.rank, predictions.shape.rank
        if None not in ranks:
            return array.expand_dims(labels, -1, name=scope) if ranks[1] == ranks[0] + 1 else labels
        missing = math.cast(elementwise.equal(array.rank(predictions), array.rank(labels) + 1), dtypes.int32)
        sizes = array.concat([array.shape(labels), array.ones([missing], dtypes.int32)], 0)
        return array.reshape(labels, sizes, name=scope)


def _sparse_with_label_axis(labels, rank):
    missing = elementwise.equal(rank, array.size(labels.dense_shape) + 1)
    missing = array.reshape(math.cast(missing, dtypes.int64), [1])
    rows = array.shape(labels.indices, out_type=dtypes.int64)[:1]
    column = array.zeros(array.concat([rows, missing], 0), dtypes.int64)
    return SparseTensor(array.concat([labels.indices, column], 1), labels.values,
                        array.concat([labels.dense_shape, array.ones(missing, dtypes.int64)], 0))


def _only_class(ids, class_id):
    """The ids that are this class."""
    if class_id is None:
        return ids
    if isinstance(ids, SparseTensor):
        right = elementwise.equal(ids.values, class_id)
        return SparseTensor(boolean_mask(ids.indices, right), boolean_mask(ids.values, right), ids.dense_shape)
    rows = array.shape(ids, out_type=dtypes.int64)[:-1]
    one_each = array.fill(array.concat([rows, [1]], 0), math.cast(class_id, dtypes.int64))
    return set_intersection(one_each, ids)


def _within(labels, number):
    """The labels, those that are no class's number made -1, which is never predicted."""
    values = labels.values if isinstance(labels, SparseTensor) else labels
    def cleaned():
        return where_v2(elementwise.greater_equal(values, number), -1 * array.ones_like(values), values)
    values = cond(elementwise.greater_equal(reduce_max(values), number), cleaned, lambda: values)
    return SparseTensor(labels.indices, values, labels.dense_shape) if isinstance(labels, SparseTensor) else values


# ---- counts at k

def _found(predicted, labels):
    return set_intersection(predicted, labels)


def _wrong(predicted, labels):
    return set_difference(predicted, labels, aminusb=True)


def _missed(predicted, labels):
    return set_difference(predicted, labels, aminusb=False)


_COUNTS = {"true_positive": _found, "false_positive": _wrong, "false_negative": _missed}


def _at_k(name, k, class_id):
    """The name of a metric at k: precision_at_5, recall_at_k_class3."""
    place = f"{name}_at_k" if k is None else f"{name}_at_{k:d}"
    return place if class_id is None else f"{place}_class{class_id:d}"


def _count(kind, predicted, labels, class_id, weights):
    """How many ids each row has of this kind."""
    with name_scope(None, f"{kind}s", [predicted, labels, weights]):
        labels, predicted = _only_class(labels, class_id), _only_class(predicted, class_id)
        number = math.cast(set_size(_COUNTS[kind](predicted, labels)), dtypes.float64)
        if weights is None:
            return number
        with control_dependencies([assert_broadcastable(weights, number)]):
            return elementwise.mul(number, math.cast(weights, dtypes.float64))


def _streaming_count(kind, predicted, labels, k, class_id, weights):
    """A variable with the number of ids of this kind, and its update."""
    with name_scope(None, _at_k(kind, k, class_id), [predicted, labels, weights]) as scope:
        batch = math.cast(reduce_sum(_count(kind, predicted, labels, class_id, weights)), dtypes.float64)
        total = metric_variable([], dtypes.float64, name=scope)
        return over_all(total), assign.assign_add(total, batch, name="update")


def _share(metric, other, labels, predictions_idx, k, class_id, weights, collections, name):
    """(value, update) of true positives over them and the `other` count."""
    with name_scope(name, _at_k(metric, k, class_id), [predictions_idx, labels, weights]) as scope:
        labels = _with_label_axis(labels, predictions_idx)
        predicted = math.cast(predictions_idx, dtypes.int64)
        part, part_update = _streaming_count("true_positive", predicted, labels, k, class_id, weights)
        rest, rest_update = _streaming_count(other, predicted, labels, k, class_id, weights)
        value = math.div(part, elementwise.add(part, rest), name=scope)
        update = math.div(part_update, elementwise.add(part_update, rest_update), name="update")
        return collected(value, update, *collections)


@export("metrics.precision_at_top_k")
@_documented
def precision_at_top_k(labels, predictions_idx, k=None, class_id=None, weights=None, metrics_collections=None,
                       updates_collections=None, name=None):
    """The precision at k of given predictions: the fraction of predicted classes that are relevant.

    Args:
        {labels}
        predictions_idx: the predicted classes, an integer tensor of shape [..., k].
        k: used in names only.
        {class_id}
        {shared}
    """
    return _share("precision", "false_positive", labels, convert_to_tensor(predictions_idx), k, class_id, weights,
                  (metrics_collections, updates_collections), name)


@export("metrics.recall_at_top_k")
@_documented
def recall_at_top_k(labels, predictions_idx, k=None, class_id=None, weights=None, metrics_collections=None,
                    updates_collections=None, name=None):
    """The recall at k of given predictions: the fraction of relevant classes that are predicted.

    Args:
        {labels}
        predictions_idx: the predicted classes, an integer tensor of shape [..., k].
        k: used in names only.
        {class_id}
        {shared}
    """
    return _share("recall", "false_negative", labels, convert_to_tensor(predictions_idx), k, class_id, weights,
                  (metrics_collections, updates_collections), name)


@export("metrics.precision_at_k", "metrics.sparse_precision_at_k")  # the older name
@_documented
def precision_at_k(labels, predictions, k, class_id=None, weights=None, metrics_collections=None,
                   updates_collections=None, name=None):
    """The precision at k: the fraction of the k classes with the highest scores that are relevant.

    Args:
        {labels}
        {scores}
        {class_id}
        {shared}
    """
    with name_scope(name, _at_k("precision", k, class_id), [predictions, labels, weights]) as scope:
        _, best = top_k(predictions, k)
        return precision_at_top_k(labels, best, k, class_id, weights, metrics_collections, updates_collections, scope)


@export("metrics.recall_at_k")
@_documented
def recall_at_k(labels, predictions, k, class_id=None, weights=None, metrics_collections=None,
                updates_collections=None, name=None):
    """The recall at k: the fraction of relevant classes that are among the k classes with the highest scores.

    Args:
        {labels}
        {scores}
        {class_id}
        {shared}
    """
    with name_scope(name, _at_k("recall", k, class_id), [predictions, labels, weights]) as scope:
        _, best = top_k(predictions, k)
        return recall_at_top_k(labels, best, k, class_id, weights, metrics_collections, updates_collections, scope)


# ---- average precision

@export("metrics.average_precision_at_k", "metrics.sparse_average_precision_at_k")  # the older name
@_documented
def average_precision_at_k(labels, predictions, k, weights=None, metrics_collections=None, updates_collections=None,
                           name=None):
    """The mean average precision at k (MAP@k) of a ranking.

    The average precision of a row is the sum of the precisions at those ranks up to k that hold a relevant class,
    divided by the number of relevant classes or k, whichever is smaller.

    Args:
        {labels}
        {scores}
        {shared}
    """
    with name_scope(name, _at_k("average_precision", k, None), [predictions, labels, weights]) as scope:
        predictions = convert_to_tensor(predictions)
        _, best = top_k(predictions, k)
        labels = convert_to_tensor_or_sparse_tensor(labels)
        number = math.cast(array.shape(predictions)[-1], dtypes.int64)
        return _mean_precision(_within(labels, number), best, weights, metrics_collections, updates_collections, scope)


@export("contrib.metrics.streaming_sparse_average_precision_at_top_k",
        "contrib.slim.metrics.streaming_sparse_average_precision_at_top_k")
def average_precision_at_top_k(top_k_predictions, labels, weights=None, metrics_collections=None,
                               updates_collections=None, name=None):
    """The mean average precision at k of a ranking of which the best classes are given; see
    `tf.metrics.average_precision_at_k`.

    Args:
        top_k_predictions: the numbers of the best classes, [..., k], the best one first.
        labels: the relevant classes, a sparse or dense tensor [..., number], or [...] for one.
        weights: how much each row counts.
        metrics_collections, updates_collections, name: see `tf.metrics.mean`.
    """
    best = convert_to_tensor(top_k_predictions)
    with name_scope(name, _at_k("average_precision", best.shape[-1].value, None), [best, labels, weights]) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        return _mean_precision(labels, best, weights, metrics_collections, updates_collections, scope)


def _mean_precision(labels, best, weights, metrics_collections, updates_collections, scope):
    precisions = _average_precision(labels, best)
    if weights is not None:
        weights = broadcast_weights(math.cast(weights, dtypes.float64), precisions)
        precisions = elementwise.mul(precisions, weights)
    return _streaming_mean(precisions, weights, metrics_collections, updates_collections, scope)


def _streaming_mean(precisions, weights, metrics_collections, updates_collections, scope):
    with name_scope(None, "max", [precisions]) as max_scope:
        most = metric_variable([], dtypes.float64, name=max_scope)
        if weights is None:
            batch = math.cast(array.size(precisions, name="batch_max"), dtypes.float64)
        else:
            batch = reduce_sum(weights, name="batch_max")
        most_update = assign.assign_add(most, batch, name="update")
    with name_scope(None, "total", [precisions]) as total_scope:
        total = metric_variable([], dtypes.float64, name=total_scope)
        total_update = assign.assign_add(total, reduce_sum(precisions, name="batch_total"), name="update")
    value = math.div_no_nan(over_all(total), over_all(most), name="mean")
    update = math.div_no_nan(total_update, most_update, name=scope)
    return collected(value, update, metrics_collections, updates_collections)


def _average_precision(labels, best):
    """The average precision of each row, whose predicted classes are in order of their scores."""
    with name_scope(None, "average_precision", [best, labels]) as scope:
        labels = _with_label_axis(labels, best)
        k = array.shape(best)[-1]
        predicted = math.cast(best, dtypes.int64, name="predictions_idx")
        wanted = _dense(labels) if isinstance(labels, SparseTensor) else labels
        same = elementwise.equal(array.expand_dims(predicted, -1), array.expand_dims(wanted, -2))
        relevant = math.cast(reduce_any(same, -1), dtypes.float64, name="relevant_per_k")
        found = cumsum(relevant, axis=-1, name="tp_per_k")
        shown = cumsum(array.ones_like(relevant), axis=-1, name="retrieved_per_k")
        precision = math.div(found, shown, name="precision_per_k")
        gains = elementwise.mul(precision, relevant, name="relevant_precision_per_k")
        total = reduce_sum(gains, axis=[-1], name="precision_sum")
        return math.div(total, math.cast(_number_relevant(labels, k), dtypes.float64), name=scope)


def _dense(labels):
    """Sparse labels as a dense tensor, with -1 where there is none."""
    return scatter_nd(labels.indices, labels.values + 1, labels.dense_shape) - 1


def _number_relevant(labels, k):
    """How many right classes each row can find among k."""
    with name_scope(None, "num_relevant", [labels]) as scope:
        if isinstance(labels, SparseTensor):
            return elementwise.minimum(set_size(labels), k, name=scope)
        is_label = math.cast(elementwise.greater_equal(labels, 0), dtypes.int32)
        return elementwise.minimum(reduce_sum(is_label, -1), k, name=scope)
