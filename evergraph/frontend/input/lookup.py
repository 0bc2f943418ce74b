"""tf.lookup: static and mutable hash tables."""

from __future__ import annotations

import uuid

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.formats.vocabulary import LINE_NUMBER, WHOLE_LINE
from evergraph.frontend.blocks import colocate_with, init_scope, name_scope
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.traits import Kind
from evergraph.ops.state import lookup as ops


@export("tables_initializer", "initializers.tables_initializer", "initialize_all_tables",
        "contrib.lookup.tables_initializer", "contrib.lookup.initialize_all_tables")
def tables_initializer(name="init_all_tables"):
    """An operation that initializes all tables of the graph."""
    return group(*get_collection(GraphKeys.TABLE_INITIALIZERS), name=name)


# ---- initializers


@export("contrib.lookup.TableInitializerBase")
class TableInitializerBase:
    """The base of initializers of tables from `key_dtype` to `value_dtype`. Subclasses implement `initialize`."""

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)

    def initialize(self, table):
        """The operation that initializes `table`."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it fills a table")

    @property
    def _shared_name(self):
        """A name that two tables share only if their content is equal."""
        return f"hash_table_{uuid.uuid4()}"

    def _check_fits(self, table):
        if (table.key_dtype, table.value_dtype) != (self.key_dtype, self.value_dtype):
            raise TypeError(f"the initializer makes {self.key_dtype.name} -> {self.value_dtype.name}, the table wants "
                            f"{table.key_dtype.name} -> {table.value_dtype.name}")


@export("lookup.KeyValueTensorInitializer", "contrib.lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer(TableInitializerBase):
    """A table initializer from two tensors: keys and values.

    Args:
        keys, values: vectors of one size, or values that convert to them.
        key_dtype, value_dtype: their dtypes; by default inferred.
        name: the name of the initialization operation.
    """

    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None):
        with init_scope():
            self._keys = convert_to_tensor(keys, dtype=key_dtype, name="keys")
            self._values = convert_to_tensor(values, dtype=value_dtype, name="values")
        self._name = name or "key_value_init"
        super().__init__(self._keys.dtype, self._values.dtype)

    def fill(self, handle):
        """The operation that puts the entries into the table of a handle."""
        return ops.lookup_table_import_v2(handle, self._keys, self._values)

    def initialize(self, table):
        self._check_fits(table)
        self._keys.shape.merge_with(self._values.shape)
        with name_scope(self._name):
            filled = self.fill(table.resource_handle)
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, filled)
        return filled


@export("lookup.TextFileIndex", "contrib.lookup.TextFileIndex")
class TextFileIndex:
    """Sources of a key or value in a text file other than a column number."""

    WHOLE_LINE = WHOLE_LINE
    LINE_NUMBER = LINE_NUMBER


@export("lookup.TextFileInitializer", "contrib.lookup.TextFileInitializer")
class TextFileInitializer(TableInitializerBase):
    """A table initializer from the lines of a text file, which is read at initialization.

    Args:
        filename: the path, as text or tensor. An exported model includes the file as an asset.
        key_dtype, value_dtype: string, or the dtype of numbers in the text; int64 for line numbers.
        key_index, value_index: a column number, or a TextFileIndex.
        vocab_size: the number of lines to read; None for all.
        delimiter: the separator of columns.
        name: the name of the initialization operation.

    Raises:
        ValueError: a column or size is out of range, or a dtype is invalid for its source.
    """

    def __init__(self, filename, key_dtype, key_index, value_dtype, value_index, vocab_size=None, delimiter="\t",
                 name=None):
        if not hasattr(filename, "dtype") and not filename:
            raise ValueError("TextFileInitializer needs the name of a file")
        super().__init__(key_dtype, value_dtype)
        self._check_column("key", key_index, self.key_dtype)
        self._check_column("value", value_index, self.value_dtype)
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"vocab_size must be positive, got {vocab_size}")
        with init_scope():
            self._path, self._filename = filename, convert_to_tensor(filename, dtype=dtypes.string, name="asset_path")
        self._columns = key_index, value_index
        self._vocab_size, self._delimiter = -1 if vocab_size is None else vocab_size, delimiter
        self._name = name or "text_file_init"

    @staticmethod
    def _check_column(what, index, dtype):
        if index < WHOLE_LINE:
            raise ValueError(f"{what}_index must be at least {WHOLE_LINE}, got {index}")
        if index == LINE_NUMBER and dtype != dtypes.int64:
            raise ValueError(f"{what}_dtype must be int64 when {what}_index asks for line numbers, got {dtype.name}")
        if index == WHOLE_LINE and not (dtype.is_integer or dtype == dtypes.string):
            raise ValueError(f"{what}_dtype must be string or an integer when {what}_index asks for whole lines, got "
                             f"{dtype.name}")

    def fill(self, handle):
        """The operation that reads the file into the table of a handle."""
        return ops.initialize_table_from_text_file_v2(
            handle, self._filename, *self._columns, self._vocab_size, self._delimiter)

    def initialize(self, table):
        self._check_fits(table)
        with name_scope(self._name):
            filled = self.fill(table.resource_handle)
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, filled)
        if self._filename.source.opdef.kind is Kind.CONSTANT:
            add_to_collection(GraphKeys.ASSET_FILEPATHS, self._filename)
        return filled

    @property
    def _shared_name(self):
        size = "" if self._vocab_size == -1 else f"{self._vocab_size}_"
        named = self._path.name if hasattr(self._path, "dtype") else self._path
        return f"hash_table_{named}_{size}{self._columns[0]}_{self._columns[1]}"


@export("contrib.lookup.TextFileStringTableInitializer")
class TextFileStringTableInitializer(TextFileInitializer):
    """A table initializer that maps line numbers to lines.

    Args:
        filename: a file with one entry a line.
        key_column_index: the column of the keys, or a member of `tf.lookup.TextFileIndex`.
        value_column_index: the column of the values, or a member of it.
        vocab_size: how many lines there are; by default they are counted.
        delimiter: between the columns.
    """

    def __init__(self, filename, key_column_index=TextFileIndex.LINE_NUMBER,
                 value_column_index=TextFileIndex.WHOLE_LINE, vocab_size=None, delimiter="\t",
                 name="text_file_string_table_init"):
        super().__init__(filename, dtypes.int64, key_column_index, dtypes.string, value_column_index, vocab_size,
                         delimiter, name)


@export("contrib.lookup.TextFileIdTableInitializer")
class TextFileIdTableInitializer(TextFileInitializer):
    """A table initializer that maps lines to line numbers.

    Args:
        filename: a file with one entry a line.
        key_column_index: the column of the keys, or a member of `tf.lookup.TextFileIndex`.
        value_column_index: the column of the values, or a member of it.
        vocab_size: how many lines there are; by default they are counted.
        delimiter: between the columns.
        key_dtype: the dtype of the keys.
    """

    def __init__(self, filename, key_column_index=TextFileIndex.WHOLE_LINE,
                 value_column_index=TextFileIndex.LINE_NUMBER, vocab_size=None, delimiter="\t",
                 name="text_file_id_table_init", key_dtype=dtypes.string):
        super().__init__(filename, key_dtype, key_column_index, dtypes.int64, value_column_index, vocab_size, delimiter,
                         name)


# ---- tables


@export("contrib.lookup.LookupInterface")
class LookupInterface:
    """The base of lookup tables, which map keys of `key_dtype` to values of `value_dtype`."""

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)

    @property
    def name(self):
        """The name of the table."""
        raise NotImplementedError(f"{type(self).__name__} has no name")

    @property
    def resource_handle(self):
        """The tensor with the table's handle."""
        raise NotImplementedError(f"{type(self).__name__} has no tensor that stands for it")

    def size(self, name=None):
        """The number of entries."""
        raise NotImplementedError(f"{type(self).__name__} does not say how large it is")

    def lookup(self, keys, name=None):
        """Looks up the value of each key."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to look keys up")

    def _checked_keys(self, keys):
        """`keys` as a tensor of the table's dtype, and a function that makes a result sparse if they are."""
        if isinstance(keys, SparseTensor):
            values, wrap = keys.values, lambda found: SparseTensor(keys.indices, found, keys.dense_shape)
        else:
            values, wrap = convert_to_tensor(keys, dtype=None if hasattr(keys, "dtype") else self._key_dtype), _as_is
        if values.dtype.base_dtype != self._key_dtype:
            raise TypeError(f"table {self.name} has {self._key_dtype.name} keys, asked for {values.dtype.name}")
        return values, wrap


def _as_is(found):
    return found


class _HandledTable(LookupInterface):
    """A table of the session, accessed by its handle."""

    def __init__(self, handle, default_value, key_dtype, value_dtype):
        super().__init__(key_dtype, value_dtype)
        self._handle, self._default_value = handle, default_value

    resource_handle = property(lambda self: self._handle)
    name = property(lambda self: self._handle.source.name.rpartition("/")[2])

    def size(self, name=None):
        with name_scope(name or f"{self.name}_Size"), colocate_with(self._handle):
            return ops.lookup_table_size_v2(self._handle)

    def _find(self, keys, scope):
        values, wrap = self._checked_keys(keys)
        with name_scope(scope), colocate_with(self._handle):
            return wrap(ops.lookup_table_find_v2(self._handle, values, self._default_value))

    def _exported(self, scope):
        with name_scope(scope), colocate_with(self._handle):
            return ops.lookup_table_export_v2(self._handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype)


@export("contrib.lookup.InitializableLookupTableBase")
class InitializableLookupTableBase(_HandledTable):
    """A table that is initialized once, by `initializer`.

    Args:
        default_value: the value of missing keys.
        initializer: a TableInitializerBase.
    """

    def __init__(self, default_value, initializer):
        with init_scope():  # a table of a function or loop lives, and is initialized, outside
            default = convert_to_tensor(default_value, dtype=initializer.value_dtype)
            default.shape.merge_with(TensorShape([]))
            super().__init__(self._create_resource(initializer), default, initializer.key_dtype,
                             initializer.value_dtype)
            self._initializer = initializer
            self._init_op = initializer.initialize(self)

    def _create_resource(self, initializer):
        raise NotImplementedError(f"{type(self).__name__} does not say how its table is made")

    default_value = property(lambda self: self._default_value)
    initializer = property(lambda self: self._init_op)
    init = initializer

    def lookup(self, keys, name=None):
        """Looks up the value of each key, or the default; sparse if the keys are sparse."""
        return self._find(keys, name or f"{self.name}_Lookup")


@export("lookup.StaticHashTable")
class StaticHashTable(InitializableLookupTableBase):
    """An immutable hash table, initialized once.

    Args:
        initializer: a TableInitializerBase.
        default_value: the value of missing keys.
        name: the table's name.
    """

    def __init__(self, initializer, default_value, name=None):
        self._asked_name, self._asked_sharing = name or "hash_table", None
        super().__init__(default_value, initializer)

    def _create_resource(self, initializer):
        return ops.hash_table_v2(key_dtype=initializer.key_dtype, value_dtype=initializer.value_dtype,
                                 shared_name=self._asked_sharing or initializer._shared_name, name=self._asked_name)

    def export(self, name=None):
        """All keys and values."""
        keys, values = self._exported(name or f"{self.name}_Export")
        keys.set_shape([None])
        values.set_shape([None])
        return keys, values


@export("contrib.lookup.HashTable")
class HashTable(StaticHashTable):
    """An immutable hash table, initialized once.

    Args:
        initializer: a TableInitializerBase.
        default_value: the value of missing keys.
        shared_name: tables with the same shared name in a session share their state.
        name: the table's name.
    """

    def __init__(self, initializer, default_value, shared_name=None, name=None):
        self._asked_name, self._asked_sharing = name or "hash_table", shared_name
        InitializableLookupTableBase.__init__(self, default_value, initializer)


# ---- mutable tables


class _TableSaveable(SaveableObject):
    """The saveable object of a table: its keys and values in a checkpoint."""

    def __init__(self, table, name):
        keys, values = table.export()
        super().__init__(table, [SaveSpec(keys, "", f"{name}-keys"), SaveSpec(values, "", f"{name}-values")], name)

    def restore(self, restored_tensors, restored_shapes):
        table = self.op
        with name_scope(f"{table.name}_table_restore"), colocate_with(table.resource_handle):
            return ops.lookup_table_import_v2(table.resource_handle, *restored_tensors)


class _MutableTable(_HandledTable):
    """A mutable table. Updates of a failed step are not rolled back."""

    def __init__(self, handle, default_value, key_dtype, value_dtype, checkpoint, name):
        super().__init__(handle, default_value, key_dtype, value_dtype)
        if checkpoint:
            # TensorFlow saves a table under the name that it was given, without the name scope around it.
            add_to_collection(GraphKeys.SAVEABLE_OBJECTS, _TableSaveable(self, name))

    def _gather_saveables_for_checkpoint(self):
        """The saveables of a table for tf.train.Checkpoint."""
        return {"table": lambda name="table": _TableSaveable(self, name)}

    def lookup(self, keys, name=None):
        """Looks up the value of each key, or the default; sparse if the keys are sparse."""
        if not isinstance(keys, SparseTensor):
            keys = convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
        return self._find(keys, name or f"{self.name}_lookup_table_find")

    def insert(self, keys, values, name=None):
        """An operation that inserts entries; overwrites existing keys."""
        keys = convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
        with name_scope(name or f"{self.name}_lookup_table_insert"), colocate_with(self._handle):
            values = convert_to_tensor(values, dtype=self._value_dtype, name="values")
            return ops.lookup_table_insert_v2(self._handle, keys, values)

    def remove(self, keys, name=None):
        """An operation that removes entries; missing keys are ignored."""
        keys, _ = self._checked_keys(keys)
        with name_scope(name or f"{self.name}_lookup_table_remove"):
            return ops.lookup_table_remove_v2(self._handle, keys)

    def export(self, name=None):
        """All keys and values."""
        return self._exported(name or f"{self.name}_lookup_table_export_values")


@export("contrib.lookup.MutableHashTable")
class MutableHashTable(_MutableTable):
    """A mutable hash table.

    Args:
        key_dtype, value_dtype: the dtypes of keys and values.
        default_value: the value of missing keys; its shape, () or (n,), is that of all values.
        shared_name: tables with the same shared name in a session share their state.
        name: the table's name.
        checkpoint: whether checkpoints include the table.
    """

    def __init__(self, key_dtype, value_dtype, default_value, shared_name=None, name="MutableHashTable",
                 checkpoint=True):
        default = convert_to_tensor(default_value, dtype=value_dtype)
        form = {"key_dtype": key_dtype, "value_dtype": value_dtype, "shared_name": shared_name or "",
                "use_node_name_sharing": checkpoint and shared_name is None, "name": name}
        if default.shape.ndims == 0:
            handle = ops.mutable_hash_table_v2(**form)
        else:
            handle = ops.mutable_hash_table_of_tensors_v2(value_shape=default.shape, **form)
        super().__init__(handle, default, key_dtype, value_dtype, checkpoint, name)


class _DenseTable(_MutableTable):
    def __init__(self, key_dtype, value_dtype, default_value, empty_key, deleted_key, initial_num_buckets, shared_name,
                 name, checkpoint):
        default = convert_to_tensor(default_value, dtype=value_dtype, name="default_value")
        empty = convert_to_tensor(empty_key, dtype=key_dtype, name="empty_key")
        deleted = convert_to_tensor(deleted_key, dtype=key_dtype, name="deleted_key")
        handle = ops.mutable_dense_hash_table_v2(
            empty, deleted, value_dtype=value_dtype, value_shape=default.shape, shared_name=shared_name or "",
            use_node_name_sharing=checkpoint and shared_name is None,
            initial_num_buckets=131072 if initial_num_buckets is None else initial_num_buckets, name=name)
        super().__init__(handle, default, key_dtype, value_dtype, checkpoint, name)


@export("lookup.experimental.DenseHashTable")
class DenseHashTable(_DenseTable):
    """A mutable hash table with open addressing, whose keys may be vectors.

    Args:
        key_dtype, value_dtype: the dtypes of keys and values.
        default_value: the value of missing keys; its shape is that of all values.
        empty_key: a reserved key that marks empty buckets.
        deleted_key: a reserved key that marks deleted entries.
        initial_num_buckets: the initial number of buckets, a power of two.
        name: the table's name.
        checkpoint: whether checkpoints include the table.
    """

    def __init__(self, key_dtype, value_dtype, default_value, empty_key, deleted_key, initial_num_buckets=None,
                 name="MutableDenseHashTable", checkpoint=True):
        super().__init__(key_dtype, value_dtype, default_value, empty_key, deleted_key, initial_num_buckets, None, name,
                         checkpoint)

    def insert_or_assign(self, keys, values, name=None):
        """As `insert`."""
        return self.insert(keys, values, name)

    def erase(self, keys, name=None):
        """As `remove`."""
        return self.remove(keys, name)


@export("contrib.lookup.MutableDenseHashTable")
class MutableDenseHashTable(_DenseTable):
    """A mutable hash table with open addressing: see `tf.lookup.experimental.DenseHashTable`.

    Tables of one session that have one `shared_name` share their state.
    """

    def __init__(self, key_dtype, value_dtype, default_value, empty_key, deleted_key, initial_num_buckets=None,
                 shared_name=None, name="MutableDenseHashTable", checkpoint=True):
        super().__init__(key_dtype, value_dtype, default_value, empty_key, deleted_key, initial_num_buckets,
                         shared_name, name, checkpoint)
