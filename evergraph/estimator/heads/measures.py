"""The metrics of heads, each as one of tf.metrics and as one of tf.keras.metrics."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evergraph.base import dtypes
from evergraph.frontend import array, math
from evergraph.keras import metric_counts, metrics
from evergraph.keras.metric_areas import AUC
from evergraph.metrics import areas, counts, means, thresholds
from evergraph.ops.math import elementwise


@dataclass(frozen=True)
class Measure:
    """A metric: what it computes, and for some the threshold above which a score means positive."""

    kind: str
    threshold: float | None = None


@dataclass(frozen=True)
class Sample:
    """What a batch adds to a metric: values, and for some the labels to compare them with."""

    values: Any
    labels: Any = None
    weights: Any = None

    def update(self, metric: Any) -> None:
        """Adds the batch to a metric of tf.keras."""
        weights = None if isinstance(self.weights, float) else self.weights
        if self.labels is None:
            metric.update_state(self.values, sample_weight=weights)
        else:
            metric.update_state(y_true=self.labels, y_pred=self.values, sample_weight=weights)

    @property
    def wide_weights(self) -> Any:
        """The weights in the shape of the values."""
        return self.weights * array.ones_like(math.cast(self.values, dtypes.float32))


# ---- tf.metrics

def streaming(key: str, measure: Measure, sample: Sample) -> tuple[Any, Any]:
    """(value, update) of a metric as one of tf.metrics."""
    return _STREAMING[measure.kind](sample, measure.threshold, key)


def _mean(sample: Sample, threshold: Any, name: str) -> tuple[Any, Any]:
    return means.mean(sample.values, sample.weights, name=name)


def _accuracy(sample: Sample, threshold: Any, name: str) -> tuple[Any, Any]:
    return means.accuracy(sample.labels, sample.values, sample.weights, name=name)


def _accuracy_at(sample: Sample, threshold: Any, name: str) -> tuple[Any, Any]:
    positive = math.cast(elementwise.greater_equal(sample.values, threshold), dtypes.float32)
    return means.accuracy(sample.labels, positive, sample.weights, name=name)


def _baseline(sample: Sample, threshold: Any, name: str) -> tuple[Any, Any]:
    """The accuracy of always predicting the more frequent class, from the mean of the labels."""
    value, update = means.mean(sample.values, sample.weights, name=f"{name}/mean")
    return (elementwise.maximum(value, 1.0 - value, name="value"),
            elementwise.maximum(update, 1.0 - update, name="update_op"))


def _counted(function: Any) -> Any:
    return lambda sample, threshold, name: function(sample.labels, sample.values, sample.weights, name=name)


def _counted_at(function: Any) -> Any:
    def at(sample: Sample, threshold: Any, name: str) -> tuple[Any, Any]:
        value, update = function(sample.labels, sample.values, [threshold], sample.weights, name=name)
        return array.squeeze(value), array.squeeze(update)
    return at


def _area(curve: str) -> Any:
    return lambda sample, threshold, name: areas.auc(
        sample.labels, sample.values, sample.wide_weights, curve=curve, name=name)


_STREAMING = {
    "mean": _mean,
    "accuracy": _accuracy,
    "precision": _counted(counts.precision),
    "recall": _counted(counts.recall),
    "baseline": _baseline,
    "auc": _area("ROC"),
    "auc_pr": _area("PR"),
    "accuracy_at": _accuracy_at,
    "precision_at": _counted_at(thresholds.precision_at_thresholds),
    "recall_at": _counted_at(thresholds.recall_at_thresholds),
}


# ---- tf.keras.metrics

class Baseline(metrics.Mean):
    """The accuracy of always predicting the more frequent of two classes, from the mean of the labels."""

    def result(self) -> Any:
        mean = super().result()
        return elementwise.maximum(mean, 1.0 - mean)


_KERAS = {
    "mean": lambda key, threshold: metrics.Mean(name=key),
    "accuracy": lambda key, threshold: metrics.Accuracy(name=key),
    "precision": lambda key, threshold: metric_counts.Precision(name=key),
    "recall": lambda key, threshold: metric_counts.Recall(name=key),
    "baseline": lambda key, threshold: Baseline(name=key),
    "auc": lambda key, threshold: AUC(name=key),
    "auc_pr": lambda key, threshold: AUC(curve="PR", name=key),
    "accuracy_at": lambda key, threshold: metrics.BinaryAccuracy(name=key, threshold=threshold),
    "precision_at": lambda key, threshold: metric_counts.Precision(thresholds=threshold, name=key),
    "recall_at": lambda key, threshold: metric_counts.Recall(thresholds=threshold, name=key),
}


def keras_metric(key: str, measure: Measure) -> Any:
    """A metric as one of tf.keras.metrics, which has seen no batch yet."""
    return _KERAS[measure.kind](key, measure.threshold)
