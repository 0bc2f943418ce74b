"""Combinations of features as numbers of buckets, by the older and the newer hash of tf.contrib.layers."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, math, strings
from evergraph.frontend.sparse.arithmetic import sparse_cross_hashed, sparse_cross_strings
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import constant
from evergraph.ops.arrays.basic import bitcast
from evergraph.ops.math.elementwise import bitwise_xor, floor_mod, left_shift, right_shift

SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY = export("contrib.layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY")(956888297470)

_SEED = 0xDECAFCAFFE
_GOLDEN = 0x9E3779B97F4A7800 - 2**64  # as int64


def crossed(features: list[Any], buckets: int, hash_key: int | None) -> SparseTensor:
    """Every combination of a value from each feature, row by row, as the number of a bucket.

    Args:
        features: sparse or dense matrices of text or integers.
        buckets: how many buckets there are.
        hash_key: the key of the newer hash; None for the older one.
    """
    if hash_key is not None:
        return sparse_cross_hashed(features, num_buckets=buckets, hash_key=hash_key)
    # Sparse features come before dense ones in the combinations.
    ordered = [each for each in features if isinstance(each, SparseTensor)]
    ordered += [each for each in features if not isinstance(each, SparseTensor)]
    combined = sparse_cross_strings([_mapped(each, _numbers) for each in ordered])
    pieces = strings.split(combined.values, sep="_X_", result_type="SparseTensor").values
    table = array.reshape(strings.to_number(pieces, dtypes.int64), [-1, len(features)])
    return SparseTensor(combined.indices, _bucket(_chained(table, len(features)), buckets), combined.dense_shape)


def _mapped(feature: Any, function: Any) -> Any:
    if isinstance(feature, SparseTensor):
        return SparseTensor(feature.indices, function(feature.values), feature.dense_shape)
    return array.reshape(function(array.reshape(feature, [-1])), array.shape(feature))


def _numbers(values: Any) -> Any:
    """Integers as they are; text as the 64 bits of its fingerprint."""
    if values.dtype is not dtypes.string:
        return math.cast(values, dtypes.int64)
    return bitcast(strings.fingerprint(values), type=dtypes.int64)


def _chained(table: Any, count: int) -> Any:
    """The hash of each row: one number after the other is mixed into a seed, in 64 bits with sign."""
    ten, four = constant(10, dtypes.int64), constant(4, dtypes.int64)
    mixed = array.zeros_like(table[:, 0]) + constant(_SEED, dtypes.int64)
    for place in range(count):
        more = table[:, place] + constant(_GOLDEN, dtypes.int64)
        mixed = bitwise_xor(mixed, more + left_shift(mixed, ten) + right_shift(mixed, four))
    return mixed


def _bucket(hashes: Any, buckets: int) -> Any:
    """The hashes, read as numbers without sign, modulo the number of buckets."""
    size = constant(buckets, dtypes.int64)
    wrapped = indexing.where(hashes < 0, array.ones_like(hashes), array.zeros_like(hashes))
    return floor_mod(floor_mod(hashes, size) + wrapped * constant(2**64 % buckets, dtypes.int64), size)
