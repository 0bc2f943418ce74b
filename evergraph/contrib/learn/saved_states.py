"""Recurrent Estimators of tf.contrib.learn that read long sequences in segments, with saved states in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.contrib.layers.dense import fully_connected
from evergraph.contrib.layers.feature_columns_layers import (
    input_from_feature_columns,
    sequence_input_from_feature_columns,
)
from evergraph.contrib.layers.targets import TargetColumn
from evergraph.contrib.learn import rnn_common
from evergraph.contrib.learn.estimator import Estimator
from evergraph.contrib.learn.keys import ProblemType
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.contrib.learn.model_fn import ModelFnOps
from evergraph.contrib.learn.rnn_common import RNNKeys
from evergraph.contrib.training.sequences import batch_sequences_with_states
from evergraph.frontend import array
from evergraph.frontend.random import random_uniform
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.layers.rnn_cell import RNNCell
from evergraph.layers.rnn_static import static_state_saving_rnn
from evergraph.ops.strings.numbers import as_string
from evergraph.ops.strings.strings import string_join

_SCOPE = "StateSavingRNNModel"


class StateSavingRnnEstimator(Estimator):
    """A recurrent network that reads sequences of any lengths in segments.

    The state at the end of a segment is that with which the next one begins, while gradients stay in a segment.
    The features are those of one sequence, [steps, ...], and the labels [steps]; queues make batches of segments of
    them. Predictions are those of each step of the segments.

    Args:
        problem_type: `tf.contrib.learn.ProblemType.CLASSIFICATION` or LINEAR_REGRESSION.
        num_unroll: the number of steps in a segment.
        batch_size: the number of segments in a batch.
        sequence_feature_columns, context_feature_columns, num_classes, num_units, cell_type, optimizer, learning_rate,
            predict_probabilities, momentum, gradient_clipping_norm, dropout_keep_probabilities, model_dir, config,
            feature_engineering_fn: see `tf.contrib.learn.DynamicRnnEstimator`.
        num_threads: how many threads read sequences.
        queue_capacity: how many sequences wait at most.
        seed: of the keys of sequences.

    Raises:
        ValueError: the kind of the problem is not known, or has no probabilities.
    """

    def __init__(self, problem_type: int, num_unroll: int, batch_size: int, sequence_feature_columns: Sequence[Any],
                 context_feature_columns: Sequence[Any] | None = None, num_classes: int | None = None,
                 num_units: Any = None, cell_type: Any = "basic_rnn", optimizer: Any = "SGD",
                 learning_rate: float = 0.1, predict_probabilities: bool = False, momentum: float | None = None,
                 gradient_clipping_norm: float | None = 5.0,
                 dropout_keep_probabilities: Sequence[float] | None = None, model_dir: Any = None, config: Any = None,
                 feature_engineering_fn: Callable[..., Any] | None = None, num_threads: int = 3,
                 queue_capacity: int = 1000, seed: int | None = None) -> None:
        rnn_common.check_probabilities(problem_type, predict_probabilities)
        model_fn = model_of(
            cell_type, rnn_common.target_of(problem_type, num_classes), problem_type,
            rnn_common.made_optimizer(optimizer, learning_rate, momentum), num_unroll, num_units, num_threads,
            queue_capacity, batch_size, sequence_feature_columns, context_feature_columns, predict_probabilities,
            learning_rate, gradient_clipping_norm, dropout_keep_probabilities, seed=seed)
        super().__init__(model_fn, model_dir, config, feature_engineering_fn=feature_engineering_fn)


def model_of(cell_type: Any, target_column: TargetColumn, problem_type: int, optimizer: Any, num_unroll: int,
             num_units: Any, num_threads: int, queue_capacity: int, batch_size: int,
             sequence_feature_columns: Sequence[Any], context_feature_columns: Sequence[Any] | None = None,
             predict_probabilities: bool = False, learning_rate: Any = None,
             gradient_clipping_norm: float | None = None,
             dropout_keep_probabilities: Sequence[float] | None = None, name: str = _SCOPE,
             seed: int | None = None) -> Callable[..., ModelFnOps]:
    """The model function of a StateSavingRnnEstimator.

    Args:
        cell_type, problem_type, optimizer, num_unroll, num_units, num_threads, queue_capacity, batch_size,
        sequence_feature_columns, context_feature_columns, predict_probabilities, learning_rate,
        gradient_clipping_norm, dropout_keep_probabilities, seed: see `StateSavingRnnEstimator`.
        target_column: what is predicted.
        name: the variable scope.
    """
    def model_fn(features: Any, labels: Any, mode: str) -> ModelFnOps:
        keep = dropout_keep_probabilities if mode == ModeKeys.TRAIN else None
        cell = rnn_common.construct_rnn_cell(num_units, cell_type, keep)
        sequences, context = sequences_and_context(features, labels, mode, sequence_feature_columns,
                                                   context_feature_columns)
        with variable_scope(name):
            number = random_uniform([], maxval=2 ** 31 - 1, dtype=dtypes.int32, seed=seed)
            batch = batch_sequences_with_states(
                string_join(["key_", as_string(number)]), sequences, context, None, _zero_states(cell), num_unroll,
                batch_size, num_threads=num_threads, capacity=queue_capacity, make_keys_unique=True,
                make_keys_unique_seed=seed)
            logits, state = _network(batch, cell, sequence_feature_columns, context_feature_columns, num_unroll,
                                     target_column)
        predictions = {**rnn_common.predictions_of(target_column, logits, problem_type, predict_probabilities),
                       **rnn_common.states_by_name(state)}
        if mode == ModeKeys.INFER:
            return ModelFnOps(mode, predictions, output_alternatives={None: (ProblemType.UNSPECIFIED, predictions)})
        known, wanted = rnn_common.mask_activations_and_labels(logits, batch.sequences[RNNKeys.LABELS_KEY],
                                                               batch.length)
        loss = target_column.training_loss(known, wanted, features)
        train_op = rnn_common.train_op_of(loss, optimizer, learning_rate, gradient_clipping_norm) \
            if mode == ModeKeys.TRAIN else None
        metrics = rnn_common.metrics_of(target_column, known, wanted, problem_type)
        return ModelFnOps(mode, predictions, loss, train_op, metrics)

    return model_fn


def sequences_and_context(features: Mapping[str, Any], labels: Any, mode: str,
                          sequence_feature_columns: Sequence[Any], context_feature_columns: Sequence[Any] | None
                          ) -> tuple[dict[str, Any], dict[str, Any]]:
    """(what has steps, with the labels, and what has none) of the features, by key, for the columns."""
    sequences = {key: _tensor(features[key]) for key in _keys(sequence_feature_columns)}
    if mode != ModeKeys.INFER:
        sequences[RNNKeys.LABELS_KEY] = _tensor(labels)
    return sequences, {key: _tensor(features[key]) for key in _keys(context_feature_columns or ())}


def _keys(columns: Sequence[Any]) -> list[str]:
    return sorted({key for column in columns for key in column._parse_example_spec})


def _tensor(value: Any) -> Any:
    return value if isinstance(value, SparseTensor) else convert_to_tensor(value)


def _zero_states(cell: RNNCell) -> dict[str, Tensor]:
    """The first state of a sequence, by name."""
    return {rnn_common.state_name(number): array.zeros([size])
            for number, size in enumerate(nest.flatten(cell.state_size))}


def _network(batch: Any, cell: RNNCell, sequence_columns: Sequence[Any], context_columns: Sequence[Any] | None,
             num_unroll: int, target: TargetColumn) -> tuple[Tensor, Any]:
    """(the logits [batch, num_unroll, width], the state at the end of the segments)."""
    context = None
    if context_columns:
        with variable_scope("context"):
            given = {key: each if isinstance(each, SparseTensor) or each.shape.ndims != 1 else
                     array.expand_dims(each, 1) for key, each in batch.context.items()}
            context = {"context": input_from_feature_columns(given, context_columns)}
    inputs = inputs_by_step(batch.sequences, context, sequence_columns, num_unroll)
    names = nest.pack_sequence_as(
        cell.state_size, [rnn_common.state_name(number) for number in range(len(nest.flatten(cell.state_size)))])
    outputs, state = static_state_saving_rnn(cell, inputs, batch, names, sequence_length=batch.length)
    return fully_connected(array.stack(outputs, axis=1), target.num_label_columns, activation_fn=None), state


def inputs_by_step(sequence_features: Mapping[str, Any], context_features: Mapping[str, Any] | None,
                   sequence_feature_columns: Sequence[Any], num_unroll: int) -> list[Tensor]:
    """The input of each step, [batch, width]: that of the columns, and then the context, in the order of its keys.

    Args:
        sequence_features: tensors [batch, num_unroll, ...] by key.
        context_features: tensors [batch, width] by key; None for none.
        sequence_feature_columns: columns.
        num_unroll: the number of steps.
    """
    inputs = sequence_input_from_feature_columns(sequence_features, sequence_feature_columns)
    inputs.set_shape([None, num_unroll, None])
    steps = array.unstack(inputs, axis=1)
    if not context_features:
        return steps
    context = [context_features[key] for key in sorted(context_features)]
    return [array.concat([step, *context], 1) for step in steps]
