"""tf.keras.metrics.AUC: the area under the curve of a classifier."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import reduce_sum
from evergraph.keras.metric_counts import Counts
from evergraph.ops.math import elementwise

_EPSILON = 1e-7
_HEIGHTS = {
    "interpolation": lambda left, right: (left + right) / 2.0,
    "minoring": elementwise.minimum,
    "majoring": elementwise.maximum,
}


@export("keras.metrics.AUC")
class AUC(Counts):
    """The area under the ROC or precision-recall curve (AUC) of a binary classifier, approximated at thresholds.

    Args:
        num_thresholds: the number of evenly spaced thresholds.
        curve: "ROC", the true positive rate over the false positive rate, or "PR", precision over recall.
        summation_method: "interpolation" for the trapezoidal rule, and for "PR" curves the interpolation of Davis and
            Goadrich (2006); "minoring" for the lower Riemann sum; "majoring" for the upper one.
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
        thresholds: the inner thresholds, in place of `num_thresholds` evenly spaced ones.

    Raises:
        ValueError: a word is unknown, or a number out of its range.
    """

    def __init__(self, num_thresholds: int = 200, curve: str = "ROC", summation_method: str = "interpolation",
                 name: str | None = None, dtype: Any = None, thresholds: Any = None) -> None:
        if curve not in ("ROC", "PR"):
            raise ValueError(f"Invalid curve: {curve!r}. It must be 'ROC' or 'PR'")
        if summation_method not in _HEIGHTS:
            raise ValueError(f"Invalid summation_method: {summation_method!r}. It must be one of {list(_HEIGHTS)}")
        if thresholds is None and num_thresholds <= 1:
            raise ValueError("`num_thresholds` must be > 1.")
        inner = sorted(thresholds) if thresholds is not None else [
            (i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        self.curve, self.summation_method = curve, summation_method
        super().__init__(("true_positives", "false_positives", "true_negatives", "false_negatives"),
                         [0.0 - _EPSILON, *inner, 1.0 + _EPSILON], name, dtype)
        self.num_thresholds = len(self.thresholds)

    def result(self) -> Any:
        """The area."""
        tp, fp, tn, fn = (getattr(self, kind).read_value() for kind in self._kinds)
        if self.curve == "PR" and self.summation_method == "interpolation":
            return self.interpolate_pr_auc()
        recall = math.div_no_nan(tp, tp + fn)
        x, y = (math.div_no_nan(fp, fp + tn), recall) if self.curve == "ROC" else (
            recall, math.div_no_nan(tp, tp + fp))
        heights = _HEIGHTS[self.summation_method](y[:-1], y[1:])
        return reduce_sum((x[:-1] - x[1:]) * heights)

    def interpolate_pr_auc(self) -> Any:
        """The area under the precision-recall curve; between two thresholds false positives grow with true ones."""
        tp, fp, _, fn = (getattr(self, kind).read_value() for kind in self._kinds)
        return _interpolated(tp, fp, fn)


def _interpolated(tp: Any, fp: Any, fn: Any) -> Any:
    positives = tp + fp
    gained = tp[:-1] - tp[1:]
    slope = math.div_no_nan(gained, elementwise.maximum(positives[:-1] - positives[1:], 0.0))
    intercept = tp[1:] - slope * positives[1:]
    both = elementwise.logical_and(positives[:-1] > 0, positives[1:] > 0)
    ratio = where(both, math.div_no_nan(positives[:-1], elementwise.maximum(positives[1:], 0.0)), positives[1:] * 0 + 1)
    return reduce_sum(math.div_no_nan(
        slope * (gained + intercept * elementwise.log(ratio)), elementwise.maximum(tp[1:] + fn[1:], 0.0)))
