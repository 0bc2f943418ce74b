# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.ops."""

from collections.abc import Sequence
from typing import Any
from evergraph.contrib.learn.ops import (
    embeddings_ops as embeddings_ops, losses_ops as losses_ops, seq2seq_ops as seq2seq_ops,
)

def categorical_variable(tensor_in: Any, n_classes: int, embedding_size: int, name: str) -> Any:
    """A vector, which is learned, for each category."""

def embedding_lookup(params: Any, ids: Any, name: str = 'embedding_lookup') -> Any:
    """The rows of a table of vectors, for ids of any shape."""

def mean_squared_error_regressor(
    tensor_in: Any, labels: Any, weights: Any, biases: Any, name: str | None = None,
) -> tuple[Any, Any]:
    """(predictions of a linear layer, their mean squared error)."""

def rnn_decoder(
    decoder_inputs: Sequence[Any], initial_state: Any, cell: Any, scope: Any = None,
) -> tuple[Any, ...]:
    """(outputs, states, outputs when each step is fed the last one's, states of that), lists of steps."""

def rnn_seq2seq(
    encoder_inputs: Sequence[Any], decoder_inputs: Sequence[Any], encoder_cell: Any,
    decoder_cell: Any = None, dtype: Any = ..., scope: Any = None,
) -> tuple[Any, ...]:
    """What `rnn_decoder` returns, where the first state is the last one of an encoder."""

def seq2seq_inputs(
    x: Any, y: Any, input_length: int, output_length: int, sentinel: Any = None, name: str | None = None,
) -> tuple[list[Any], list[Any], list[Any]]:
    """(inputs of an encoder, inputs of a decoder, outputs), lists of steps."""

def sequence_classifier(
    decoding: Sequence[Any], labels: Sequence[Any], sampling_decoding: Sequence[Any] | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """(predictions of a sequence, the mean cross entropy of its steps)."""

def softmax_classifier(
    tensor_in: Any, labels: Any, weights: Any, biases: Any, class_weight: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """(probabilities of classes by a linear layer, their cross entropy)."""
