"""Categorical columns whose values have weights, which another feature holds."""
from __future__ import annotations

import collections
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.feature.column import BothCategorical, buckets_of, spec_of
from evergraph.feature.inputs import to_sparse
from evergraph.feature.serial import Configured
from evergraph.frontend import math
from evergraph.frontend.input.features import VarLenFeature
from evergraph.graph.composite import SparseTensor, convert_to_tensor_or_sparse_tensor


@export("feature_column.weighted_categorical_column")
def weighted_categorical_column(categorical_column: Any, weight_feature_key: str, dtype: Any = dtypes.float32
                                ) -> WeightedCategoricalColumn:
    """A categorical column whose values have weights.

    Args:
        categorical_column: the values.
        weight_feature_key: the name of the feature with as many weights, in the same places.
        dtype: the dtype of the weights.

    Raises:
        ValueError: the dtype is not one of numbers.
    """
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype {dtype} is not convertible to float.")
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, dtype)


class WeightedCategoricalColumn(
    Configured, BothCategorical,
    collections.namedtuple("WeightedCategoricalColumn", ["categorical_column", "weight_feature_key", "dtype"]),
):
    """What `tf.feature_column.weighted_categorical_column` makes."""

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}"

    @property
    def parents(self) -> list[Any]:
        return [self.categorical_column, self.weight_feature_key]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        spec = spec_of(self.categorical_column)
        if self.weight_feature_key in spec:
            raise ValueError(f"Parse config {spec[self.weight_feature_key]} already exists for "
                             f"{self.weight_feature_key}.")
        return {**spec, self.weight_feature_key: VarLenFeature(self.dtype)}

    @property
    def num_buckets(self) -> int:
        return buckets_of(self.categorical_column)

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """(the ids, the weights), both sparse."""
        weights = transformation_cache.get(self.weight_feature_key, state_manager)
        if weights is None:
            raise ValueError(f"Missing weights {self.weight_feature_key}.")
        weights = convert_to_tensor_or_sparse_tensor(weights)
        if self.dtype != weights.dtype.base_dtype:
            raise ValueError(f"Bad dtype, expected {self.dtype}, but got {weights.dtype}.")
        if not isinstance(weights, SparseTensor):
            # 0 weighs nothing, so the places of a dense feature without values can be told by it.
            weights = to_sparse(weights, ignore_value=0.0)
        if not weights.dtype.is_floating:
            weights = SparseTensor(weights.indices, math.cast(weights.values, dtypes.float32), weights.dense_shape)
        return transformation_cache.get(self.categorical_column, state_manager), weights

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        return self.IdWeightPair(*transformation_cache.get(self, state_manager))
