"""tf.contrib.legacy_seq2seq: decoders unrolled over lists of inputs, and the losses of sequences."""
from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.contrib.rnn.projections import EmbeddingWrapper, OutputProjectionWrapper
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import cond
from evergraph.frontend.nn import activations
from evergraph.frontend.nn.cross_entropy import sparse_softmax_cross_entropy_with_logits
from evergraph.frontend.nn.embedding import embedding_lookup
from evergraph.frontend.reduce import argmax, reduce_sum
from evergraph.frontend.variables.scope import get_variable, get_variable_scope, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.layers.rnn_static import static_rnn
from evergraph.ops.arrays import basic, reshape

# ---- decoders


@export("contrib.legacy_seq2seq.rnn_decoder")
def rnn_decoder(decoder_inputs, initial_state, cell, loop_function=None, scope=None):
    """Calls a cell for each of a list of inputs, or for what a function makes of the output before.

    Args:
        decoder_inputs: the inputs; with `loop_function` only the first is used.
        initial_state: the state to begin with.
        cell: the cell.
        loop_function: a function (output before, number of the step) -> input.
        scope: a variable scope; by default "rnn_decoder".

    Returns:
        (the list of outputs, the last state).
    """
    with variable_scope(scope or "rnn_decoder"):
        state, outputs = initial_state, []
        for number, now in enumerate(decoder_inputs):
            if loop_function is not None and outputs:
                with variable_scope("loop_function", reuse=True):
                    now = loop_function(outputs[-1], number)
            if number > 0:
                get_variable_scope().reuse_variables()
            output, state = cell(now, state)
            outputs.append(output)
    return outputs, state


@export("contrib.legacy_seq2seq.basic_rnn_seq2seq")
def basic_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, dtype=dtypes.float32, scope=None):
    """A decoder that begins with the last state of an encoder, a cell like it with variables of its own.

    Args:
        encoder_inputs, decoder_inputs: lists of tensors of shape [batch, size].
        cell: the cell; the encoder gets a copy.
        dtype: of the first state.
        scope: a variable scope; by default "basic_rnn_seq2seq".

    Returns:
        (the list of the decoder's outputs, its last state).
    """
    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


@export("contrib.legacy_seq2seq.tied_rnn_seq2seq")
def tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, loop_function=None, dtype=dtypes.float32, scope=None):
    """The same as `basic_rnn_seq2seq`, but encoder and decoder share their variables.

    Args:
        encoder_inputs, decoder_inputs: lists of tensors of shape [batch, size].
        cell: the cell.
        loop_function: see `rnn_decoder`.
        dtype: of the first state.
        scope: a variable scope; by default "tied_rnn_seq2seq".

    Returns:
        (the list of the decoder's outputs, its last state).
    """
    with variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function=loop_function, scope=scope)


def embedded_best(embedding: Any, projection: Any, learns: bool) -> Callable[[Any, Any], Tensor]:
    """The loop function that embeds the likeliest symbol of the output before."""
    def loop_function(before: Any, _: Any) -> Tensor:
        scores = before if projection is None else activations.xw_plus_b(before, *projection)
        result = embedding_lookup(embedding, argmax(scores, 1))
        return result if learns else basic.stop_gradient(result)
    return loop_function


def require_projection(projection: Any, size: int | None, num_symbols: int, dtype: Any) -> None:
    """Raises ValueError for a projection from outputs of that size to scores that has another shape."""
    if projection is not None:
        for part, shape in zip(projection, ([size, num_symbols], [num_symbols])):
            convert_to_tensor(part, dtype=dtype).shape.assert_is_compatible_with(shape)


@export("contrib.legacy_seq2seq.embedding_rnn_decoder")
def embedding_rnn_decoder(decoder_inputs, initial_state, cell, num_symbols, embedding_size, output_projection=None,
                          feed_previous=False, update_embedding_for_previous=True, scope=None):
    """`rnn_decoder` of symbols: integers, which an embedding turns into vectors.

    Args:
        decoder_inputs: a list of int32 tensors of shape [batch].
        initial_state: the state to begin with.
        cell: the cell.
        num_symbols: how many different symbols there are.
        embedding_size: the size of the vector that stands for one.
        output_projection: (weights, biases) that turn an output into scores of symbols, or None where it is that.
        feed_previous: whether each input is the likeliest symbol of the output before.
        update_embedding_for_previous: whether gradients reach the embedding of these.
        scope: a variable scope; by default "embedding_rnn_decoder".

    Returns:
        (the list of outputs, the last state).

    Raises:
        ValueError: the projection has another shape.
    """
    with variable_scope(scope or "embedding_rnn_decoder") as opened:
        require_projection(output_projection, None, num_symbols, opened.dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        best = embedded_best(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        inputs = (embedding_lookup(embedding, symbols) for symbols in decoder_inputs)
        return rnn_decoder(inputs, initial_state, cell, loop_function=best)


@export("contrib.legacy_seq2seq.embedding_rnn_seq2seq")
def embedding_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols, num_decoder_symbols,
                          embedding_size, output_projection=None, feed_previous=False, dtype=None, scope=None):
    """`basic_rnn_seq2seq` of symbols, embedded in both parts.

    Args:
        encoder_inputs, decoder_inputs: lists of int32 tensors of shape [batch].
        cell: the cell; the encoder gets a copy.
        num_encoder_symbols, num_decoder_symbols: how many different symbols there are.
        embedding_size: the size of the vector that stands for one.
        output_projection: (weights, biases) that turn an output into scores of symbols; None to make them.
        feed_previous: whether each input is the likeliest symbol of the output before: a bool or a bool tensor.
        dtype: of the first state and the variables; by default what the scope says.
        scope: a variable scope; by default "embedding_rnn_seq2seq".

    Returns:
        (the list of the decoder's outputs, its last state).
    """
    with variable_scope(scope or "embedding_rnn_seq2seq") as opened:
        if dtype is not None:
            opened.set_dtype(dtype)
        encoder = EmbeddingWrapper(copy.deepcopy(cell), embedding_classes=num_encoder_symbols,
                                   embedding_size=embedding_size)
        _, start = static_rnn(encoder, encoder_inputs, dtype=opened.dtype)
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)

        def decode(feed: bool, **options: Any) -> Any:
            return embedding_rnn_decoder(decoder_inputs, start, cell, num_decoder_symbols, embedding_size,
                                         output_projection=output_projection, feed_previous=feed, **options)

        return decoded(feed_previous, decode)


def decoded(feed_previous: Any, decode: Callable[..., Any]) -> Any:
    """Decodes with or without feeding outputs back, as a bool or a tensor says; both ways share their variables."""
    if isinstance(feed_previous, bool):
        return decode(feed_previous)
    structure: list[Any] = []

    def flat(feed: bool) -> list[Any]:
        with variable_scope(get_variable_scope(), reuse=None if feed else True):
            result = decode(feed, update_embedding_for_previous=False)
        structure.append(result)
        return nest.flatten(result)

    results = cond(feed_previous, lambda: flat(True), lambda: flat(False))
    return nest.pack_sequence_as(structure[0], results)


# ---- losses

@export("contrib.legacy_seq2seq.sequence_loss_by_example")
def sequence_loss_by_example(logits, targets, weights, average_across_timesteps=True, softmax_loss_function=None,
                             name=None):
    """The weighted cross entropy of each sequence of a batch.

    Args:
        logits: a list of tensors of shape [batch, symbols], one for each step.
        targets: a list of int32 tensors of shape [batch].
        weights: a list of float tensors of shape [batch].
        average_across_timesteps: whether to divide by the sum of the weights.
        softmax_loss_function: a function of `labels` and `logits` in place of the cross entropy.
        name: a name scope.

    Returns:
        A tensor of shape [batch].

    Raises:
        ValueError: the lists differ in length.
    """
    if not len(targets) == len(logits) == len(weights):
        raise ValueError("there must be as many logits as weights and targets, got "
                         f"{len(logits)}, {len(weights)} and {len(targets)}")
    with name_scope(name, "sequence_loss_by_example", [*logits, *targets, *weights]):
        losses = []
        for scores, labels, weight in zip(logits, targets, weights):
            if softmax_loss_function is None:
                labels = reshape.reshape(labels, [-1])
                loss = sparse_softmax_cross_entropy_with_logits(labels=labels, logits=scores)
            else:
                loss = softmax_loss_function(labels=labels, logits=scores)
            losses.append(loss * weight)
        total = math.add_n(losses)
        return total / (math.add_n(weights) + 1e-12) if average_across_timesteps else total


@export("contrib.legacy_seq2seq.sequence_loss")
def sequence_loss(logits, targets, weights, average_across_timesteps=True, average_across_batch=True,
                  softmax_loss_function=None, name=None):
    """The weighted cross entropy of a batch of sequences, as one number.

    Args:
        logits, targets, weights, average_across_timesteps, softmax_loss_function: see `sequence_loss_by_example`.
        average_across_batch: whether to divide by the number of sequences.
        name: a name scope.

    Raises:
        ValueError: the lists differ in length.
    """
    with name_scope(name, "sequence_loss", [*logits, *targets, *weights]):
        cost = reduce_sum(sequence_loss_by_example(logits, targets, weights,
                                                   average_across_timesteps=average_across_timesteps,
                                                   softmax_loss_function=softmax_loss_function))
        return cost / math.cast(array.shape(targets[0])[0], cost.dtype) if average_across_batch else cost


@export("contrib.legacy_seq2seq.model_with_buckets")
def model_with_buckets(encoder_inputs, decoder_inputs, targets, weights, buckets, seq2seq, softmax_loss_function=None,
                       per_example_loss=False, name=None):
    """Models for several lengths of sequences, which share their variables.

    Args:
        encoder_inputs, decoder_inputs, targets, weights: lists, as long as the last bucket asks for.
        buckets: pairs (length of the input, length of the output), the shortest first.
        seq2seq: a function (encoder inputs, decoder inputs) -> (outputs, state).
        softmax_loss_function: see `sequence_loss_by_example`.
        per_example_loss: whether a loss has one number for each sequence.
        name: a name scope.

    Returns:
        (the list of the buckets' outputs, the list of their losses).

    Raises:
        ValueError: a list is too short.
    """
    for what, given, wanted in (("encoder_inputs", encoder_inputs, buckets[-1][0]),
                                ("targets", targets, buckets[-1][1]), ("weights", weights, buckets[-1][1])):
        if len(given) < wanted:
            raise ValueError(f"{len(given)} {what} are too few for the buckets: need at least that of last bucket, "
                             f"{wanted}.")
    make_loss = sequence_loss_by_example if per_example_loss else sequence_loss
    outputs, losses = [], []
    with name_scope(name, "model_with_buckets", [*encoder_inputs, *decoder_inputs, *targets, *weights]):
        for number, (steps_in, steps_out) in enumerate(buckets):
            with variable_scope(get_variable_scope(), reuse=True if number else None):
                results, _ = seq2seq(encoder_inputs[:steps_in], decoder_inputs[:steps_out])
                outputs.append(results)
                losses.append(make_loss(results, targets[:steps_out], weights[:steps_out],
                                        softmax_loss_function=softmax_loss_function))
    return outputs, losses
