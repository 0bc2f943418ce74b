"""The classes of layers by name, for deserialization."""
from __future__ import annotations

from typing import Any

from evergraph.keras import newer_configs, objects

KNOWN: dict[str, type] = {}
"""The name of a class of layers that Keras has -> the class."""


ALIASES = {"Functional": "Model", "Network": "Model"}
"""Names that other versions of Keras give to a class."""


def serialize(layer: Any) -> dict[str, Any]:
    """The name of a layer's class and its configuration."""
    return {"class_name": type(layer).__name__, "config": layer.get_config()}


def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The layer of a serialized configuration.

    Raises:
        ValueError: the class is unknown.
    """
    if isinstance(config, dict) and config.get("class_name") in ALIASES:
        config = {**config, "class_name": ALIASES[config["class_name"]]}
    return objects.deserialize_keras_object(newer_configs.understood(config), KNOWN, custom_objects, "layer")
