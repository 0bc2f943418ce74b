"""Objects by name and by configuration: tf.keras.utils' custom objects, and how layers describe what they hold."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from evergraph.base.export import export

_CUSTOM: dict[str, Any] = {}


@export("keras.utils.get_custom_objects")
def get_custom_objects() -> dict[str, Any]:
    """The dictionary of further classes and functions that configurations may name; add to it at will."""
    return _CUSTOM


@export("keras.utils.CustomObjectScope")
class CustomObjectScope:
    """A block in which configurations may name these classes and functions.

    Args:
        *args: dictionaries from names to objects.
    """

    def __init__(self, *args: dict[str, Any]) -> None:
        self.custom_objects = args
        self.backup: dict[str, Any] = {}

    def __enter__(self) -> CustomObjectScope:
        self.backup = dict(_CUSTOM)
        for objects in self.custom_objects:
            _CUSTOM.update(objects)
        return self

    def __exit__(self, *args: Any) -> None:
        _CUSTOM.clear()
        _CUSTOM.update(self.backup)


@export("keras.utils.custom_object_scope")
def custom_object_scope(*args: dict[str, Any]) -> CustomObjectScope:
    """A `CustomObjectScope`."""
    return CustomObjectScope(*args)


@contextlib.contextmanager
def also(custom_objects: dict[str, Any] | None) -> Iterator[None]:
    """A block in which further objects may be named."""
    with CustomObjectScope(custom_objects or {}):
        yield


@export("keras.utils.serialize_keras_object")
def serialize_keras_object(instance: Any) -> Any:
    """The name of a function; the name of the class and the configuration of any other object.

    Raises:
        ValueError: it has neither.
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
    """The object that `serialize_keras_object` described.

    Args:
        identifier: a name, or a dictionary of "class_name" and "config"; other objects come back as they are.
        module_objects: what names may mean.
        custom_objects: what they may mean before that.
        printable_module_name: what errors call the object.

    Raises:
        ValueError: there is none of that name.
    """
    if identifier is None or not isinstance(identifier, (str, dict)):
        return identifier
    known = {**(module_objects or {}), **_CUSTOM, **(custom_objects or {})}
    name = identifier if isinstance(identifier, str) else identifier.get("class_name")
    if name is None or (isinstance(identifier, dict) and "config" not in identifier):
        raise ValueError(f"Improper config format: {identifier}")
    if name not in known:
        raise ValueError(f"Unknown {printable_module_name}: {name}")
    found = known[name]
    if isinstance(identifier, str):
        return found() if isinstance(found, type) else found
    if not hasattr(found, "from_config"):
        return found(**identifier["config"])
    with also(custom_objects):
        return found.from_config(dict(identifier["config"]))
