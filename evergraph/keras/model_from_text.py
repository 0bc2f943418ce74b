"""tf.keras.models.model_from_json and its like: models from configurations."""
from __future__ import annotations

import json
from typing import Any

from evergraph.base.export import export
from evergraph.keras import catalogue
from evergraph.keras.as_json import from_json
from evergraph.keras.model_text import yaml_package


@export("keras.models.model_from_config")
def model_from_config(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
    """A model from its class name and configuration, without weights.

    Args:
        config: a dictionary of "class_name" and "config", such as the one that `to_json` writes.
        custom_objects: additional classes and functions by name.

    Raises:
        TypeError: it is a list: the configuration of a sequential model without the name of its class.
        ValueError: a class is unknown.
    """
    if isinstance(config, list):
        raise TypeError("model_from_config takes a dictionary of class_name and config, not a list. "
                        "Sequential.from_config takes the configuration of a sequential model")
    return catalogue.deserialize(config, custom_objects)


@export("keras.models.model_from_json")
def model_from_json(json_string: str, custom_objects: dict[str, Any] | None = None) -> Any:
    """A model from what `to_json` wrote, without weights.

    Args:
        json_string: the text.
        custom_objects: additional classes and functions by name.
    """
    return model_from_config(from_json(json.loads(json_string)), custom_objects)


@export("keras.models.model_from_yaml")
def model_from_yaml(yaml_string: str, custom_objects: dict[str, Any] | None = None) -> Any:
    """A model from what `to_yaml` wrote, without weights. The text may hold plain values alone.

    Args:
        yaml_string: the text.
        custom_objects: additional classes and functions by name.

    Raises:
        ImportError: the package pyyaml is not installed.
    """
    return model_from_config(from_json(yaml_package().safe_load(yaml_string)), custom_objects)
