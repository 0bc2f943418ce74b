"""tf.contrib.cudnn_rnn: the recurrent networks of cuDNN, computed by portable cells on any device.

The variables are those of the cells that are compatible with cuDNN, under the names that TensorFlow's layers have in
checkpoints, so that checkpoints go both ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.rnn.cudnn import CudnnCompatibleGRUCell, CudnnCompatibleLSTMCell
from evergraph.frontend import array
from evergraph.frontend.nn.activations import dropout as dropped
from evergraph.frontend.variables.initializers import glorot_uniform_initializer, zeros_initializer
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.layers.rnn import bidirectional_dynamic_rnn, dynamic_rnn
from evergraph.layers.rnn_cell import BasicRNNCell, LSTMStateTuple
from evergraph.ops.math import elementwise
from evergraph.ops.nn.activations import relu

CUDNN_RNN_UNIDIRECTION = export("contrib.cudnn_rnn.CUDNN_RNN_UNIDIRECTION")("unidirectional")
CUDNN_RNN_BIDIRECTION = export("contrib.cudnn_rnn.CUDNN_RNN_BIDIRECTION")("bidirectional")
CUDNN_INPUT_LINEAR_MODE = export("contrib.cudnn_rnn.CUDNN_INPUT_LINEAR_MODE")("linear_input")
CUDNN_INPUT_SKIP_MODE = export("contrib.cudnn_rnn.CUDNN_INPUT_SKIP_MODE")("skip_input")
CUDNN_INPUT_AUTO_MODE = export("contrib.cudnn_rnn.CUDNN_INPUT_AUTO_MODE")("auto_select")


class _Layer:
    """A recurrent network of several layers.

    Args:
        num_layers: the number of layers.
        num_units: the size of the states.
        input_mode: "linear_input"; cuDNN's first layer without a kernel for the input is not there.
        direction: "unidirectional" or "bidirectional".
        dropout: the probability with which the output of a layer, before the next, is dropped in training.
        seed: of the dropout.
        dtype: of the variables.
        kernel_initializer: of the kernels, called once for each gate; by default glorot_uniform_initializer.
        bias_initializer: of the biases; zeros by default.
        name: the name of the variable scope.

    Raises:
        ValueError: the direction or the mode is unknown, or not available.
    """

    _rnn_mode = ""
    _parts = 1  # how many tensors are a state

    def __init__(self, num_layers: int, num_units: int, input_mode: str = CUDNN_INPUT_LINEAR_MODE,
                 direction: str = CUDNN_RNN_UNIDIRECTION, dropout: float = 0.0, seed: int | None = None,
                 dtype: Any = dtypes.float32, kernel_initializer: Any = None, bias_initializer: Any = None,
                 name: str | None = None) -> None:
        if direction not in (CUDNN_RNN_UNIDIRECTION, CUDNN_RNN_BIDIRECTION):
            raise ValueError(f"direction must be unidirectional or bidirectional, not {direction!r}")
        if input_mode != CUDNN_INPUT_LINEAR_MODE:
            raise ValueError(f"input_mode must be {CUDNN_INPUT_LINEAR_MODE!r} here, not {input_mode!r}")
        self._num_layers, self._num_units, self._direction = num_layers, num_units, direction
        self._dropout, self._seed, self._dtype = dropout, seed, dtypes.as_dtype(dtype)
        self._kernel_initializer = kernel_initializer or glorot_uniform_initializer(dtype=self._dtype)
        self._bias_initializer = bias_initializer or zeros_initializer(dtype=self._dtype)
        self._name, self._scope, self._input_size = name, None, None
        self.built = False

    num_layers = property(lambda self: self._num_layers)
    num_units = property(lambda self: self._num_units)
    input_mode = property(lambda self: CUDNN_INPUT_LINEAR_MODE)
    rnn_mode = property(lambda self: self._rnn_mode)
    direction = property(lambda self: self._direction)
    num_dirs = property(lambda self: 1 if self._direction == CUDNN_RNN_UNIDIRECTION else 2)
    input_size = property(lambda self: self._input_size)
    name = property(lambda self: None if self._scope is None else self._scope.name)
    variables = property(lambda self: self._scope.global_variables() if self._scope is not None else [])
    trainable_variables = property(lambda self: self._scope.trainable_variables() if self._scope is not None else [])
    weights = variables

    def build(self, input_shape: Any) -> None:
        """Makes the variables for an input of three axes, of which the last has a known size."""
        shape = TensorShape(input_shape)
        if shape.ndims != 3 or shape.as_list()[2] is None:
            raise ValueError(f"the input must have three axes, the last of a known size; the shape is {shape}")
        self(array.zeros([1, 1, shape.as_list()[2]], self._dtype), training=False)

    def __call__(self, inputs: Any, initial_state: Any = None, sequence_lengths: Any = None, time_major: bool = True,
                 training: bool = True) -> tuple[Any, tuple[Any, ...]]:
        """Runs the network.

        Args:
            inputs: [time, batch, size], or [batch, time, size] without `time_major`.
            initial_state: a tuple of tensors [layers * directions, batch, units], with the first two axes exchanged
                without `time_major`: h and c for an LSTM, h for others. Zeros without it.
            sequence_lengths: the length of each sequence of the batch.
            time_major: whether time is the first axis.
            training: whether outputs between layers are dropped.

        Returns:
            (outputs, states): [time, batch, units * directions], and a tuple as `initial_state`.
        """
        inputs = convert_to_tensor(inputs, dtype=self._dtype)
        if not time_major:
            inputs = array.transpose(inputs, [1, 0, 2])
            initial_state = _exchanged(initial_state)
        if inputs.shape.ndims != 3 or inputs.shape.as_list()[2] is None:
            raise ValueError(f"the input must have three axes, the last of a known size; the shape is {inputs.shape}")
        self._input_size = inputs.shape.as_list()[2]
        with variable_scope(self._scope or self._name, f"cudnn_{self._rnn_mode}", reuse=self.built or None,
                            custom_getter=None if self.built else self._start) as scope:
            self._scope, self.built = scope, True
            outputs, states = self._layers(inputs, self._starts(initial_state), sequence_lengths, training)
        return (outputs, states) if time_major else (array.transpose(outputs, [1, 0, 2]), _exchanged(states))

    def _starts(self, initial_state: Any) -> list[Any]:
        """The first state of each direction of each layer, as cells take them."""
        count = self._num_layers * self.num_dirs
        if initial_state is None:
            return [None] * count
        parts = initial_state if isinstance(initial_state, Sequence) else [initial_state]
        if len(parts) != self._parts:
            raise ValueError(f"initial_state must have {self._parts} tensors, it has {len(parts)}")
        listed = [array.unstack(convert_to_tensor(part), count) for part in parts]
        return [LSTMStateTuple(c, h) for h, c in zip(*listed)] if self._parts == 2 else listed[0]

    def _layers(self, inputs: Any, starts: list[Any], lengths: Any, training: bool) -> tuple[Any, tuple[Any, ...]]:
        ends: list[Any] = []
        for layer in range(self._num_layers):
            if layer and training and self._dropout:
                inputs = dropped(inputs, rate=self._dropout, seed=self._seed)
            first = starts[layer * self.num_dirs:(layer + 1) * self.num_dirs]
            inputs, new = (self._one_way if self.num_dirs == 1 else self._both_ways)(layer, inputs, first, lengths)
            ends += new
        if self._parts == 2:
            return inputs, (array.stack([end.h for end in ends]), array.stack([end.c for end in ends]))
        return inputs, (array.stack(ends),)

    def _one_way(self, layer: int, inputs: Any, first: list[Any], lengths: Any) -> tuple[Any, list[Any]]:
        outputs, state = dynamic_rnn(self._cell(), inputs, lengths, first[0], self._dtype, time_major=True,
                                     scope=f"rnn/multi_rnn_cell/cell_{layer}")
        return outputs, [state]

    def _both_ways(self, layer: int, inputs: Any, first: list[Any], lengths: Any) -> tuple[Any, list[Any]]:
        outputs, states = bidirectional_dynamic_rnn(
            self._cell(), self._cell(), inputs, lengths, first[0], first[1], self._dtype, time_major=True,
            scope=f"stack_bidirectional_rnn/cell_{layer}/bidirectional_rnn")
        return array.concat(outputs, 2), list(states)

    def _cell(self) -> Any:
        raise NotImplementedError

    def _start(self, getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        """Makes a variable of a cell with the layer's initializers."""
        kwargs["initializer"] = self._bias_initializer if name.endswith("bias") else self._of_gates(name)
        return getter(name, *args, **kwargs)

    def _of_gates(self, name: str) -> Any:
        """An initializer of a kernel, which it initializes gate by gate, and for inputs and states apart."""
        units = self._num_units

        def kernel(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
            rows, columns = TensorShape(shape).as_list()
            depths = [rows] if "_projection/" in name else [rows - units, units]
            gates = [[self._kernel_initializer([units, depth], dtype=dtype) for depth in depths]
                     for _ in range(columns // units)]
            return array.concat([array.transpose(array.concat(parts, 1)) for parts in gates], 1)

        return kernel


def _exchanged(states: Any) -> Any:
    """States with the first two axes exchanged."""
    if states is None:
        return None
    return tuple(array.transpose(state, [1, 0, 2]) for state in states)


@export("contrib.cudnn_rnn.CudnnLSTM")
class CudnnLSTM(_Layer):
    """cuDNN's LSTM, computed by `tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell`. States are (h, c).

    Args:
        num_layers: how many layers stand on each other.
        num_units: the size of the state of each.
        input_mode: "linear_input"; cuDNN's "skip_input" is refused.
        direction: "unidirectional" or "bidirectional".
        dropout: the share of the inputs of all layers but the first that is dropped in training.
        dtype: of the variables.
        seed: of the dropout.
        kernel_initializer: of the kernels.
        bias_initializer: of the biases.
    """

    _rnn_mode, _parts = "lstm", 2

    def _cell(self) -> Any:
        return CudnnCompatibleLSTMCell(self._num_units)


@export("contrib.cudnn_rnn.CudnnGRU")
class CudnnGRU(_Layer):
    """cuDNN's GRU, computed by `tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell`. States are (h,).

    Args:
        num_layers: how many layers stand on each other.
        num_units: the size of the state of each.
        input_mode: "linear_input"; cuDNN's "skip_input" is refused.
        direction: "unidirectional" or "bidirectional".
        dropout: the share of the inputs of all layers but the first that is dropped in training.
        dtype: of the variables.
        seed: of the dropout.
        kernel_initializer: of the kernels.
        bias_initializer: of the biases.
    """

    _rnn_mode = "gru"

    def _cell(self) -> Any:
        return CudnnCompatibleGRUCell(self._num_units)


class _Plain(_Layer):
    """A network of cells without gates."""

    _activation: Any = None

    def _cell(self) -> Any:
        return BasicRNNCell(self._num_units, self._activation)


@export("contrib.cudnn_rnn.CudnnRNNTanh")
class CudnnRNNTanh(_Plain):
    """cuDNN's network of plain cells with tanh. States are (h,).

    Args:
        num_layers: how many layers stand on each other.
        num_units: the size of the state of each.
        input_mode: "linear_input"; cuDNN's "skip_input" is refused.
        direction: "unidirectional" or "bidirectional".
        dropout: the share of the inputs of all layers but the first that is dropped in training.
        dtype: of the variables.
        seed: of the dropout.
        kernel_initializer: of the kernels.
        bias_initializer: of the biases.
    """

    _rnn_mode, _activation = "rnn_tanh", staticmethod(elementwise.tanh)


@export("contrib.cudnn_rnn.CudnnRNNRelu")
class CudnnRNNRelu(_Plain):
    """cuDNN's network of plain cells with relu. States are (h,).

    Args:
        num_layers: how many layers stand on each other.
        num_units: the size of the state of each.
        input_mode: "linear_input"; cuDNN's "skip_input" is refused.
        direction: "unidirectional" or "bidirectional".
        dropout: the share of the inputs of all layers but the first that is dropped in training.
        dtype: of the variables.
        seed: of the dropout.
        kernel_initializer: of the kernels.
        bias_initializer: of the biases.
    """

    _rnn_mode, _activation = "rnn_relu", staticmethod(relu)
