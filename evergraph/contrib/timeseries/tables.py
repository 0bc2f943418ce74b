"""Hash tables whose values are tensors of any shape, or structures of them."""

from __future__ import annotations

from typing import Any

from evergraph.base import nest
from evergraph.frontend import array
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.lookup import MutableDenseHashTable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor


class _TensorTable:
    """A table of tensors, each kept as a vector."""

    def __init__(self, key_dtype: Any, default: Any, empty_key: Any, deleted_key: Any, name: str,
                 checkpoint: bool) -> None:
        value = convert_to_tensor(default)
        self._shape = value.shape
        self._table = MutableDenseHashTable(
            key_dtype, value.dtype, array.reshape(value, [-1]), convert_to_tensor(empty_key, key_dtype),
            convert_to_tensor(deleted_key, key_dtype), checkpoint=checkpoint, name=name)

    def lookup(self, keys: Any) -> Tensor:
        keys = convert_to_tensor(keys, self._table.key_dtype)
        found = self._table.lookup(keys)
        return array.reshape(found, array.concat([array.shape(keys), self._shape.as_list()], 0))

    def insert(self, keys: Any, values: Any) -> Operation:
        keys = convert_to_tensor(keys, self._table.key_dtype)
        size = self._shape.num_elements()
        flat = array.reshape(values, array.concat([array.shape(keys), [size]], 0))
        return self._table.insert(keys, flat)


class TupleOfTensorsLookup:
    """A table from integers to structures of tensors.

    Args:
        key_dtype: that of the keys.
        default_values: what a key has that was not inserted: a structure of tensors of known shapes.
        empty_key: a key that is never used.
        deleted_key: another one.
        name: the prefix of the tables' names.
        checkpoint: whether checkpoints hold the tables.
    """

    def __init__(self, key_dtype: Any, default_values: Any, empty_key: Any, deleted_key: Any, name: str,
                 checkpoint: bool = True) -> None:
        self._structure = default_values
        self._tables = [_TensorTable(key_dtype, each, empty_key, deleted_key, f"{name}_{number}", checkpoint)
                        for number, each in enumerate(nest.flatten(default_values))]

    def lookup(self, keys: Any) -> Any:
        """The structures of some keys, along a first axis of each tensor."""
        return nest.pack_sequence_as(self._structure, [table.lookup(keys) for table in self._tables])

    def insert(self, keys: Any, values: Any) -> Operation:
        """Inserts structures for keys.

        Args:
            keys: a vector.
            values: a structure of tensors with a first axis of keys.
        """
        nest.assert_same_structure(self._structure, values)
        return group(*(table.insert(keys, each) for table, each in zip(self._tables, nest.flatten(values))))


def parameter_switch(parameter_overrides: Any) -> Any:
    """A function from a tensor to the value that is given for it, or else to its own value in the default session.

    Args:
        parameter_overrides: from tensors to values.
    """
    return lambda parameter: parameter_overrides[parameter] if parameter in parameter_overrides else parameter.eval()


