"""tf.contrib.cudnn_rnn: cells that can load the weights of cuDNN networks."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.rnn.blocks import LSTMBlockCell
from evergraph.frontend import array
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.variables.initializers import constant_initializer, zeros_initializer
from evergraph.graph.node import Tensor
from evergraph.layers.rnn_cell import GRUCell
from evergraph.ops.math import elementwise


@export("contrib.cudnn_rnn.CudnnCompatibleLSTMCell")
class CudnnCompatibleLSTMCell(LSTMBlockCell):
    """An LSTM cell compatible with cuDNN: `tf.contrib.rnn.LSTMBlockCell` without peepholes, clipping or forget bias.

    Args:
        num_units: the size of the output and of each half of the state.
        reuse: True to share the variables of an earlier cell in the scope.
    """

    def __init__(self, num_units: int, reuse: Any = None) -> None:
        super().__init__(num_units, forget_bias=0, reuse=reuse, name="cudnn_compatible_lstm_cell")


@export("contrib.cudnn_rnn.CudnnCompatibleGRUCell")
class CudnnCompatibleGRUCell(GRUCell):
    """A GRU cell compatible with cuDNN, whose reset gate is applied after the recurrent kernel.

    Args:
        num_units: the size of the state and output.
        reuse: True to share the variables of an earlier cell in the scope.
        kernel_initializer: the initializer of the kernels.
    """

    def __init__(self, num_units: int, reuse: Any = None, kernel_initializer: Any = None) -> None:
        super().__init__(num_units, reuse=reuse, kernel_initializer=kernel_initializer)

    def build(self, input_shape: Any) -> None:
        units, depth, start = self._num_units, self._depth_of(input_shape), self._kernel_initializer
        self._gate_kernel = self.add_variable("gates/kernel", shape=[depth + units, 2 * units], initializer=start)
        self._gate_bias = self.add_variable("gates/bias", shape=[2 * units], initializer=constant_initializer(1.0))
        self._projections = [
            (self.add_variable(f"candidate/{part}_projection/kernel", shape=[rows, units], initializer=start),
             self.add_variable(f"candidate/{part}_projection/bias", shape=[units], initializer=zeros_initializer()))
            for part, rows in (("input", depth), ("hidden", units))]
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        gates = activations.bias_add(matmul(array.concat([inputs, state], 1), self._gate_kernel), self._gate_bias)
        reset, update = array.split(elementwise.sigmoid(gates), 2, axis=1)
        of_input, of_state = (activations.bias_add(matmul(x, kernel), bias)
                              for x, (kernel, bias) in zip((inputs, state), self._projections))
        candidate = self._activation(of_input + reset * of_state)
        new_state = (1 - update) * candidate + update * state
        return new_state, new_state
