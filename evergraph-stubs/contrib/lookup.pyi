# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.lookup."""

from evergraph import Operation, Tensor, tables_initializer as _tables_initializer
from evergraph.lookup import StaticHashTable, TextFileInitializer as _TextFileInitializer
from typing import Any, NamedTuple, Self

FastHashSpec: HasherSpec

class HashTable(StaticHashTable):
    """A table that is filled once and never changes."""
    def __init__(
        self, initializer: Any, default_value: Any, shared_name: Any = None, name: str | None = None,
    ) -> None: ...

class _HasherSpec(NamedTuple):
    hasher: Any
    key: Any

class HasherSpec(_HasherSpec):
    """How words find their bucket."""

class IdTableWithHashBuckets(LookupInterface):
    """A table of ids that also gives an id to words it does not know."""
    @property
    def name(self) -> Any: ...
    @property
    def initializer(self) -> Any:
        """The operation that fills the table of known words."""
    @property
    def init(self) -> Any:
        """The operation that fills the table of known words."""
    @property
    def resource_handle(self) -> Any: ...
    def size(self, name: str | None = None) -> Any:
        """How many different ids there are."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The id of each word; sparse if the words are sparse."""
    def __init__(
        self, table: Any, num_oov_buckets: Any, hasher_spec: Any = ..., name: str | None = None,
        key_dtype: Any = None,
    ) -> None: ...

class InitializableLookupTableBase(LookupInterface):
    """A table that is filled once, by `initializer`."""
    @property
    def default_value(self) -> Any: ...
    @property
    def initializer(self) -> Any: ...
    @property
    def init(self) -> Any: ...
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The value of each key, or the default; sparse if the keys are sparse."""
    @property
    def resource_handle(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    def size(self, name: str | None = None) -> Tensor: ...
    def __init__(self, default_value: Any, initializer: Any) -> None: ...

from evergraph.lookup import KeyValueTensorInitializer as KeyValueTensorInitializer

class LookupInterface:
    """Values by key."""
    @property
    def key_dtype(self) -> Any: ...
    @property
    def value_dtype(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    @property
    def resource_handle(self) -> Any:
        """The tensor that stands for the table."""
    def size(self, name: str | None = None) -> Any:
        """How many entries there are."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The value of each key."""
    def __init__(self, key_dtype: Any, value_dtype: Any) -> None: ...

class MutableDenseHashTable(LookupInterface):
    """A table that steps fill and empty, whose keys may be vectors: `tf.lookup.experimental.DenseHashTable`
    with a `shared_name`, which tables of one session have in common when they are one."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The value of each key, or the default; sparse if the keys are sparse."""
    def insert(self, keys: Any, values: Any, name: str | None = None) -> Operation:
        """An operation that adds entries; a key that is there gets the new value."""
    def remove(self, keys: Any, name: str | None = None) -> Operation:
        """An operation that forgets entries; keys that are not there are passed over."""
    def export(self, name: str | None = None) -> Any:
        """All keys, and their values."""
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
    """A table that steps fill and empty."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The value of each key, or the default; sparse if the keys are sparse."""
    def insert(self, keys: Any, values: Any, name: str | None = None) -> Operation:
        """An operation that adds entries; a key that is there gets the new value."""
    def remove(self, keys: Any, name: str | None = None) -> Operation:
        """An operation that forgets entries; keys that are not there are passed over."""
    def export(self, name: str | None = None) -> Any:
        """All keys, and their values."""
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
    """Words find their bucket by a hash with a secret of two integers."""
    def __new__(cls, key: Any) -> Self: ...

class TableInitializerBase:
    """What a table is filled with."""
    @property
    def key_dtype(self) -> Any: ...
    @property
    def value_dtype(self) -> Any: ...
    def initialize(self, table: Any) -> Any:
        """The operation that fills `table`."""
    def __init__(self, key_dtype: Any, value_dtype: Any) -> None: ...

class TextFileIdTableInitializer(_TextFileInitializer):
    """From lines to line numbers."""
    def __init__(
        self, filename: Any, key_column_index: Any = -2, value_column_index: Any = -1, vocab_size: Any = None,
        delimiter: Any = '\t', name: str = 'text_file_id_table_init', key_dtype: Any = ...,
    ) -> None: ...

from evergraph.lookup import TextFileIndex as TextFileIndex
from evergraph.lookup import TextFileInitializer as TextFileInitializer

class TextFileStringTableInitializer(_TextFileInitializer):
    """From line numbers to lines."""
    def __init__(
        self, filename: Any, key_column_index: Any = -1, value_column_index: Any = -2, vocab_size: Any = None,
        delimiter: Any = '\t', name: str = 'text_file_string_table_init',
    ) -> None: ...

def index_table_from_file(
    vocabulary_file: Any = None, num_oov_buckets: Any = 0, vocab_size: Any = None, default_value: Any = -1,
    hasher_spec: Any = ..., key_dtype: Any = ..., name: str | None = None, key_column_index: Any = -2,
    value_column_index: Any = -1, delimiter: Any = '\t',
) -> Any:
    """A table from the words in a file, a line each, to their ids."""

def index_table_from_tensor(
    mapping: Any, num_oov_buckets: Any = 0, default_value: Any = -1, hasher_spec: Any = ...,
    dtype: Any = ..., name: str | None = None,
) -> Any:
    """A table from the words in a vector to their places in it."""

def index_to_string(
    tensor: Any, mapping: Any, default_value: Any = 'UNK', name: str | None = None,
) -> Any:
    """The words at these places of a vector of words."""

def index_to_string_table_from_file(
    vocabulary_file: Any, vocab_size: Any = None, default_value: Any = 'UNK', name: str | None = None,
    key_column_index: Any = -1, value_column_index: Any = -2, delimiter: Any = '\t',
) -> HashTable:
    """A table from ids to the words in a file, a line each; `default_value` is the word of ids that have
    none."""

def index_to_string_table_from_tensor(
    mapping: Any, default_value: Any = 'UNK', name: str | None = None,
) -> HashTable:
    """A table from places in a vector of words to the words; `default_value` is the word of ids that have
    none."""

initialize_all_tables = _tables_initializer

def string_to_index(tensor: Any, mapping: Any, default_value: Any = -1, name: str | None = None) -> Any:
    """The places of words in a vector of words."""

def string_to_index_table_from_file(
    vocabulary_file: Any = None, num_oov_buckets: Any = 0, vocab_size: Any = None, default_value: Any = -1,
    hasher_spec: Any = ..., name: str | None = None,
) -> Any:
    """`index_table_from_file` by its older name."""

def string_to_index_table_from_tensor(
    mapping: Any, num_oov_buckets: Any = 0, default_value: Any = -1, hasher_spec: Any = ...,
    name: str | None = None,
) -> Any:
    """`index_table_from_tensor` by its older name."""

from evergraph import tables_initializer as tables_initializer
