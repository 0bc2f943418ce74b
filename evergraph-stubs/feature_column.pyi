# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.feature_column."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from evergraph import Tensor
from typing import Any

def bucketized_column(source_column: tuple, boundaries: Sequence[float]) -> tuple:
    """A column that says between which boundaries a number lies."""

def categorical_column_with_hash_bucket(key: str, hash_bucket_size: int, dtype: Any = ...) -> tuple:
    """A categorical column of text or integers whose ids are hashes: FarmHash64 modulo the number of
    buckets."""

def categorical_column_with_identity(
    key: str, num_buckets: int, default_value: int | None = None,
) -> tuple:
    """A categorical column of integers that are ids already."""

def categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None, num_oov_buckets: int = 0,
    default_value: int | None = None, dtype: Any = ...,
) -> tuple:
    """A categorical column of text or integers whose ids are line numbers of a file."""

def categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Sequence[Any], dtype: Any = None, default_value: int = -1,
    num_oov_buckets: int = 0,
) -> tuple:
    """A categorical column of text or integers whose ids are their places in a list."""

def crossed_column(keys: Sequence[Any], hash_bucket_size: int, hash_key: int | None = None) -> tuple:
    """A categorical column of all combinations of values of several features, as hashes."""

def embedding_column(
    categorical_column: Any, dimension: int, combiner: str = 'mean', initializer: Any = None,
    ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None,
    max_norm: float | None = None, trainable: bool = True,
) -> tuple:
    """A dense column of vectors, which are learned: one for each id, combined where an example has
    several."""

def indicator_column(categorical_column: Any) -> tuple:
    """A dense column that says how often each id occurs: one-hot where an example has one value."""

def input_layer(
    features: Mapping[str, Any], feature_columns: Any, weight_collections: Any = None,
    trainable: bool = True, cols_to_vars: dict[Any, Any] | None = None,
    cols_to_output_tensors: dict[Any, Any] | None = None,
) -> Tensor:
    """The input of a network: what dense columns make of the features, side by side, sorted by the columns'
    names."""

def linear_model(
    features: Mapping[str, Any], feature_columns: Any, units: int = 1, sparse_combiner: str = 'sum',
    weight_collections: Any = None, trainable: bool = True, cols_to_vars: dict[Any, Any] | None = None,
) -> Tensor:
    """The predictions of a linear model: the sum of each column's values times their weights, plus a
    bias."""

def make_parse_example_spec(feature_columns: Iterable[Any]) -> dict[str, Any]:
    """The features that columns read, to be given to `tf.parse_example`."""

def numeric_column(
    key: str, shape: Any = ..., default_value: Any = None, dtype: Any = ...,
    normalizer_fn: Callable[[Any], Any] | None = None,
) -> tuple:
    """A column of numbers."""

def sequence_categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: Any = ...,
) -> tuple:
    """`tf.feature_column.categorical_column_with_hash_bucket` whose values are steps of a sequence."""

def sequence_categorical_column_with_identity(
    key: str, num_buckets: int, default_value: int | None = None,
) -> tuple:
    """`tf.feature_column.categorical_column_with_identity` whose values are steps of a sequence."""

def sequence_categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None, num_oov_buckets: int = 0,
    default_value: int | None = None, dtype: Any = ...,
) -> tuple:
    """`tf.feature_column.categorical_column_with_vocabulary_file` whose values are steps of a sequence."""

def sequence_categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Sequence[Any], dtype: Any = None, default_value: int = -1,
    num_oov_buckets: int = 0,
) -> tuple:
    """`tf.feature_column.categorical_column_with_vocabulary_list` whose values are steps of a sequence."""

def sequence_numeric_column(
    key: str, shape: Any = ..., default_value: float = 0.0, dtype: Any = ...,
    normalizer_fn: Callable[[Any], Any] | None = None,
) -> tuple:
    """A column of sequences of numbers, for `tf.keras.experimental.SequenceFeatures`."""

def shared_embedding_columns(
    categorical_columns: Sequence[Any], dimension: int, combiner: str = 'mean', initializer: Any = None,
    shared_embedding_collection_name: str | None = None, ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None, max_norm: float | None = None, trainable: bool = True,
) -> list[Any]:
    """Embedding columns with one table: for features whose ids mean the same, such as a first and a last
    word."""

def weighted_categorical_column(
    categorical_column: Any, weight_feature_key: str, dtype: Any = ...,
) -> tuple:
    """A categorical column whose values have weights."""
