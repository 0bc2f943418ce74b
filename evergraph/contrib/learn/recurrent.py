"""tf.contrib.learn.DynamicRnnEstimator: recurrent networks over sequences of any lengths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.contrib.estimator.rnn import select_last_activations
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
from evergraph.contrib.learn.rnn_common import PredictionType, RNNKeys
from evergraph.frontend import array
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.node import Tensor
from evergraph.layers.rnn import dynamic_rnn
from evergraph.layers.rnn_cell import RNNCell
from evergraph.ops.arrays.pad import tile


@export("contrib.learn.DynamicRnnEstimator")
class DynamicRnnEstimator(Estimator):
    """A recurrent network over whole sequences; new programs use tf.contrib.estimator.RNNEstimator.

    Features may have the key "sequence_length", [batch], without which all steps count, and the keys
    "rnn_cell_state_0" and so on for the parts of the state to begin with, all or none of them. Predictions are "scores"
    or "classes" and maybe "probabilities", and the last states by these keys.

    Args:
        problem_type: `tf.contrib.learn.ProblemType.CLASSIFICATION` or LINEAR_REGRESSION.
        prediction_type: whether there is a value for each step, or one for the last step of a sequence.
        sequence_feature_columns: columns of sequences.
        context_feature_columns: columns that each step sees.
        num_classes: the number of classes.
        num_units: the sizes of the layers.
        cell_type: "basic_rnn", "lstm", "gru", or a class of cells.
        optimizer: the name, class or object of an optimizer, or a function that makes one of the learning rate.
        learning_rate: the learning rate.
        predict_probabilities: whether there are probabilities among the predictions.
        momentum: of the optimizer "Momentum".
        gradient_clipping_norm: the norm to which gradients are clipped; None for none.
        dropout_keep_probabilities: the share of each layer's inputs, and of the last one's outputs, that training
            keeps.
        model_dir: the directory of checkpoints and events.
        feature_engineering_fn: a function of (features, labels) that returns those of the model.
        config: a tf.contrib.learn.RunConfig.

    Raises:
        ValueError: the kinds of the problem or the predictions are not known, or do not go together.
    """

    def __init__(self, problem_type: int, prediction_type: int, sequence_feature_columns: Sequence[Any],
                 context_feature_columns: Sequence[Any] | None = None, num_classes: int | None = None,
                 num_units: Any = None, cell_type: Any = "basic_rnn", optimizer: Any = "SGD",
                 learning_rate: float = 0.1, predict_probabilities: bool = False, momentum: float | None = None,
                 gradient_clipping_norm: float | None = 5.0,
                 dropout_keep_probabilities: Sequence[float] | None = None, model_dir: Any = None,
                 feature_engineering_fn: Callable[..., Any] | None = None, config: Any = None) -> None:
        if prediction_type not in (PredictionType.SINGLE_VALUE, PredictionType.MULTIPLE_VALUE):
            raise ValueError(f"prediction_type must be one of PredictionType, got {prediction_type!r}")
        rnn_common.check_probabilities(problem_type, predict_probabilities)
        target = rnn_common.target_of(problem_type, num_classes)
        made = rnn_common.made_optimizer(optimizer, learning_rate, momentum)

        def model_fn(features: Any, labels: Any, mode: str) -> ModelFnOps:
            keep = dropout_keep_probabilities if mode == ModeKeys.TRAIN else None
            cell = rnn_common.construct_rnn_cell(num_units, cell_type, keep)
            logits, state, lengths = _network(features, cell, sequence_feature_columns, context_feature_columns, target)
            if prediction_type == PredictionType.SINGLE_VALUE:
                logits = select_last_activations(logits, lengths)
            predictions = {**rnn_common.predictions_of(target, logits, problem_type, predict_probabilities),
                           **rnn_common.states_by_name(state)}
            if mode == ModeKeys.INFER:
                return ModelFnOps(mode, predictions, output_alternatives={None: (ProblemType.UNSPECIFIED, predictions)})
            if prediction_type == PredictionType.MULTIPLE_VALUE:
                logits, labels = rnn_common.mask_activations_and_labels(logits, labels, lengths)
            loss = target.training_loss(logits, labels, features)
            train_op = rnn_common.train_op_of(loss, made, learning_rate, gradient_clipping_norm) \
                if mode == ModeKeys.TRAIN else None
            return ModelFnOps(mode, predictions, loss, train_op, target.get_eval_ops({}, logits, labels))

        super().__init__(model_fn, model_dir, config, feature_engineering_fn=feature_engineering_fn)


def _network(features: Mapping[str, Any], cell: RNNCell, sequence_columns: Sequence[Any],
             context_columns: Sequence[Any] | None, target: TargetColumn) -> tuple[Tensor, Any, Tensor | None]:
    """(the logits of each step, the last state, the lengths of the sequences)."""
    lengths = features.get(RNNKeys.SEQUENCE_LENGTH_KEY)
    with variable_scope("rnn"):
        inputs = sequence_input_from_feature_columns(features, sequence_columns)
        if context_columns:
            context = array.expand_dims(input_from_feature_columns(features, context_columns), 1)
            inputs = array.concat([inputs, tile(context, array.stack([1, array.shape(inputs)[1], 1]))], 2)
        outputs, state = dynamic_rnn(cell, inputs, sequence_length=lengths, initial_state=_first_state(features, cell),
                                     dtype=dtypes.float32)
        logits = fully_connected(outputs, target.num_label_columns, activation_fn=None)
    return logits, state, lengths


def _first_state(features: Mapping[str, Any], cell: RNNCell) -> Any:
    """The state among the features; None where there is none.

    Raises:
        ValueError: some of its parts are missing.
    """
    names = [rnn_common.state_name(number) for number in range(len(nest.flatten(cell.state_size)))]
    given = [name for name in names if name in features]
    if not given:
        return None
    if len(given) != len(names):
        raise ValueError(f"the first state is given by all of {names}, or by none; got {given}")
    return nest.pack_sequence_as(cell.state_size, [features[name] for name in names])
