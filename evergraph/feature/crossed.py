"""Columns of combinations: every value of one feature with every value of another, hashed."""
from __future__ import annotations

import collections
from collections.abc import Iterator, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.feature.categorical import HashedCategoricalColumn
from evergraph.feature.column import BothCategorical, is_categorical, sparse_tensors_of, spec_of
from evergraph.feature.serial import Configured
from evergraph.frontend.input.features import VarLenFeature
from evergraph.frontend.sparse.arithmetic import sparse_cross_hashed


@export("feature_column.crossed_column")
def crossed_column(keys: Sequence[Any], hash_bucket_size: int, hash_key: int | None = None) -> CrossedColumn:
    """A categorical column of all combinations of values of several features, as hashes.

    >>> cross = tf.feature_column.crossed_column(["city", "job"], 1000)
    >>> cross.name
    'city_X_job'

    Args:
        keys: two or more names of features or categorical columns; columns with hashes cannot be crossed: name their
            feature instead.
        hash_bucket_size: how many buckets there are.
        hash_key: changes which bucket a combination falls into.

    Raises:
        ValueError: there are fewer than two keys or buckets, or a key is something else.
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}")
    if not keys or len(keys) < 2:
        raise ValueError(f"keys must be a list with length > 1, got {keys}")
    for key in keys:
        if not isinstance(key, str) and not is_categorical(key):
            raise ValueError("Unsupported key type: names of features and categorical columns can be crossed, "
                             f"got {key}")
        if isinstance(key, HashedCategoricalColumn):
            raise ValueError(f"categorical_column_with_hash_bucket is not supported as a key of a cross, where values "
                             f"hashed twice collide more often: give the name of the feature, got {key}")
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)


def _leaves(cross: CrossedColumn) -> Iterator[Any]:
    """The keys of a cross, and those of crosses in it."""
    for key in cross.keys:
        if isinstance(key, CrossedColumn):
            yield from _leaves(key)
        else:
            yield key


class CrossedColumn(
    Configured, BothCategorical, collections.namedtuple("CrossedColumn", ["keys", "hash_bucket_size", "hash_key"])
):
    """What `tf.feature_column.crossed_column` makes."""

    @property
    def name(self) -> str:
        return "_X_".join(sorted(key if isinstance(key, str) else key.name for key in _leaves(self)))

    @property
    def parents(self) -> list[Any]:
        return list(self.keys)

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {}
        for key in self.keys:
            spec.update({key: VarLenFeature(dtypes.string)} if isinstance(key, str) else spec_of(key))
        return spec

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The numbers of buckets, a sparse tensor."""
        features = [self._feature(key, transformation_cache, state_manager) for key in _leaves(self)]
        return sparse_cross_hashed(features, num_buckets=self.hash_bucket_size, hash_key=self.hash_key)

    @staticmethod
    def _feature(key: Any, inputs: Any, state_manager: Any) -> Any:
        if isinstance(key, str):
            return inputs.get(key, state_manager)
        ids, weights = sparse_tensors_of(key, inputs, state_manager)
        if weights is not None:
            raise ValueError(f"crossed_column does not support weight_tensor, which column {key.name} gives")
        return ids

    @property
    def num_buckets(self) -> int:
        return self.hash_bucket_size

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        return self.IdWeightPair(transformation_cache.get(self, state_manager), None)
