"""tf.keras.losses.get, serialize and deserialize."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.keras import loss_classes, losses, objects

_CLASSES = {name: kind for name, kind in vars(loss_classes).items()
            if isinstance(kind, type) and issubclass(kind, loss_classes.Loss)}


@export("keras.losses.serialize")
def serialize(loss: Any) -> Any:
    """The name of a loss function, or a loss's class and configuration."""
    return objects.serialize_keras_object(loss)


@export("keras.losses.deserialize")
def deserialize(name: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The loss of a name, or of a serialized configuration.

    Raises:
        ValueError: the name is unknown.
    """
    return objects.deserialize_keras_object(name, _CLASSES | losses.BY_NAME, custom_objects, "loss function")


@export("keras.losses.get")
def get(identifier: Any) -> Any:
    """Resolves a loss: a function, its name, or None for none.

    Raises:
        ValueError: the name is unknown.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, (str, dict)):
        return deserialize(identifier)
    raise ValueError(f"Could not interpret loss function identifier: {identifier}: a loss is a function or its name")
