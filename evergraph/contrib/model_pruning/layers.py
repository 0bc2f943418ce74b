"""tf.contrib.model_pruning: layers and cells whose weights have a mask."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.framework.arg_scopes import add_arg_scope
from evergraph.contrib.layers.initializers import xavier_initializer
from evergraph.contrib.layers.names import last_dimension, n_positive_integers
from evergraph.contrib.layers.scope import WEIGHTED, finished, parameter, shared_arguments
from evergraph.contrib.model_pruning.masks import apply_mask
from evergraph.frontend import array
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.activations import bias_add
from evergraph.frontend.nn.convolution import convolution as convolve
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.rnn_cell import BasicLSTMCell, LSTMCell
from evergraph.ops.nn import activations


@export("contrib.model_pruning.masked_convolution", "contrib.model_pruning.masked_conv2d")
@shared_arguments(WEIGHTED)
@add_arg_scope
def masked_convolution(inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = "SAME",
                       data_format: str | None = None, rate: Any = 1, activation_fn: Any = activations.relu,
                       normalizer_fn: Any = None, normalizer_params: Any = None,
                       weights_initializer: Any = xavier_initializer(), weights_regularizer: Any = None,
                       biases_initializer: Any = zeros_initializer(), biases_regularizer: Any = None,
                       reuse: Any = None, variables_collections: Any = None, outputs_collections: Any = None,
                       trainable: bool = True, scope: Any = None) -> Any:
    """`tf.contrib.layers.conv2d` whose weights have a mask.

    Args:
        inputs: a tensor of rank 4.
        num_outputs: the number of output channels.
        kernel_size: the size of the filters: an integer, or two.
        stride: the strides of the convolution: an integer, or two.
        padding: "SAME" or "VALID".
        data_format: None or "NHWC" for channels last; "NCHW" for channels after the batch.
        rate: the dilation of the filters: an integer, or two.

    Raises:
        ValueError: the layout or the rank of the inputs is invalid.
    """
    if data_format not in (None, "NHWC", "NCHW"):
        raise ValueError(f"data_format is NHWC or NCHW, got {data_format!r}")
    with variable_scope(scope, "Conv", [inputs], reuse=reuse) as inner:
        inputs = convert_to_tensor(inputs)
        if inputs.shape.rank != 4:
            raise ValueError(f"a masked convolution takes inputs of rank 4, these have rank {inputs.shape.rank}")
        kind, channels = inputs.dtype.base_dtype, inputs.shape.as_list()[1 if data_format == "NCHW" else 3]
        weights = parameter("weights", [*n_positive_integers(2, kernel_size), channels, num_outputs], kind,
                            weights_initializer, variables_collections, trainable, weights_regularizer)
        outputs = convolve(inputs, apply_mask(weights, inner), padding, strides=n_positive_integers(2, stride),
                           dilation_rate=n_positive_integers(2, rate), data_format=data_format)
        if normalizer_fn is None and biases_initializer is not None:
            biases = parameter("biases", [num_outputs], kind, biases_initializer, variables_collections, trainable,
                               biases_regularizer)
            outputs = bias_add(outputs, biases, data_format=data_format or "NHWC")
        return finished(outputs, inner, activation_fn, outputs_collections, normalizer_fn, normalizer_params)


masked_conv2d = masked_convolution


@export("contrib.model_pruning.masked_fully_connected")
@shared_arguments(WEIGHTED)
@add_arg_scope
def masked_fully_connected(inputs: Any, num_outputs: int, activation_fn: Any = activations.relu,
                           normalizer_fn: Any = None, normalizer_params: Any = None,
                           weights_initializer: Any = xavier_initializer(), weights_regularizer: Any = None,
                           biases_initializer: Any = zeros_initializer(), biases_regularizer: Any = None,
                           reuse: Any = None, variables_collections: Any = None, outputs_collections: Any = None,
                           trainable: bool = True, scope: Any = None) -> Any:
    """`tf.contrib.layers.fully_connected` whose weights have a mask.

    Args:
        inputs: a tensor of rank 2 or more.
        num_outputs: the number of outputs.

    Raises:
        ValueError: the last size of the inputs is unknown.
    """
    with variable_scope(scope, "fully_connected", [inputs], reuse=reuse) as inner:
        inputs = convert_to_tensor(inputs)
        kind, size = inputs.dtype.base_dtype, last_dimension(inputs.shape, min_rank=2)
        weights = parameter("weights", [size, num_outputs], kind, weights_initializer, variables_collections, trainable,
                            weights_regularizer)
        outputs = matmul(array.reshape(inputs, [-1, size]), apply_mask(weights, inner))
        if inputs.shape.rank > 2:
            outputs = array.reshape(outputs, array.concat([array.shape(inputs)[:-1], [num_outputs]], 0))
            outputs.set_shape([*inputs.shape.as_list()[:-1], num_outputs])
        if normalizer_fn is None and biases_initializer is not None:
            biases = parameter("biases", [num_outputs], kind, biases_initializer, variables_collections, trainable,
                               biases_regularizer)
            outputs = bias_add(outputs, biases)
        return finished(outputs, inner, activation_fn, outputs_collections, normalizer_fn, normalizer_params)


class _MaskedKernel:
    """A cell that masks its kernel once it is built."""

    def build(self, input_shape: Any) -> None:
        """Makes the variables, and masks the kernel."""
        super().build(input_shape)
        self._kernel = apply_mask(self._kernel)


@export("contrib.model_pruning.MaskedBasicLSTMCell")
class MaskedBasicLSTMCell(_MaskedKernel, BasicLSTMCell):
    """An LSTM cell whose kernel has a mask. The arguments are those of `tf.nn.rnn_cell.BasicLSTMCell`."""


@export("contrib.model_pruning.MaskedLSTMCell")
class MaskedLSTMCell(_MaskedKernel, LSTMCell):
    """An LSTM cell whose kernel has a mask; a projection has none. See `tf.nn.rnn_cell.LSTMCell`."""
