"""Every kind of column, so that configurations find them all by name."""
from evergraph.feature import crossed, embedding, indicator, sequence, vocabulary, weighted  # noqa: F401 - to be known
from evergraph.feature.serial import (
    deserialize_feature_column,
    deserialize_feature_columns,
    serialize_feature_column,
    serialize_feature_columns,
)

__all__ = ["deserialize_feature_column", "deserialize_feature_columns", "serialize_feature_column",
           "serialize_feature_columns"]
