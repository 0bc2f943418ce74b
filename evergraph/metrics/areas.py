"""tf.metrics.auc: the area under the curve of a classifier."""
from __future__ import annotations

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.scope import variable_scope
from evergraph.metrics.streaming import collected, documented
from evergraph.metrics.thresholds import EPSILON, KINDS, confusion_at_thresholds, evenly_spaced
from evergraph.ops.math import elementwise

_SMOOTHING = 1.0e-6
_HEIGHTS = {
    "trapezoidal": lambda left, right: (left + right) / 2.0,
    "careful_interpolation": lambda left, right: (left + right) / 2.0,  # the ROC curve needs no care
    "minoring": elementwise.minimum,
    "majoring": elementwise.maximum,
}


@export("metrics.auc")
@documented
def auc(labels, predictions, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None,
        curve="ROC", name=None, summation_method="trapezoidal", thresholds=None):
    """The area under the ROC or precision-recall curve (AUC) of a binary classifier, approximated at thresholds.

    Args:
        labels: the true classes: booleans, or numbers of which 0 is negative and all others are positive.
        predictions: the scores, between 0 and 1, of the same shape.
        num_thresholds: the number of evenly spaced thresholds.
        curve: "ROC", the true positive rate over the false positive rate, or "PR", precision over recall.
        summation_method: "trapezoidal" for the trapezoidal rule; "careful_interpolation", which interpolates "PR"
            curves correctly (Davis and Goadrich, 2006) and equals "trapezoidal" for "ROC"; "minoring" for the lower
            Riemann sum; "majoring" for the upper one.
        thresholds: the inner thresholds, in place of `num_thresholds` evenly spaced ones.
        {shared}
    """
    with variable_scope(name, "auc", [labels, predictions, weights]):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR; {curve!r} is neither")
        if thresholds is None:
            limits = evenly_spaced(num_thresholds)
        else:
            limits = [0.0 - EPSILON, *sorted(thresholds), 1.0 + EPSILON]
        counts, updates = confusion_at_thresholds(labels, predictions, limits, weights)
        area = lambda counts, name: _area(counts, len(limits), curve, summation_method, name)
        return collected(area(counts, "value"), area(updates, "update_op"), metrics_collections, updates_collections)


def _area(counts, number, curve, method, name):
    tp, fn, tn, fp = (counts[kind] for kind in KINDS)
    if curve == "PR":
        if method == "careful_interpolation":
            return _interpolated_area(tp, fp, fn, number)
        if method == "trapezoidal":
            logging.warning("The trapezoidal rule overestimates areas under precision-recall curves; "
                            "summation_method='careful_interpolation' does not.")
    recall = math.div(tp + _SMOOTHING, tp + fn + _SMOOTHING)
    if curve == "ROC":
        x, y = math.div(fp, fp + tn + _SMOOTHING), recall
    else:
        x, y = recall, math.div(tp + _SMOOTHING, tp + fp + _SMOOTHING)
    if method not in _HEIGHTS:
        raise ValueError(f"Invalid summation_method: {method}")
    widths = x[:number - 1] - x[1:]
    return reduce_sum(elementwise.mul(widths, _HEIGHTS[method](y[:number - 1], y[1:])), name=name)


def _interpolated_area(tp, fp, fn, number):
    """The area under the precision-recall curve on which, between thresholds, true positives grow in proportion to
    all positive predictions, as Davis and Goadrich (2006) showed they do."""
    tp_change = tp[:number - 1] - tp[1:]
    said = tp + fp
    said_change = said[:number - 1] - said[1:]
    slope = math.div_no_nan(tp_change, elementwise.maximum(said_change, 0), name="prec_slope")
    intercept = tp[1:] - elementwise.mul(slope, said[1:])
    both = elementwise.logical_and(said[:number - 1] > 0, said[1:] > 0)
    ratio = math.div_no_nan(said[:number - 1], elementwise.maximum(said[1:], 0), name="recall_relative_ratio")
    ratio = where(both, ratio, array.ones_like(said[1:]))
    parts = math.div_no_nan(slope * (tp_change + intercept * elementwise.log(ratio)),
                            elementwise.maximum(tp[1:] + fn[1:], 0), name="pr_auc_increment")
    return reduce_sum(parts, name="interpolate_pr_auc")
