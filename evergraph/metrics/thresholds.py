"""Metrics of scores from 0 to 1 that become predictions at thresholds: counts, shares, trade-offs."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.checks import assert_greater_equal, assert_less_equal
from evergraph.frontend.reduce import argmax, argmin, cumsum, reduce_min, reduce_sum
from evergraph.frontend.variables import assign
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.metrics.streaming import as_float_weights, collected, documented, fitted, metric_variable, over_all
from evergraph.ops.arrays import basic, pad
from evergraph.ops.math import elementwise

EPSILON = 1e-7
KINDS = ("true_positives", "false_negatives", "true_negatives", "false_positives")


def evenly_spaced(number):
    """So many thresholds from just below 0 to just above 1, so that the outer two sort nothing the wrong way."""
    inner = [(i + 1) * 1.0 / (number - 1) for i in range(number - 2)]
    return [0.0 - EPSILON, *inner, 1.0 + EPSILON]


def confusion_at_thresholds(labels, predictions, thresholds, weights=None, kinds=KINDS):
    """Counts of right and wrong predictions, each a vector with one number for each threshold.

    Args:
        labels: whether each element is positive.
        predictions: scores from 0 to 1; above a threshold they mean positive.
        thresholds: a list of numbers.
        weights: how much each element counts, or None.
        kinds: which of KINDS to count.

    Returns:
        (values, updates): dictionaries with a variable and its update for each kind.
    """
    predictions, labels, weights = _checked(predictions, labels, weights)
    number = len(thresholds)
    scores, truths = array.reshape(predictions, [-1, 1]), array.reshape(math.cast(labels, dtypes.bool), [1, -1])
    elements = scores.shape.as_list()[0]
    elements = array.shape(scores)[0] if elements is None else elements
    limits = pad.tile(array.expand_dims(constant(thresholds), [1]), array.stack([1, elements]))
    said = {"positives": elementwise.greater(pad.tile(array.transpose(scores), [number, 1]), limits)}
    if {"false_negatives", "true_negatives"} & {*kinds}:
        said["negatives"] = elementwise.logical_not(said["positives"])
    positive = pad.tile(truths, [number, 1])
    negative = elementwise.logical_not(positive) if {"false_positives", "true_negatives"} & {*kinds} else None
    if weights is not None:
        weights = pad.tile(array.reshape(as_float_weights(weights, predictions), [1, -1]), [number, 1])
    values, updates = {}, {}
    for kind in (kind for kind in KINDS if kind in kinds):
        really = positive if kind in ("true_positives", "false_negatives") else negative
        values[kind] = metric_variable([number], dtypes.float32, name=kind)
        each = math.cast(elementwise.logical_and(really, said[kind.partition("_")[2]]), dtypes.float32)
        each = each if weights is None else each * weights
        updates[kind] = assign.assign_add(values[kind], reduce_sum(each, 1))
    return {kind: over_all(value) for kind, value in values.items()}, updates


def _checked(predictions, labels, weights):
    """The three, made to fit, once the predictions are known to be from 0 to 1."""
    predictions = math.cast(predictions, dtypes.float32)
    kind = predictions.dtype.base_dtype
    told = "predictions must be in [0, 1]"
    with control_dependencies([assert_greater_equal(predictions, math.cast(0.0, kind), message=told),
                               assert_less_equal(predictions, math.cast(1.0, kind), message=told)]):
        return fitted(predictions, math.cast(labels, dtypes.bool), weights)


_ARGUMENTS = """
    Args:
        labels: the true classes: booleans, or numbers of which 0 is negative and all others are positive.
        predictions: the scores, between 0 and 1, of the same shape.
        {more}
        {{shared}}
    """
_THRESHOLDS = "thresholds: a list of numbers; a score above a threshold predicts positive."


# ---- counts

def _count_of(kind, what):
    public = f"{kind}_at_thresholds"

    def metric(labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None,
               name=None):
        with variable_scope(name, kind, [predictions, labels, weights]):
            values, updates = confusion_at_thresholds(labels, predictions, thresholds, weights, (kind,))
            value = basic.identity(convert_to_tensor(values[kind]))
            return collected(value, updates[kind], metrics_collections, updates_collections)
    metric.__name__ = metric.__qualname__ = public
    summary = f"The number of {kind.replace('_', ' ')} at each threshold: {what}."
    metric.__doc__ = f"{summary}\n{_ARGUMENTS.format(more=_THRESHOLDS)}"
    return export(f"metrics.{public}")(documented(metric))


true_positives_at_thresholds = _count_of(
    "true_positives", "positive elements that are predicted to be positive")
true_negatives_at_thresholds = _count_of(
    "true_negatives", "negative elements that are predicted to be negative")
false_positives_at_thresholds = _count_of(
    "false_positives", "negative elements that are predicted to be positive")
false_negatives_at_thresholds = _count_of(
    "false_negatives", "positive elements that are predicted to be negative")


# ---- shares

def _share_of(kind, other, what):
    public = f"{kind}_at_thresholds"

    def share(counts, name):
        part = counts["true_positives"]
        return math.div(part, EPSILON + part + counts[other], name=f"{kind}_{name}")

    def metric(labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None,
               name=None):
        with variable_scope(name, public, [predictions, labels, weights]):
            counts, updates = confusion_at_thresholds(labels, predictions, thresholds, weights,
                                                      ("true_positives", other))
            return collected(share(counts, "value"), share(updates, "update_op"), metrics_collections,
                             updates_collections)
    metric.__name__ = metric.__qualname__ = public
    metric.__doc__ = f"{what}.\n{_ARGUMENTS.format(more=_THRESHOLDS)}"
    return export(f"metrics.{public}")(documented(metric))


precision_at_thresholds = _share_of(
    "precision", "false_positives",
    "The precision at each threshold: true positives / (true positives + false positives)")
recall_at_thresholds = _share_of(
    "recall", "false_negatives",
    "The recall at each threshold: true positives / (true positives + false negatives)")


# ---- one share where another has a given value

@export("metrics.sensitivity_at_specificity")
@documented
def sensitivity_at_specificity(labels, predictions, specificity, weights=None, num_thresholds=200,
                               metrics_collections=None, updates_collections=None, name=None):
    """The sensitivity (recall) of a binary classifier at the threshold whose specificity is closest to a given one.

    Sensitivity is true positives / (true positives + false negatives), specificity true negatives / (true negatives +
    false positives).

    Args:
        labels: the true classes: booleans, or numbers of which 0 is negative and all others are positive.
        predictions: the scores, between 0 and 1, of the same shape.
        specificity: the given specificity, between 0 and 1.
        num_thresholds: the number of evenly spaced thresholds to try.
        {shared}
    """
    _check_share("specificity", specificity)

    def at(counts, name):
        tp, fn, tn, fp = (counts[kind] for kind in KINDS)
        specificities = math.div(tn, tn + fp + EPSILON)
        place = math.cast(argmin(math.abs(specificities - specificity), 0), dtypes.int32)
        return math.div(tp[place], tp[place] + fn[place] + EPSILON, name)

    with variable_scope(name, "sensitivity_at_specificity", [predictions, labels, weights]):
        counts, updates = confusion_at_thresholds(labels, predictions, evenly_spaced(num_thresholds), weights)
        return collected(at(counts, "value"), at(updates, "update_op"), metrics_collections, updates_collections)


@export("metrics.specificity_at_sensitivity")
@documented
def specificity_at_sensitivity(labels, predictions, sensitivity, weights=None, num_thresholds=200,
                               metrics_collections=None, updates_collections=None, name=None):
    """The specificity of a binary classifier at the last threshold whose sensitivity is closest to a given one.

    Sensitivity is true positives / (true positives + false negatives), specificity true negatives / (true negatives +
    false positives).

    Args:
        labels: the true classes: booleans, or numbers of which 0 is negative and all others are positive.
        predictions: the scores, between 0 and 1, of the same shape.
        sensitivity: the given sensitivity, between 0 and 1.
        num_thresholds: the number of evenly spaced thresholds to try.
        {shared}
    """
    _check_share("sensitivity", sensitivity)

    def at(counts, name):
        tp, fn, tn, fp = (counts[kind] for kind in KINDS)
        sensitivities = math.div(tp, tp + fn + EPSILON)
        nearest = reduce_min(math.abs(sensitivities - sensitivity))
        is_nearest = elementwise.equal(math.abs(sensitivities - sensitivity), nearest)
        # The running count is largest from the last of the nearest on, and argmax gives the first of equals.
        place = math.cast(argmax(cumsum(math.cast(is_nearest, dtypes.int64)), 0), dtypes.int32)
        return math.div(tn[place], tn[place] + fp[place] + EPSILON, name)

    with variable_scope(name, "specificity_at_sensitivity", [predictions, labels, weights]):
        counts, updates = confusion_at_thresholds(labels, predictions, evenly_spaced(num_thresholds), weights)
        return collected(at(counts, "value"), at(updates, "update_op"), metrics_collections, updates_collections)


def _check_share(name, value):
    if not 0 <= value <= 1:
        raise ValueError(f"`{name}` must be in the range [0, 1].")
