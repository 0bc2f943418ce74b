"""tf.keras.metrics.AUC: the area under the curve of a classifier."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import argmin, reduce_sum
from evergraph.keras.metric_counts import Counts
from evergraph.keras.metrics import Metric
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
        wrong = [each for each in thresholds or () if not 0 <= each <= 1]
        if wrong:
            raise ValueError(f"Threshold values must be in [0, 1]. Invalid values: {wrong}")
        inner = sorted(thresholds) if thresholds is not None else [
            (i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        self.curve, self.summation_method = curve, summation_method
        super().__init__(("true_positives", "true_negatives", "false_positives", "false_negatives"),
                         [0.0 - _EPSILON, *inner, 1.0 + _EPSILON], name, dtype)
        self.num_thresholds = len(self.thresholds)

    def _check_thresholds(self) -> None:
        """The outermost thresholds lie beyond all probabilities."""

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

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        # The outermost thresholds are not the program's.
        return {**Metric.get_config(self), "num_thresholds": self.num_thresholds, "curve": self.curve,
                "summation_method": self.summation_method, "thresholds": self.thresholds[1:-1]}

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


class _Tradeoff(Counts):
    """One of sensitivity and specificity at the threshold where the other, `wanted`, is nearest to a value.

    Args:
        value: the value, from 0 to 1.
        num_thresholds: the number of evenly spaced thresholds.
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.

    Raises:
        ValueError: a number is out of its range.
    """

    wanted: str

    def __init__(self, value: float, num_thresholds: int, name: str | None, dtype: Any) -> None:
        if not 0 <= value <= 1:
            raise ValueError(f"`{self.wanted}` must be in the range [0, 1], got {value}")
        if num_thresholds <= 0:
            raise ValueError(f"`num_thresholds` must be > 0, got {num_thresholds}")
        self.value, self.num_thresholds = value, num_thresholds
        thresholds = [0.5] if num_thresholds == 1 else [i / (num_thresholds - 1) for i in range(num_thresholds)]
        super().__init__(("true_positives", "true_negatives", "false_positives", "false_negatives"), thresholds, name,
                         dtype)

    def result(self) -> Any:
        """The one at the threshold where the other is nearest to the value."""
        tp, fp, tn, fn = (getattr(self, kind).read_value() for kind in self._kinds)
        rates = {"sensitivity": math.div_no_nan(tp, tp + fn), "specificity": math.div_no_nan(tn, tn + fp)}
        given = rates.pop(self.wanted)
        [sought] = rates.values()
        return sought[argmin(math.abs(given - self.value), axis=0)]

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {**Metric.get_config(self), "num_thresholds": self.num_thresholds, self.wanted: self.value}


@export("keras.metrics.SensitivityAtSpecificity")
class SensitivityAtSpecificity(_Tradeoff):
    """The sensitivity of a binary classifier at the threshold where its specificity is nearest to a value.

    Args:
        specificity: the value, from 0 to 1.
        num_thresholds: the number of evenly spaced thresholds.
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.

    Raises:
        ValueError: a number is out of its range.
    """

    wanted = "specificity"
    specificity = property(lambda self: self.value, doc="The wanted specificity.")

    def __init__(self, specificity: float, num_thresholds: int = 200, name: str | None = None,
                 dtype: Any = None) -> None:
        super().__init__(specificity, num_thresholds, name, dtype)


@export("keras.metrics.SpecificityAtSensitivity")
class SpecificityAtSensitivity(_Tradeoff):
    """The specificity of a binary classifier at the threshold where its sensitivity is nearest to a value.

    Args:
        sensitivity: the value, from 0 to 1.
        num_thresholds, name, dtype: as for `tf.keras.metrics.SensitivityAtSpecificity`, with the same errors.
    """

    wanted = "sensitivity"
    sensitivity = property(lambda self: self.value, doc="The wanted sensitivity.")

    def __init__(self, sensitivity: float, num_thresholds: int = 200, name: str | None = None,
                 dtype: Any = None) -> None:
        super().__init__(sensitivity, num_thresholds, name, dtype)
