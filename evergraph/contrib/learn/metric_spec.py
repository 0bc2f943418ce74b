"""tf.contrib.learn.MetricSpec: a metric of an evaluation, and what of the model it looks at."""

from __future__ import annotations

import functools
import inspect
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
        metric_fn: a function of predictions, labels and weights, under these names; predictions may be its only other
            argument. It returns (value, update_op) or a tensor.
        prediction_key: the prediction to look at; None where there is only one.
        label_key: the label to look at; None where there is only one.
        weight_key: the feature with the weights of examples; without it `metric_fn` gets no weights.

    Raises:
        ValueError: `metric_fn` has two names for the same, or none for something that has a key.
    """

    def __init__(self, metric_fn: Callable[..., Any], prediction_key: str | None = None, label_key: str | None = None,
                 weight_key: str | None = None) -> None:
        self.metric_fn, self.prediction_key = metric_fn, prediction_key
        self.label_key, self.weight_key = label_key, weight_key
        names = declared(metric_fn)
        self._labels, self._predictions, self._weights = (
            _only(names, aliases, metric_fn) for aliases in (_LABELS, _PREDICTIONS, _WEIGHTS))
        for kind, key, name in (("label", label_key, self._labels), ("weight", weight_key, self._weights)):
            if key is not None and name is None:
                raise ValueError(f"{kind}_key={key!r} is given, but an argument for {kind}s is missing in {metric_fn}")

    def __str__(self) -> str:
        function = self.metric_fn.func if isinstance(self.metric_fn, functools.partial) else self.metric_fn
        name = getattr(function, "__name__", repr(function))
        return (f"MetricSpec(metric_fn={name}, prediction_key={self.prediction_key}, label_key={self.label_key}, "
                f"weight_key={self.weight_key})")

    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        """What `metric_fn` returns for the features, labels and predictions of a model.

        Raises:
            ValueError: a key is missing where there are several tensors, or given where there is one.
            KeyError: there is nothing of a key.
            TypeError: no argument of `metric_fn` is for predictions.
        """
        given = {self._predictions or self._unnamed(): _chosen("prediction", predictions, self.prediction_key)}
        if self._labels is not None:
            given[self._labels] = _chosen("label", labels, self.label_key)
        if self._weights is not None and self.weight_key is not None:
            given[self._weights] = _chosen("weight", inputs, self.weight_key)
        return self.metric_fn(**given)

    def _unnamed(self) -> str:
        """The one argument that must be for predictions, because nothing else is."""
        taken = {self._labels, self._weights}
        needed = [name for name in declared(self.metric_fn) if name not in taken and _is_needed(self.metric_fn, name)]
        if len(needed) != 1:
            raise TypeError(f"{self.metric_fn} has no argument for predictions: call one of them {_PREDICTIONS[0]!r}")
        return needed[0]


def _is_needed(function: Callable[..., Any], name: str) -> bool:
    return inspect.signature(function).parameters[name].default is inspect.Parameter.empty


def _only(names: tuple[str, ...], aliases: tuple[str, ...], function: Any) -> str | None:
    found = [name for name in names if name in aliases]
    if len(found) > 1:
        raise ValueError(f"{function} may provide only one of {aliases}, and has {found}")
    return found[0] if found else None


def _chosen(what: str, found: Any, key: str | None) -> Any:
    if not isinstance(found, Mapping):
        if key is not None:
            raise ValueError(f"MetricSpec with {what}_key specified requires {what}s dict, got the key {key!r} and "
                             f"{found}")
        return found
    if key is not None:
        if key not in found:
            raise KeyError(f"MetricSpec with {what}_key={key!r} finds only {sorted(found)}")
        return found[key]
    if len(found) != 1:
        raise ValueError(f"MetricSpec without specified {what}_key requires {what}s tensor or single element dict, got "
                         f"{sorted(found, key=str)}")
    return next(iter(found.values()))
