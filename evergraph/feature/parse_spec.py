"""What columns read from Examples, as `tf.parse_example` takes it."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evergraph.base.export import export
from evergraph.feature.column import Column, FeatureColumn, spec_of


@export("feature_column.make_parse_example_spec")
def make_parse_example_spec(feature_columns: Iterable[Any]) -> dict[str, Any]:
    """The features that columns read, to be given to `tf.parse_example`.

    >>> tf.feature_column.make_parse_example_spec([tf.feature_column.numeric_column("price")])
    {'price': FixedLenFeature(shape=(1,), dtype=tf.float32, default_value=None)}

    Args:
        feature_columns: columns.

    Raises:
        ValueError: one is no column, or two want a feature in different ways.
    """
    return _merged(feature_columns, Column, "_FeatureColumn")


def make_parse_example_spec_of_layers(feature_columns: Iterable[Any]) -> dict[str, Any]:
    """`make_parse_example_spec` of columns with the newer hooks."""
    return _merged(feature_columns, FeatureColumn, "FeatureColumn")


def _merged(columns: Iterable[Any], kind: type, word: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for column in columns:
        if not isinstance(column, kind):
            raise ValueError(f"All feature_columns must be {word} instances. Given: {column}")
        for key, feature in spec_of(column).items():
            if found.setdefault(key, feature) != feature:
                raise ValueError(f"feature_columns contain different parse_spec for key {key}: {feature} and "
                                 f"{found[key]}")
    return found
