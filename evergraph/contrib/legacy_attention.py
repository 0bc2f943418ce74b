"""tf.contrib.legacy_seq2seq: decoders that attend to what was encoded, and several decoders after one encoder."""
from __future__ import annotations

import copy
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.contrib.legacy_decoders import (
    decoded,
    embedded_best,
    embedding_rnn_decoder,
    require_projection,
    tied_rnn_seq2seq,
)
from evergraph.contrib.rnn.linear import linear
from evergraph.contrib.rnn.projections import EmbeddingWrapper, OutputProjectionWrapper
from evergraph.frontend import array, math
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.nn.embedding import embedding_lookup
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.scope import get_variable, get_variable_scope, variable_scope
from evergraph.graph.node import Tensor
from evergraph.layers.rnn_cell import RNNCell
from evergraph.layers.rnn_static import static_rnn
from evergraph.ops.arrays import reshape
from evergraph.ops.math import elementwise


class _Heads:
    """Attention to the steps of a tensor [batch, time, size], by several heads with variables of their own."""

    def __init__(self, states: Any, count: int, dtype: Any) -> None:
        steps, size = states.shape.as_list()[1:]
        self.steps, self.size, self.dtype = array.shape(states)[1] if steps is None else steps, size, dtype
        self.states, self.weights, self.features = states, [], []
        for head in range(count):
            # The kernel is as that of a convolution, which is this product.
            kernel = get_variable(f"AttnW_{head}", [1, 1, size, size], dtype=dtype)
            product = matmul(reshape.reshape(states, [-1, size]), reshape.reshape(kernel, [size, size]))
            self.features.append(reshape.reshape(product, [-1, self.steps, size]))
            self.weights.append(get_variable(f"AttnV_{head}", [size], dtype=dtype))

    def read(self, query: Any) -> list[Tensor]:
        """What each head attends to, for a query that is a tensor or a structure of them."""
        query = array.concat(nest.flatten(query), 1) if nest.is_nested(query) else query
        return [self._read_by(head, query) for head in range(len(self.weights))]

    def _read_by(self, head: int, query: Any) -> Tensor:
        with variable_scope(f"Attention_{head}"):
            y = array.expand_dims(math.cast(linear(query, self.size), self.dtype), 1)
            scores = reduce_sum(self.weights[head] * elementwise.tanh(self.features[head] + y), 2)
            chances = math.cast(activations.softmax(math.cast(scores, "float32")), self.dtype)
            return reduce_sum(array.expand_dims(chances, 2) * self.states, 1)


@export("contrib.legacy_seq2seq.attention_decoder")
def attention_decoder(decoder_inputs, initial_state, attention_states, cell, output_size=None, num_heads=1,
                      loop_function=None, dtype=None, scope=None, initial_state_attention=False):
    """A decoder whose every step sees what its state attends to (Vinyals et al., 2014).

    Args:
        decoder_inputs: a list of tensors of shape [batch, size].
        initial_state: the state to begin with.
        attention_states: what is attended to: a tensor of shape [batch, time, size].
        cell: the cell.
        output_size: the size of the outputs; by default that of the cell's.
        num_heads: how many things are attended to in a step.
        loop_function: see `tf.contrib.legacy_seq2seq.rnn_decoder`.
        dtype: of the variables; by default what the scope says.
        scope: a variable scope; by default "attention_decoder".
        initial_state_attention: whether the first step sees what the first state attends to, in place of zeros.

    Returns:
        (the list of outputs, the last state).

    Raises:
        ValueError: there are no inputs or heads, or a size is not known.
    """
    if not decoder_inputs:
        raise ValueError("a decoder needs one input or more")
    if num_heads < 1:
        raise ValueError(f"attention needs one head or more, got {num_heads}")
    if attention_states.shape.as_list()[2] is None:
        raise ValueError(f"the last size of attention_states has to be known, not {attention_states.shape}")
    with variable_scope(scope or "attention_decoder", dtype=dtype) as opened:
        heads = _Heads(attention_states, num_heads, opened.dtype)
        batch = array.shape(decoder_inputs[0])[0]
        nothing = array.zeros(array.stack([batch, heads.size]), dtype=opened.dtype)
        nothing.set_shape([None, heads.size])
        seen = heads.read(initial_state) if initial_state_attention else [nothing] * num_heads
        state, outputs = initial_state, []
        for number, now in enumerate(decoder_inputs):
            if number > 0:
                get_variable_scope().reuse_variables()
            if loop_function is not None and outputs:
                with variable_scope("loop_function", reuse=True):
                    now = loop_function(outputs[-1], number)
            output, state = cell(_merged(now, seen, opened.dtype), state)
            with variable_scope(get_variable_scope(), reuse=number > 0 or initial_state_attention or None):
                seen = heads.read(state)
            with variable_scope("AttnOutputProjection"):
                given = [math.cast(output, opened.dtype), *seen]
                outputs.append(linear(given, cell.output_size if output_size is None else output_size))
    return outputs, state


def _merged(now: Any, seen: list[Tensor], dtype: Any) -> Tensor:
    """An input and what was attended to before, as one input of the same size."""
    size = now.shape.with_rank(2).as_list()[1]
    if size is None:
        raise ValueError(f"the size of the input {now.name} is not known")
    return linear([math.cast(part, dtype) for part in (now, *seen)], size)


@export("contrib.legacy_seq2seq.embedding_attention_decoder")
def embedding_attention_decoder(decoder_inputs, initial_state, attention_states, cell, num_symbols, embedding_size,
                                num_heads=1, output_size=None, output_projection=None, feed_previous=False,
                                update_embedding_for_previous=True, dtype=None, scope=None,
                                initial_state_attention=False):
    """`attention_decoder` of symbols: integers, which an embedding turns into vectors.

    Args:
        decoder_inputs: a list of int32 tensors of shape [batch].
        num_symbols: how many different symbols there are.
        embedding_size: the size of the vector that stands for one.
        output_projection: (weights, biases) that turn an output into scores of symbols, or None where it is that.
        feed_previous: whether each input is the likeliest symbol of the output before.
        update_embedding_for_previous: whether gradients reach the embedding of these.
        initial_state, attention_states, cell, num_heads, output_size, dtype, initial_state_attention: see
            `tf.contrib.legacy_seq2seq.attention_decoder`.
        scope: a variable scope; by default "embedding_attention_decoder".

    Returns:
        (the list of outputs, the last state).

    Raises:
        ValueError: the projection has another shape, or see `tf.contrib.legacy_seq2seq.attention_decoder`.
    """
    if output_size is None:
        output_size = cell.output_size
    require_projection(output_projection, output_size, num_symbols, dtype)
    with variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        best = embedded_best(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        inputs = [embedding_lookup(embedding, symbols) for symbols in decoder_inputs]
        return attention_decoder(inputs, initial_state, attention_states, cell, output_size=output_size,
                                 num_heads=num_heads, loop_function=best,
                                 initial_state_attention=initial_state_attention)


@export("contrib.legacy_seq2seq.embedding_attention_seq2seq")
def embedding_attention_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols, num_decoder_symbols,
                                embedding_size, num_heads=1, output_projection=None, feed_previous=False, dtype=None,
                                scope=None, initial_state_attention=False):
    """An encoder of symbols, and a decoder that attends to all its outputs.

    Args:
        encoder_inputs, decoder_inputs: lists of int32 tensors of shape [batch].
        cell: the cell; the encoder gets a copy.
        num_encoder_symbols, num_decoder_symbols: how many different symbols there are.
        embedding_size: the size of the vector that stands for one.
        num_heads: how many things are attended to in a step.
        output_projection: (weights, biases) that turn an output into scores of symbols; None to make them.
        feed_previous: whether each input is the likeliest symbol of the output before: a bool or a bool tensor.
        dtype: of the first state and the variables; by default what the scope says.
        scope: a variable scope; by default "embedding_attention_seq2seq".
        initial_state_attention: see `tf.contrib.legacy_seq2seq.attention_decoder`.

    Returns:
        (the list of the decoder's outputs, its last state).
    """
    with variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as opened:
        encoder = EmbeddingWrapper(copy.deepcopy(cell), embedding_classes=num_encoder_symbols,
                                   embedding_size=embedding_size)
        encoded, start = static_rnn(encoder, encoder_inputs, dtype=opened.dtype)
        states = array.concat([reshape.reshape(step, [-1, 1, cell.output_size]) for step in encoded], 1)
        output_size = None
        if output_projection is None:
            cell, output_size = OutputProjectionWrapper(cell, num_decoder_symbols), num_decoder_symbols

        def decode(feed: bool, **options: Any) -> Any:
            return embedding_attention_decoder(
                decoder_inputs, start, states, cell, num_decoder_symbols, embedding_size, num_heads=num_heads,
                output_size=output_size, output_projection=output_projection, feed_previous=feed,
                initial_state_attention=initial_state_attention, **options)

        return decoded(feed_previous, decode)


@export("contrib.legacy_seq2seq.embedding_tied_rnn_seq2seq")
def embedding_tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, num_symbols, embedding_size,
                               num_decoder_symbols=None, output_projection=None, feed_previous=False, dtype=None,
                               scope=None):
    """`tied_rnn_seq2seq` of symbols, with one embedding for both parts.

    Args:
        encoder_inputs, decoder_inputs: lists of int32 tensors of shape [batch].
        cell: the cell.
        num_symbols: how many different symbols there are.
        embedding_size: the size of the vector that stands for one.
        num_decoder_symbols: how many of them, the first ones, the outputs score; by default all.
        output_projection: (weights, biases) that turn an output into scores of symbols; None to make them.
        feed_previous: whether each input is the likeliest symbol of the output before: a bool or a bool tensor.
        dtype: of the first state and the variables; by default what the scope says.
        scope: a variable scope; by default "embedding_tied_rnn_seq2seq".

    Returns:
        (the list of the decoder's outputs, its last state).

    Raises:
        ValueError: the projection has another shape.
    """
    with variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as opened:
        require_projection(output_projection, None, num_symbols, opened.dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size], dtype=opened.dtype)
        encoded, inputs = ([embedding_lookup(embedding, symbols) for symbols in part]
                           for part in (encoder_inputs, decoder_inputs))
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols or num_symbols)

        def decode(feed: bool, update_embedding_for_previous: bool = True) -> Any:
            best = embedded_best(embedding, output_projection, update_embedding_for_previous) if feed else None
            return tied_rnn_seq2seq(encoded, inputs, cell, loop_function=best, dtype=opened.dtype)

        return decoded(feed_previous, decode)


@export("contrib.legacy_seq2seq.one2many_rnn_seq2seq")
def one2many_rnn_seq2seq(encoder_inputs, decoder_inputs_dict, enc_cell, dec_cells_dict, num_encoder_symbols,
                         num_decoder_symbols_dict, embedding_size, feed_previous=False, dtype=None, scope=None):
    """Several decoders after one encoder, such as one for each language.

    Args:
        encoder_inputs: a list of int32 tensors of shape [batch].
        decoder_inputs_dict: such lists by the name of the decoder.
        enc_cell: the encoder's cell.
        dec_cells_dict: the cells of the decoders.
        num_encoder_symbols: how many different symbols there are.
        num_decoder_symbols_dict: the same for each decoder.
        embedding_size: the size of the vector that stands for one.
        feed_previous: whether each input is the likeliest symbol of the output before: a bool or a bool tensor.
        dtype: of the first state and the variables; by default what the scope says.
        scope: a variable scope; by default "one2many_rnn_seq2seq".

    Returns:
        (lists of outputs by name, last states by name).

    Raises:
        TypeError: a cell is none.
        ValueError: there is not one cell for each decoder.
    """
    for what, cell in (("enc_cell", enc_cell), *(("dec_cell", cell) for cell in dec_cells_dict.values())):
        if not isinstance(cell, RNNCell):
            raise TypeError(f"{what} has to be a cell, not {cell!r}")
    if set(dec_cells_dict) != set(decoder_inputs_dict):
        raise ValueError("dec_cells_dict and decoder_inputs_dict must have the same keys")
    outputs, states = {}, {}
    with variable_scope(scope or "one2many_rnn_seq2seq", dtype=dtype) as opened:
        encoder = EmbeddingWrapper(enc_cell, embedding_classes=num_encoder_symbols, embedding_size=embedding_size)
        _, start = static_rnn(encoder, encoder_inputs, dtype=opened.dtype)
        for name, inputs in decoder_inputs_dict.items():
            outputs[name], states[name] = _one_of_many(name, inputs, start, dec_cells_dict[name],
                                                       num_decoder_symbols_dict[name], embedding_size, feed_previous)
    return outputs, states


def _one_of_many(name: Any, inputs: Any, start: Any, cell: Any, num_symbols: int, embedding_size: int,
                 feed_previous: Any) -> Any:
    with variable_scope(f"one2many_decoder_{name}"):
        cell = OutputProjectionWrapper(cell, num_symbols)

        def decode(feed: bool, **options: Any) -> Any:
            return embedding_rnn_decoder(inputs, start, cell, num_symbols, embedding_size, feed_previous=feed,
                                         **options)

        return decoded(feed_previous, decode)
