"""Serialization of Keras objects by name and configuration, and tf.keras.utils' custom objects."""
from __future__ import annotations

import contextlib
import copy
import inspect
from collections.abc import Iterator
from typing import Any

from evergraph.base.custom_objects import CUSTOM
from evergraph.base.export import export


@export("keras.utils.get_custom_objects")
def get_custom_objects() -> dict[str, Any]:
    """The global dictionary of custom classes and functions for deserialization, which programs may extend."""
    return CUSTOM


@export("keras.utils.CustomObjectScope")
class CustomObjectScope:
    """Context manager that registers custom classes and functions for deserialization.

    Args:
        *args: dictionaries from names to objects.
    """

    def __init__(self, *args: dict[str, Any]) -> None:
        self.custom_objects = args
        self.backup: dict[str, Any] = {}

    def __enter__(self) -> CustomObjectScope:
        self.backup = dict(CUSTOM)
        for objects in self.custom_objects:
            CUSTOM.update(objects)
        return self

    def __exit__(self, *args: Any) -> None:
        CUSTOM.clear()
        CUSTOM.update(self.backup)


@export("keras.utils.custom_object_scope")
def custom_object_scope(*args: dict[str, Any]) -> CustomObjectScope:
    """Makes a `CustomObjectScope` of several dicts of names and objects."""
    return CustomObjectScope(*args)


@contextlib.contextmanager
def also(custom_objects: dict[str, Any] | None) -> Iterator[None]:
    """Context manager that registers additional objects."""
    with CustomObjectScope(custom_objects or {}):
        yield


@export("keras.utils.serialize_keras_object")
def serialize_keras_object(instance: Any) -> Any:
    """Serializes an object: a function to its name, others to their class name and configuration.

    Raises:
        ValueError: the object has neither.
    """
    if instance is None:
        return None
    if hasattr(instance, "get_config"):
        return {"class_name": type(instance).__name__, "config": instance.get_config()}
    if hasattr(instance, "__name__"):
        return instance.__name__
    raise ValueError("Cannot serialize", instance)


@export("keras.utils.deserialize_keras_object")
def deserialize_keras_object(identifier: Any, module_objects: dict[str, Any] | None = None,
                             custom_objects: dict[str, Any] | None = None,
                             printable_module_name: str = "object") -> Any:
    """Deserializes an object from its name or configuration.

    Args:
        identifier: a name, or a dictionary of "class_name" and "config"; other objects are returned unchanged.
        module_objects: the known objects by name.
        custom_objects: additional objects, which take precedence.
        printable_module_name: the kind of object in error messages.

    Raises:
        ValueError: the name is unknown.
    """
    if identifier is None or not isinstance(identifier, (str, dict)):
        return identifier
    known = {**(module_objects or {}), **CUSTOM, **(custom_objects or {})}
    name = identifier if isinstance(identifier, str) else identifier.get("class_name")
    if name is None or (isinstance(identifier, dict) and "config" not in identifier):
        raise ValueError(f"Improper config format: {identifier}")
    if name not in known:
        raise ValueError(f"Unknown {printable_module_name}: {name}")
    found = known[name]
    if isinstance(identifier, str):
        return found() if isinstance(found, type) else found
    with also(custom_objects):
        if not hasattr(found, "from_config"):
            return found(**identifier["config"])
        config = copy.copy(identifier["config"])
        if "custom_objects" in inspect.signature(found.from_config).parameters:
            return found.from_config(config, custom_objects={**CUSTOM, **(custom_objects or {})})
        return found.from_config(config)
