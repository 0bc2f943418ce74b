"""The features of boosted trees: dense columns of one number, sparse columns of numbers, and of categories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from evergraph.base import dtypes
from evergraph.contrib.layers.feature_columns import (
    OneHotColumn,
    RealValuedColumn,
    Transformer,
    WeightedSparseColumn,
)
from evergraph.contrib.layers.variable_length import VariableLengthColumn
from evergraph.feature.column import CategoricalColumn, IdsColumn
from evergraph.feature.indicator import IndicatorColumn
from evergraph.feature.inputs import FeatureTransformationCache
from evergraph.feature.numeric import BucketizedColumn, NumericColumn
from evergraph.feature.weighted import WeightedCategoricalColumn
from evergraph.frontend import array, math
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor


class TreeInputs(NamedTuple):
    """The features of a batch. The names are of the dense columns, then the sparse ones, then the categorical ones."""

    names: list[str]
    dense_floats: list[Tensor]
    sparse_float_indices: list[Tensor]
    sparse_float_values: list[Tensor]
    sparse_float_shapes: list[Tensor]
    sparse_int_indices: list[Tensor]
    sparse_int_values: list[Tensor]
    sparse_int_shapes: list[Tensor]

    @property
    def count(self) -> int:
        """How many columns there are."""
        return len(self.names)


def extract_features(features: Mapping[str, Any], feature_columns: Iterable[Any] | None = None,
                     use_core_columns: bool = False) -> TreeInputs:
    """The columns that trees split on.

    Args:
        features: tensors by name.
        feature_columns: columns of tf.contrib.layers, or of tf.feature_column; by default every feature is a column.
        use_core_columns: whether columns are of tf.feature_column.

    Raises:
        ValueError: there is no feature, or there cannot be splits on one.
    """
    if not features:
        raise ValueError("boosted trees need features, got none")
    found = dict(features) if feature_columns is None else transformed(features, feature_columns, use_core_columns)
    dense: list[tuple[str, Tensor]] = []
    floats: list[tuple[str, SparseTensor]] = []
    ints: list[tuple[str, SparseTensor]] = []
    for name in sorted(found):
        value = found[name]
        if not isinstance(value, SparseTensor):
            dense += _single(name, convert_to_tensor(value))
        elif value.dtype.is_floating:
            floats.append((name, _of_floats(value)))
        elif value.dtype.is_integer:
            ints.append((name, SparseTensor(value.indices, math.cast(value.values, dtypes.int64), value.dense_shape)))
        else:
            raise ValueError(f"boosted trees split on numbers and categories, and feature {name!r} has the dtype "
                             f"{value.dtype.name}")
    return TreeInputs([name for name, _ in (*dense, *floats, *ints)], [each for _, each in dense],
                      *_parts(floats), *_parts(ints))


def _of_floats(value: SparseTensor) -> SparseTensor:
    return SparseTensor(value.indices, math.cast(value.values, dtypes.float32), value.dense_shape)


def _parts(columns: list[tuple[str, SparseTensor]]) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    return ([each.indices for _, each in columns], [each.values for _, each in columns],
            [each.dense_shape for _, each in columns])


def _single(name: str, value: Tensor) -> list[tuple[str, Tensor]]:
    """The columns of a dense feature: one for each number that an example has."""
    if not (value.dtype.is_floating or value.dtype.is_integer):
        raise ValueError(f"boosted trees split on numbers, and dense feature {name!r} has the dtype "
                         f"{value.dtype.name}")
    value = value if value.dtype == dtypes.float32 else math.cast(value, dtypes.float32)
    width = 1 if value.shape.rank in (None, 1) else value.shape[1:].num_elements()
    if width is None:
        raise ValueError(f"boosted trees must know how many numbers feature {name!r} has, got {value}")
    if width == 1:
        return [(name, value if value.shape.rank == 2 else array.reshape(value, [-1, 1]))]
    columns = array.split(array.reshape(value, [-1, width]), width, axis=1)
    return [(f"{name}_{number}", column) for number, column in enumerate(columns)]


def transformed(features: Mapping[str, Any], columns: Iterable[Any], are_core: bool) -> dict[str, Any]:
    """The tensors of columns by their names."""
    inputs = FeatureTransformationCache(features) if are_core else Transformer(features)
    found = {}
    for column in columns:
        name = column.name
        if isinstance(column, IndicatorColumn):
            column = column.categorical_column
        elif isinstance(column, OneHotColumn):
            column = column.sparse_id_column
        found[name] = _values(column, inputs)
    return found


def _values(column: Any, inputs: Any) -> Any:
    """The tensor of a column; weighted categories are numbers in as many dimensions as there are categories.

    Raises:
        ValueError: there cannot be splits on such a column.
    """
    if isinstance(column, (WeightedCategoricalColumn, WeightedSparseColumn)):
        ids, weights = inputs.get(column)
        rows = array.stack([ids.indices[:, 0], math.cast(ids.values, dtypes.int64)], axis=1)
        size = column.num_buckets if isinstance(column, WeightedCategoricalColumn) else column.length
        return SparseTensor(rows, math.cast(weights.values, dtypes.float32),
                            array.stack([ids.dense_shape[0], size]))
    if isinstance(column, (NumericColumn, BucketizedColumn, CategoricalColumn, RealValuedColumn, VariableLengthColumn)):
        return inputs.get(column)
    if isinstance(column, IdsColumn):
        ids = inputs.get(column)
        if isinstance(ids, SparseTensor):
            return ids
    raise ValueError(f"boosted trees cannot split on column {column.name}, a {type(column).__name__}")
