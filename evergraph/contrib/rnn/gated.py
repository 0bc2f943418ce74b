"""tf.contrib.rnn: small gated cells."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.rnn.linear import linear
from evergraph.frontend import array
from evergraph.frontend.math import tanh
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations as nn
from evergraph.frontend.variables.initializers import (
    constant_initializer,
    random_uniform_initializer,
    zeros_initializer,
)
from evergraph.frontend.variables.scope import get_variable_scope, variable_scope
from evergraph.graph.node import Tensor
from evergraph.layers import identifiers
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.rnn_cell import LayerRNNCell, LSTMStateTuple, RNNCell
from evergraph.ops.arrays import pad
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations

sigmoid = elementwise.sigmoid


class _OfUnits:
    """The base of cells whose state and output are one vector each."""

    _num_units: int
    state_size = property(lambda self: self._num_units, doc="The number of units.")
    output_size = property(lambda self: self._num_units, doc="The number of units.")


def _input_size(inputs: Any) -> int:
    size = inputs.shape.with_rank(2).as_list()[1]
    if size is None:
        raise ValueError(f"the size of the inputs has to be known, but their shape is {inputs.shape}")
    return size


# ---- cells that create their variables when called

@export("contrib.rnn.UGRNNCell")
class UGRNNCell(_OfUnits, RNNCell):
    """The update gate RNN (UGRNN; Collins et al., 2016): new state = g * state + (1 - g) * candidate.

    Args:
        num_units: the size of the state and output.
        initializer: the kernel initializer; by default the scope's.
        forget_bias: added to the bias of the gate.
        activation: the activation of the candidate; by default tanh.
        reuse: True to share the variables of an earlier cell in the scope.
    """

    def __init__(self, num_units: int, initializer: Any = None, forget_bias: float = 1.0, activation: Any = tanh,
                 reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        self._num_units, self._initializer, self._forget_bias = num_units, initializer, forget_bias
        self._activation = identifiers.activation(activation)

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        _input_size(inputs)
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            gate, candidate = array.split(linear(array.concat([inputs, state], 1), 2 * self._num_units), 2, axis=1)
        gate = sigmoid(gate + self._forget_bias)
        new_state = gate * state + (1.0 - gate) * self._activation(candidate)
        return new_state, new_state


@export("contrib.rnn.IntersectionRNNCell")
class IntersectionRNNCell(_OfUnits, RNNCell):
    """The intersection RNN (+RNN; Collins et al., 2016): one gate for the state, and one between input and output.

    Args:
        num_units: the size of the state and output.
        num_in_proj: `num_units` to project inputs of another size; None for none.
        initializer: the kernel initializer; by default the scope's.
        forget_bias: added to the bias of the gate.
        y_activation: the activation of the output; by default relu.
        reuse: True to share the variables of an earlier cell in the scope.
    """

    def __init__(self, num_units: int, num_in_proj: int | None = None, initializer: Any = None,
                 forget_bias: float = 1.0, y_activation: Any = activations.relu, reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        self._num_units, self._num_in_proj, self._initializer = num_units, num_in_proj, initializer
        self._forget_bias, self._y_activation = forget_bias, y_activation

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            if _input_size(inputs) != self._num_units:
                inputs = self._projected(inputs)
            found = linear(array.concat([inputs, state], 1), 4 * self._num_units)
        gate_h, h, gate_y, y = array.split(found, 4, axis=1)
        gate_h, gate_y = sigmoid(gate_h + self._forget_bias), sigmoid(gate_y + self._forget_bias)
        return (gate_y * inputs + (1.0 - gate_y) * self._y_activation(y),
                gate_h * state + (1.0 - gate_h) * elementwise.tanh(h))

    def _projected(self, inputs: Any) -> Tensor:
        if not self._num_in_proj:
            raise ValueError("Must have input size == output size for Intersection RNN. To fix, num_in_proj should be "
                             "set to num_units at cell init.")
        with variable_scope("in_projection"):
            return linear(inputs, self._num_units)


# ---- cells that create their variables once

@export("contrib.rnn.SRUCell")
class SRUCell(_OfUnits, LayerRNNCell):
    """The simple recurrent unit (SRU; Lei et al., 2017), whose matrix products do not depend on its state.

    Args:
        num_units: the size of the state and output.
        activation: the activation of the state; by default tanh.
        reuse: True to share the variables of an earlier cell of the same name in the scope.
        name: the name of the cell.
        **kwargs: see `tf.layers.Layer`.
    """

    def __init__(self, num_units: int, activation: Any = None, reuse: Any = None, name: Any = None,
                 **kwargs: Any) -> None:
        super().__init__(_reuse=reuse, name=name, **kwargs)
        self._num_units, self._activation = num_units, identifiers.activation(activation or tanh)
        self.input_spec = InputSpec(ndim=2)

    def build(self, input_shape: Any) -> None:
        self._kernel = self.add_variable("kernel", shape=[self._depth_of(input_shape), 4 * self._num_units])
        self._bias = self.add_variable("bias", shape=[2 * self._num_units], initializer=zeros_initializer())
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        candidate, forget, reset, skipped = array.split(matmul(inputs, self._kernel), 4, axis=1)
        gates = sigmoid(nn.bias_add(array.concat([forget, reset], 1), self._bias))
        forget, reset = array.split(gates, 2, axis=1)
        c = forget * state + (1.0 - forget) * candidate
        return reset * self._activation(c) + (1.0 - reset) * skipped, c


class _Independent(LayerRNNCell):
    """The base of independently recurrent cells (Li et al., 2018): recurrent weights are a vector, not a matrix."""

    def __init__(self, num_units: int, activation: Any, reuse: Any, kernel_initializer: Any, bias_initializer: Any,
                 name: Any, dtype: Any) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, identifiers.activation(activation or tanh)
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    def _made(self, depth: int, count: int, prefix: str = "", kernel: str = "kernel_w", bias: float = 0.0) -> Any:
        """(kernel, recurrent weights, bias) of `count` gates."""
        size = count * self._num_units
        return (self.add_variable(f"{prefix}{kernel}", shape=[depth, size], initializer=self._kernel_initializer),
                self.add_variable(f"{prefix}kernel_u", shape=[1, size],
                                  initializer=random_uniform_initializer(minval=-1, maxval=1, dtype=self.dtype)),
                self.add_variable(f"{prefix}bias", shape=[size], initializer=self._bias_initializer
                                  or constant_initializer(bias, dtype=self.dtype)))

    def _gates(self, inputs: Any, state: Any, weights: Any, count: int) -> Tensor:
        kernel, own, bias = weights
        return nn.bias_add(matmul(inputs, kernel) + pad.tile(state, [1, count]) * own, bias)


@export("contrib.rnn.IndRNNCell")
class IndRNNCell(_OfUnits, _Independent):
    """The independently recurrent network (IndRNN; Li et al., 2018): activation(W * input + u * state + b), u a vector.

    Args:
        num_units: the size of the state and output.
        activation: a function or its name; by default tanh.
        reuse: True to share the variables of an earlier cell of the same name in the scope.
        name: the name of the cell.
        dtype: the dtype of the variables; by default that of the input.
    """

    def __init__(self, num_units: int, activation: Any = None, reuse: Any = None, name: Any = None,
                 dtype: Any = None) -> None:
        super().__init__(num_units, activation, reuse, None, None, name, dtype)

    def build(self, input_shape: Any) -> None:
        self._weights = self._made(self._depth_of(input_shape), 1)
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        output = self._activation(self._gates(inputs, state, self._weights, 1))
        return output, output


@export("contrib.rnn.IndyGRUCell")
class IndyGRUCell(_OfUnits, _Independent):
    """An independently recurrent GRU: each unit sees only its own state.

    Args:
        num_units, activation, reuse, kernel_initializer, bias_initializer, name, dtype: see
            `tf.nn.rnn_cell.GRUCell`.
    """

    def __init__(self, num_units: int, activation: Any = None, reuse: Any = None, kernel_initializer: Any = None,
                 bias_initializer: Any = None, name: Any = None, dtype: Any = None) -> None:
        super().__init__(num_units, activation, reuse, kernel_initializer, bias_initializer, name, dtype)

    def build(self, input_shape: Any) -> None:
        depth = self._depth_of(input_shape)
        self._gate_weights = self._made(depth, 2, "gates/", bias=1.0)
        self._candidate_weights = self._made(depth, 1, "candidate/", kernel="kernel")
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        reset, update = array.split(sigmoid(self._gates(inputs, state, self._gate_weights, 2)), 2, axis=1)
        candidate = self._activation(self._gates(inputs, reset * state, self._candidate_weights, 1))
        new_state = update * state + (1 - update) * candidate
        return new_state, new_state


@export("contrib.rnn.IndyLSTMCell")
class IndyLSTMCell(_Independent):
    """An independently recurrent LSTM: each unit sees only its own output (Gonnet and Deselaers, 2019).

    Args:
        num_units: the size of the output and of each half of the state.
        forget_bias: added to the bias of the forget gate.
        activation: a function or its name; by default tanh.
        reuse: True to share the variables of an earlier cell of the same name in the scope.
        kernel_initializer: the initializer of the kernel.
        bias_initializer: the initializer of the bias; by default zeros.
        name: the name of the cell.
        dtype: the dtype of the variables; by default that of the input.
    """

    def __init__(self, num_units: int, forget_bias: float = 1.0, activation: Any = None, reuse: Any = None,
                 kernel_initializer: Any = None, bias_initializer: Any = None, name: Any = None,
                 dtype: Any = None) -> None:
        super().__init__(num_units, activation, reuse, kernel_initializer, bias_initializer, name, dtype)
        self._forget_bias = forget_bias

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units), doc="The sizes of the state.")
    output_size = property(lambda self: self._num_units, doc="The number of units.")

    def build(self, input_shape: Any) -> None:
        self._weights = self._made(self._depth_of(input_shape), 4)
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:
        c, h = state
        i, j, f, o = array.split(self._gates(inputs, h, self._weights, 4), 4, axis=1)
        new_c = c * sigmoid(f + self._forget_bias) + sigmoid(i) * self._activation(j)
        new_h = self._activation(new_c) * sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)


@export("contrib.rnn.NASCell")
class NASCell(LayerRNNCell):
    """The cell found by neural architecture search (Zoph and Le, 2016).

    Args:
        num_units: the size of `c`.
        num_proj: the size to which to project the output and `h`; None for no projection.
        use_bias: whether to add a bias.
        reuse: True to share the variables of an earlier cell of the same name in the scope.
        **kwargs: see `tf.layers.Layer`.
    """

    def __init__(self, num_units: int, num_proj: int | None = None, use_bias: bool = False, reuse: Any = None,
                 **kwargs: Any) -> None:
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units, self._num_proj, self._use_bias = num_units, num_proj, use_bias

    output_size = property(lambda self: self._num_proj or self._num_units, doc="The size of the output.")
    state_size = property(lambda self: LSTMStateTuple(self._num_units, self.output_size), doc="The sizes of the state.")

    def build(self, input_shape: Any) -> None:
        size = 8 * self._num_units
        self._recurrent_kernel = self.add_variable("recurrent_kernel", [self.output_size, size])
        self._kernel = self.add_variable("kernel", [self._depth_of(input_shape), size])
        if self._use_bias:
            self._bias = self.add_variable("bias", shape=[size], initializer=zeros_initializer())
        if self._num_proj is not None:
            self._projection = self.add_variable("projection_weights", [self._num_units, self._num_proj])
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:
        c, h = state
        recurrent = matmul(h, self._recurrent_kernel)
        if self._use_bias:
            recurrent = nn.bias_add(recurrent, self._bias)
        new_c, out = self._combined(array.split(matmul(inputs, self._kernel), 8, axis=1),
                                    array.split(recurrent, 8, axis=1), c)
        if self._num_proj is not None:
            out = matmul(out, self._projection)
        return out, LSTMStateTuple(new_c, out)

    @staticmethod
    def _combined(xs: list[Tensor], hs: list[Tensor], c: Tensor) -> tuple[Tensor, Tensor]:
        """The cell's tree: its leaves are pairs of a part of the input's product and one of the output's."""
        tanh_, relu = elementwise.tanh, activations.relu
        first, second, third = sigmoid(xs[0] + hs[0]), relu(xs[1] + hs[1]), sigmoid(xs[2] + hs[2])
        fourth, fifth, sixth = relu(xs[3] * hs[3]), tanh_(xs[4] + hs[4]), sigmoid(xs[5] + hs[5])
        seventh, eighth = tanh_(xs[6] + hs[6]), sigmoid(xs[7] + hs[7])
        new_c = tanh_(tanh_(first * second) + c) * tanh_(third + fourth)
        return new_c, tanh_(new_c * tanh_(tanh_(fifth * sixth) + sigmoid(seventh + eighth)))
