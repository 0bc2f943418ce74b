"""Categorical columns whose ids are integers as they come, or hashes."""
from __future__ import annotations

import collections
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.feature.column import BothCategorical, checked_key
from evergraph.feature.inputs import check_compatible, check_text_or_integer, to_sparse
from evergraph.feature.serial import Configured
from evergraph.frontend import array, checks, indexing, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.input.features import VarLenFeature
from evergraph.graph.composite import SparseTensor
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.ops.strings.hashing import string_to_hash_bucket_fast
from evergraph.ops.strings.numbers import as_string


class ByKey(Configured, BothCategorical):
    """A categorical column made of one feature. A subclass gives ids for the feature as a sparse tensor."""

    key: str

    @property
    def name(self) -> str:
        return self.key

    @property
    def parents(self) -> list[Any]:
        return [self.key]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: VarLenFeature(self._parsed_as)}

    @property
    def _parsed_as(self) -> Any:
        return self.dtype

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids, a sparse tensor."""
        return self._ids(to_sparse(transformation_cache.get(self.key, state_manager)))

    def _ids(self, feature: SparseTensor) -> SparseTensor:
        raise NotImplementedError

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        return self.IdWeightPair(transformation_cache.get(self, state_manager), None)


# ---- ids as they come


@export("feature_column.categorical_column_with_identity")
def categorical_column_with_identity(key: str, num_buckets: int, default_value: int | None = None
                                     ) -> IdentityCategoricalColumn:
    """A categorical column of integers that are ids already.

    In a dense feature -1 means that there is no value.

    Args:
        key: the name of the feature.
        num_buckets: how many ids there are: 0 to num_buckets - 1.
        default_value: the id in the place of those out of range; without one, they fail the step.

    Raises:
        ValueError: there is no bucket, or the default is out of range.
    """
    if num_buckets < 1:
        raise ValueError(f"num_buckets {num_buckets} < 1, column_name {key}")
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(f"default_value {default_value} not in range [0, {num_buckets}), column_name {key}")
    return IdentityCategoricalColumn(checked_key(key), num_buckets, default_value)


class IdentityCategoricalColumn(
    ByKey, collections.namedtuple("IdentityCategoricalColumn", ["key", "number_buckets", "default_value"])
):
    """What `tf.feature_column.categorical_column_with_identity` makes."""

    _parsed_as = dtypes.int64

    def _ids(self, feature: SparseTensor) -> SparseTensor:
        if not feature.dtype.is_integer:
            raise ValueError(f"Invalid input, not integer. key: {self.key} dtype: {feature.dtype}")
        values = math.cast(feature.values, dtypes.int64, name="values")
        limit = math.cast(self.num_buckets, dtypes.int64, name="num_buckets")
        zero = math.cast(0, dtypes.int64, name="zero")
        checked = self._checked if self.default_value is None else self._with_default
        return SparseTensor(feature.indices, checked(values, limit, zero), feature.dense_shape)

    def _checked(self, values: Any, limit: Any, zero: Any) -> Any:
        below = checks.assert_less(
            values, limit, name="assert_less_than_num_buckets",
            message=f'Categorical column "{self.name}" got an id that exceeds number of buckets.')
        above = checks.assert_greater_equal(
            values, zero, name="assert_greater_or_equal_0",
            message=f'Negative bucket index for categorical column "{self.name}".')
        with control_dependencies([below, above]):
            return array.identity(values)

    def _with_default(self, values: Any, limit: Any, zero: Any) -> Any:
        outside = elementwise.logical_or(values < zero, values >= limit, name="out_of_range")
        default = basic.fill(array.shape(values), math.cast(self.default_value, dtypes.int64), name="default_values")
        return indexing.where(outside, default, values)

    @property
    def num_buckets(self) -> int:
        return self.number_buckets


# ---- hashes


@export("feature_column.categorical_column_with_hash_bucket")
def categorical_column_with_hash_bucket(key: str, hash_bucket_size: int, dtype: Any = dtypes.string
                                        ) -> HashedCategoricalColumn:
    """A categorical column of text or integers whose ids are hashes: FarmHash64 modulo the number of buckets.

    In a dense feature "" and -1 mean that there is no value. Integers are hashed as text.

    Args:
        key: the name of the feature.
        hash_bucket_size: how many buckets there are.
        dtype: string or an integer type.

    Raises:
        ValueError: there is no bucket, or the dtype is another.
    """
    if hash_bucket_size is None:
        raise ValueError(f"hash_bucket_size must be set. key: {key}")
    if hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be at least 1; column {key!r} has {hash_bucket_size}")
    checked_key(key)
    check_text_or_integer(dtype, f"column_name: {key}")
    return HashedCategoricalColumn(key, hash_bucket_size, dtype)


class HashedCategoricalColumn(
    ByKey, collections.namedtuple("HashedCategoricalColumn", ["key", "hash_bucket_size", "dtype"])
):
    """What `tf.feature_column.categorical_column_with_hash_bucket` makes."""

    def _ids(self, feature: SparseTensor) -> SparseTensor:
        check_compatible(self.dtype, feature, self.key)
        text = feature.values if self.dtype is dtypes.string else as_string(feature.values)
        ids = string_to_hash_bucket_fast(text, num_buckets=self.hash_bucket_size, name="lookup")
        return SparseTensor(feature.indices, ids, feature.dense_shape)

    @property
    def num_buckets(self) -> int:
        return self.hash_bucket_size
