"""Categorical columns whose ids are places in a vocabulary, given as a list or a file."""
from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, logging
from evergraph.base.export import export
from evergraph.base.files import GFile, exists
from evergraph.feature.categorical import ByKey
from evergraph.feature.column import checked_key
from evergraph.feature.inputs import check_compatible, check_text_or_integer
from evergraph.frontend import math
from evergraph.frontend.input.vocabulary_tables import index_table_from_file, index_table_from_tensor
from evergraph.graph.composite import SparseTensor


def _check_default(num_oov_buckets: int | None, default_value: Any, nothing: Any, key: str) -> None:
    """A word out of the vocabulary gets either a bucket or a default."""
    if num_oov_buckets and default_value != nothing:
        raise ValueError(f"column {key!r} has both num_oov_buckets and default_value for words outside of its "
                         "vocabulary; choose one")
    if num_oov_buckets and num_oov_buckets < 0:
        raise ValueError(f"Invalid num_oov_buckets {num_oov_buckets} in {key}.")


class InVocabulary(ByKey):
    """A column whose ids a lookup table gives. A subclass makes the table."""

    def _ids(self, feature: SparseTensor) -> SparseTensor:
        check_compatible(self.dtype, feature, self.key)
        if feature.dtype.is_integer:  # tables of integers are tables of int64
            feature = SparseTensor(feature.indices, math.cast(feature.values, dtypes.int64), feature.dense_shape)
        return self._table(dtypes.int64 if feature.dtype.is_integer else feature.dtype).lookup(feature)

    def _table(self, key_dtype: Any) -> Any:
        raise NotImplementedError


@export("feature_column.categorical_column_with_vocabulary_list")
def categorical_column_with_vocabulary_list(key: str, vocabulary_list: Sequence[Any], dtype: Any = None,
                                            default_value: int = -1, num_oov_buckets: int = 0
                                            ) -> VocabularyListCategoricalColumn:
    """A categorical column of text or integers whose ids are their places in a list.

    In a dense feature "" and -1 mean that there is no value.

    >>> column = tf.feature_column.categorical_column_with_vocabulary_list("colour", ["R", "G"], num_oov_buckets=1)
    >>> layer = tf.feature_column.input_layer({"colour": [["G"], ["X"]]}, tf.feature_column.indicator_column(column))
    >>> session = tf.Session()
    >>> session.run(tf.tables_initializer())
    >>> session.run(layer)
    array([[0., 1., 0.],
           [0., 0., 1.]], dtype=float32)

    Args:
        key: the name of the feature.
        vocabulary_list: the words.
        dtype: string or an integer type; by default that of the list.
        default_value: the id of other words when there are no buckets; -1 leaves them out.
        num_oov_buckets: how many further ids there are for other words, by hash.

    Raises:
        ValueError: the list is empty, has a word twice or is of another dtype, or there are a default and buckets.
    """
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}")
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(f"Duplicate keys in vocabulary_list {vocabulary_list}, column_name: {key}")
    kind = dtypes.as_dtype(np.array(vocabulary_list).dtype)
    _check_default(num_oov_buckets, default_value, -1, key)
    check_text_or_integer(kind, f"column_name: {key} vocabulary")
    dtype = kind if dtype is None else dtypes.as_dtype(dtype)
    if dtype.is_integer != kind.is_integer:
        raise ValueError(f"column {key!r}: dtype {dtype} and vocabulary dtype {kind} do not match")
    check_text_or_integer(dtype, f"column_name: {key}")
    return VocabularyListCategoricalColumn(checked_key(key), tuple(vocabulary_list), dtype, default_value,
                                           num_oov_buckets)


class VocabularyListCategoricalColumn(
    InVocabulary,
    collections.namedtuple("VocabularyListCategoricalColumn",
                           ["key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets"]),
):
    """What `tf.feature_column.categorical_column_with_vocabulary_list` makes."""

    def _table(self, key_dtype: Any) -> Any:
        return index_table_from_tensor(self.vocabulary_list, default_value=self.default_value, dtype=key_dtype,
                                       num_oov_buckets=self.num_oov_buckets, name=f"{self.key}_lookup")

    @property
    def num_buckets(self) -> int:
        return len(self.vocabulary_list) + self.num_oov_buckets


@export("feature_column.categorical_column_with_vocabulary_file")
def categorical_column_with_vocabulary_file(key: str, vocabulary_file: str, vocabulary_size: int | None = None,
                                            num_oov_buckets: int = 0, default_value: int | None = None,
                                            dtype: Any = dtypes.string) -> VocabularyFileCategoricalColumn:
    """A categorical column of text or integers whose ids are line numbers of a file.

    In a dense feature "" and -1 mean that there is no value.

    Args:
        key: the name of the feature.
        vocabulary_file: the file, a word on each line.
        vocabulary_size: how many lines to read; by default all, which are counted at once.
        num_oov_buckets: how many further ids there are for other words, by hash.
        default_value: the id of other words when there are no buckets; by default they are left out.
        dtype: string or an integer type.

    Raises:
        ValueError: there is no file, the size is not positive, there are a default and buckets, or the dtype is
            another.
    """
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    if vocabulary_size is None:
        vocabulary_size = _count_lines(vocabulary_file, key)
    if vocabulary_size < 1:
        raise ValueError(f"Invalid vocabulary_size in {key}.")
    _check_default(num_oov_buckets, default_value, None, key)
    check_text_or_integer(dtype, f"column_name: {key}")
    return VocabularyFileCategoricalColumn(
        checked_key(key), vocabulary_file, vocabulary_size, num_oov_buckets or 0, dtype,
        -1 if default_value is None else default_value)


@export("compat.v2.feature_column.categorical_column_with_vocabulary_file")
def categorical_column_with_lines_of_file(key: str, vocabulary_file: str, vocabulary_size: int | None = None,
                                          dtype: Any = dtypes.string, default_value: int | None = None,
                                          num_oov_buckets: int = 0) -> VocabularyFileCategoricalColumn:
    """`tf.feature_column.categorical_column_with_vocabulary_file` with TensorFlow 2's order of arguments."""
    return categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size, num_oov_buckets,
                                                   default_value, dtype)


def _count_lines(path: str, key: str) -> int:
    if not exists(path):
        raise ValueError(f"vocabulary_file in {key} does not exist.")
    with GFile(path, "rb") as lines:
        count = sum(1 for _ in lines)
    logging.info("vocabulary_size = %d in %s is the number of lines of %s.", count, key, path)
    return count


class VocabularyFileCategoricalColumn(
    InVocabulary,
    collections.namedtuple("VocabularyFileCategoricalColumn",
                           ["key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype", "default_value"]),
):
    """What `tf.feature_column.categorical_column_with_vocabulary_file` makes."""

    def _table(self, key_dtype: Any) -> Any:
        return index_table_from_file(
            self.vocabulary_file, num_oov_buckets=self.num_oov_buckets, vocab_size=self.vocabulary_size,
            default_value=self.default_value, key_dtype=key_dtype, name=f"{self.key}_lookup")

    @property
    def num_buckets(self) -> int:
        return self.vocabulary_size + self.num_oov_buckets
