# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.utils."""

from typing import Any

class CustomObjectScope:
    """A block in which configurations may name these classes and functions."""
    def __enter__(self) -> CustomObjectScope: ...
    def __exit__(self, *args: Any) -> None: ...
    def __init__(self, *args: dict[str, Any]) -> None: ...
    backup: dict[str, Any]
    custom_objects: Any

def custom_object_scope(*args: dict[str, Any]) -> CustomObjectScope:
    """A `CustomObjectScope`."""

def deserialize_keras_object(
    identifier: Any, module_objects: dict[str, Any] | None = None,
    custom_objects: dict[str, Any] | None = None, printable_module_name: str = 'object',
) -> Any:
    """The object that `serialize_keras_object` described."""

def get_custom_objects() -> dict[str, Any]:
    """The dictionary of further classes and functions that configurations may name; add to it at will."""

def normalize(x: Any, axis: Any = -1, order: Any = 2) -> Any:
    """An array whose vectors along an axis have length 1, in the norm of this order."""

def serialize_keras_object(instance: Any) -> Any:
    """The name of a function; the name of the class and the configuration of any other object."""

def to_categorical(y: Any, num_classes: Any = None, dtype: Any = 'float32') -> Any:
    """Numbers of classes as an array of vectors of zeros with a one each."""
