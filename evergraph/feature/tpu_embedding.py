"""tf.tpu.experimental's embedding columns. Off the embedding cores of TPUs they are those of tf.feature_column."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.feature import embedding
from evergraph.feature.column import is_categorical
from evergraph.feature.sequence import SequenceCategoricalColumn


def _check(column: Any, max_sequence_length: int, name: str) -> None:
    if not is_categorical(column):
        raise TypeError(f"categorical_column for tpu {name} must be type CategoricalColumn, got {type(column)}.")
    if isinstance(column, SequenceCategoricalColumn):
        if max_sequence_length < 1:
            raise ValueError(f"the sequence column {column.name} needs a max_sequence_length of 1 or more, got "
                             f"{max_sequence_length}")
    elif max_sequence_length:
        raise ValueError(f"{column.name} is no sequence column, so max_sequence_length must be 0, got "
                         f"{max_sequence_length}")


@export("tpu.experimental.embedding_column")
def embedding_column(categorical_column: Any, dimension: int, combiner: str = "mean", initializer: Any = None,
                     max_sequence_length: int = 0, learning_rate_fn: Callable[..., Any] | None = None
                     ) -> embedding.EmbeddingColumn:
    """An embedding column for programs that TPUs run too; see `tf.feature_column.embedding_column`.

    The model's optimizer trains the table.

    Args:
        categorical_column: the ids.
        dimension: the length of the vectors.
        combiner: "mean", "sqrtn" or "sum".
        initializer: what the table starts with; by default a truncated normal with deviation 1 / sqrt(dimension).
        max_sequence_length: the number of steps that TPUs take of each sequence, which must be given for columns of
            sequences; as in TensorFlow, other devices take all.
        learning_rate_fn: the learning rate of the table on TPUs; has no meaning for other devices.

    Raises:
        TypeError: the column is not categorical.
        ValueError: `max_sequence_length` does not fit the column, or as for `tf.feature_column.embedding_column`.
    """
    _check(categorical_column, max_sequence_length, "embedding_column")
    return embedding.embedding_column(categorical_column, dimension, combiner, initializer)


@export("tpu.experimental.shared_embedding_columns")
def shared_embedding_columns(categorical_columns: Sequence[Any], dimension: int, combiner: str = "mean",
                             initializer: Any = None, shared_embedding_collection_name: str | None = None,
                             max_sequence_lengths: Sequence[int] | None = None,
                             learning_rate_fn: Callable[..., Any] | None = None) -> list[Any]:
    """Embedding columns with one table, for programs that TPUs run too; see `embedding_column`.

    Args:
        categorical_columns: the ids; all of the same kind and number.
        dimension: the length of the vectors.
        combiner: "mean", "sqrtn" or "sum".
        initializer: what the table starts with; by default a truncated normal with deviation 1 / sqrt(dimension).
        shared_embedding_collection_name: the graph collection that holds the table.
        max_sequence_lengths: the `max_sequence_length` of each column; by default 0.
        learning_rate_fn: the learning rate of the table on TPUs; has no meaning for other devices.

    Raises:
        TypeError: a column is not categorical.
        ValueError: the columns cannot share a table, or a length does not fit its column.
    """
    columns = list(categorical_columns)
    lengths = [0] * len(columns) if max_sequence_lengths is None else list(max_sequence_lengths)
    if len(lengths) != len(columns):
        raise ValueError(f"got {len(lengths)} max_sequence_lengths for {len(columns)} categorical_columns")
    for column, length in zip(columns, lengths, strict=True):
        _check(column, length, "shared_embedding_columns")
    return embedding.shared_embedding_columns(columns, dimension, combiner, initializer,
                                              shared_embedding_collection_name)
