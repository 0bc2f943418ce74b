# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.legacy_seq2seq."""

from evergraph import Tensor
from typing import Any

def attention_decoder(
    decoder_inputs: Any, initial_state: Any, attention_states: Any, cell: Any, output_size: Any = None,
    num_heads: Any = 1, loop_function: Any = None, dtype: Any = None, scope: Any = None,
    initial_state_attention: Any = False,
) -> tuple[Any, Any]:
    """A decoder whose every step sees what its state attends to (Vinyals et al., 2014)."""

def basic_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, dtype: Any = ..., scope: Any = None,
) -> tuple[Any, Any]:
    """A decoder that begins with the last state of an encoder, a cell like it with variables of its own."""

def embedding_attention_decoder(
    decoder_inputs: Any, initial_state: Any, attention_states: Any, cell: Any, num_symbols: Any,
    embedding_size: Any, num_heads: Any = 1, output_size: Any = None, output_projection: Any = None,
    feed_previous: Any = False, update_embedding_for_previous: Any = True, dtype: Any = None,
    scope: Any = None, initial_state_attention: Any = False,
) -> tuple[Any, Any]:
    """`attention_decoder` of symbols: integers, which an embedding turns into vectors."""

def embedding_attention_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_encoder_symbols: Any, num_decoder_symbols: Any,
    embedding_size: Any, num_heads: Any = 1, output_projection: Any = None, feed_previous: Any = False,
    dtype: Any = None, scope: Any = None, initial_state_attention: Any = False,
) -> Any:
    """An encoder of symbols, and a decoder that attends to all its outputs."""

def embedding_rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, num_symbols: Any, embedding_size: Any,
    output_projection: Any = None, feed_previous: Any = False, update_embedding_for_previous: Any = True,
    scope: Any = None,
) -> tuple[Any, Any]:
    """`rnn_decoder` of symbols: integers, which an embedding turns into vectors."""

def embedding_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_encoder_symbols: Any, num_decoder_symbols: Any,
    embedding_size: Any, output_projection: Any = None, feed_previous: Any = False, dtype: Any = None,
    scope: Any = None,
) -> Any:
    """`basic_rnn_seq2seq` of symbols, embedded in both parts."""

def embedding_tied_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_symbols: Any, embedding_size: Any,
    num_decoder_symbols: Any = None, output_projection: Any = None, feed_previous: Any = False,
    dtype: Any = None, scope: Any = None,
) -> Any:
    """`tied_rnn_seq2seq` of symbols, with one embedding for both parts."""

def model_with_buckets(
    encoder_inputs: Any, decoder_inputs: Any, targets: Any, weights: Any, buckets: Any, seq2seq: Any,
    softmax_loss_function: Any = None, per_example_loss: Any = False, name: str | None = None,
) -> tuple[Any, Any]:
    """Models for several lengths of sequences, which share their variables."""

def one2many_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs_dict: Any, enc_cell: Any, dec_cells_dict: Any,
    num_encoder_symbols: Any, num_decoder_symbols_dict: Any, embedding_size: Any,
    feed_previous: Any = False, dtype: Any = None, scope: Any = None,
) -> tuple[Any, Any]:
    """Several decoders after one encoder, such as one for each language."""

def rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, loop_function: Any = None, scope: Any = None,
) -> tuple[Any, Any]:
    """Calls a cell for each of a list of inputs, or for what a function makes of the output before."""

def sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: Any = True,
    average_across_batch: Any = True, softmax_loss_function: Any = None, name: str | None = None,
) -> Tensor:
    """The weighted cross entropy of a batch of sequences, as one number."""

def sequence_loss_by_example(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: Any = True,
    softmax_loss_function: Any = None, name: str | None = None,
) -> Any:
    """The weighted cross entropy of each sequence of a batch."""

def tied_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, loop_function: Any = None, dtype: Any = ...,
    scope: Any = None,
) -> tuple[Any, Any]:
    """The same as `basic_rnn_seq2seq`, but encoder and decoder share their variables."""
