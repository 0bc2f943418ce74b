"""tf.contrib.learn.MetricSpec: a metric of an evaluation, and what of the model it looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.calls import declared

_LABELS = ("labels", "label", "targets", "target")
_PREDICTIONS = ("predictions", "prediction")
_WEIGHTS = ("weights", "weight")


@export("contrib.learn.MetricSpec")
class MetricSpec:
    """A metric of an evaluation.

    >>> spec = tf.contrib.learn.MetricSpec(tf.metrics.accuracy, prediction_key="classes")

    Args:
        metric_fn: a function of predictions, labels and weights, under these names or in this order; it returns
            (value, update_op) or a tensor.
        prediction_key: the prediction to look at; None where there is only one.
        label_key: the label to look at; None where there is only one.
        weight_key: the feature with the weights of examples; without it `metric_fn` gets no weights.
    """

    def __init__(self, metric_fn: Callable[..., Any], prediction_key: str | None = None, label_key: str | None = None,
                 weight_key: str | None = None) -> None:
        self.metric_fn, self.prediction_key = metric_fn, prediction_key
        self.label_key, self.weight_key = label_key, weight_key

    def __str__(self) -> str:
        name = getattr(self.metric_fn, "__name__", repr(self.metric_fn))
        return (f"MetricSpec(metric_fn={name}, prediction_key={self.prediction_key}, label_key={self.label_key}, "
                f"weight_key={self.weight_key})")

    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        """What `metric_fn` returns for the features, labels and predictions of a model.

        Raises:
            ValueError: a key is missing where there are several tensors, or given where there is one.
        """
        given = {_PREDICTIONS: _chosen("prediction", predictions, self.prediction_key)}
        if labels is not None:
            given[_LABELS] = _chosen("label", labels, self.label_key)
        if self.weight_key is not None:
            given[_WEIGHTS] = _chosen("weight", inputs, self.weight_key)
        names = {aliases: next((name for name in declared(self.metric_fn) if name in aliases), None)
                 for aliases in given}
        if names[_PREDICTIONS] is not None:
            return self.metric_fn(**{names[aliases]: value for aliases, value in given.items() if names[aliases]})
        weights = given.pop(_WEIGHTS, None)
        return self.metric_fn(*given.values(), **({} if weights is None else {"weights": weights}))


def _chosen(what: str, found: Any, key: str | None) -> Any:
    if not isinstance(found, Mapping):
        if key is not None:
            raise ValueError(f"MetricSpec with {what}_key={key!r} needs a dict, but there is a single tensor: {found}")
        return found
    if key is not None:
        if key not in found:
            raise ValueError(f"MetricSpec with {what}_key={key!r} finds only {sorted(found)}")
        return found[key]
    if len(found) != 1:
        raise ValueError(f"MetricSpec needs a {what}_key: there are {sorted(found)}")
    return next(iter(found.values()))
