"""Recurrent neural networks of tf.keras layers: tf.compat.v2.estimator.experimental.RNNClassifier and RNNEstimator."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.estimator.canned.documents import documented
from evergraph.estimator.canned.models import check_features, classification_head, model_of, spec_of_head
from evergraph.estimator.canned.optimizers import get_keras_optimizer
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.heads.sequential import SequentialHead, SequentialHeadWrapper
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import sequence_mask as mask_of
from evergraph.graph.node import Tensor
from evergraph.keras.cells import GRUCell, LSTMCell, SimpleRNNCell
from evergraph.keras.core import Dense
from evergraph.keras.feature_layers import DenseFeatures, SequenceFeatures
from evergraph.keras.loss_classes import Reduction
from evergraph.keras.recurrent import RNN, StackedRNNCells
from evergraph.ops.arrays.pad import tile
from evergraph.summary.summaries import histogram

LEARNING_RATE = 0.05
GRADIENT_NORM = 5.0
USE_DEFAULT = object()
# The gates are those of TensorFlow 2's cells.
_CELLS = {
    "simple_rnn": SimpleRNNCell,
    "lstm": lambda units: LSTMCell(units, recurrent_activation="sigmoid"),
    "gru": lambda units: GRUCell(units, recurrent_activation="sigmoid", reset_after=True),
}


def _cell_fn(units: Any, cell_type: Any, rnn_cell_fn: Any) -> Callable[[], Any]:
    """The function that makes the cell: the given one, or one from sizes and a type.

    Raises:
        ValueError: both are given, or there is no such type.
    """
    if rnn_cell_fn is not None:
        if units is not None or cell_type is not USE_DEFAULT:
            raise ValueError("rnn_cell_fn was given, and it makes the cell: units and cell_type must then be None")
        return rnn_cell_fn
    kind = "simple_rnn" if cell_type is USE_DEFAULT else cell_type
    if isinstance(kind, str) and kind not in _CELLS:
        raise ValueError(f"Supported cell types are {sorted(_CELLS)}, got {kind}")

    def make() -> Any:
        cells = [(_CELLS[kind] if isinstance(kind, str) else kind)(size) for size in units]
        return cells[0] if len(cells) == 1 else StackedRNNCells(cells)
    return make


def _inputs(features: Any, sequence_columns: Any, context_columns: Any) -> tuple[Tensor, Tensor]:
    """The inputs of each step, those of the example as a whole beside them, and the number of steps."""
    sequence, lengths = SequenceFeatures(sequence_columns)(features)
    with name_scope("rnn_model/sequence_input_layer"):
        histogram("sequence_length", lengths)
    if context_columns:
        context = array.expand_dims(DenseFeatures(context_columns)(features), 1)
        steps = array.shape(sequence)[1]
        sequence = array.concat([sequence, tile(context, array.stack([1, steps, 1]))], 2)
    return sequence, lengths


def keras_rnn_model_fn(features: Any, labels: Any, mode: Any, head: Any, cell_fn: Callable[[], Any],
                       sequence_feature_columns: Any, context_feature_columns: Any, return_sequences: bool,
                       optimizer: Any, config: Any = None) -> Any:
    """The EstimatorSpec of a recurrent network of tf.keras layers."""
    made = _optimizer(optimizer) if mode == ModeKeys.TRAIN else None
    check_features(features)
    inputs, lengths = _inputs(features, sequence_feature_columns, context_feature_columns)
    mask = mask_of(lengths)
    with name_scope("rnn_model"):
        outputs = RNN(cell_fn(), return_sequences=return_sequences)(inputs, mask=mask, training=mode == ModeKeys.TRAIN)
        logits = Dense(head.logits_dimension, name="logits")(outputs)
    if return_sequences and head.input_sequence_mask_key not in features:
        features = {**features, head.input_sequence_mask_key: mask}
    return spec_of_head(head, features, mode, logits, labels, lambda: made)


def _optimizer(optimizer: Any) -> Any:
    """The optimizer; one that is given by name clips gradients."""
    made = get_keras_optimizer(optimizer, LEARNING_RATE)
    if isinstance(optimizer, str):
        made.clipnorm = GRADIENT_NORM
    return made


def _model(head: Any, sequence_feature_columns: Any, context_feature_columns: Any, cell_fn: Callable[[], Any],
           return_sequences: bool, optimizer: Any) -> Callable[..., Any]:
    return model_of(keras_rnn_model_fn, head, cell_fn=cell_fn,
                    sequence_feature_columns=tuple(sequence_feature_columns or []),
                    context_feature_columns=tuple(context_feature_columns or []), return_sequences=return_sequences,
                    optimizer=optimizer)


@export("compat.v2.estimator.experimental.RNNClassifier")
@documented
class KerasRNNClassifier(Estimator):
    """A classifier by a recurrent neural network of tf.keras layers, of sequences of any length.

    >>> words = tf.feature_column.sequence_categorical_column_with_hash_bucket("words", 1000)
    >>> classifier = tf.compat.v2.estimator.experimental.RNNClassifier(
    ...     [tf.feature_column.embedding_column(words, 8)], units=[32, 16], cell_type="lstm")

    Args:
        {keras_rnn}
        return_sequences: whether there is a label for every step.
        {classes}
        {keras_optimizer} By name it has the learning rate 0.05, and clips each gradient to a norm of 5.
        {keras_reduction}
        sequence_mask: the name of the mask of steps among features and predictions, with `return_sequences`.
        {common}

    Raises:
        ValueError: `rnn_cell_fn` is given beside `units` or `cell_type`.
    """

    def __init__(self, sequence_feature_columns: Any, context_feature_columns: Any = None, units: Any = None,
                 cell_type: Any = USE_DEFAULT, rnn_cell_fn: Any = None, return_sequences: bool = False,
                 model_dir: Any = None, n_classes: int = 2, weight_column: Any = None, label_vocabulary: Any = None,
                 optimizer: Any = "Adagrad", loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
                 sequence_mask: str = "sequence_mask", config: Any = None) -> None:
        cell_fn = _cell_fn(units, cell_type, rnn_cell_fn)
        head: Any = classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        if return_sequences:
            head = SequentialHeadWrapper(head, sequence_mask, weight_column)
        super().__init__(_model(head, sequence_feature_columns, context_feature_columns, cell_fn, return_sequences,
                                optimizer), model_dir, config)


@export("compat.v2.estimator.experimental.RNNEstimator")
@documented
class KerasRNNEstimator(Estimator):
    """A recurrent neural network of tf.keras layers under any head.

    >>> prices = tf.feature_column.sequence_numeric_column("prices")
    >>> estimator = tf.compat.v2.estimator.experimental.RNNEstimator(
    ...     tf.estimator.RegressionHead(), [prices], units=[8], cell_type="gru")

    Args:
        {head}
        {keras_rnn}
        return_sequences: whether the head predicts at every step; such a head is a SequentialHeadWrapper.
        {keras_optimizer} By name it has the learning rate 0.05, and clips each gradient to a norm of 5.
        {common}

    Raises:
        ValueError: `rnn_cell_fn` is given beside `units` or `cell_type`, or the head cannot predict at every step.
    """

    def __init__(self, head: Any, sequence_feature_columns: Any, context_feature_columns: Any = None,
                 units: Any = None, cell_type: Any = USE_DEFAULT, rnn_cell_fn: Any = None,
                 return_sequences: bool = False, model_dir: Any = None, optimizer: Any = "Adagrad",
                 config: Any = None) -> None:
        cell_fn = _cell_fn(units, cell_type, rnn_cell_fn)
        if return_sequences and not isinstance(head, SequentialHead):
            raise ValueError("return_sequences=True gives logits for each step: the head must be a `_SequentialHead`")
        super().__init__(_model(head, sequence_feature_columns, context_feature_columns, cell_fn, return_sequences,
                                optimizer), model_dir, config)
