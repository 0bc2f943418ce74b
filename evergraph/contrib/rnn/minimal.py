"""tf.contrib.rnn: cells with one gate."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations as nn
from evergraph.graph.node import Tensor
from evergraph.layers import identifiers
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.rnn_cell import LayerRNNCell
from evergraph.ops.math.elementwise import sigmoid


class _OneGate(LayerRNNCell):
    """The base of cells whose state is their output, with kernels and initializers by name as in Keras."""

    def __init__(self, units: int, activation: Any, use_bias: bool, kernel_initializer: Any, bias_initializer: Any,
                 name: Any, dtype: Any, reuse: Any, **kwargs: Any) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self.units, self.use_bias = units, use_bias
        self.activation = identifiers.activation(activation)
        self.kernel_initializer = identifiers.initializer(kernel_initializer)
        self.bias_initializer = identifiers.initializer(bias_initializer)

    state_size = property(lambda self: self.units, doc="The number of units.")
    output_size = property(lambda self: self.units, doc="The number of units.")

    def _made(self, kernel: list[int], recurrent: list[int], recurrent_initializer: Any) -> None:
        self.kernel = self.add_variable("kernel", kernel, initializer=self.kernel_initializer)
        self.recurrent_kernel = self.add_variable("recurrent_kernel", recurrent, initializer=recurrent_initializer)
        self.bias = None
        if self.use_bias:
            self.bias = self.add_variable("bias", [self.units], initializer=self.bias_initializer)
        self.built = True

    def _biased(self, x: Tensor) -> Tensor:
        return x if self.bias is None else nn.bias_add(x, self.bias)


@export("contrib.rnn.MinimalRNNCell")
class MinimalRNNCell(_OneGate):
    """The minimal RNN (Chen, 2017): one gate between the old state and an embedding of the input.

    Args:
        units: the size of the state and output.
        activation: the activation of the embedding: a function or its name.
        use_bias: whether the gate has a bias.
        kernel_initializer: the initializer of both kernels.
        bias_initializer: the initializer of the bias.
        name: the name of the cell.
        dtype: the dtype of the variables; by default that of the input.
        reuse: True to share the variables of an earlier cell of the same name in the scope.
        **kwargs: see `tf.layers.Layer`.
    """

    def __init__(self, units: int, activation: Any = "tanh", use_bias: bool = True,
                 kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "ones", name: Any = None,
                 dtype: Any = None, reuse: Any = None, **kwargs: Any) -> None:
        super().__init__(units, activation, use_bias, kernel_initializer, bias_initializer, name, dtype, reuse,
                         **kwargs)

    def build(self, input_shape: Any) -> None:
        self._made([self._depth_of(input_shape), self.units], [2 * self.units, self.units], self.kernel_initializer)

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        seen = self.activation(matmul(inputs, self.kernel))
        gate = sigmoid(self._biased(matmul(array.concat([state, seen], 1), self.recurrent_kernel)))
        after = gate * state + (1 - gate) * seen
        return after, after


@export("contrib.rnn.CFNCell")
class CFNCell(_OneGate):
    """The chaos free network (Laurent and von Brecht, 2016), whose two gates add up to one.

    Args:
        units: the size of the state and output.
        activation: the activation of the input and of the old state: a function or its name.
        recurrent_activation: the activation of the gate.
        use_bias: whether the gate has a bias.
        kernel_initializer: the initializer of both kernels.
        bias_initializer: the initializer of the bias.
        name: the name of the cell.
        dtype: the dtype of the variables; by default that of the input.
        reuse: True to share the variables of an earlier cell of the same name in the scope.
        **kwargs: see `tf.layers.Layer`.
    """

    def __init__(self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid",
                 use_bias: bool = True, kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "ones",
                 name: Any = None, dtype: Any = None, reuse: Any = None, **kwargs: Any) -> None:
        super().__init__(units, activation, use_bias, kernel_initializer, bias_initializer, name, dtype, reuse,
                         **kwargs)
        self.recurrent_activation = identifiers.activation(recurrent_activation)

    def build(self, input_shape: Any) -> None:
        self._made([self._depth_of(input_shape), 2 * self.units], [self.units, self.units], self.kernel_initializer)

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        candidate, gate = array.split(matmul(inputs, self.kernel), 2, axis=1)
        gate = self.recurrent_activation(self._biased(gate + matmul(state, self.recurrent_kernel)))
        after = gate * self.activation(state) + (1 - gate) * self.activation(candidate)
        return after, after
