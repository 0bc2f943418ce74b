"""Recurrent neural networks: tf.contrib.estimator.RNNClassifier and RNNEstimator."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.feature_column import concatenate_context_input, sequence_input_layer
from evergraph.estimator.canned.documents import documented
from evergraph.estimator.canned.models import LARGE_SLICE, check_features, model_of, partitioner, spec_of_head
from evergraph.estimator.canned.optimizers import get_optimizer_instance
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.extenders import clip_gradients_by_norm
from evergraph.estimator.heads import legacy
from evergraph.estimator.heads.sequential import SequentialHead
from evergraph.feature.input_layer import input_layer
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import gather_nd, sequence_mask
from evergraph.frontend.variables.initializers import glorot_uniform_initializer
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.node import Tensor
from evergraph.layers.dense import dense
from evergraph.layers.rnn import dynamic_rnn
from evergraph.layers.rnn_cell import BasicRNNCell, GRUCell, LSTMCell, RNNCell
from evergraph.layers.rnn_wrappers import MultiRNNCell
from evergraph.losses.weighting import Reduction
from evergraph.ops.math.elementwise import maximum
from evergraph.summary.summaries import histogram

LEARNING_RATE = 0.05
GRADIENT_NORM = 5.0
_CELLS = {"basic_rnn": BasicRNNCell, "lstm": LSTMCell, "gru": GRUCell}
_USE_DEFAULT = object()


def _cell_fn(num_units: Any, cell_type: Any, rnn_cell_fn: Any) -> Callable[[Any], Any]:
    """The function of the mode that makes the cell: the given one, or one from sizes and a type.

    Raises:
        ValueError: both are given.
    """
    if rnn_cell_fn is None:
        return make_rnn_cell_fn(num_units, "basic_rnn" if cell_type is _USE_DEFAULT else cell_type)
    if num_units is not None or cell_type is not _USE_DEFAULT:
        raise ValueError("rnn_cell_fn was given, and it makes the cell: num_units and cell_type must then be None")
    return rnn_cell_fn


def make_rnn_cell_fn(num_units: Any, cell_type: Any = "basic_rnn") -> Callable[[Any], Any]:
    """A function of the mode that makes the cell of a network.

    Args:
        num_units: the sizes of the layers.
        cell_type: the class of the cells, or its name: "basic_rnn", "lstm" or "gru".

    Raises:
        ValueError: there is no such name.
    """
    if isinstance(cell_type, str) and cell_type not in _CELLS:
        raise ValueError(f"Supported cell types are {sorted(_CELLS)}, got {cell_type}")
    kind = _CELLS[cell_type] if isinstance(cell_type, str) else cell_type
    if not isinstance(kind, type) or not issubclass(kind, RNNCell):
        raise ValueError(f"cell_type must be a name or a subclass of tf.nn.rnn_cell.RNNCell, got {cell_type}")

    def rnn_cell_fn(mode: Any) -> RNNCell:
        cells = [kind(num_units=size) for size in num_units]
        return cells[0] if len(cells) == 1 else MultiRNNCell(cells)
    return rnn_cell_fn


def select_last_activations(activations: Tensor, sequence_lengths: Tensor | None) -> Tensor:
    """The activations of the last step of each example, [batch, width], from those of all steps."""
    with name_scope("select_last_activations", values=[activations, sequence_lengths]):
        shape = array.shape(activations)
        lengths = array.fill([shape[0]], shape[1]) if sequence_lengths is None else sequence_lengths
        # An example without steps has the activations of its first one, which are zeros.
        last = maximum(math.cast(lengths, dtypes.int32) - 1, 0)
        return gather_nd(activations, array.stack([math.range(shape[0]), last], axis=1))


def rnn_logit_fn_builder(output_units: int, rnn_cell_fn: Callable[[Any], Any], sequence_feature_columns: Any,
                         context_feature_columns: Any, input_layer_partitioner: Any,
                         return_sequences: bool = False) -> Callable[..., tuple[Tensor, Tensor]]:
    """A function of (features, mode) that returns the logits of a recurrent network, and the mask of its steps.

    Args:
        output_units: the number of logits.
        rnn_cell_fn: a function of the mode that makes the cell.
        sequence_feature_columns: columns of sequences.
        context_feature_columns: dense columns, which every step sees.
        input_layer_partitioner: the partitioner of the variables of columns.
        return_sequences: whether there are logits for every step, and not only for the last one.

    Raises:
        ValueError: `output_units` is no integer.
    """
    if not isinstance(output_units, int):
        raise ValueError(f"output_units must be an int, not a {type(output_units)}")

    def rnn_logit_fn(features: Any, mode: Any) -> tuple[Tensor, Tensor]:
        with variable_scope("sequence_input_layer", values=tuple(features.values()),
                            partitioner=input_layer_partitioner):
            inputs, lengths = sequence_input_layer(features, sequence_feature_columns)
            histogram("sequence_length", lengths)
            if context_feature_columns:
                inputs = concatenate_context_input(input_layer(features, context_feature_columns), inputs)
        outputs, _ = dynamic_rnn(rnn_cell_fn(mode), inputs, sequence_length=lengths, dtype=dtypes.float32)
        if not return_sequences:
            outputs = select_last_activations(outputs, lengths)
        with variable_scope("logits", values=(outputs,)):
            logits = dense(outputs, output_units, activation=None, kernel_initializer=glorot_uniform_initializer())
        return logits, sequence_mask(lengths)
    return rnn_logit_fn


def rnn_model_fn(features: Any, labels: Any, mode: Any, head: Any, rnn_cell_fn: Callable[[Any], Any],
                 sequence_feature_columns: Any, context_feature_columns: Any, return_sequences: bool = False,
                 optimizer: Any = "Adagrad", input_layer_partitioner: Any = None, config: Any = None) -> Any:
    """The EstimatorSpec of a recurrent network."""
    check_features(features)
    values = tuple(features.values())
    with variable_scope("rnn", values=values, partitioner=partitioner(config)):
        logit_fn = rnn_logit_fn_builder(
            head.logits_dimension, rnn_cell_fn, sequence_feature_columns, context_feature_columns,
            input_layer_partitioner or partitioner(config, min_slice_size=LARGE_SLICE), return_sequences)
        logits, mask = logit_fn(features, mode)
        if return_sequences and head.input_sequence_mask_key not in features:
            features = {**features, head.input_sequence_mask_key: mask}
        return spec_of_head(head, features, mode, logits, labels, lambda: _optimizer(optimizer))


def _optimizer(optimizer: Any) -> Any:
    """The optimizer; one that is given by name clips gradients."""
    made = get_optimizer_instance(optimizer, LEARNING_RATE)
    return clip_gradients_by_norm(made, GRADIENT_NORM) if isinstance(optimizer, str) else made


def _model(head: Any, sequence_feature_columns: Any, context_feature_columns: Any, cell_fn: Callable[[Any], Any],
           optimizer: Any, input_layer_partitioner: Any, return_sequences: bool) -> Callable[..., Any]:
    return model_of(rnn_model_fn, head, rnn_cell_fn=cell_fn,
                    sequence_feature_columns=tuple(sequence_feature_columns or []),
                    context_feature_columns=tuple(context_feature_columns or []), optimizer=optimizer,
                    input_layer_partitioner=input_layer_partitioner, return_sequences=return_sequences)


@export("contrib.estimator.RNNClassifier")
@documented
class RNNClassifier(Estimator):
    """A classifier by a recurrent neural network, of sequences of any length.

    >>> words = tf.contrib.feature_column.sequence_categorical_column_with_hash_bucket("words", 1000)
    >>> columns = [tf.feature_column.embedding_column(words, 8)]
    >>> classifier = tf.contrib.estimator.RNNClassifier(columns, num_units=[32, 16], cell_type="lstm")

    Args:
        {rnn}
        {classes}
        {optimizer} By name it has the learning rate 0.05, and clips gradients to a global norm of 5.
        {reduction}
        {common}

    Raises:
        ValueError: `rnn_cell_fn` is given beside `num_units` or `cell_type`.
    """

    def __init__(self, sequence_feature_columns: Any, context_feature_columns: Any = None, num_units: Any = None,
                 cell_type: Any = _USE_DEFAULT, rnn_cell_fn: Any = None, model_dir: Any = None, n_classes: int = 2,
                 weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = "Adagrad",
                 loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, input_layer_partitioner: Any = None,
                 config: Any = None) -> None:
        cell_fn = _cell_fn(num_units, cell_type, rnn_cell_fn)
        head = legacy.classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(_model(head, sequence_feature_columns, context_feature_columns, cell_fn, optimizer,
                                input_layer_partitioner, False), model_dir, config)


@export("contrib.estimator.RNNEstimator")
@documented
class RNNEstimator(Estimator):
    """A recurrent neural network under any head.

    >>> prices = tf.contrib.feature_column.sequence_numeric_column("prices")
    >>> head = tf.contrib.estimator.regression_head()
    >>> estimator = tf.contrib.estimator.RNNEstimator(head, [prices], num_units=[8], cell_type="gru")

    Args:
        {head}
        {rnn}
        return_sequences: whether the head predicts at every step; such a head is a SequentialHeadWrapper.
        {optimizer} By name it has the learning rate 0.05, and clips gradients to a global norm of 5.
        {common}

    Raises:
        ValueError: `rnn_cell_fn` is given beside `num_units` or `cell_type`, or the head cannot predict at every step.
    """

    def __init__(self, head: Any, sequence_feature_columns: Any, context_feature_columns: Any = None,
                 num_units: Any = None, cell_type: Any = _USE_DEFAULT, rnn_cell_fn: Any = None,
                 return_sequences: bool = False, model_dir: Any = None, optimizer: Any = "Adagrad",
                 input_layer_partitioner: Any = None, config: Any = None) -> None:
        if return_sequences and not isinstance(head, SequentialHead):
            raise ValueError("return_sequences=True gives logits for each step: the head must be a `_SequentialHead`")
        cell_fn = _cell_fn(num_units, cell_type, rnn_cell_fn)
        super().__init__(_model(head, sequence_feature_columns, context_feature_columns, cell_fn, optimizer,
                                input_layer_partitioner, return_sequences), model_dir, config)
