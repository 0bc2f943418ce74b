"""tf.contrib.feature_column: the input of networks for sequences."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.feature.column import SequenceTensorColumn
from evergraph.feature.input_layer import in_collections, tensors_of
from evergraph.feature.inputs import LazyBuilder, as_columns, check_batches, in_order
from evergraph.frontend import array
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.node import Tensor
from evergraph.keras.feature_layers import same_lengths
from evergraph.ops.arrays.pad import tile


@export("contrib.feature_column.sequence_input_layer")
def sequence_input_layer(features: Mapping[str, Any], feature_columns: Any, weight_collections: Any = None,
                         trainable: bool = True) -> tuple[Tensor, Tensor]:
    """The input of a network for sequences: what columns make of each step, side by side, sorted by their names.

    Args:
        features: sparse tensors by name.
        feature_columns: columns of sequences: `sequence_numeric_column`, or embeddings and indicators of
            `sequence_categorical_column_with_*`.
        weight_collections: collections that variables join, beside GLOBAL_VARIABLES and MODEL_VARIABLES.
        trainable: whether the variables are.

    Returns:
        (a tensor [batch, steps, width], the number of steps of each example).

    Raises:
        ValueError: a column is not one of sequences, or two have the same name.
    """
    columns = in_order(as_columns(feature_columns))
    for column in columns:
        if not isinstance(column, SequenceTensorColumn):
            raise ValueError(f"every column must be a _SequenceDenseColumn, got {column}: an embedding_column or "
                             "indicator_column of a sequence_categorical_column is one")
    with variable_scope(None, default_name="sequence_input_layer", values=tensors_of(features)):
        return _side_by_side(LazyBuilder(features), columns, in_collections(weight_collections), trainable)


def _side_by_side(builder: LazyBuilder, columns: list[Any], collections: list[Any],
                  trainable: bool) -> tuple[Tensor, Tensor]:
    outputs, lengths = [], []
    for column in columns:
        with variable_scope(None, default_name=column._var_scope_name):
            tensor, length = column._get_sequence_dense_tensor(builder, weight_collections=collections,
                                                               trainable=trainable)
            shape, width = array.shape(tensor), column._variable_shape.num_elements()
            outputs.append(array.reshape(tensor, (shape[0], shape[1], width)))
            lengths.append(length)
    check_batches(outputs, columns)
    return array.concat(outputs, -1), same_lengths(lengths)


@export("contrib.feature_column.concatenate_context_input")
def concatenate_context_input(context_input: Tensor, sequence_input: Tensor) -> Tensor:
    """Repeats what is known of an example as a whole beside each of its steps.

    Args:
        context_input: float32 [batch, width].
        sequence_input: float32 [batch, steps, width of a step].

    Returns:
        A tensor [batch, steps, width of a step + width].

    Raises:
        TypeError: a tensor is not of float32.
        ValueError: a tensor has another rank.
    """
    for name, tensor, rank in (("sequence_input", sequence_input, 3), ("context_input", context_input, 2)):
        if tensor.shape.rank is not None and tensor.shape.rank != rank:
            raise ValueError(f"{name} must have rank {rank}, got {tensor.shape}")
        if tensor.dtype != dtypes.float32:
            raise TypeError(f"{name} must have dtype float32, got {tensor.dtype}")
    steps = array.shape(sequence_input)[1]
    repeated = tile(array.expand_dims(context_input, 1), array.concat([[1], [steps], [1]], 0))
    return array.concat([sequence_input, repeated], 2)
