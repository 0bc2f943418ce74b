"""What estimators read from Examples: their columns' features, the labels and the weights."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.feature.numeric import NumericColumn, numeric_column
from evergraph.feature.parse_spec import make_parse_example_spec, make_parse_example_spec_of_layers
from evergraph.frontend.input.features import FixedLenFeature


@export("estimator.classifier_parse_example_spec")
def classifier_parse_example_spec(feature_columns: Any, label_key: str, label_dtype: Any = dtypes.int64,
                                  label_default: Any = None, weight_column: Any = None) -> dict[str, Any]:
    """The features that a classifier reads from Examples, for `tf.parse_example`.

    Args:
        feature_columns: the columns of the classifier.
        label_key: the name of the label.
        label_dtype: the dtype of the label.
        label_default: the label of examples without one.
        weight_column: the name of a feature with the weights of examples, or a numeric column; None for no weights.

    Raises:
        ValueError: the label or the weights are a feature too, or the weights are something else.
    """
    return _with_label(make_parse_example_spec(feature_columns), label_key,
                       FixedLenFeature((1,), label_dtype, label_default), weight_column)


@export("compat.v2.estimator.classifier_parse_example_spec")
def classifier_parse_example_spec_of_layers(feature_columns: Any, label_key: str, label_dtype: Any = dtypes.int64,
                                            label_default: Any = None, weight_column: Any = None) -> dict[str, Any]:
    """`tf.estimator.classifier_parse_example_spec` of columns that layers take, such as those of sequences."""
    return _with_label(make_parse_example_spec_of_layers(feature_columns), label_key,
                       FixedLenFeature((1,), label_dtype, label_default), weight_column)


@export("estimator.regressor_parse_example_spec")
def regressor_parse_example_spec(feature_columns: Any, label_key: str, label_dtype: Any = dtypes.float32,
                                 label_default: Any = None, label_dimension: int = 1,
                                 weight_column: Any = None) -> dict[str, Any]:
    """The features that a regressor reads from Examples, for `tf.parse_example`.

    Args:
        feature_columns: the columns of the regressor.
        label_key: the name of the label.
        label_dtype: the dtype of the label.
        label_default: the label of examples without one.
        label_dimension: how many numbers a label has.
        weight_column: the name of a feature with the weights of examples, or a numeric column; None for no weights.

    Raises:
        ValueError: the label or the weights are a feature too, or the weights are something else.
    """
    return _with_label(make_parse_example_spec(feature_columns), label_key,
                       FixedLenFeature((label_dimension,), label_dtype, label_default), weight_column)


@export("compat.v2.estimator.regressor_parse_example_spec")
def regressor_parse_example_spec_of_layers(feature_columns: Any, label_key: str, label_dtype: Any = dtypes.float32,
                                           label_default: Any = None, label_dimension: int = 1,
                                           weight_column: Any = None) -> dict[str, Any]:
    """`tf.estimator.regressor_parse_example_spec` of columns that layers take, such as those of sequences."""
    return _with_label(make_parse_example_spec_of_layers(feature_columns), label_key,
                       FixedLenFeature((label_dimension,), label_dtype, label_default), weight_column)


def _with_label(spec: dict[str, Any], key: str, label: FixedLenFeature, weights: Any) -> dict[str, Any]:
    if key in spec:
        raise ValueError(f"label should not be used as feature: {key!r} is among the features {sorted(spec)}")
    found = {**spec, key: label}
    if weights is None:
        return found
    weights = numeric_column(weights) if isinstance(weights, str) else weights
    if not isinstance(weights, NumericColumn):
        raise ValueError("weight_column is a string or made by tf.feature_column.numeric_column, not "
                         f"{weights} ({type(weights)})")
    if weights.key in found:
        raise ValueError(f"weight_column should not be used as feature or label, and {weights.key} is one")
    return {**found, **weights.parse_example_spec}
