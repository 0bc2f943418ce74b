"""Dense columns that look the ids of categorical columns up in a table of vectors, their own or a shared one."""
from __future__ import annotations

import collections
import math
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.feature.column import (
    BothDense,
    BothSequence,
    buckets_of,
    is_categorical,
    sparse_tensors_of,
    spec_of,
)
from evergraph.feature.sequence import check_is_sequence, check_no_sequence, sequence_lengths
from evergraph.feature.serial import Configured
from evergraph.feature.weighted import WeightedCategoricalColumn
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.frontend.nn.embedding import safe_embedding_lookup_sparse
from evergraph.frontend.variables.initializers import truncated_normal_initializer
from evergraph.frontend.variables.scope import get_variable
from evergraph.graph.graph import default_graph
from evergraph.save.warm import init_from_checkpoint

_FIELDS = ["categorical_column", "dimension", "combiner", "initializer", "ckpt_to_load_from", "tensor_name_in_ckpt",
           "max_norm", "trainable"]


def _checked_initializer(initializer: Any, dimension: int, ckpt: Any, tensor_name: Any) -> Callable[..., Any]:
    """What a table starts with: by default numbers whose vectors have a length of about 1."""
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")
    if (ckpt is None) != (tensor_name is None):
        raise ValueError("ckpt_to_load_from and tensor_name_in_ckpt go together, got "
                         f"{ckpt!r} and {tensor_name!r}")
    if initializer is not None and not callable(initializer):
        raise ValueError(f"initializer must be callable if specified. Given: {initializer}")
    return initializer or truncated_normal_initializer(mean=0.0, stddev=1 / math.sqrt(dimension))


class _Embedding(BothDense, BothSequence):
    """A column that looks ids up in a table. A subclass finds the table, in either of two ways."""

    categorical_column: Any

    @property
    def parents(self) -> list[Any]:
        return [self.categorical_column]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return spec_of(self.categorical_column)

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        return transformation_cache.get(self.categorical_column, state_manager)

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _combined(self, table: Any, ids_and_weights: Any) -> Any:
        """The vectors of an example's ids as one."""
        return safe_embedding_lookup_sparse(
            table, ids_and_weights.id_tensor, ids_and_weights.weight_tensor, combiner=self.combiner,
            max_norm=self.max_norm, name=f"{self.name}_weights")

    def _in_scope(self) -> Any:
        """The block that the lookup is done in."""
        return name_scope(None, self.name)

    # ---- variables made on the way

    def _made_table(self, weight_collections: Any, trainable: bool) -> Any:
        raise NotImplementedError

    def _looked_up(self, inputs: Any, weight_collections: Any, trainable: Any) -> tuple[Any, Any]:
        """(vectors, ids)."""
        with self._in_scope():
            pair = sparse_tensors_of(self.categorical_column, inputs)
            table = self._made_table(weight_collections, trainable is not False)
            return self._combined(table, pair), pair.id_tensor

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        check_no_sequence(self, "embedding_column")
        return self._looked_up(inputs, weight_collections, trainable)[0]

    def _get_sequence_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        check_is_sequence(self, "embedding_column")
        vectors, ids = self._looked_up(inputs, weight_collections, trainable)
        return self.TensorSequenceLengthPair(vectors, sequence_lengths(ids))

    # ---- variables that are there

    def _held_table(self, state_manager: Any) -> Any:
        raise NotImplementedError

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        check_no_sequence(self, "embedding_column")
        with self._in_scope():
            pair = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager)
            return self._combined(self._held_table(state_manager), pair)

    def get_sequence_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        check_is_sequence(self, "embedding_column")
        with self._in_scope():
            pair = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager)
            vectors = self._combined(self._held_table(state_manager), pair)
        return self.TensorSequenceLengthPair(vectors, sequence_lengths(pair.id_tensor))


def _new_table(column: Any, shape: tuple[int, int], weight_collections: Any, trainable: bool) -> Any:
    """A table, as a variable of the scope in force."""
    collections = list(weight_collections or [])
    if GraphKeys.GLOBAL_VARIABLES not in collections:
        collections.append(GraphKeys.GLOBAL_VARIABLES)
    return get_variable("embedding_weights", shape, initializer=column.initializer,
                        trainable=column.trainable and trainable, collections=collections)


def _restore(column: Any, table: Any) -> None:
    """Makes a table start with the values of a checkpoint, where the column names one."""
    if column.ckpt_to_load_from is not None:
        init_from_checkpoint(column.ckpt_to_load_from, {column.tensor_name_in_ckpt: table})


# ---- a table of its own


@export("feature_column.embedding_column")
def embedding_column(categorical_column: Any, dimension: int, combiner: str = "mean", initializer: Any = None,
                     ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None,
                     max_norm: float | None = None, trainable: bool = True) -> EmbeddingColumn:
    """A dense column of vectors, which are learned: one for each id, combined where an example has several.

    A training step touches the rows of the ids in its batch only, however many rows the table has.

    Args:
        categorical_column: the ids.
        dimension: the length of the vectors.
        combiner: "mean", "sqrtn" or "sum".
        initializer: what the table starts with; by default a truncated normal with deviation 1 / sqrt(dimension).
        ckpt_to_load_from: a checkpoint to start from.
        tensor_name_in_ckpt: the table's name in it.
        max_norm: vectors longer than this are scaled down to it before they are combined.
        trainable: whether the table is trained.

    Raises:
        ValueError: there is no dimension, the initializer cannot be called, or only half of what names a table in a
            checkpoint is given.
    """
    initializer = _checked_initializer(initializer, dimension, ckpt_to_load_from, tensor_name_in_ckpt)
    return EmbeddingColumn(categorical_column, dimension, combiner, initializer, ckpt_to_load_from,
                           tensor_name_in_ckpt, max_norm, trainable)


class EmbeddingColumn(Configured, _Embedding, collections.namedtuple("EmbeddingColumn", _FIELDS)):
    """What `tf.feature_column.embedding_column` makes."""

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_embedding"

    @property
    def _shape(self) -> tuple[int, int]:
        return buckets_of(self.categorical_column), self.dimension

    def _in_scope(self) -> Any:
        return name_scope(_here())

    def _made_table(self, weight_collections: Any, trainable: bool) -> Any:
        table = _new_table(self, self._shape, weight_collections, trainable)
        _restore(self, table)
        return table

    def create_state(self, state_manager: Any) -> None:
        """Makes the table."""
        state_manager.create_variable(self, name="embedding_weights", shape=self._shape, trainable=self.trainable,
                                      use_resource=True, initializer=self.initializer)

    def _held_table(self, state_manager: Any) -> Any:
        table = state_manager.get_variable(self, name="embedding_weights")
        _restore(self, table)
        return table


def _here() -> str | None:
    """The name scope in force, to be entered as it stands."""
    current = default_graph().get_name_scope()
    return f"{current}/" if current else None


# ---- shared tables


def _checked_to_share(columns: list[Any]) -> None:
    """Raises ValueError unless columns give ids of the same kind and number."""
    for column in columns:
        if not is_categorical(column):
            raise ValueError(f"categorical_columns must be categorical columns, got {column}")
    kinds = [type(column.categorical_column if isinstance(column, WeightedCategoricalColumn) else column)
             for column in columns]
    counts = list(map(buckets_of, columns))
    for column, kind, count in zip(columns, kinds, counts):
        if kind is not kinds[0]:
            raise ValueError("a table cannot be shared: all categorical_columns must have the same type, weights "
                             f"aside, but {columns[0].name} is a {kinds[0].__name__} and {column.name} a "
                             f"{kind.__name__}")
        if count != counts[0]:
            raise ValueError("columns that share a table need the same number of buckets, but "
                             f"{columns[0].name} has {counts[0]} and {column.name} {count}")


def _shared_name(columns: list[Any], name: str | None) -> str:
    return name or "_".join(sorted(column.name for column in columns)) + "_shared_embedding"


@export("feature_column.shared_embedding_columns")
def shared_embedding_columns(categorical_columns: Sequence[Any], dimension: int, combiner: str = "mean",
                             initializer: Any = None, shared_embedding_collection_name: str | None = None,
                             ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None,
                             max_norm: float | None = None, trainable: bool = True) -> list[Any]:
    """Embedding columns with one table: for features whose ids mean the same, such as a first and a last word.

    Args:
        categorical_columns: the ids; all of the same kind and number.
        dimension: the length of the vectors.
        combiner: "mean", "sqrtn" or "sum".
        initializer: what the table starts with; by default a truncated normal with deviation 1 / sqrt(dimension).
        shared_embedding_collection_name: the graph collection that holds the table, and its variable scope; by default
            the names of the columns, then "shared_embedding".
        ckpt_to_load_from: a checkpoint to start from.
        tensor_name_in_ckpt: the table's name in it.
        max_norm: vectors longer than this are scaled down to it before they are combined.
        trainable: whether the table is trained.

    Returns:
        The columns, in the order of `categorical_columns`.

    Raises:
        ValueError: the columns differ in kind or number of ids; or as for `tf.feature_column.embedding_column`.
    """
    initializer = _checked_initializer(initializer, dimension, ckpt_to_load_from, tensor_name_in_ckpt)
    columns = list(categorical_columns)
    _checked_to_share(columns)
    name = _shared_name(columns, shared_embedding_collection_name)
    return [CollectedEmbeddingColumn(column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
                                     max_norm, trainable, name) for column in columns]


class CollectedEmbeddingColumn(
    _Embedding,
    collections.namedtuple("_SharedEmbeddingColumn", [*_FIELDS, "shared_embedding_collection_name"]),
):
    """What `tf.feature_column.shared_embedding_columns` makes: the table is in a collection of the graph."""

    _is_v2_column = False

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_shared_embedding"

    @property
    def _var_scope_name(self) -> str:
        return self.shared_embedding_collection_name

    def _made_table(self, weight_collections: Any, trainable: bool) -> Any:
        shape = (buckets_of(self.categorical_column), self.dimension)
        shared = get_collection(self.shared_embedding_collection_name)
        if not shared:
            table = _new_table(self, shape, weight_collections, trainable)
            add_to_collection(self.shared_embedding_collection_name, table)
        elif len(shared) > 1:
            raise ValueError(f"the collection {self.shared_embedding_collection_name} is to hold one table, but the "
                             f"program has added more to it: {shared}")
        else:
            table = shared[0]
            if TensorShape(shape) != table.get_shape():
                raise ValueError(f"the collection {self.shared_embedding_collection_name} holds {table.name} of shape "
                                 f"{table.get_shape()}, but the columns need a table of shape {shape}: give them "
                                 "another shared_embedding_collection_name")
        _restore(self, table)
        return table

    def _held_table(self, state_manager: Any) -> Any:
        raise ValueError("columns of tf.feature_column.shared_embedding_columns are for input_layer and linear_model; "
                         "tf.compat.v2.feature_column.shared_embeddings makes columns for layers")


class SharedTable:
    """A table that several columns look ids up in, one in each graph."""

    def __init__(self, name: str, shape: tuple[int, int], initializer: Any, ckpt_to_load_from: Any,
                 tensor_name_in_ckpt: Any, trainable: bool) -> None:
        self.name, self.shape, self.initializer, self.trainable = name, shape, initializer, trainable
        self.ckpt_to_load_from, self.tensor_name_in_ckpt = ckpt_to_load_from, tensor_name_in_ckpt

    def in_graph(self) -> Any:
        """The variable of the default graph; made by the first call."""
        held = default_graph().memo(_SharedTables)
        if self not in held:
            held[self] = get_variable(self.name, self.shape, initializer=self.initializer, trainable=self.trainable)
            _restore(self, held[self])
        return held[self]


class _SharedTables(dict[SharedTable, Any]):
    """The variables of a graph that shared embedding columns use."""


@export("compat.v2.feature_column.shared_embeddings")
def shared_embeddings(categorical_columns: Sequence[Any], dimension: int, combiner: str = "mean",
                      initializer: Any = None, shared_embedding_collection_name: str | None = None,
                      ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None,
                      max_norm: float | None = None, trainable: bool = True) -> list[SharedEmbeddingColumn]:
    """`tf.feature_column.shared_embedding_columns` for layers such as `tf.keras.layers.DenseFeatures`.

    The table is a variable by the name of `shared_embedding_collection_name`, whatever layers use it. The arguments are
    those of `tf.feature_column.shared_embedding_columns`.
    """
    initializer = _checked_initializer(initializer, dimension, ckpt_to_load_from, tensor_name_in_ckpt)
    columns = list(categorical_columns)
    _checked_to_share(columns)
    table = SharedTable(_shared_name(columns, shared_embedding_collection_name),
                        (buckets_of(columns[0]), dimension), initializer, ckpt_to_load_from, tensor_name_in_ckpt,
                        trainable)
    return [SharedEmbeddingColumn(column, table, combiner, max_norm) for column in columns]


class SharedEmbeddingColumn(
    _Embedding,
    collections.namedtuple("SharedEmbeddingColumn",
                           ["categorical_column", "shared_embedding_column_creator", "combiner", "max_norm"]),
):
    """What `tf.compat.v2.feature_column.shared_embeddings` makes."""

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_shared_embedding"

    @property
    def dimension(self) -> int:
        return self.shared_embedding_column_creator.shape[1]

    def _held_table(self, state_manager: Any) -> Any:
        return self.shared_embedding_column_creator.in_graph()

    def _made_table(self, weight_collections: Any, trainable: bool) -> Any:
        raise ValueError("SharedEmbeddingColumns are not supported by input_layer and linear_model, which make their "
                         "variables themselves: use tf.feature_column.shared_embedding_columns, or DenseFeatures")
