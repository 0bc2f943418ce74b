"""Vocabulary tables from words to ids and back, with hash buckets for out-of-vocabulary words."""

from __future__ import annotations

import collections

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.array import constant, size
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import where_v2
from evergraph.frontend.input.lookup import (
    HashTable,
    KeyValueTensorInitializer,
    LookupInterface,
    StaticHashTable,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileStringTableInitializer,
)
from evergraph.frontend.math import cast, range
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math.elementwise import add_v2, not_equal
from evergraph.ops.strings.hashing import string_to_hash_bucket_fast, string_to_hash_bucket_strong
from evergraph.ops.strings.numbers import as_string


@export("contrib.lookup.HasherSpec")
class HasherSpec(collections.namedtuple("HasherSpec", ["hasher", "key"])):
    """The hash function for out-of-vocabulary words.

    Args:
        hasher: "fasthash", or "stronghash", which resists deliberate collisions.
        key: the strong hash's key of two integers; None for the other.
    """

    __slots__ = ()


FastHashSpec = HasherSpec("fasthash", None)
export("contrib.lookup.FastHashSpec")(FastHashSpec)


@export("contrib.lookup.StrongHashSpec")
class StrongHashSpec(HasherSpec):
    """A keyed hash for out-of-vocabulary words, which resists deliberate collisions."""

    __slots__ = ()

    def __new__(cls, key):
        if len(key) != 2:
            raise ValueError(f"the key of a strong hash is two integers, got {key}")
        if not all(isinstance(part, int) for part in key):
            raise TypeError(f"the key of a strong hash is two integers, got {key}")
        return super().__new__(cls, "stronghash", tuple(key))


class _Buckets(LookupInterface):
    """Ids from an optional table, and hash buckets after its ids for out-of-vocabulary words."""

    def __init__(self, table, count, spec, key_dtype, name):
        super().__init__(key_dtype, dtypes.int64)
        self._table, self._count, self._spec, self._name = table, count, spec, name

    @property
    def name(self):
        """The name of the table."""
        return self._name

    @property
    def initializer(self):
        """The operation that initializes the table of known words."""
        if self._table is not None:
            return self._table.initializer
        with name_scope("init"):
            return no_op()

    init = initializer

    @property
    def resource_handle(self):
        return None if self._table is None else self._table.resource_handle

    def size(self, name=None):
        """The number of ids."""
        with name_scope(name or f"{self.name}_Size"):
            known = constant(0, dtypes.int64) if self._table is None else self._table.size()
            return known + self._count

    def lookup(self, keys, name=None):
        """Looks up the id of each word; sparse if the words are sparse."""
        values, wrap = self._checked_keys(keys)
        if self._table is not None and self._table.key_dtype == dtypes.int64:
            values = cast(values, dtypes.int64)
        if not self._count:
            return wrap(self._table.lookup(values, name))
        with name_scope(name or f"{self.name}_Lookup"):
            buckets = self._bucket(values)
            if self._table is None:
                return wrap(buckets)
            ids = self._table.lookup(values)
            buckets = add_v2(buckets, self._table.size(), name="Add")
            return wrap(where_v2(not_equal(ids, self._table.default_value), ids, buckets))

    def _bucket(self, values):
        words = values if values.dtype == dtypes.string else as_string(values)
        if self._spec.hasher == "fasthash":
            return string_to_hash_bucket_fast(words, self._count, name="hash_bucket")
        if self._spec.hasher != "stronghash":
            raise ValueError(f"there is no hash {self._spec.hasher!r}; there are 'fasthash' and 'stronghash'")
        return string_to_hash_bucket_strong(words, self._count, list(self._spec.key), name="hash_bucket")


def _check_hasher(spec):
    if not isinstance(spec, HasherSpec):
        raise TypeError(f"hasher_spec must be a HasherSpec, got {type(spec).__name__}")


@export("contrib.lookup.IdTableWithHashBuckets")
class IdTableWithHashBuckets(_Buckets):
    """A table of ids with hash buckets for out-of-vocabulary words.

    Args:
        table: from words to int64 ids; None for no known words.
        num_oov_buckets: the number of ids for out-of-vocabulary words, after those of the table.
        hasher_spec: the hash function.
        name: the table's name.
        key_dtype: string or an integer type; by default that of the table, or string.

    Raises:
        TypeError: the table's dtypes are invalid.
        ValueError: there is neither a table nor a bucket.
    """

    def __init__(self, table, num_oov_buckets, hasher_spec=FastHashSpec, name=None, key_dtype=None):
        if table is None and num_oov_buckets <= 0:
            raise ValueError(f"without a table there must be buckets, got num_oov_buckets {num_oov_buckets}")
        key_dtype = dtypes.as_dtype(key_dtype or (dtypes.string if table is None else table.key_dtype))
        if not (key_dtype.is_integer or key_dtype == dtypes.string):
            raise TypeError(f"Invalid key_dtype {key_dtype.name}: keys are strings or integers")
        if table is not None:
            wanted = dtypes.int64 if key_dtype.is_integer else key_dtype
            if table.key_dtype != wanted:
                raise TypeError(f"{key_dtype.name} keys need a table of {wanted.name}, got {table.key_dtype.name}")
            if table.value_dtype != dtypes.int64:
                raise TypeError(f"the values of the table must be int64, got {table.value_dtype.name}")
        _check_hasher(hasher_spec)
        super().__init__(table, num_oov_buckets, hasher_spec, key_dtype,
                         name or (table.name if table is not None else "hash_bucket"))


@export("lookup.StaticVocabularyTable")
class StaticVocabularyTable(_Buckets):
    """A vocabulary: ids for known words, and hash buckets for out-of-vocabulary words.

    Args:
        initializer: maps each known word to its id (int64); None for no known words.
        num_oov_buckets: the number of ids for out-of-vocabulary words, after those of the known ones.
        lookup_key_dtype: the dtype of the words; by default the initializer's, or string.
        name: the table's name.

    Raises:
        TypeError: the initializer's dtypes are invalid.
        ValueError: there are no buckets.
    """

    def __init__(self, initializer, num_oov_buckets, lookup_key_dtype=None, name=None):
        if num_oov_buckets <= 0:
            raise ValueError(f"num_oov_buckets must be positive, got {num_oov_buckets}; without buckets a "
                             "StaticHashTable does")
        table = None
        if initializer is not None:
            if not (initializer.key_dtype.is_integer or initializer.key_dtype == dtypes.string):
                raise TypeError(f"words must be strings or integers, got {initializer.key_dtype.name}")
            if initializer.value_dtype != dtypes.int64:
                raise TypeError(f"ids must be int64, got {initializer.value_dtype.name}")
            table = StaticHashTable(initializer, -1, name)
            lookup_key_dtype = lookup_key_dtype or initializer.key_dtype
        name = table.name if table is not None else name or "hash_bucket"
        super().__init__(table, num_oov_buckets, FastHashSpec, lookup_key_dtype or dtypes.string, name)


# ---- functions that create tables


def _with_buckets(table, num_oov_buckets, hasher_spec, key_dtype):
    if not num_oov_buckets:
        return table
    _check_hasher(hasher_spec)
    return IdTableWithHashBuckets(table, num_oov_buckets, hasher_spec, key_dtype=key_dtype)


def _check_buckets(num_oov_buckets, key_dtype):
    if num_oov_buckets < 0:
        raise ValueError(f"num_oov_buckets must not be negative, got {num_oov_buckets}")
    if not (key_dtype.is_integer or key_dtype == dtypes.string):
        raise TypeError(f"words must be strings or integers, got {key_dtype.name}")


def _check_file(vocabulary_file, vocab_size):
    if not hasattr(vocabulary_file, "dtype") and not vocabulary_file:
        raise ValueError("vocabulary_file must name a file")
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"vocab_size must be positive, got {vocab_size} for {vocabulary_file}")


@export("contrib.lookup.index_table_from_file")
def index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None, default_value=-1,
                          hasher_spec=FastHashSpec, key_dtype=dtypes.string, name=None,
                          key_column_index=TextFileIndex.WHOLE_LINE, value_column_index=TextFileIndex.LINE_NUMBER,
                          delimiter="\t"):
    """A table from the words in a file, one per line, to their ids.

    Args:
        vocabulary_file: the path; an exported model includes the file as an asset.
        num_oov_buckets: the number of hash buckets for out-of-vocabulary words.
        vocab_size: the number of lines to read; None for all.
        default_value: the id of out-of-vocabulary words if there are no buckets.
        hasher_spec: the hash function.
        key_dtype: string or an integer type.
        name: the table's name.
        key_column_index, value_column_index: the columns of word and id, or a TextFileIndex.
        delimiter: the separator of columns.
    """
    _check_file(vocabulary_file, vocab_size)
    key_dtype = dtypes.as_dtype(key_dtype)
    _check_buckets(num_oov_buckets, key_dtype)
    with name_scope(name, "string_to_index"), name_scope("hash_table"):
        initializer = TextFileIdTableInitializer(
            vocabulary_file, key_column_index, value_column_index, vocab_size, delimiter, "table_init",
            dtypes.int64 if key_dtype.is_integer else key_dtype)
        return _with_buckets(HashTable(initializer, default_value), num_oov_buckets, hasher_spec, key_dtype)


@export("contrib.lookup.index_table_from_tensor")
def index_table_from_tensor(mapping, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec,
                            dtype=dtypes.string, name=None):
    """A table from the words in a vector to their indices.

    Args:
        mapping: the words.
        num_oov_buckets: the number of hash buckets for out-of-vocabulary words.
        default_value: the id of out-of-vocabulary words if there are no buckets.
        hasher_spec: the hash function.
        dtype: string or an integer type.
        name: the table's name.
    """
    if mapping is None:
        raise ValueError("mapping must be specified: a vector of words")
    dtype = dtypes.as_dtype(dtype)
    _check_buckets(num_oov_buckets, dtype)
    with name_scope(name, "string_to_index"):
        keys = convert_to_tensor(mapping)
        if keys.dtype.is_integer != dtype.is_integer:
            raise ValueError(f"dtype is {dtype.name}, the words are {keys.dtype.name}")
        if not dtype.is_integer and keys.dtype.base_dtype != dtype:
            raise ValueError(f"dtype is {dtype.name}, the words are {keys.dtype.name}")
        values = cast(range(size(keys)), dtypes.int64)
        with name_scope("hash_table"):
            keys = cast(keys, dtypes.int64) if keys.dtype.is_integer else keys
            table = HashTable(KeyValueTensorInitializer(keys, values, keys.dtype, dtypes.int64, "table_init"),
                              default_value)
            return _with_buckets(table, num_oov_buckets, hasher_spec, dtype)


@export("contrib.lookup.index_to_string_table_from_file")
def index_to_string_table_from_file(vocabulary_file, vocab_size=None, default_value="UNK", name=None,
                                    key_column_index=TextFileIndex.LINE_NUMBER,
                                    value_column_index=TextFileIndex.WHOLE_LINE, delimiter="\t"):
    """A table from ids to the words in a file, one per line; `default_value` is the word of unknown ids.

    Args:
        vocabulary_file: a file with one entry a line.
        key_column_index: the column of the keys, or a member of `tf.lookup.TextFileIndex`.
        value_column_index: the column of the values, or a member of it.
        vocab_size: how many lines there are; by default they are counted.
        delimiter: between the columns.
    """
    _check_file(vocabulary_file, vocab_size)
    with name_scope(name, "index_to_string"):
        initializer = TextFileStringTableInitializer(vocabulary_file, key_column_index, value_column_index, vocab_size,
                                                     delimiter, "table_init")
        return HashTable(initializer, default_value)


@export("contrib.lookup.index_to_string_table_from_tensor")
def index_to_string_table_from_tensor(mapping, default_value="UNK", name=None):
    """A table from indices to the words in a vector; `default_value` is the word of unknown indices."""
    if mapping is None:
        raise ValueError("mapping must be specified: a vector of words")
    with name_scope(name, "index_to_string"):
        values = convert_to_tensor(mapping, dtype=dtypes.string)
        keys = cast(range(size(values)), dtypes.int64)
        return HashTable(KeyValueTensorInitializer(keys, values, dtypes.int64, dtypes.string, "table_init"),
                         default_value)


@export("contrib.lookup.string_to_index_table_from_file")
def string_to_index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None, default_value=-1,
                                    hasher_spec=FastHashSpec, name=None):
    """The older name of `index_table_from_file`; see there."""
    return index_table_from_file(vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, name=name)


@export("contrib.lookup.string_to_index_table_from_tensor")
def string_to_index_table_from_tensor(mapping, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec,
                                      name=None):
    """The older name of `index_table_from_tensor`; see there."""
    return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, name=name)


@export("contrib.lookup.string_to_index")
def string_to_index(tensor, mapping, default_value=-1, name=None):
    """The indices of words in a vector of words."""
    return index_table_from_tensor(mapping, default_value=default_value, name=name).lookup(tensor)


@export("contrib.lookup.index_to_string")
def index_to_string(tensor, mapping, default_value="UNK", name=None):
    """The words at these indices of a vector of words."""
    return index_to_string_table_from_tensor(mapping, default_value, name).lookup(tensor)
