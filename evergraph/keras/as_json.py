"""JSON of configurations: arrays, dtypes, shapes and functions have a form in it."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base.dtypes import DType
from evergraph.base.shapes import Dimension, TensorShape
from evergraph.frontend.variables.base import Variable
from evergraph.graph.node import Tensor
from evergraph.keras import session


def as_json(value: Any) -> Any:
    """What JSON holds instead of a value that it has no form for; for the `default` of `json.dumps`.

    An array is a dictionary of its type and values, as TensorFlow writes one, a function its name, an object its class
    and configuration, a tensor its value in Keras' session.

    Raises:
        TypeError: there is no such form.
    """
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if isinstance(value, np.ndarray):
        return {"type": "ndarray", "value": value.tolist()} if value.ndim else value.item()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (Tensor, Variable)):
        return np.asarray(session.get_value(value)).tolist()
    if isinstance(value, TensorShape):
        return value.as_list()
    if isinstance(value, Dimension):
        return value.value
    if isinstance(value, DType):
        return value.name
    if callable(value) or isinstance(value, type):
        return value.__name__
    if isinstance(value, (bytes, set)):
        return value.decode() if isinstance(value, bytes) else sorted(value)
    if hasattr(value, "__wrapped__"):
        return value.__wrapped__
    raise TypeError(f"Not JSON Serializable: {value!r}")


def from_json(value: Any) -> Any:
    """A value of JSON, with the arrays that `as_json` describes made anew."""
    if isinstance(value, dict):
        if value.get("type") == "ndarray" and set(value) == {"type", "value"}:
            return np.array(value["value"])
        return {key: from_json(item) for key, item in value.items()}
    return [from_json(item) for item in value] if isinstance(value, list) else value
