# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.utils."""

from typing import Any

class CustomObjectScope:
    """Context manager that registers custom classes and functions for deserialization."""
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
    """Deserializes an object from its name or configuration."""

def get_custom_objects() -> dict[str, Any]:
    """The global dictionary of custom classes and functions for deserialization, which programs may
    extend."""

def get_file(
    fname: str, origin: str, untar: bool = False, md5_hash: str | None = None, file_hash: str | None = None,
    cache_subdir: str = 'datasets', hash_algorithm: str = 'auto', extract: bool = False,
    archive_format: str | list[str] | None = 'auto', cache_dir: str | None = None,
) -> str:
    """The path of a file in the cache, which is fetched if it is not there, or has another hash than it
    should."""

def normalize(x: Any, axis: Any = -1, order: Any = 2) -> Any:
    """Normalizes vectors along an axis of an array to norm 1, in the norm of this order."""

def serialize_keras_object(instance: Any) -> Any:
    """Serializes an object: a function to its name, others to their class name and configuration."""

def to_categorical(y: Any, num_classes: Any = None, dtype: Any = 'float32') -> Any:
    """One-hot encodes an array of class indices."""
