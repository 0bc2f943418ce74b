"""ROC and precision-recall curves: their points, counts at even thresholds, and areas without thresholds."""

from __future__ import annotations

from collections import namedtuple
from statistics import NormalDist
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export, names_in
from evergraph.contrib.metrics.correlation import streaming_concat
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.checks import assert_greater_equal, assert_less_equal
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.control_flow import group
from evergraph.frontend.indexing import gather, where
from evergraph.frontend.ordering import argsort, searchsorted
from evergraph.frontend.reduce import cumsum, reduce_sum
from evergraph.frontend.variables import assign
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.metrics.streaming import collected, documented, fitted, metric_variable
from evergraph.metrics.thresholds import EPSILON, KINDS, confusion_at_thresholds, evenly_spaced
from evergraph.ops.arrays.segment import unsorted_segment_sum
from evergraph.ops.math import elementwise

_names = names_in("contrib.metrics", "contrib.slim.metrics")
PrecisionRecallData = namedtuple("PrecisionRecallData", "tp fp tn fn precision recall thresholds")
AucData = namedtuple("AucData", "auc lower upper")


@export(*_names("streaming_curve_points"))
@documented
def streaming_curve_points(labels: Any = None, predictions: Any = None, weights: Any = None, num_thresholds: int = 200,
                           metrics_collections: Any = None, updates_collections: Any = None, curve: str = "ROC",
                           name: str | None = None) -> tuple[Any, Any]:
    """The points of a curve at evenly spaced thresholds, a matrix of two columns.

    Args:
        labels: whether each element is positive.
        predictions: scores from 0 to 1.
        num_thresholds: the number of points, at least 2.
        curve: "ROC" for (share of false positives, recall), "PR" for (recall, precision).
        {shared}
    """
    if curve not in ("ROC", "PR"):
        raise ValueError(f"curve must be either ROC or PR, {curve} unknown")

    def points(counts: dict[str, Any]) -> Any:
        tp, fn, tn, fp = (counts[kind] for kind in KINDS)
        recall = math.div(tp + EPSILON, tp + fn + EPSILON)
        pair = ((math.div(fp, fp + tn + EPSILON), recall) if curve == "ROC" else
                (recall, math.div(tp + EPSILON, tp + fp + EPSILON)))
        return array.stack(pair, axis=1)

    with variable_scope(name, "curve_points", [labels, predictions, weights]):
        counts, updates = confusion_at_thresholds(labels, predictions, evenly_spaced(num_thresholds), weights)
        return collected(points(counts), points(updates), metrics_collections, updates_collections)


@export(*_names("precision_recall_at_equal_thresholds"))
def precision_recall_at_equal_thresholds(labels: Any, predictions: Any, weights: Any = None,
                                         num_thresholds: int | None = None, use_locking: bool | None = None,
                                         name: str | None = None) -> tuple[PrecisionRecallData, Any]:
    """The four counts, precision and recall at evenly spaced thresholds from 0 to 1, in time linear in the elements.

    Args:
        labels: booleans.
        predictions: scores from 0 to 1; a score that is not below a threshold predicts positive.
        weights: how much each element counts, or None.
        num_thresholds: the number of thresholds; by default 201.
        use_locking: kept in the graph; here updates are always whole.
        name: the name of the variables' scope.

    Returns:
        (the values, in a named tuple, and an operation that adds a batch).

    Raises:
        ValueError: the shapes do not fit, or there are fewer than two thresholds.
    """
    number = 201 if num_thresholds is None else num_thresholds
    if number < 2:
        raise ValueError(f"num_thresholds must be > 1, it is {number}")
    with variable_scope(name, "precision_recall_at_equal_thresholds", [labels, predictions, weights]):
        predictions = convert_to_tensor(predictions)
        kind = predictions.dtype
        predictions.shape.assert_is_compatible_with(convert_to_tensor(labels).shape)
        told = "predictions must be in [0, 1]"
        with control_dependencies([assert_greater_equal(predictions, math.cast(0.0, kind), message=told),
                                   assert_less_equal(predictions, math.cast(1.0, kind), message=told)]):
            positive = math.cast(array.reshape(math.cast(labels, dtypes.bool), [-1]), kind)
            weight = 1 if weights is None else array.reshape(
                math.cast(weights, kind) * array.ones_like(predictions), [-1])
            buckets = math.cast(elementwise.floor(array.reshape(predictions, [-1]) * (number - 1)), dtypes.int32)
        with variable_scope("variables"):
            tp_buckets = metric_variable([number], kind, name="tp_buckets")
            fp_buckets = metric_variable([number], kind, name="fp_buckets")
        with variable_scope("update_op"):
            update = group(*(assign.assign_add(held, unsorted_segment_sum(share * weight, buckets, number), use_locking)
                             for held, share in ((tp_buckets, positive), (fp_buckets, 1 - positive))))
        tp, fp = cumsum(tp_buckets, reverse=True), cumsum(fp_buckets, reverse=True)
        tn, fn = fp[0] - fp, tp[0] - tp
        thresholds = math.cast([place / (number - 1) for place in range(number)], kind)
        return PrecisionRecallData(tp, fp, tn, fn, math.div_no_nan(tp, tp + fp), math.div_no_nan(tp, tp + fn),
                                   thresholds), update


# ---- areas without thresholds

def _kept(labels: Any, predictions: Any, weights: Any) -> tuple[list[Any], list[Any]]:
    """([labels, predictions, weights] of all batches as float64, their updates), labels checked to be 0 or 1."""
    with control_dependencies([assert_greater_equal(labels, array.zeros_like(labels),
                                                    message="labels must be 0 or 1, at least one is <0"),
                               assert_less_equal(labels, array.ones_like(labels),
                                                 message="labels must be 0 or 1, at least one is >1")]):
        labels = math.cast(labels, dtypes.int64)
    held, updates = [], []
    for what, values in (("concat_labels", labels), ("concat_preds", predictions), ("concat_weights", weights)):
        if values is not None:
            value, update = streaming_concat(array.reshape(values, [-1]), name=what)
            held.append(math.cast(value, dtypes.float64))
            updates.append(update)
    if weights is None:
        held.append(array.ones_like(held[0]))
    return held, updates


def _counts(labels: Any, predictions: Any, weights: Any) -> tuple[Any, Any]:
    """The weights of positive and negative elements that score at least as much as each element, best first."""
    order = argsort(predictions)
    scores, truth, weights = (gather(each, order) for each in (predictions, labels, weights))
    places = searchsorted(scores, scores)[::-1]
    return tuple(gather(cumsum(share * weights, reverse=True), places) for share in (truth, 1 - truth))


def _steps(x: Any) -> tuple[Any, Any]:
    """(the values before each step, those after it), from 0 on."""
    return array.concat([array.zeros([1], x.dtype), x[:-1]], 0), x


def _area(labels: Any, predictions: Any, weights: Any, curve: str) -> Any:
    tp, fp = _counts(labels, predictions, weights)
    before, after = _steps(tp)
    if curve == "ROC":
        start, end = _steps(fp)
        area = reduce_sum((end - start) * (before + after)) / 2
        return math.div_no_nan(area, reduce_sum(labels * weights) * reduce_sum((1 - labels) * weights))
    precision = math.div_no_nan(tp, tp + fp)
    earlier = array.concat([array.ones([1], tp.dtype), precision[:-1]], 0)[:array.size(precision)]
    return math.div_no_nan(reduce_sum((after - before) * (earlier + precision)) / 2, reduce_sum(labels * weights))


@export(*_names("streaming_dynamic_auc"))
@documented
def streaming_dynamic_auc(labels: Any, predictions: Any, curve: str = "ROC", metrics_collections: Any = (),
                          updates_collections: Any = (), name: str | None = None,
                          weights: Any = None) -> tuple[Any, Any]:
    """The exact area under the ROC or precision-recall curve, for which the elements of all batches are kept.

    Args:
        labels: 0 or 1 for each element.
        predictions: scores of any size.
        curve: "ROC" or "PR".
        {shared}
    """
    if curve not in ("ROC", "PR"):
        raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
    with variable_scope(name, "dynamic_auc"):
        labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
        labels.shape.assert_is_compatible_with(predictions.shape)
        held, updates = _kept(labels, predictions, weights)
        value = math.cast(_area(*held, curve), dtypes.float32)
        return collected(value, group(*updates), metrics_collections, updates_collections)


@export(*_names("auc_with_confidence_intervals"))
def auc_with_confidence_intervals(labels: Any, predictions: Any, weights: Any = None, alpha: float = 0.95,
                                  logit_transformation: bool = True, metrics_collections: Any = (),
                                  updates_collections: Any = (), name: str | None = None) -> tuple[AucData, Any]:
    """The exact area under the ROC curve with bounds of its confidence interval (DeLong et al., 1988).

    Args:
        labels: 0 or 1 for each element, integers or booleans.
        predictions: scores of any size.
        weights: how often each element counts, or None.
        alpha: the confidence.
        logit_transformation: whether the interval is symmetric around the area's logit rather than the area.
        metrics_collections, updates_collections, name: as for `tf.metrics.mean`.

    Returns:
        (the area and bounds in a named tuple, all 0 where positive or negative elements do not weigh more than 1; an
        operation that adds a batch).

    Raises:
        TypeError: labels are neither integers nor booleans.
        ValueError: the shapes do not fit, or alpha is not between 0 and 1.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1, it is {alpha}")
    with variable_scope(name, "auc_with_confidence_intervals"):
        predictions, labels, weights = fitted(convert_to_tensor(predictions), convert_to_tensor(labels), weights)
        if not (labels.dtype.is_integer or labels.dtype.is_bool):
            raise TypeError(f"labels must be integers or booleans, not {labels.dtype.name}")
        held, updates = _kept(math.cast(labels, dtypes.int64), predictions, weights)
        data = AucData(*(math.cast(each, dtypes.float32)
                         for each in _interval(*held, NormalDist().inv_cdf(0.5 + alpha / 2), logit_transformation)))
        return collected(data, group(*updates), metrics_collections, updates_collections)


def _interval(labels: Any, predictions: Any, weights: Any, width: float, by_logit: bool) -> tuple[Any, Any, Any]:
    """(the area, its lower bound, its upper bound); `width` is that of the interval in standard deviations."""
    positive, negative = labels * weights, (1 - labels) * weights
    ahead = math.div_no_nan(_better_than(predictions, negative), reduce_sum(negative))
    behind = 1 - math.div_no_nan(_better_than(predictions, positive), reduce_sum(positive))
    area = math.div_no_nan(reduce_sum(positive * ahead), reduce_sum(positive))
    deviation = math.sqrt(_variance(ahead, area, positive) + _variance(behind, area, negative))
    inside = elementwise.logical_and(elementwise.greater(area, 0.0), elementwise.less(area, 1.0))
    if by_logit:
        safe = where(inside, area, array.zeros_like(area) + 0.5)
        middle = elementwise.log(safe / (1 - safe))
        reach = width * deviation / (safe * (1 - safe))
        bounds = [where(inside, elementwise.sigmoid(each), area) for each in (middle - reach, middle + reach)]
    else:
        bounds = [clip_by_value(each, 0.0, 1.0) for each in (area - width * deviation, area + width * deviation)]
    enough = math.cast(elementwise.logical_and(elementwise.greater(reduce_sum(positive), 1.0),
                                               elementwise.greater(reduce_sum(negative), 1.0)), area.dtype)
    return tuple(where(elementwise.greater(enough, 0.0), each, array.zeros_like(each)) for each in (area, *bounds))


def _better_than(predictions: Any, weights: Any) -> Any:
    """The weight of the elements that score less than each element, and half of that of those that score the same."""
    order = argsort(predictions)
    scores = gather(predictions, order)
    total = array.concat([array.zeros([1], weights.dtype), cumsum(gather(weights, order))], 0)
    below, upto = (gather(total, searchsorted(scores, predictions, side=side)) for side in ("left", "right"))
    return (below + upto) / 2


def _variance(values: Any, mean: Any, weights: Any) -> Any:
    """The variance of the mean of values that count as often as their weights say."""
    total = reduce_sum(weights)
    return math.div_no_nan(math.div_no_nan(reduce_sum(weights * (values - mean) ** 2), total - 1), total)
