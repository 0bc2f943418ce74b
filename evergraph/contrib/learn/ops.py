"""tf.contrib.learn.ops: classifiers and regressors on one layer of weights, categories as vectors, and sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.activations import bias_add, softmax
from evergraph.frontend.nn.cross_entropy import softmax_cross_entropy_with_logits
from evergraph.frontend.nn.embedding import embedding_lookup as core_lookup
from evergraph.frontend.reduce import reduce_mean
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.losses.distance import mean_squared_error
from evergraph.losses.entropy import softmax_cross_entropy
from evergraph.ops.math import elementwise


def _named(name: str, module: str) -> Any:
    return export(f"contrib.learn.ops.{name}", f"contrib.learn.ops.{module}.{name}")


@_named("mean_squared_error_regressor", "losses_ops")
def mean_squared_error_regressor(tensor_in: Any, labels: Any, weights: Any, biases: Any,
                                 name: str | None = None) -> tuple[Any, Any]:
    """(predictions of a linear layer, their mean squared error).

    Args:
        tensor_in: features [batch, features].
        labels: numbers, [batch] or [batch, outputs].
        weights: [features, outputs].
        biases: [outputs].
        name: a name for the operations.
    """
    with name_scope(name, "mean_squared_error_regressor", [tensor_in, labels]):
        predictions = bias_add(matmul(tensor_in, weights), biases)
        if len(labels.shape) == 1 and len(predictions.shape) == 2:
            predictions = array.squeeze(predictions, axis=[1])
        return predictions, mean_squared_error(labels, predictions)


@_named("softmax_classifier", "losses_ops")
def softmax_classifier(tensor_in: Any, labels: Any, weights: Any, biases: Any, class_weight: Any = None,
                       name: str | None = None) -> tuple[Any, Any]:
    """(probabilities of classes by a linear layer, their cross entropy).

    Args:
        tensor_in: features [batch, features].
        labels: one-hot rows [batch, classes].
        weights: [features, classes].
        biases: [classes].
        class_weight: a factor of each class's logit.
        name: a name for the operations.
    """
    with name_scope(name, "softmax_classifier", [tensor_in, labels]):
        logits = bias_add(matmul(tensor_in, weights), biases)
        if class_weight is not None:
            logits = elementwise.mul(logits, class_weight)
        return softmax(logits), softmax_cross_entropy(labels, logits)


@_named("embedding_lookup", "embeddings_ops")
def embedding_lookup(params: Any, ids: Any, name: str = "embedding_lookup") -> Any:
    """The rows of a table of vectors, for ids of any shape.

    Args:
        params: the table.
        ids: row numbers.
        name: a name for the operations.
    """
    with name_scope(name, "embedding_lookup", [params, ids]):
        return core_lookup(params, convert_to_tensor(ids))


@_named("categorical_variable", "embeddings_ops")
def categorical_variable(tensor_in: Any, n_classes: int, embedding_size: int, name: str) -> Any:
    """A vector, which is learned, for each category.

    Args:
        tensor_in: the numbers of categories.
        n_classes: how many categories there are.
        embedding_size: the length of vectors.
        name: the variable scope.
    """
    with variable_scope(name):
        return embedding_lookup(get_variable("embeddings", [n_classes, embedding_size]), tensor_in)


@_named("sequence_classifier", "seq2seq_ops")
def sequence_classifier(decoding: Sequence[Any], labels: Sequence[Any], sampling_decoding: Sequence[Any] | None = None,
                        name: str | None = None) -> tuple[Any, Any]:
    """(predictions of a sequence, the mean cross entropy of its steps).

    Args:
        decoding: the logits of each step.
        labels: one-hot rows of each step.
        sampling_decoding: other logits to predict from.
        name: a name for the operations.
    """
    with name_scope(name, "sequence_classifier", [*decoding, *labels]):
        losses = [softmax_cross_entropy_with_logits(labels=label, logits=logits)
                  for logits, label in zip(decoding, labels, strict=False)]
        predictions = array.stack([softmax(logits) for logits in sampling_decoding or decoding], axis=1)
        return predictions, reduce_mean(math.add_n(losses)) / len(losses)


@_named("seq2seq_inputs", "seq2seq_ops")
def seq2seq_inputs(x: Any, y: Any, input_length: int, output_length: int, sentinel: Any = None,
                   name: str | None = None) -> tuple[list[Any], list[Any], list[Any]]:
    """(inputs of an encoder, inputs of a decoder, outputs), lists of steps.

    Args:
        x: input sequences [batch, input_length, size].
        y: output sequences [batch, output_length, size].
        input_length, output_length: the numbers of steps.
        sentinel: the first input of the decoder, and the last output; zeros by default.
        name: a name for the operations.
    """
    with name_scope(name, "seq2seq_inputs", [x, y]):
        inputs = array.unstack(x, num=input_length, axis=1)
        steps = array.unstack(y, num=output_length, axis=1)
        if sentinel is None:
            sentinel = array.zeros_like(steps[0])
            sentinel.set_shape(steps[0].shape)
        return inputs, [sentinel, *steps], [*steps, sentinel]


@_named("rnn_decoder", "seq2seq_ops")
def rnn_decoder(decoder_inputs: Sequence[Any], initial_state: Any, cell: Any, scope: Any = None) -> tuple[Any, ...]:
    """(outputs, states, outputs when each step is fed the last one's, states of that), lists of steps.

    Args:
        decoder_inputs: the inputs of steps.
        initial_state: the first state.
        cell: an RNN cell.
        scope: the variable scope; "dnn_decoder" by default.
    """
    with variable_scope(scope or "dnn_decoder"):
        states, sampled_states = [initial_state], [initial_state]
        outputs, sampled = [], []
        for number, step in enumerate(decoder_inputs):
            with variable_scope("rnn", reuse=True if number > 0 else None):
                output, state = cell(step, states[-1])
                outputs.append(output)
                states.append(state)
            with variable_scope("rnn", reuse=True):
                fed = sampled[-1] if sampled else step
                output, state = cell(fed, sampled_states[-1])
                sampled.append(output)
                sampled_states.append(state)
        return outputs, states, sampled, sampled_states


@_named("rnn_seq2seq", "seq2seq_ops")
def rnn_seq2seq(encoder_inputs: Sequence[Any], decoder_inputs: Sequence[Any], encoder_cell: Any,
                decoder_cell: Any = None, dtype: Any = dtypes.float32, scope: Any = None) -> tuple[Any, ...]:
    """What `rnn_decoder` returns, where the first state is the last one of an encoder.

    Args:
        encoder_inputs, decoder_inputs: the inputs of steps.
        encoder_cell: an RNN cell.
        decoder_cell: another one; by default the same.
        dtype: the dtype of states.
        scope: the variable scope; "rnn_seq2seq" by default.
    """
    with variable_scope(scope or "rnn_seq2seq"):
        state = encoder_cell.zero_state(array.shape(encoder_inputs[0])[0], dtype)
        with variable_scope("rnn"):
            for step in encoder_inputs:
                _, state = encoder_cell(step, state)
        return rnn_decoder(decoder_inputs, state, decoder_cell or encoder_cell)

