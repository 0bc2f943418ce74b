"""What the recurrent Estimators of tf.contrib.learn share: keys, cells, targets, optimizers and predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base import nest
from evergraph.contrib.estimator.rnn import make_rnn_cell_fn
from evergraph.contrib.layers.optimize import optimize_loss
from evergraph.contrib.layers.targets import TargetColumn, multi_class_target, regression_target
from evergraph.contrib.learn.keys import PredictionKey, ProblemType
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import boolean_mask, sequence_mask
from evergraph.graph.node import Tensor
from evergraph.layers.rnn_cell import RNNCell
from evergraph.layers.rnn_wrappers import DropoutWrapper, MultiRNNCell
from evergraph.train.global_step import get_or_create_global_step
from evergraph.train.momentum import MomentumOptimizer


class PredictionType:
    """Whether there is a prediction for each sequence, or for each of its steps."""

    SINGLE_VALUE = 1
    MULTIPLE_VALUE = 2


class RNNKeys:
    """The keys of features that are not columns, and of states among predictions."""

    FINAL_STATE_KEY = "final_state"
    LABELS_KEY = "__labels__"
    SEQUENCE_LENGTH_KEY = "sequence_length"
    STATE_PREFIX = "rnn_cell_state"


def state_name(number: int) -> str:
    """The key of a part of the cell's state."""
    return f"{RNNKeys.STATE_PREFIX}_{number}"


def states_by_name(state: Any) -> dict[str, Tensor]:
    """The parts of a state by key."""
    return {state_name(number): part for number, part in enumerate(nest.flatten(state))}


def construct_rnn_cell(num_units: Sequence[int] | int, cell_type: Any = "basic_rnn",
                       dropout_keep_probabilities: Sequence[float] | None = None) -> RNNCell:
    """The cell of a network.

    Args:
        num_units: the size of the layer, or the sizes of all layers.
        cell_type: "basic_rnn", "lstm", "gru", or a class of cells.
        dropout_keep_probabilities: the share of each layer's inputs that is kept, and behind them that of the last
            layer's outputs; None to keep all.

    Raises:
        ValueError: there is no such type, or another number of probabilities.
    """
    sizes = list(num_units) if isinstance(num_units, (list, tuple)) else [num_units]
    cells = [make_rnn_cell_fn([size], cell_type)(None) for size in sizes]
    if dropout_keep_probabilities:
        keep = list(dropout_keep_probabilities)
        if len(keep) != len(cells) + 1:
            raise ValueError(f"{len(cells)} layers have {len(cells) + 1} dropout_keep_probabilities, got {keep}")
        cells = [DropoutWrapper(cell, input_keep_prob=share) for cell, share in zip(cells, keep)]
        cells[-1] = DropoutWrapper(cells[-1], output_keep_prob=keep[-1])
    return cells[0] if len(cells) == 1 else MultiRNNCell(cells)


def target_of(problem_type: int, num_classes: int | None) -> TargetColumn:
    """What a network predicts.

    Raises:
        ValueError: the kind of the problem, or the number of classes, is not known.
    """
    if problem_type == ProblemType.LINEAR_REGRESSION:
        return regression_target()
    if problem_type != ProblemType.CLASSIFICATION:
        raise ValueError(f"problem_type must be ProblemType.CLASSIFICATION or LINEAR_REGRESSION, got {problem_type!r}")
    if not num_classes:
        raise ValueError("a classification needs num_classes")
    return multi_class_target(num_classes)


def mask_activations_and_labels(activations: Tensor, labels: Tensor,
                                sequence_lengths: Tensor | None) -> tuple[Tensor, Tensor]:
    """(activations [steps, width], labels [steps]) of the steps that are no padding, of all sequences.

    Args:
        activations: a tensor [batch, steps, width].
        labels: a tensor [batch, steps].
        sequence_lengths: the number of steps of each sequence; None where there is no padding.
    """
    with name_scope("mask_activations_and_labels", values=[activations, labels]):
        if sequence_lengths is None:
            return (array.reshape(activations, [-1, array.shape(activations)[2]]), array.reshape(labels, [-1]))
        mask = sequence_mask(sequence_lengths, array.shape(activations)[1])
        found = boolean_mask(activations, mask)
        found.set_shape([None, activations.shape[-1]])
        return found, boolean_mask(labels, mask)


def predictions_of(target: TargetColumn, logits: Tensor, problem_type: int,
                   predict_probabilities: bool) -> dict[str, Tensor]:
    """Scores, or classes and maybe probabilities, for logits [..., width]."""
    outer, width = array.shape(logits)[:-1], logits.shape[-1].value
    flat = array.reshape(logits, [-1, width])

    def folded(values: Tensor) -> Tensor:
        result = array.reshape(values, array.concat([outer, array.shape(values)[1:]], 0))
        result.set_shape(logits.shape[:-1].concatenate(values.shape[1:]))
        return result

    if problem_type == ProblemType.LINEAR_REGRESSION:
        return {PredictionKey.SCORES: folded(target.logits_to_predictions(flat))}
    found = {PredictionKey.CLASSES: folded(target.logits_to_predictions(flat))}
    if predict_probabilities:
        found[PredictionKey.PROBABILITIES] = folded(target.logits_to_predictions(flat, proba=True))
    return found


def check_probabilities(problem_type: int, predict_probabilities: bool) -> None:
    """Raises ValueError where probabilities are asked of a regression."""
    if predict_probabilities and problem_type == ProblemType.LINEAR_REGRESSION:
        raise ValueError("predict_probabilities: a regression has no probabilities")


def made_optimizer(optimizer: Any, learning_rate: Any, momentum: float | None) -> Any:
    """The optimizer; "Momentum" has the momentum that is given."""
    is_known = isinstance(optimizer, str) and optimizer == "Momentum" and momentum is not None
    return MomentumOptimizer(learning_rate, momentum) if is_known else optimizer


def train_op_of(loss: Tensor, optimizer: Any, learning_rate: Any, clip: float | None) -> Any:
    """The operation of a training step."""
    return optimize_loss(loss, get_or_create_global_step(), learning_rate=learning_rate, optimizer=optimizer,
                         clip_gradients=clip, summaries=["learning_rate", "loss"])
