"""Ops on lookup tables. Tables are objects of the session, so these ops run on the host."""

from __future__ import annotations

import numpy as np

from evergraph.base import errors
from evergraph.formats.vocabulary import TextEntries
from evergraph.graph.function import FuncGraph
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge, require_rank, scalar, with_rank
from evergraph.kernel.rows import Rows, even, one_by_one
from evergraph.ops.state.hash_table import DenseTable, MutableTable, StaticTable

_SHARING = "container: string = '', shared_name: string = '', use_node_name_sharing: bool = False"
_TYPES = "key_dtype: type, value_dtype: type"
_DENSE = ("value_dtype: type, value_shape: shape = [], initial_num_buckets: int = 131072, "
          "max_load_factor: float = 0.800000011920929")
# The dtypes of values that a table of each kind takes, by the dtype of its keys: those of TensorFlow's kernels.
_STATIC = {"int32": "int32 float32 float64 string", "int64": "int32 int64 float32 float64 string",
           "string": "int32 int64 float32 float64 string bool"}
_OF_TENSORS = {"int32": "int32 float32 float64", "int64": "int32 int64 float32 float64 string",
               "string": "int32 int64 float32 float64 bool"}
_MUTABLE = _OF_TENSORS | {"int64": "int32 int64 float32 float64 string variant"}
_OPEN = _OF_TENSORS | {"int64": "int32 int64 float32 float64 bool variant",
                       "string": "int32 int64 float32 float64 bool resource"}


# ---- the tables


def _shared(shared, node, make):
    table = shared(make)
    if node.attrs["shared_name"]:
        table.check_same(make())
    return table


def _name(node):
    return node.attrs["shared_name"] or node.name


def _check_types(node, kinds):
    key, value = node.attrs["key_dtype"], node.attrs["value_dtype"]
    if value.name not in kinds.get(key.name, "").split():
        wanted = f"{key.name} to {kinds[key.name]}" if key.name in kinds else f"{', '.join(kinds)} to others"
        raise errors.InvalidArgumentError(
            None, None, f"{node.type} maps no {key.name} to {value.name}; it maps {wanted}")


def _static(shared, node, key_dtype, value_dtype):
    """Creates a hash table that is initialized once."""
    _check_types(node, _STATIC)
    return _shared(shared, node, lambda: StaticTable(_name(node), key_dtype, value_dtype))


def _mutable(shared, node, key_dtype, value_dtype):
    """Creates a mutable hash table."""
    _check_types(node, _MUTABLE)
    return _shared(shared, node, lambda: MutableTable(_name(node), key_dtype, value_dtype))


def _of_tensors(shared, node, key_dtype, value_dtype, value_shape):
    """Creates a mutable hash table of vectors."""
    _check_types(node, _OF_TENSORS)
    if value_shape is None or len(value_shape) != 1:
        raise errors.InvalidArgumentError(
            None, None, f"Default value must be a vector in a table of tensors, got the shape {value_shape}")
    return _shared(shared, node, lambda: MutableTable(_name(node), key_dtype, value_dtype, value_shape))


def _pair(name, line, kernel, shape=None, stateful=False, **traits):
    """Declares a table op in both forms: with a reference handle, and with a resource handle.

    Args:
        name: the name of the older form.
        line: the signature after the name, with {} for the type of the handle.
        stateful: whether the older form is stateful; the newer always is.
        traits: the traits of both.
    """
    both = {"on": "host", "grad": STOP, "shape": shape, **traits}
    old = op(name + line.format("Ref(string)"), stateful=stateful, **both)(kernel)
    new = op(f"{name}V2" + line.format("resource"), stateful=True, **both)(kernel)
    return old, new


def _makers(name, attrs, kernel):
    """Declares the two ops that create a table."""
    line = f"(*, {_SHARING}, {attrs}) -> table_handle: {{}}"
    return _pair(name, line, kernel, scalar, stateful=True)


hash_table, hash_table_v2 = _makers("HashTable", _TYPES, _static)
mutable_hash_table, mutable_hash_table_v2 = _makers("MutableHashTable", _TYPES, _mutable)
mutable_hash_table_of_tensors, mutable_hash_table_of_tensors_v2 = _makers(
    "MutableHashTableOfTensors", f"{_TYPES}, value_shape: shape = []", _of_tensors)


@op(f"MutableDenseHashTable(empty_key: key_dtype, *, {_SHARING}, key_dtype: type, {_DENSE}) -> "
    "table_handle: Ref(string)", stateful=True, on="host", grad=STOP, shape=scalar)
def mutable_dense_hash_table(shared, node, empty_key, value_dtype, value_shape, initial_num_buckets, max_load_factor):
    """Creates a mutable hash table with open addressing."""
    return _dense(shared, node, empty_key, None, value_dtype, value_shape, initial_num_buckets, max_load_factor)


@op(f"MutableDenseHashTableV2(empty_key: key_dtype, deleted_key: key_dtype, *, {_SHARING}, key_dtype: type, {_DENSE}) "
    "-> table_handle: resource", stateful=True, on="host", grad=STOP, shape=scalar)
def mutable_dense_hash_table_v2(shared, node, empty_key, deleted_key, value_dtype, value_shape, initial_num_buckets,
                                max_load_factor):
    """Creates a mutable hash table with open addressing, from which entries can be removed."""
    return _dense(shared, node, empty_key, np.asarray(deleted_key), value_dtype, value_shape, initial_num_buckets,
                  max_load_factor)


def _dense(shared, node, empty, deleted, value_dtype, value_shape, buckets, load):
    _check_types(node, _OPEN)
    empty = np.asarray(empty)

    def make():
        return DenseTable(_name(node), empty.dtype, value_dtype, value_shape or (), empty, deleted, buckets, load)
    return _shared(shared, node, make)


# ---- operations on tables


def _find(table_handle, keys, default_value):
    """Looks up keys: the value of each, or the default."""
    return table_handle.find(keys, np.asarray(default_value))


@even
def _found_in_rows(call, node, values, count):
    """The keys of all rows at once."""
    table, keys, default = values
    if not isinstance(keys, Rows) or isinstance(default, Rows) or isinstance(table, DenseTable):
        return one_by_one(call, node, values, count)
    return [Rows(output) for output in call(table, keys.values, default)]


def _insert(table_handle, keys, values):
    """Inserts entries; overwrites existing keys."""
    table_handle.insert(keys, values)


def _size(table_handle):
    """The number of entries in a table."""
    return np.int64(len(table_handle))


def _export(table_handle):
    """All keys and values of a table."""
    return table_handle.export()


def _replace(table_handle, keys, values):
    """Replaces all entries of a table."""
    table_handle.replace(keys, values)


def _fill_from_text(table_handle, filename, key_index, value_index, vocab_size, delimiter):
    """Initializes a table from the lines of a text file."""
    path = np.asarray(filename).item()
    entries = TextEntries(path.decode("utf-8", "surrogateescape"), key_index, value_index, vocab_size, delimiter,
                          table_handle.key_dtype, table_handle.value_dtype)
    table_handle.fill(lambda: entries, len(entries))


def _found_shape(node, keys):
    """The keys' shape followed by a value's shape, if the table's op is known."""
    table = _maker(node.inputs[0])
    if keys is None or "value_dtype" not in table.attrs:
        return None
    if "DenseHashTable" in table.type:
        key_shape = table.inputs[0].shape.tuple
        if key_shape is None:
            return None
        keys = keys[:len(keys) - len(key_shape)]
    value_shape = table.attrs.get("value_shape", ())
    return None if value_shape is None else keys + tuple(value_shape)


def _maker(handle):
    """The op that creates a table, whatever functions capture its handle."""
    while isinstance(handle.graph, FuncGraph) and (outer := handle.graph.captured_by(handle)) is not None:
        handle = outer
    return handle.source


def _entry_shapes(keys, values):
    """Checks that there are as many keys as values."""
    merge(with_rank(keys, 1, "keys")[:1], with_rank(values, 1, "values")[:1])


def _text_shapes(filename):
    require_rank(filename, 0, "filename")


_ENTRIES = "(table_handle: {{}}, keys: {0}, values: {1}, *, {0}: type, {1}: type) -> ()"
lookup_table_find, lookup_table_find_v2 = _pair(
    "LookupTableFind", "(table_handle: {}, keys: Tin, default_value: Tout, *, Tin: type, Tout: type) -> values: Tout",
    _find, _found_shape, in_batches=_found_in_rows)
lookup_table_insert, lookup_table_insert_v2 = _pair("LookupTableInsert", _ENTRIES.format("Tin", "Tout"), _insert)
lookup_table_size, lookup_table_size_v2 = _pair("LookupTableSize", "(table_handle: {}) -> size: int64", _size, scalar)
lookup_table_export, lookup_table_export_v2 = _pair(
    "LookupTableExport", "(table_handle: {}, *, Tkeys: type, Tvalues: type) -> keys: Tkeys, values: Tvalues", _export,
    lambda: [None, None])
lookup_table_import, lookup_table_import_v2 = _pair("LookupTableImport", _ENTRIES.format("Tin", "Tout"), _replace)
initialize_table, initialize_table_v2 = _pair("InitializeTable", _ENTRIES.format("Tkey", "Tval"), _replace,
                                              _entry_shapes)
initialize_table_from_text_file, initialize_table_from_text_file_v2 = _pair(
    "InitializeTableFromTextFile",
    "(table_handle: {}, filename: string, *, key_index: int >= -2, value_index: int >= -2, vocab_size: int >= -1 = -1, "
    "delimiter: string = '\\t') -> ()", _fill_from_text, _text_shapes, later={"offset": 0}, outside=True)


@op("LookupTableRemoveV2(table_handle: resource, keys: Tin, *, Tin: type) -> ()", stateful=True, on="host", grad=STOP)
def lookup_table_remove_v2(table_handle, keys):
    """Removes entries; missing keys are ignored."""
    table_handle.remove(keys)
