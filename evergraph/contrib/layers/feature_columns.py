"""tf.contrib.layers: the older feature columns, which `tf.feature_column.input_layer` and `linear_model` take too."""
from __future__ import annotations

import collections
import math as numbers
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape, dimension_value
from evergraph.contrib.layers.feature_crosses import crossed
from evergraph.feature.column import Column, DenseTensorColumn, IdsColumn
from evergraph.feature.inputs import LazyBuilder, check_compatible, check_text_or_integer, to_sparse
from evergraph.feature.numeric import BucketizedColumn, NumericColumn
from evergraph.frontend import array, indexing, math
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.frontend.input.features import FixedLenFeature, VarLenFeature
from evergraph.frontend.input.vocabulary_tables import index_table_from_file, index_table_from_tensor
from evergraph.frontend.nn.embedding import safe_embedding_lookup_sparse
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.sparse.arithmetic import sparse_merge, sparse_tensor_to_dense
from evergraph.frontend.sparse.shape import sparse_concat, sparse_slice
from evergraph.frontend.variables.initializers import truncated_normal_initializer
from evergraph.frontend.variables.scope import get_variable
from evergraph.graph.composite import SparseTensor
from evergraph.ops.arrays.gather import scatter_nd
from evergraph.ops.math.elementwise import floor_mod
from evergraph.ops.strings.hashing import string_to_hash_bucket_fast, string_to_hash_bucket_strong
from evergraph.ops.strings.numbers import as_string
from evergraph.save.warm import init_from_checkpoint


class Transformer(LazyBuilder):
    """Features by name, and what columns make of them; tensors given for a column are used as they are."""

    def _raw(self, key: Any) -> Any:
        return self._features[key] if isinstance(key, Column) else super()._raw(key)

    def _transformed(self, key: Any, state_manager: Any) -> Any:
        if isinstance(key, str):
            raise KeyError(key)
        return super()._transformed(key, state_manager)

    def transform(self, feature_column: Any) -> Any:
        """The tensor of a column."""
        return self.get(feature_column)


class OlderColumn(Column):
    """What the columns of tf.contrib.layers have in common."""

    @property
    def key(self) -> str:
        """What columns are sorted by: the column in words, without its normalizer."""
        shown = [f"{field}={getattr(self, field)!r}" for field in self._fields if field != "normalizer"]
        return f"{type(self).__name__}({', '.join(shown)})"

    @property
    def config(self) -> dict[str, Any]:
        """The features, as `tf.parse_example` takes them, that the column reads."""
        return self._parse_example_spec

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds the tensor of the column to the tensors."""
        columns_to_tensors[self] = Transformer(columns_to_tensors).get(self)


# ---- ids

LookupConfig = collections.namedtuple(
    "_SparseIdLookupConfig", ["vocabulary_file", "keys", "num_oov_buckets", "vocab_size", "default_value"],
    defaults=(None, None, 0, None, -1))


class SparseColumn(
    OlderColumn, IdsColumn,
    collections.namedtuple("_SparseColumn", ["column_name", "is_integerized", "bucket_size", "lookup_config",
                                             "combiner", "dtype", "hash_keys"]),
):
    """A categorical column of one feature: integers, hashes, or places in a vocabulary."""

    @property
    def name(self) -> str:
        return self.column_name

    @property
    def length(self) -> int:
        """How many ids there are."""
        if self.lookup_config is None:
            return self.bucket_size
        return self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets

    _num_buckets = length

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return {self.column_name: VarLenFeature(self.dtype)}

    def _transform_feature(self, inputs: Any) -> SparseTensor:
        feature = to_sparse(inputs.get(self.column_name))
        if self.is_integerized:
            return _with_values(feature, floor_mod(feature.values, math.cast(self.bucket_size, feature.dtype)))
        check_compatible(self.dtype, feature, self.column_name)
        if self.lookup_config is None:
            return self._hashed(feature)
        if self.dtype.is_integer:  # tables of integers are tables of int64
            feature = _with_values(feature, math.cast(feature.values, dtypes.int64))
        return self._table(dtypes.int64 if self.dtype.is_integer else self.dtype).lookup(feature)

    def _hashed(self, feature: SparseTensor) -> SparseTensor:
        text = _with_values(feature, as_string(feature.values)) if self.dtype.is_integer else feature
        if self.hash_keys is None:
            return _with_values(text, string_to_hash_bucket_fast(text.values, num_buckets=self.bucket_size))
        hashes = [_with_values(text, string_to_hash_bucket_strong(text.values, num_buckets=self.bucket_size, key=key))
                  for key in self.hash_keys]
        return sparse_concat(1, hashes)

    def _table(self, key_dtype: Any) -> Any:
        config, name = self.lookup_config, f"{self.column_name}_lookup"
        if config.vocabulary_file is not None:
            return index_table_from_file(config.vocabulary_file, config.num_oov_buckets, config.vocab_size,
                                         config.default_value, key_dtype=key_dtype, name=name)
        return index_table_from_tensor(list(config.keys), config.num_oov_buckets, config.default_value,
                                       dtype=key_dtype, name=name)

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        return self.IdWeightPair(inputs.get(self), None)


def _with_values(sparse: SparseTensor, values: Any) -> SparseTensor:
    return SparseTensor(sparse.indices, values, sparse.dense_shape)


@export("contrib.layers.sparse_column_with_integerized_feature")
def sparse_column_with_integerized_feature(column_name: str, bucket_size: int, combiner: str = "sum",
                                           dtype: Any = dtypes.int64) -> SparseColumn:
    """A categorical column of integers that are ids already; larger ones are taken modulo `bucket_size`.

    Args:
        column_name: the name of the feature.
        bucket_size: how many ids there are.
        combiner: how weights of several ids are combined: "sum", "mean" or "sqrtn".
        dtype: an integer type.
    """
    if not dtype.is_integer:
        raise ValueError(f"dtype must be an integer. dtype: {dtype}, column_name: {column_name}")
    return SparseColumn(column_name, True, bucket_size, None, combiner, dtype, None)


@export("contrib.layers.sparse_column_with_hash_bucket")
def sparse_column_with_hash_bucket(column_name: str, hash_bucket_size: int, combiner: str = "sum",
                                   dtype: Any = dtypes.string, hash_keys: Any = None) -> SparseColumn:
    """A categorical column of text or integers whose ids are hashes.

    Args:
        column_name: the name of the feature.
        hash_bucket_size: how many buckets there are.
        combiner: how weights of several ids are combined.
        dtype: string or an integer type.
        hash_keys: pairs of integers; a value gets an id by each, from a strong hash with that key.
    """
    check_text_or_integer(dtype, f"column_name: {column_name}")
    if hash_keys is not None:
        if not isinstance(hash_keys, list) or not hash_keys:
            raise ValueError(f"hash_keys must be a non-empty list. hash_keys: {hash_keys}")
        if not all(isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, int) for each in pair)
                   for pair in hash_keys):
            raise ValueError(f"Each element of hash_keys must be a pair of integers. Got {hash_keys}")
        hash_keys = tuple(tuple(pair) for pair in hash_keys)
    return SparseColumn(column_name, False, int(hash_bucket_size), None, combiner, dtype, hash_keys)


@export("contrib.layers.sparse_column_with_keys")
def sparse_column_with_keys(column_name: str, keys: Sequence[Any], default_value: int = -1, combiner: str = "sum",
                            dtype: Any = dtypes.string) -> SparseColumn:
    """A categorical column of text or integers whose ids are their places among `keys`.

    Args:
        column_name: the name of the feature.
        keys: the values.
        default_value: the id of other values; -1 leaves them out.
        combiner: how weights of several ids are combined.
        dtype: string or an integer type.
    """
    keys = tuple(keys)
    return SparseColumn(column_name, False, None, LookupConfig(None, keys, 0, len(keys), default_value), combiner,
                        dtype, None)


@export("contrib.layers.sparse_column_with_vocabulary_file")
def sparse_column_with_vocabulary_file(column_name: str, vocabulary_file: str, num_oov_buckets: int = 0,
                                       vocab_size: int | None = None, default_value: int = -1, combiner: str = "sum",
                                       dtype: Any = dtypes.string) -> SparseColumn:
    """A categorical column of text or integers whose ids are line numbers of a file.

    Args:
        column_name: the name of the feature.
        vocabulary_file: the file, a value on each line.
        num_oov_buckets: how many further ids there are for other values, by hash.
        vocab_size: how many lines to read; it must be given.
        default_value: the id of other values when there are no buckets.
        combiner: how weights of several ids are combined.
        dtype: string or an integer type.
    """
    check_text_or_integer(dtype, f"column_name: {column_name}")
    if vocab_size is None:
        raise ValueError(f"vocab_size should be defined. column_name: {column_name}")
    return SparseColumn(column_name, False, None,
                        LookupConfig(vocabulary_file, None, num_oov_buckets, vocab_size, default_value), combiner,
                        dtype, None)


@export("contrib.layers.weighted_sparse_column")
def weighted_sparse_column(sparse_id_column: SparseColumn, weight_column_name: str, dtype: Any = dtypes.float32
                           ) -> WeightedSparseColumn:
    """A categorical column whose values have weights.

    Args:
        sparse_id_column: the values.
        weight_column_name: the name of the feature with as many weights.
        dtype: the dtype of the weights.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype is not convertible to float. Given {dtype}")
    return WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


class WeightedSparseColumn(
    OlderColumn, IdsColumn,
    collections.namedtuple("_WeightedSparseColumn", ["sparse_id_column", "weight_column_name", "dtype"]),
):
    """What `tf.contrib.layers.weighted_sparse_column` makes."""

    @property
    def name(self) -> str:
        return f"{self.sparse_id_column.name}_weighted_by_{self.weight_column_name}"

    length = property(lambda self: self.sparse_id_column.length)
    combiner = property(lambda self: self.sparse_id_column.combiner)
    lookup_config = property(lambda self: self.sparse_id_column.lookup_config)
    _num_buckets = length

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return {**self.sparse_id_column._parse_example_spec, self.weight_column_name: VarLenFeature(self.dtype)}

    def _transform_feature(self, inputs: Any) -> tuple[SparseTensor, SparseTensor]:
        weights = to_sparse(inputs.get(self.weight_column_name), 0)
        if not weights.dtype.is_floating:
            weights = _with_values(weights, math.cast(weights.values, dtypes.float32))
        return inputs.get(self.sparse_id_column), weights

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        return self.IdWeightPair(*inputs.get(self))


# ---- numbers


@export("contrib.layers.real_valued_column")
def real_valued_column(column_name: str, dimension: int = 1, default_value: Any = None, dtype: Any = dtypes.float32,
                       normalizer: Callable[[Any], Any] | None = None) -> RealValuedColumn:
    """A column of numbers.

    Args:
        column_name: the name of the feature.
        dimension: how many numbers an example has.
        default_value: what an example without the feature gets: a number for all, or one for each.
        dtype: the dtype of the feature; the column's tensor is float32.
        normalizer: a function of the tensor, called before it is used.
    """
    if not isinstance(dimension, int):
        raise TypeError(f"dimension must be an integer. dimension: {dimension}, column_name: {column_name}")
    if dimension < 1:
        raise ValueError(f"dimension must be greater than 0; column {column_name!r} has {dimension}")
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float; column {column_name!r} has {dtype}")
    if normalizer is not None and not callable(normalizer):
        raise TypeError(f"normalizer must be a callable. Given: {normalizer}")
    return RealValuedColumn(column_name, dimension, _checked_default(default_value, dimension, dtype, column_name),
                            dtype, normalizer)


def _checked_default(value: Any, dimension: int, dtype: Any, column_name: str) -> tuple[Any, ...] | None:
    if value is None:
        return None
    given = np.array(value)
    if given.dtype.kind not in ("i" if dtype.is_integer else "if"):
        raise TypeError(f"default_value must be compatible with dtype {dtype}, but column {column_name} has the "
                        f"default_value {value}")
    if given.shape not in ((), (dimension,)):
        raise ValueError(f"The length of default_value must be equal to dimension: column {column_name} has "
                         f"dimension {dimension} and {value}")
    return tuple(np.broadcast_to(given.astype(dtype.as_numpy_dtype), (dimension,)).tolist())


class RealValuedColumn(
    OlderColumn, DenseTensorColumn,
    collections.namedtuple("_RealValuedColumn", ["column_name", "dimension", "default_value", "dtype", "normalizer"]),
):
    """What `tf.contrib.layers.real_valued_column` makes."""

    @property
    def name(self) -> str:
        return self.column_name

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        default = None if self.default_value is None else list(self.default_value)
        return {self.column_name: FixedLenFeature([self.dimension], self.dtype, default)}

    @property
    def normalizer_fn(self) -> Any:
        return self.normalizer

    def _transform_feature(self, inputs: Any) -> Any:
        tensor = inputs.get(self.column_name)
        if isinstance(tensor, SparseTensor):
            raise ValueError(f"column {self.column_name} needs a dense feature, got {tensor}")
        return math.cast(tensor if self.normalizer is None else self.normalizer(tensor), dtypes.float32)

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        return inputs.get(self)


@export("contrib.layers.bucketized_column")
def bucketized_column(source_column: RealValuedColumn, boundaries: Sequence[float]) -> OlderBucketizedColumn:
    """A column that says between which boundaries a number lies; one-hot in networks, ids in linear models.

    Args:
        source_column: a column made by `tf.contrib.layers.real_valued_column`.
        boundaries: numbers; duplicates are dropped.
    """
    if not isinstance(source_column, RealValuedColumn):
        raise TypeError(f"source_column must be an instance of _RealValuedColumn. Given: {source_column}")
    if not isinstance(boundaries, (list, tuple)) or not boundaries:
        raise ValueError(f"boundaries must be a list and it should not be empty. Given: {boundaries}")
    if any(a > b for a, b in zip(boundaries, boundaries[1:])):
        raise ValueError(f"boundaries must be a sorted list. Given: {boundaries}")
    return OlderBucketizedColumn(source_column, tuple(dict.fromkeys(boundaries)))


class OlderBucketizedColumn(
    OlderColumn, DenseTensorColumn, IdsColumn,
    collections.namedtuple("_BucketizedColumn", ["source_column", "boundaries"]),
):
    """What `tf.contrib.layers.bucketized_column` makes."""

    combiner = "sum"

    @property
    def name(self) -> str:
        return f"{self.source_column.name}_bucketized"

    @property
    def length(self) -> int:
        """How many buckets a number can be in."""
        return len(self.boundaries) + 1

    @property
    def _as_new(self) -> BucketizedColumn:
        """The same column of tf.feature_column, over the transformed numbers."""
        source = self.source_column
        return BucketizedColumn(NumericColumn(source.name, (source.dimension,), None, dtypes.float32, None),
                                self.boundaries)

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return self.source_column._parse_example_spec

    def _transform_feature(self, inputs: Any) -> Any:
        return LazyBuilder({self.source_column.name: inputs.get(self.source_column)}).get(self._as_new)

    @property
    def _variable_shape(self) -> TensorShape:
        return self._as_new.variable_shape

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        return indexing.one_hot(math.cast(inputs.get(self), dtypes.int64), depth=self.length, on_value=1.0,
                                off_value=0.0)

    @property
    def _num_buckets(self) -> int:
        return self.length * self.source_column.dimension

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        column = self._as_new
        return column.get_sparse_tensors(LazyBuilder({column: inputs.get(self)}), None)


# ---- combinations


@export("contrib.layers.crossed_column")
def crossed_column(columns: Any, hash_bucket_size: int, combiner: str = "sum", ckpt_to_load_from: str | None = None,
                   tensor_name_in_ckpt: str | None = None, hash_key: int | None = None) -> OlderCrossedColumn:
    """A categorical column of all combinations of values of several columns, as hashes.

    Args:
        columns: two or more columns: sparse, bucketized or crossed ones.
        hash_bucket_size: how many buckets there are.
        combiner: how weights of several ids are combined.
        ckpt_to_load_from: a checkpoint that the weights of a linear model start from.
        tensor_name_in_ckpt: the weights' name in it.
        hash_key: the key of the newer hash, whose buckets `tf.feature_column.crossed_column` has too; by default the
            older hash is used, in which combinations collide more often.
    """
    columns = tuple(columns)
    if len(columns) < 2:
        raise ValueError(f"A crossed column needs two columns or more in `columns`; got {columns}")
    for column in columns:
        if not isinstance(column, (SparseColumn, OlderCrossedColumn, OlderBucketizedColumn)):
            raise TypeError("columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn instances; "
                            f"got {column}")
    if hash_bucket_size < 2:
        raise ValueError(f"a crossed column needs a hash_bucket_size of 2 or more, got {hash_bucket_size}")
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("ckpt_to_load_from and tensor_name_in_ckpt go together, got "
                         f"{ckpt_to_load_from!r} and {tensor_name_in_ckpt!r}")
    return OlderCrossedColumn(tuple(sorted(columns, key=lambda column: column.name)), hash_bucket_size, hash_key,
                              combiner, ckpt_to_load_from, tensor_name_in_ckpt)


class OlderCrossedColumn(
    OlderColumn, IdsColumn,
    collections.namedtuple("_CrossedColumn", ["columns", "hash_bucket_size", "hash_key", "combiner",
                                              "ckpt_to_load_from", "tensor_name_in_ckpt"]),
):
    """What `tf.contrib.layers.crossed_column` makes."""

    @property
    def name(self) -> str:
        return "_X_".join(sorted(column.name for column in self.columns))

    length = property(lambda self: self.hash_bucket_size)
    _num_buckets = length

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return {key: feature for column in self.columns for key, feature in column._parse_example_spec.items()}

    def _leaves(self) -> Iterator[Any]:
        for column in self.columns:
            yield from column._leaves() if isinstance(column, OlderCrossedColumn) else (column,)

    def _transform_feature(self, inputs: Any) -> SparseTensor:
        # Sparse columns are crossed by the values of their features, not by their ids.
        features = [inputs.get(leaf.column_name) if isinstance(leaf, SparseColumn)
                    else leaf._get_sparse_tensors(inputs).id_tensor for leaf in self._leaves()]
        return crossed(features, self.hash_bucket_size, self.hash_key)

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        return self.IdWeightPair(inputs.get(self), None)


# ---- dense columns of ids


@export("contrib.layers.one_hot_column")
def one_hot_column(sparse_id_column: Any) -> OneHotColumn:
    """A dense column that says how often each id of a categorical column occurs.

    Args:
        sparse_id_column: a sparse, weighted or crossed column.
    """
    return OneHotColumn(sparse_id_column)


class OneHotColumn(OlderColumn, DenseTensorColumn, collections.namedtuple("_OneHotColumn", ["sparse_id_column"])):
    """What `tf.contrib.layers.one_hot_column` makes."""

    @property
    def name(self) -> str:
        return f"{self.sparse_id_column.name}_one_hot"

    length = property(lambda self: self.sparse_id_column.length)

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return self.sparse_id_column._parse_example_spec

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.sparse_id_column)

    def _to_dnn_input_layer(self, transformed: Any, unused_collections: Any = None, unused_trainable: bool = False,
                            output_rank: int = 2) -> Any:
        """The counts, for ids and perhaps weights that were transformed before."""
        ids, weights = transformed if isinstance(transformed, tuple) else (transformed, None)
        if weights is not None:
            merged = sparse_merge(ids, weights, vocab_size=self.length)
            merged = sparse_slice(merged, [0] * dimension_value(merged.dense_shape.shape[0]), merged.dense_shape)
            counts = scatter_nd(merged.indices, merged.values, merged.dense_shape)
            counts.set_shape([*ids.shape.as_list()[:-1], self.length])
            return counts
        dense = sparse_tensor_to_dense(ids, default_value=-1)
        ones = indexing.one_hot(dense, depth=self.length, on_value=1.0, off_value=0.0)
        return reduce_sum(ones, axis=list(range(output_rank - 1, ones.shape.rank - 1)))

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.length])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        return self._to_dnn_input_layer(inputs.get(self))


_TABLE = ["sparse_id_column", "dimension", "combiner", "initializer", "ckpt_to_load_from", "tensor_name_in_ckpt",
          "shared_embedding_name", "shared_vocab_size", "max_norm", "trainable"]


@export("contrib.layers.embedding_column")
def embedding_column(sparse_id_column: Any, dimension: int, combiner: str = "mean", initializer: Any = None,
                     ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None,
                     max_norm: float | None = None, trainable: bool = True) -> OlderEmbeddingColumn:
    """A dense column of vectors, which are learned: one for each id, combined where an example has several.

    Args:
        sparse_id_column: a sparse, weighted or crossed column.
        dimension: the length of the vectors.
        combiner: "mean", "sqrtn" or "sum".
        initializer: what the table starts with; by default a truncated normal with deviation 1 / sqrt(ids).
        ckpt_to_load_from: a checkpoint to start from.
        tensor_name_in_ckpt: the table's name in it.
        max_norm: vectors longer than this are scaled down to it.
        trainable: whether the table is trained.
    """
    return _embedding(sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, None,
                      None, max_norm, trainable)


def _embedding(column: Any, dimension: int, combiner: str, initializer: Any, ckpt: Any, tensor_name: Any, shared: Any,
               size: int | None, max_norm: Any, trainable: bool) -> OlderEmbeddingColumn:
    if initializer is not None and not callable(initializer):
        raise ValueError(f"initializer must be callable; the one for the embedding of {column.name!r} is not")
    if (ckpt is None) != (tensor_name is None):
        raise ValueError(f"ckpt_to_load_from and tensor_name_in_ckpt go together, got {ckpt!r} and {tensor_name!r}")
    if initializer is None:
        initializer = truncated_normal_initializer(mean=0.0, stddev=1 / numbers.sqrt(size or column.length))
    return OlderEmbeddingColumn(column, dimension, combiner, initializer, ckpt, tensor_name, shared, size, max_norm,
                                trainable)


@export("contrib.layers.shared_embedding_columns")
def shared_embedding_columns(sparse_id_columns: Sequence[Any], dimension: int, combiner: str = "mean",
                             initializer: Any = None, shared_embedding_name: str | None = None,
                             ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None,
                             max_norm: float | None = None, trainable: bool = True) -> list[OlderEmbeddingColumn]:
    """Embedding columns with one table.

    Args:
        sparse_id_columns: a list of sparse or weighted columns.
        dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable: as for
            `tf.contrib.layers.embedding_column`.
        shared_embedding_name: the name of the table; by default made of the names of the columns.
    """
    if not isinstance(sparse_id_columns, (list, tuple)):
        raise TypeError(f"sparse_id_columns must be a list or tuple, got {type(sparse_id_columns).__name__}")
    if not sparse_id_columns:
        raise ValueError("sparse_id_columns must hold a column")
    names = sorted(column.name for column in sparse_id_columns)
    if shared_embedding_name is None:
        more = [f"plus_{len(names) - 3}_others"] if len(names) > 3 else []
        shared_embedding_name = "_".join([*names[:3], *more, "shared_embedding"])
    return [_embedding(column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
                       shared_embedding_name, sparse_id_columns[0].length, max_norm, trainable)
            for column in sparse_id_columns]


class OlderEmbeddingColumn(OlderColumn, DenseTensorColumn, collections.namedtuple("_EmbeddingColumn", _TABLE)):
    """What `tf.contrib.layers.embedding_column` makes."""

    @property
    def name(self) -> str:
        shared = "" if self.shared_embedding_name is None else "_shared"
        return f"{self.sparse_id_column.name}{shared}_embedding"

    length = property(lambda self: self.sparse_id_column.length)

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return self.sparse_id_column._parse_example_spec

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.sparse_id_column)

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        transformed = inputs.get(self)
        ids, weights = transformed if isinstance(transformed, tuple) else (transformed, None)
        return safe_embedding_lookup_sparse(
            self._table(weight_collections, trainable is not False), ids, weights, combiner=self.combiner,
            max_norm=self.max_norm, name=f"{self.name}_weights")

    def _table(self, weight_collections: Any, trainable: bool) -> Any:
        collection = f"SHARED_EMBEDDING_COLLECTION_{self.shared_embedding_name}"
        if self.shared_embedding_name is not None and get_collection(collection):
            return get_collection(collection)[0]
        table = model_weights("weights", [self.shared_vocab_size or self.length, self.dimension], self.initializer,
                              self.trainable and trainable, weight_collections)
        if self.shared_embedding_name is not None:
            add_to_collection(collection, table)
        if self.ckpt_to_load_from is not None:
            init_from_checkpoint(self.ckpt_to_load_from, {self.tensor_name_in_ckpt: table})
        return table


def model_weights(name: str, shape: Any, initializer: Any, trainable: bool, collections: Any) -> Any:
    """A variable in the scope in force, and in MODEL_VARIABLES and further collections."""
    everywhere = dict.fromkeys([*(collections or []), GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES])
    return get_variable(name, shape, dtypes.float32, initializer, trainable=trainable, collections=list(everywhere))


def flat(column: Any, tensor: Any) -> Any:
    """The tensor of a dense column as a matrix of its own width, or of the column's where the graph tells none."""
    known = None if tensor.shape.rank is None else tensor.shape[1:].num_elements()
    size = column._variable_shape.num_elements() if known is None else known
    return array.reshape(tensor, (array.shape(tensor)[0], -1 if size is None else size))
