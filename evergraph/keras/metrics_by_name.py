"""tf.keras.metrics.get, serialize and deserialize, and the names of metrics in `compile`."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.eager.modes import v2_behavior_enabled
from evergraph.keras import (
    losses,
    metric_areas,
    metric_counts,
    metric_functions,
    metric_tensors,
    metrics,
    objects,
    utilities,
)

_ACCURACY, _ENTROPY = ("accuracy", "acc"), ("crossentropy", "ce")

_FUNCTIONS = {
    **losses.BY_NAME,
    **{function.__name__: function for function in (
        utilities.binary_accuracy, utilities.categorical_accuracy, utilities.sparse_categorical_accuracy,
        utilities.top_k_categorical_accuracy, utilities.sparse_top_k_categorical_accuracy)},
    **dict.fromkeys(("cosine_similarity", "cosine_proximity", "cosine"), metric_functions.cosine_proximity),
}
_CLASSES = {name: kind for module in (metrics, metric_functions, metric_counts, metric_areas, metric_tensors)
            for name, kind in vars(module).items() if isinstance(kind, type) and issubclass(kind, metrics.Metric)}


@export("keras.metrics.serialize")
def serialize(metric: Any) -> Any:
    """The name of a metric function, or a metric's class and configuration."""
    return objects.serialize_keras_object(metric)


@export("keras.metrics.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The metric of a name, or of a serialized configuration.

    Raises:
        ValueError: the name is unknown.
    """
    return objects.deserialize_keras_object(config, _FUNCTIONS | _CLASSES, custom_objects, "metric function")


@export("keras.metrics.get")
def get(identifier: Any) -> Any:
    """Resolves a metric: a function or object, its name, or its configuration.

    Raises:
        ValueError: it is none of these.
    """
    if isinstance(identifier, (str, dict)):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret metric function identifier: {identifier}")


def function_for(metric: Any, shape: Any, loss: str | None) -> Any:
    """The function behind "accuracy" and "crossentropy", which the loss and the shape of the output decide."""
    if metric not in _ACCURACY and metric not in _ENTROPY:
        return get(metric)
    is_binary = loss == "binary_crossentropy" or bool(shape) and shape[-1] == 1
    kind = "binary" if is_binary else "sparse_categorical" if loss == "sparse_categorical_crossentropy" else \
        "categorical"
    return _FUNCTIONS[f"{kind}_{'accuracy' if metric in _ACCURACY else 'crossentropy'}"]


def metric_for(metric: Any, shape: Any, loss: str | None, weighted: bool) -> metrics.Metric:
    """The metric of an output, from what `compile` was given."""
    if isinstance(metric, metrics.Metric):
        return metric
    function = function_for(metric, shape, loss) if not callable(metric) else metric
    if isinstance(function, metrics.Metric):
        return function
    return metrics.MeanMetricWrapper(function, name=_name_in_logs(metric, function, weighted))


def _name_in_logs(metric: Any, function: Any, weighted: bool) -> str:
    """The name of a function in logs: a short one, or under TensorFlow 2's behaviour what the program calls it."""
    if v2_behavior_enabled():
        return metric if isinstance(metric, str) else _name_of(function)
    name = "acc" if metric in _ACCURACY else "ce" if metric in _ENTROPY else _name_of(function)
    return f"weighted_{name}" if weighted else name


def _name_of(function: Any) -> str:
    return getattr(function, "name", None) or getattr(function, "__name__", type(function).__name__)
