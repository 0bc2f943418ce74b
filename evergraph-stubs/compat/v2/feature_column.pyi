# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.feature_column."""

from collections.abc import Sequence
from typing import Any

def categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None, dtype: Any = ...,
    default_value: int | None = None, num_oov_buckets: int = 0,
) -> tuple:
    """`tf.feature_column.categorical_column_with_vocabulary_file` with TensorFlow 2's order of
    arguments."""

def shared_embeddings(
    categorical_columns: Sequence[Any], dimension: int, combiner: str = 'mean', initializer: Any = None,
    shared_embedding_collection_name: str | None = None, ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None, max_norm: float | None = None, trainable: bool = True,
) -> list[tuple]:
    """`tf.feature_column.shared_embedding_columns` for layers such as `tf.keras.layers.DenseFeatures`."""
