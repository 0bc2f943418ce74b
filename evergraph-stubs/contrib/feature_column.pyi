# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.feature_column."""

from collections.abc import Mapping
from evergraph import Tensor
from typing import Any

def concatenate_context_input(context_input: Tensor, sequence_input: Tensor) -> Tensor:
    """Repeats what is known of an example as a whole beside each of its steps."""

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

def sequence_input_layer(
    features: Mapping[str, Any], feature_columns: Any, weight_collections: Any = None,
    trainable: bool = True,
) -> tuple[Tensor, Tensor]:
    """The input of a network for sequences: what columns make of each step, side by side, sorted by their
    names."""

from evergraph.feature_column import sequence_numeric_column as sequence_numeric_column
