"""tf.contrib.linear_optimizer's table in several parts: ShardedMutableDenseHashTable."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.lookup import MutableDenseHashTable
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.gather import dynamic_partition, dynamic_stitch
from evergraph.ops.math.elementwise import floor_mod


@export("contrib.linear_optimizer.ShardedMutableDenseHashTable")
class ShardedMutableDenseHashTable:
    """A table whose entries are spread over several `tf.contrib.lookup.MutableDenseHashTable`s.

    Args:
        key_dtype: the dtype of keys: numbers, or vectors of numbers, of which the first decides about the part.
        value_dtype: the dtype of values.
        default_value: what a key without an entry has.
        empty_key, deleted_key: two keys that have no entries.
        num_shards: the number of parts.
        checkpoint: whether checkpoints hold the entries.
        name: a name for the operations.
    """

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any, deleted_key: Any,
                 num_shards: int = 1, checkpoint: bool = True, name: str = "ShardedMutableHashTable") -> None:
        self._default = convert_to_tensor(default_value, dtype=value_dtype)
        with name_scope(name, "sharded_mutable_hash_table"):
            self._tables = [MutableDenseHashTable(
                key_dtype, value_dtype, default_value, empty_key=empty_key, deleted_key=deleted_key,
                checkpoint=checkpoint, name=f"{name}-{number}-of-{num_shards}") for number in range(1, num_shards + 1)]

    def _shards(self, keys: Any) -> Any:
        first = keys if keys.shape.ndims == 1 else keys[:, 0]
        return math.cast(floor_mod(math.abs(first), len(self._tables)), dtypes.int32)

    def size(self, name: str | None = None) -> Any:
        """The number of entries."""
        with name_scope(name, "sharded_mutable_hash_table_size"):
            return math.add_n([table.size() for table in self._tables])

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys."""
        keys = convert_to_tensor(keys)
        with name_scope(name, "sharded_mutable_hash_table_lookup"):
            shards, count = self._shards(keys), len(self._tables)
            found = [table.lookup(part) for table, part in zip(
                self._tables, dynamic_partition(keys, shards, count), strict=True)]
            places = dynamic_partition(math.range(array.shape(keys)[0]), shards, count)
            values = dynamic_stitch(places, found)
            values.set_shape(keys.shape[:1].concatenate(self._default.shape))
            return values

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Gives keys values."""
        keys, values = convert_to_tensor(keys), convert_to_tensor(values)
        with name_scope(name, "sharded_mutable_hash_table_insert"):
            shards, count = self._shards(keys), len(self._tables)
            return group(*[table.insert(*parts) for table, *parts in zip(
                self._tables, dynamic_partition(keys, shards, count), dynamic_partition(values, shards, count),
                strict=True)])

    def export_sharded(self, name: str | None = None) -> tuple[list[Any], list[Any]]:
        """(the keys of each part, their values)."""
        with name_scope(name, "sharded_mutable_hash_table_export"):
            pairs = [table.export() for table in self._tables]
            return [keys for keys, _ in pairs], [values for _, values in pairs]

    def values_reduce_sum(self, name: str | None = None) -> Any:
        """The sum of all values."""
        _, values = self.export_sharded(name)
        return math.add_n([reduce_sum(each, 0) for each in values])
