"""Metrics of binary classifiers: the four counts of the confusion matrix, precision and recall."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.checks import assert_rank_in, assert_type
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables import assign
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.metrics.streaming import collected, documented, fitted, metric_variable, over_all
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise


def _streaming_count(flags, weights, metrics_collections, updates_collections):
    """How often the flags were true in all batches."""
    assert_type(flags, dtypes.bool)
    count = metric_variable([], dtypes.float32, name="count")
    each = math.cast(flags, dtypes.float32)
    if weights is not None:
        with control_dependencies([assert_rank_in(weights, (0, array.rank(each)))]):
            each = elementwise.mul(each, math.cast(weights, dtypes.float32))
    value = basic.identity(convert_to_tensor(over_all(count)))
    update = assign.assign_add(count, reduce_sum(each))
    return collected(value, update, metrics_collections, updates_collections)


def _count_of(kind, is_true, is_predicted, what):
    """The metric that counts elements with these truths and predictions."""
    def metric(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with variable_scope(name, kind, [predictions, labels, weights]):
            predictions, labels, weights = _as_flags(labels, predictions, weights)
            flags = elementwise.logical_and(elementwise.equal(labels, is_true),
                                            elementwise.equal(predictions, is_predicted))
            return _streaming_count(flags, weights, metrics_collections, updates_collections)
    metric.__name__ = metric.__qualname__ = kind
    metric.__doc__ = f"""The number of {kind.replace('_', ' ')}: {what}.

    Args:
        labels: the true classes: booleans, or numbers of which 0 is negative and all others are positive.
        predictions: the predicted classes, in the same form and shape.
        {{shared}}
    """
    return export(f"metrics.{kind}")(documented(metric))


def _as_flags(labels, predictions, weights):
    return fitted(math.cast(predictions, dtypes.bool), math.cast(labels, dtypes.bool), weights)


true_positives = _count_of("true_positives", True, True, "positive elements that are predicted to be positive")
true_negatives = _count_of("true_negatives", False, False, "negative elements that are predicted to be negative")
false_positives = _count_of("false_positives", False, True, "negative elements that are predicted to be positive")
false_negatives = _count_of("false_negatives", True, False, "positive elements that are predicted to be negative")


def _share(part, rest, name):
    """part / (part + rest), 0 where both are."""
    return where(elementwise.greater(part + rest, 0), math.div(part, part + rest), 0, name)


def _share_of(kind, other, what):
    """The metric true positives / (true positives + `other`)."""
    def metric(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with variable_scope(name, kind, [predictions, labels, weights]):
            predictions, labels, weights = _as_flags(labels, predictions, weights)
            part, part_update = true_positives(labels, predictions, weights)
            rest, rest_update = other(labels, predictions, weights)
            return collected(_share(part, rest, "value"), _share(part_update, rest_update, "update_op"),
                             metrics_collections, updates_collections)
    metric.__name__ = metric.__qualname__ = kind
    metric.__doc__ = f"""{what}

    Args:
        labels: the true classes: booleans, or numbers of which 0 is negative and all others are positive.
        predictions: the predicted classes, in the same form and shape.
        {{shared}}
    """
    return export(f"metrics.{kind}")(documented(metric))


precision = _share_of(
    "precision", false_positives, "The precision: true positives / (true positives + false positives), 0 without any.")
recall = _share_of(
    "recall", false_negatives, "The recall: true positives / (true positives + false negatives), 0 without any.")
