"""Columns of sequences: of numbers, or of ids that embeddings and indicators take step by step."""
from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.feature.categorical import categorical_column_with_hash_bucket, categorical_column_with_identity
from evergraph.feature.column import BothCategorical, BothSequence, buckets_of, sparse_tensors_of, spec_of
from evergraph.feature.numeric import check_callable, checked_number_type, checked_shape
from evergraph.feature.serial import Configured
from evergraph.feature.vocabulary import (
    categorical_column_with_vocabulary_file,
    categorical_column_with_vocabulary_list,
)
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.input.features import VarLenFeature
from evergraph.frontend.reduce import reduce_prod
from evergraph.frontend.sparse.arithmetic import sparse_tensor_to_dense
from evergraph.frontend.sparse.shape import sparse_reshape
from evergraph.graph.composite import SparseTensor
from evergraph.ops.arrays.segment import segment_max
from evergraph.ops.math import elementwise

# ---- numbers


@export("feature_column.sequence_numeric_column", "contrib.feature_column.sequence_numeric_column")
def sequence_numeric_column(key: str, shape: Any = (1,), default_value: float = 0.0, dtype: Any = dtypes.float32,
                            normalizer_fn: Callable[[Any], Any] | None = None) -> SequenceNumericColumn:
    """A column of sequences of numbers, for `tf.keras.experimental.SequenceFeatures`.

    Args:
        key: the name of the feature, which is sparse.
        shape: the shape of the numbers of a step.
        default_value: fills up sequences that are shorter than others.
        dtype: the dtype of the feature.
        normalizer_fn: a function of the sparse tensor, called before it is used.

    Raises:
        TypeError: a size is no integer, or `normalizer_fn` cannot be called.
        ValueError: a size is not positive, or the dtype is not one of numbers.
    """
    shape = checked_shape(shape, key)
    checked_number_type(dtype, key)
    check_callable(normalizer_fn)
    return SequenceNumericColumn(key, shape, default_value, dtype, normalizer_fn)


class SequenceNumericColumn(
    Configured, BothSequence,
    collections.namedtuple("SequenceNumericColumn", ["key", "shape", "default_value", "dtype", "normalizer_fn"]),
):
    """What `tf.feature_column.sequence_numeric_column` makes."""

    @property
    def name(self) -> str:
        return self.key

    @property
    def parents(self) -> list[Any]:
        return [self.key]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: VarLenFeature(self.dtype)}

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The feature, normalized; a sparse tensor."""
        feature = transformation_cache.get(self.key, state_manager)
        return feature if self.normalizer_fn is None else self.normalizer_fn(feature)

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape(self.shape)

    @property
    def _variable_shape(self) -> TensorShape:
        return self.variable_shape

    def get_sequence_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        feature = transformation_cache.get(self, state_manager)
        dense = sparse_tensor_to_dense(feature, default_value=self.default_value)
        # A feature of rank 2 has the numbers of all steps in a row, one of rank 3 has a row for each step.
        tensor = array.reshape(dense, array.concat([array.shape(dense)[:1], [-1], self.shape], axis=0))
        rank = feature.shape.ndims
        size = int(np.prod(self.shape)) if rank == 2 else 1
        return self.TensorSequenceLengthPair(tensor, sequence_lengths(feature, size))


def sequence_lengths(sparse: SparseTensor, size: int = 1) -> Any:
    """The number of steps of each example, [batch] of int64.

    Args:
        sparse: a sparse tensor; its second axis holds the steps.
        size: how many entries of that axis are a step.
    """
    with name_scope(None, "sequence_length") as scope:
        rows, places = sparse.indices[:, 0], sparse.indices[:, 1]
        last = segment_max(places + array.ones_like(places), rows)
        lengths = math.cast(elementwise.ceil(math.truediv(last, size)), dtypes.int64)
        # Examples at the end of the batch that have no entry are no segments.
        missing = array.shape(sparse)[:1] - array.shape(lengths)[:1]
        return array.concat([lengths, array.zeros(missing, lengths.dtype)], axis=0, name=scope)


# ---- ids


class SequenceCategoricalColumn(
    Configured, BothCategorical, collections.namedtuple("SequenceCategoricalColumn", ["categorical_column"])
):
    """A categorical column whose values are steps of a sequence."""

    @property
    def name(self) -> str:
        return self.categorical_column.name

    @property
    def parents(self) -> list[Any]:
        return [self.categorical_column]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return spec_of(self.categorical_column)

    @property
    def num_buckets(self) -> int:
        return buckets_of(self.categorical_column)

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        return self.categorical_column.transform_feature(transformation_cache, state_manager)

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """Ids and weights of rank 3: the last axis holds the values of a step."""
        ids, weights = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager)
        shape = array.shape(ids)
        steps = [shape[0], shape[1], reduce_prod(shape[2:])]
        weights = None if weights is None else sparse_reshape(weights, steps)
        return self.IdWeightPair(sparse_reshape(ids, steps), weights)


def _names(kind: str) -> tuple[str, str]:
    return f"feature_column.{kind}", f"contrib.feature_column.{kind}"


@export(*_names("sequence_categorical_column_with_identity"))
def sequence_categorical_column_with_identity(key: str, num_buckets: int, default_value: int | None = None
                                              ) -> SequenceCategoricalColumn:
    """`tf.feature_column.categorical_column_with_identity` whose values are steps of a sequence.

    Args:
        key: the name of the feature.
        num_buckets: how many ids there are.
        default_value: the id in the place of those out of range; without one, they fail the step.
    """
    return SequenceCategoricalColumn(categorical_column_with_identity(key, num_buckets, default_value))


@export(*_names("sequence_categorical_column_with_hash_bucket"))
def sequence_categorical_column_with_hash_bucket(key: str, hash_bucket_size: int, dtype: Any = dtypes.string
                                                 ) -> SequenceCategoricalColumn:
    """`tf.feature_column.categorical_column_with_hash_bucket` whose values are steps of a sequence.

    Args:
        key: the name of the feature.
        hash_bucket_size: how many buckets there are.
        dtype: string or an integer type.
    """
    return SequenceCategoricalColumn(categorical_column_with_hash_bucket(key, hash_bucket_size, dtype))


@export(*_names("sequence_categorical_column_with_vocabulary_file"))
def sequence_categorical_column_with_vocabulary_file(key: str, vocabulary_file: str,
                                                     vocabulary_size: int | None = None, num_oov_buckets: int = 0,
                                                     default_value: int | None = None, dtype: Any = dtypes.string
                                                     ) -> SequenceCategoricalColumn:
    """`tf.feature_column.categorical_column_with_vocabulary_file` whose values are steps of a sequence.

    Args:
        key: the name of the feature.
        vocabulary_file: the file, a word on each line.
        vocabulary_size: how many lines to read; by default all.
        num_oov_buckets: how many further ids there are for other words.
        default_value: the id of other words when there are no buckets.
        dtype: string or an integer type.
    """
    return SequenceCategoricalColumn(categorical_column_with_vocabulary_file(
        key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype))


@export(*_names("sequence_categorical_column_with_vocabulary_list"))
def sequence_categorical_column_with_vocabulary_list(key: str, vocabulary_list: Sequence[Any], dtype: Any = None,
                                                     default_value: int = -1, num_oov_buckets: int = 0
                                                     ) -> SequenceCategoricalColumn:
    """`tf.feature_column.categorical_column_with_vocabulary_list` whose values are steps of a sequence.

    Args:
        key: the name of the feature.
        vocabulary_list: the words.
        dtype: string or an integer type; by default that of the list.
        default_value: the id of other words when there are no buckets.
        num_oov_buckets: how many further ids there are for other words.
    """
    return SequenceCategoricalColumn(categorical_column_with_vocabulary_list(
        key, vocabulary_list, dtype, default_value, num_oov_buckets))


# ---- which columns go with which layers


def check_no_sequence(column: Any, kind: str) -> None:
    """Raises ValueError where a column of sequences is used without its steps."""
    if isinstance(column.categorical_column, SequenceCategoricalColumn):
        raise ValueError(f"In {kind}: {column.name}. categorical_column must not be of type "
                         "SequenceCategoricalColumn. Use sequence_input_layer or SequenceFeatures for sequences, or a "
                         f"categorical_column_with_* here. Given (type {type(column.categorical_column)}): "
                         f"{column.categorical_column}")


def check_is_sequence(column: Any, kind: str) -> None:
    """Raises ValueError where the steps of a column without sequences are asked for."""
    if not isinstance(column.categorical_column, SequenceCategoricalColumn):
        raise ValueError(f"In {kind}: {column.name}. categorical_column must be of type SequenceCategoricalColumn "
                         "to use SequenceFeatures. Make it with one of "
                         "sequence_categorical_column_with_*. Given (type "
                         f"{type(column.categorical_column)}): {column.categorical_column}")
