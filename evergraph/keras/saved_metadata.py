"""What a SavedModel says of Keras' objects: a kind, and a configuration to make the object anew."""
from __future__ import annotations

import json
from typing import Any

from evergraph.base import nest
from evergraph.keras import training_config
from evergraph.keras.as_json import as_json
from evergraph.keras.inputs import InputLayer
from evergraph.keras.layer import Layer
from evergraph.keras.network import is_functional, serialized
from evergraph.keras.optimizer import Optimizer
from evergraph.keras.recurrent import RNN
from evergraph.keras.version import VERSION


def described(layer: Any) -> tuple[str, str] | None:
    """(the kind of a layer or model, its description as JSON); None for objects that are not Keras'."""
    if isinstance(layer, Optimizer):
        return "optimizer", ""
    if not isinstance(layer, Layer):
        return None
    is_model = hasattr(layer, "_functional")
    kind = _kind(layer, is_model)
    found = {**_serialized(layer), "name": layer.name, "trainable": layer.trainable,
             "expects_training_arg": layer._takes("training"), "dtype": layer.dtype,
             "batch_input_shape": getattr(layer, "_batch_input_shape", None),
             "build_input_shape": _build_shape(layer)}
    if isinstance(layer, InputLayer):
        found = {**found, "sparse": layer.sparse, "ragged": False}
    if is_model:
        found = {**found, "is_graph_network": is_functional(layer), "keras_version": VERSION, "backend": "tensorflow"}
        if found["config"] is not None:
            found["model_config"] = {"class_name": found["class_name"], "config": found["config"]}
        if training_config.is_compiled(layer) and training_config.has_configured_optimizer(layer):
            found["training_config"] = training_config.described(layer)
    if found["config"] is None:
        del found["config"]
    return kind, json.dumps(found, default=_plain)


def _kind(layer: Any, is_model: bool) -> str:
    if is_model:
        return "_tf_keras_sequential" if hasattr(layer, "_stack") else "_tf_keras_model"
    kinds = ((InputLayer, "_tf_keras_input_layer"), (RNN, "_tf_keras_rnn_layer"))
    return next((name for cls, name in kinds if isinstance(layer, cls)), "_tf_keras_layer")


def _serialized(layer: Any) -> dict[str, Any]:
    """The class and configuration, which is None if a class of the program's has none."""
    try:
        return serialized(layer)
    except NotImplementedError:
        return {"class_name": type(layer).__name__, "config": None}


def _build_shape(layer: Any) -> Any:
    """The shapes that the layer was built for, as later versions of TensorFlow read them; None if it was not called."""
    if not layer.keras_nodes or isinstance(layer, InputLayer):
        return None
    shape = lambda tensor: {"class_name": "TensorShape", "items": tensor.shape.as_list()}
    return nest.map_structure(shape, layer.keras_nodes[0].inputs)


def _plain(value: Any) -> Any:
    if nest.is_sequence(value) and not isinstance(value, (list, tuple, dict)):
        return nest.flatten(value)
    return as_json(value)
