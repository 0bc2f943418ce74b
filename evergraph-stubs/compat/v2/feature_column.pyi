# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.feature_column."""

from collections.abc import Sequence
from typing import Any

from evergraph.feature_column import bucketized_column as bucketized_column
from evergraph.feature_column import categorical_column_with_hash_bucket as categorical_column_with_hash_bucket
from evergraph.feature_column import categorical_column_with_identity as categorical_column_with_identity

def categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None, dtype: Any = ...,
    default_value: int | None = None, num_oov_buckets: int = 0,
) -> tuple:
    """`tf.feature_column.categorical_column_with_vocabulary_file` with TensorFlow 2's order of
    arguments."""

from evergraph.feature_column import categorical_column_with_vocabulary_list as categorical_column_with_vocabulary_list
from evergraph.feature_column import crossed_column as crossed_column
from evergraph.feature_column import embedding_column as embedding_column
from evergraph.feature_column import indicator_column as indicator_column
from evergraph.feature_column import numeric_column as numeric_column

from evergraph.feature_column import (
    sequence_categorical_column_with_hash_bucket as sequence_categorical_column_with_hash_bucket,
)

from evergraph.feature_column import (
    sequence_categorical_column_with_identity as sequence_categorical_column_with_identity,
)

from evergraph.feature_column import (
    sequence_categorical_column_with_vocabulary_file as sequence_categorical_column_with_vocabulary_file,
)

from evergraph.feature_column import (
    sequence_categorical_column_with_vocabulary_list as sequence_categorical_column_with_vocabulary_list,
)

from evergraph.feature_column import sequence_numeric_column as sequence_numeric_column

def shared_embeddings(
    categorical_columns: Sequence[Any], dimension: int, combiner: str = 'mean', initializer: Any = None,
    shared_embedding_collection_name: str | None = None, ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None, max_norm: float | None = None, trainable: bool = True,
) -> list[tuple]:
    """`tf.feature_column.shared_embedding_columns` for layers such as `tf.keras.layers.DenseFeatures`."""

from evergraph.feature_column import weighted_categorical_column as weighted_categorical_column
