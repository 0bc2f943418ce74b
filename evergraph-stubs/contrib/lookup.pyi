# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.lookup."""

from evergraph import Operation, Tensor, tables_initializer as _tables_initializer
from evergraph.lookup import StaticHashTable, TextFileInitializer as _TextFileInitializer
from typing import Any, NamedTuple, Self

FastHashSpec: HasherSpec

class HashTable(StaticHashTable):
    """An immutable hash table, initialized once."""
    def __init__(
        self, initializer: Any, default_value: Any, shared_name: Any = None, name: str | None = None,
    ) -> None: ...

class _HasherSpec(NamedTuple):
    hasher: Any
    key: Any

class HasherSpec(_HasherSpec):
    """The hash function for out-of-vocabulary words."""

class IdTableWithHashBuckets(LookupInterface):
    """A table of ids with hash buckets for out-of-vocabulary words."""
    @property
    def name(self) -> Any:
        """The name of the table."""
    @property
    def initializer(self) -> Any:
        """The operation that initializes the table of known words."""
    @property
    def init(self) -> Any:
        """The operation that initializes the table of known words."""
    @property
    def resource_handle(self) -> Any: ...
    def size(self, name: str | None = None) -> Any:
        """The number of ids."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Looks up the id of each word; sparse if the words are sparse."""
    def __init__(
        self, table: Any, num_oov_buckets: Any, hasher_spec: Any = ..., name: str | None = None,
        key_dtype: Any = None,
    ) -> None: ...

class InitializableLookupTableBase(LookupInterface):
    """A table that is initialized once, by `initializer`."""
    @property
    def default_value(self) -> Any: ...
    @property
    def initializer(self) -> Any: ...
    @property
    def init(self) -> Any: ...
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Looks up the value of each key, or the default; sparse if the keys are sparse."""
    @property
    def resource_handle(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    def size(self, name: str | None = None) -> Tensor: ...
    def __init__(self, default_value: Any, initializer: Any) -> None: ...

from evergraph.lookup import KeyValueTensorInitializer as KeyValueTensorInitializer

class LookupInterface:
    """The base of lookup tables, which map keys of `key_dtype` to values of `value_dtype`."""
    @property
    def key_dtype(self) -> Any: ...
    @property
    def value_dtype(self) -> Any: ...
    @property
    def name(self) -> Any:
        """The name of the table."""
    @property
    def resource_handle(self) -> Any:
        """The tensor with the table's handle."""
    def size(self, name: str | None = None) -> Any:
        """The number of entries."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Looks up the value of each key."""
    def __init__(self, key_dtype: Any, value_dtype: Any) -> None: ...

class MutableDenseHashTable(LookupInterface):
    """A mutable hash table with open addressing: see `tf.lookup.experimental.DenseHashTable`."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Looks up the value of each key, or the default; sparse if the keys are sparse."""
    def insert(self, keys: Any, values: Any, name: str | None = None) -> Operation:
        """An operation that inserts entries; overwrites existing keys."""
    def remove(self, keys: Any, name: str | None = None) -> Operation:
        """An operation that removes entries; missing keys are ignored."""
    def export(self, name: str | None = None) -> Any:
        """All keys and values."""
    @property
    def resource_handle(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    def size(self, name: str | None = None) -> Tensor: ...
    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any, deleted_key: Any,
        initial_num_buckets: Any = None, shared_name: Any = None, name: str = 'MutableDenseHashTable',
        checkpoint: Any = True,
    ) -> None: ...

class MutableHashTable(LookupInterface):
    """A mutable hash table."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Looks up the value of each key, or the default; sparse if the keys are sparse."""
    def insert(self, keys: Any, values: Any, name: str | None = None) -> Operation:
        """An operation that inserts entries; overwrites existing keys."""
    def remove(self, keys: Any, name: str | None = None) -> Operation:
        """An operation that removes entries; missing keys are ignored."""
    def export(self, name: str | None = None) -> Any:
        """All keys and values."""
    @property
    def resource_handle(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    def size(self, name: str | None = None) -> Tensor: ...
    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, shared_name: Any = None,
        name: str = 'MutableHashTable', checkpoint: Any = True,
    ) -> None: ...

class StrongHashSpec(HasherSpec):
    """A keyed hash for out-of-vocabulary words, which resists deliberate collisions."""
    def __new__(cls, key: Any) -> Self: ...

class TableInitializerBase:
    """The base of initializers of tables from `key_dtype` to `value_dtype`."""
    @property
    def key_dtype(self) -> Any: ...
    @property
    def value_dtype(self) -> Any: ...
    def initialize(self, table: Any) -> Any:
        """The operation that initializes `table`."""
    def __init__(self, key_dtype: Any, value_dtype: Any) -> None: ...

class TextFileIdTableInitializer(_TextFileInitializer):
    """A table initializer that maps lines to line numbers."""
    def __init__(
        self, filename: Any, key_column_index: Any = -2, value_column_index: Any = -1, vocab_size: Any = None,
        delimiter: Any = '\t', name: str = 'text_file_id_table_init', key_dtype: Any = ...,
    ) -> None: ...

from evergraph.lookup import TextFileIndex as TextFileIndex
from evergraph.lookup import TextFileInitializer as TextFileInitializer

class TextFileStringTableInitializer(_TextFileInitializer):
    """A table initializer that maps line numbers to lines."""
    def __init__(
        self, filename: Any, key_column_index: Any = -1, value_column_index: Any = -2, vocab_size: Any = None,
        delimiter: Any = '\t', name: str = 'text_file_string_table_init',
    ) -> None: ...

def index_table_from_file(
    vocabulary_file: Any = None, num_oov_buckets: Any = 0, vocab_size: Any = None, default_value: Any = -1,
    hasher_spec: Any = ..., key_dtype: Any = ..., name: str | None = None, key_column_index: Any = -2,
    value_column_index: Any = -1, delimiter: Any = '\t',
) -> Any:
    """A table from the words in a file, one per line, to their ids."""

def index_table_from_tensor(
    mapping: Any, num_oov_buckets: Any = 0, default_value: Any = -1, hasher_spec: Any = ...,
    dtype: Any = ..., name: str | None = None,
) -> Any:
    """A table from the words in a vector to their indices."""

def index_to_string(
    tensor: Any, mapping: Any, default_value: Any = 'UNK', name: str | None = None,
) -> Any:
    """The words at these indices of a vector of words."""

def index_to_string_table_from_file(
    vocabulary_file: Any, vocab_size: Any = None, default_value: Any = 'UNK', name: str | None = None,
    key_column_index: Any = -1, value_column_index: Any = -2, delimiter: Any = '\t',
) -> HashTable:
    """A table from ids to the words in a file, one per line; `default_value` is the word of unknown ids."""

def index_to_string_table_from_tensor(
    mapping: Any, default_value: Any = 'UNK', name: str | None = None,
) -> HashTable:
    """A table from indices to the words in a vector; `default_value` is the word of unknown indices."""

initialize_all_tables = _tables_initializer

def string_to_index(tensor: Any, mapping: Any, default_value: Any = -1, name: str | None = None) -> Any:
    """The indices of words in a vector of words."""

def string_to_index_table_from_file(
    vocabulary_file: Any = None, num_oov_buckets: Any = 0, vocab_size: Any = None, default_value: Any = -1,
    hasher_spec: Any = ..., name: str | None = None,
) -> Any:
    """The older name of `index_table_from_file`; see there."""

def string_to_index_table_from_tensor(
    mapping: Any, num_oov_buckets: Any = 0, default_value: Any = -1, hasher_spec: Any = ...,
    name: str | None = None,
) -> Any:
    """The older name of `index_table_from_tensor`; see there."""

from evergraph import tables_initializer as tables_initializer
