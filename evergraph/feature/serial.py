"""Columns as configurations, plain dictionaries, and back: what layers made of columns are saved as."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.feature.column import FeatureColumn, is_column
from evergraph.frontend.variables import initializers

_KNOWN: dict[str, type] = {}
_NESTED = ("categorical_column", "source_column")


class Configured:
    """A column whose configuration is its fields; subclasses are found by their names."""

    _fields: tuple[str, ...]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _KNOWN[cls.__name__] = cls

    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal column from."""
        return {field: _encoded(getattr(self, field)) for field in self._fields}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None, columns_by_name: Any = None) -> Any:
        """A column with these arguments.

        Args:
            config: what `get_config` gave.
            custom_objects: functions and classes by name.
            columns_by_name: columns that were made before, by class and name; the new ones join them.

        Raises:
            ValueError: arguments are missing, or there are others.
        """
        if set(config) != set(cls._fields):
            raise ValueError(f"Invalid config: {config}, expected keys: {list(cls._fields)}")
        return cls(**{field: _decoded(field, value, custom_objects, columns_by_name)
                      for field, value in config.items()})


def _encoded(value: Any) -> Any:
    if is_column(value):
        return serialize_feature_column(value)
    if isinstance(value, dtypes.DType):
        return value.name
    if isinstance(value, tuple) and any(map(is_column, value)):
        return tuple(map(_encoded, value))
    if hasattr(value, "get_config"):
        return {"class_name": _class_name(type(value)), "config": value.get_config()}
    return value.__name__ if callable(value) else value


def _class_name(kind: type) -> str:
    """TensorFlow's name for the class of an initializer: "truncated_normal_initializer" is "TruncatedNormal"."""
    if not kind.__name__.endswith("_initializer"):
        return kind.__name__
    return "".join(word.capitalize() for word in kind.__name__.removesuffix("_initializer").split("_"))


def _initializer(config: dict[str, Any], custom_objects: Any) -> Any:
    known = {_class_name(each): each for each in vars(initializers).values() if isinstance(each, type)}
    kind = {**known, **(custom_objects or {})}.get(config["class_name"])
    if kind is None:
        raise ValueError(f"Unknown initializer: {config['class_name']}")
    return kind.from_config(config["config"])


def _decoded(field: str, value: Any, custom_objects: Any, columns_by_name: Any) -> Any:
    if field in _NESTED:
        return deserialize_feature_column(value, custom_objects, columns_by_name)
    if field == "keys":
        return tuple(deserialize_feature_column(each, custom_objects, columns_by_name) for each in value)
    if field == "dtype":
        return dtypes.as_dtype(value)
    if field == "initializer" and isinstance(value, dict):
        return _initializer(value, custom_objects)
    return _function(value, custom_objects) if field in ("initializer", "normalizer_fn") else value


def _function(name: str | None, custom_objects: Any) -> Any:
    if name is None:
        return None
    if name not in (custom_objects or {}):
        raise ValueError(f"Unknown function: {name}; custom_objects must have it")
    return custom_objects[name]


def _column_name_with_class_name(column: Any) -> str:
    """The key of a column among columns that were made before."""
    return f"{type(column).__name__}:{column.name}"


def serialize_feature_column(fc: Any) -> Any:
    """The configuration of a column; the name of a feature stays as it is.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(fc, str):
        return fc
    if not isinstance(fc, FeatureColumn):
        raise ValueError(f"Instance: {fc} is not a FeatureColumn")
    return {"class_name": type(fc).__name__, "config": fc._get_config()}


def deserialize_feature_column(config: Any, custom_objects: Any = None, columns_by_name: Any = None) -> Any:
    """The column that `serialize_feature_column` described.

    Args:
        config: the configuration.
        custom_objects: functions and classes by name.
        columns_by_name: columns that were made before; one of this class and name is used again.

    Raises:
        ValueError: there is no such class, or the configuration is damaged.
    """
    if isinstance(config, str):
        return config
    if not isinstance(config, dict) or "class_name" not in config or "config" not in config:
        raise ValueError(f"Improper config format: {config}")
    kind = (custom_objects or {}).get(config["class_name"]) or _KNOWN.get(config["class_name"])
    if kind is None:
        raise ValueError(f"Unknown feature_column_v2: {config['class_name']}")
    made = kind._from_config(config["config"], custom_objects=custom_objects, columns_by_name=columns_by_name)
    return made if columns_by_name is None else columns_by_name.setdefault(_column_name_with_class_name(made), made)


def serialize_feature_columns(feature_columns: Any) -> list[Any]:
    """The configurations of columns."""
    return [serialize_feature_column(column) for column in feature_columns]


def deserialize_feature_columns(configs: Any, custom_objects: Any = None) -> list[Any]:
    """The columns of configurations; columns inside of others are those of the list where they are in it."""
    by_name: dict[str, Any] = {}
    return [deserialize_feature_column(config, custom_objects, by_name) for config in configs]
