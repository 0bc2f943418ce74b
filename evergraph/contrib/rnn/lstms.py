"""tf.contrib.rnn: LSTM variants."""
from __future__ import annotations

import math as numbers
from typing import Any

from evergraph.base import dtypes, logging
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.rnn.linear import layer_normalized, linear, sharded
from evergraph.frontend import array, math, random
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.indexing import where
from evergraph.frontend.math import tanh
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.nn.convolution import conv1d, conv2d, conv3d
from evergraph.frontend.variables.initializers import (
    constant_initializer,
    random_uniform_initializer,
    zeros_initializer,
)
from evergraph.frontend.variables.scope import get_variable, get_variable_scope, variable_scope
from evergraph.graph.node import Tensor
from evergraph.layers import identifiers
from evergraph.layers.rnn_cell import LSTMStateTuple, RNNCell
from evergraph.ops.arrays import basic, index
from evergraph.ops.math import elementwise

sigmoid = elementwise.sigmoid


# ---- coupled input and forget gates

@export("contrib.rnn.CoupledInputForgetGateLSTMCell")
class CoupledInputForgetGateLSTMCell(RNNCell):
    """An LSTM with coupled input and forget gates (Greff et al., 2015).

    Args:
        num_units: the size of `c`.
        use_peepholes: whether to use peephole connections to `c`.
        initializer: the kernel initializer; by default the scope's.
        num_proj: the size to which to project the output and `h`; None for no projection.
        proj_clip: the bound to which to clip the projection; None for none.
        num_unit_shards, num_proj_shards: the numbers of variables that store the kernels.
        forget_bias: added to the bias of the forget gate.
        state_is_tuple: True for a state that is an LSTMStateTuple, False for c and h concatenated.
        activation: a function; by default tanh.
        reuse: True to share the variables of an earlier cell in the scope.
        layer_norm: whether to normalize gates and `c`.
        norm_gain, norm_shift: the initial scale and offset of the normalizations.
    """

    def __init__(self, num_units: int, use_peepholes: bool = False, initializer: Any = None,
                 num_proj: int | None = None, proj_clip: Any = None, num_unit_shards: int = 1,
                 num_proj_shards: int = 1, forget_bias: float = 1.0, state_is_tuple: bool = True,
                 activation: Any = tanh, reuse: Any = None, layer_norm: bool = False, norm_gain: float = 1.0,
                 norm_shift: float = 0.0) -> None:
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            logging.warning("%s: one tensor for c and h is slower than a tuple: state_is_tuple=True.", self)
        self._num_units, self._use_peepholes, self._initializer = num_units, use_peepholes, initializer
        self._num_proj, self._proj_clip, self._forget_bias = num_proj, proj_clip, forget_bias
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._state_is_tuple, self._activation = state_is_tuple, identifiers.activation(activation)
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift

    output_size = property(lambda self: self._num_proj or self._num_units, doc="The size of the output.")

    @property
    def state_size(self) -> Any:
        """An LSTMStateTuple of sizes, or their sum."""
        sizes = LSTMStateTuple(self._num_units, self.output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]:
        units, kind = self._num_units, inputs.dtype
        c, h = state if self._state_is_tuple else (index.slice_(state, [0, 0], [-1, units]),
                                                   index.slice_(state, [0, units], [-1, self.output_size]))
        j, f, o = self._gates(inputs, h)
        f = f + self._forget_bias
        if self._use_peepholes:
            w_f, w_o = (get_variable(f"W_{gate}_diag", shape=[units], dtype=kind, initializer=self._initializer)
                        for gate in "FO")
            f = f + w_f * c
        f = sigmoid(f)
        new_c = self._normalized(f * c + (1 - f) * self._activation(j), "state")
        new_h = sigmoid(o + w_o * new_c if self._use_peepholes else o) * self._activation(new_c)
        if self._num_proj is not None:
            kernel = sharded("W_P", [units, self._num_proj], kind, self._num_proj_shards, self._initializer)
            new_h = matmul(new_h, kernel)
            if self._proj_clip is not None:
                new_h = clip_by_value(new_h, -self._proj_clip, self._proj_clip)
        return new_h, LSTMStateTuple(new_c, new_h) if self._state_is_tuple else array.concat([new_c, new_h], 1)

    def _gates(self, inputs: Any, h: Any) -> list[Tensor]:
        size, units = inputs.shape.with_rank(2).as_list()[1], self._num_units
        if size is None:
            raise ValueError(f"the size of the inputs has to be known, but their shape is {inputs.shape}")
        kernel = sharded("W", [size + self.output_size, 3 * units], inputs.dtype, self._num_unit_shards,
                         self._initializer)
        bias = get_variable("B", shape=[3 * units], initializer=zeros_initializer(), dtype=inputs.dtype)
        product = matmul(array.concat([inputs, h], 1), kernel)
        gates = array.split(product if self._layer_norm else activations.bias_add(product, bias), 3, axis=1)
        return [self._normalized(gate, name) for gate, name in zip(gates, ("transform", "forget", "output"))]

    def _normalized(self, value: Tensor, scope: str) -> Tensor:
        return layer_normalized(value, scope, self._norm_gain, self._norm_shift) if self._layer_norm else value


# ---- grouped units

@export("contrib.rnn.GLSTMCell")
class GLSTMCell(RNNCell):
    """A group LSTM, whose groups of units see only their part of the inputs (Kuchaiev and Ginsburg, 2017).

    Args:
        num_units: the size of `c`.
        initializer: the kernel initializer; by default the scope's.
        num_proj: the size to which to project the output and `h`; None for no projection.
        number_of_groups: the number of groups; it must divide all sizes.
        forget_bias: added to the bias of the forget gate.
        activation: the activation of `c` for the output; by default tanh.
        reuse: True to share the variables of an earlier cell in the scope.

    Raises:
        ValueError: a size is not divisible.
    """

    def __init__(self, num_units: int, initializer: Any = None, num_proj: int | None = None,
                 number_of_groups: int = 1, forget_bias: float = 1.0, activation: Any = tanh,
                 reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        for what, size in (("num_units", num_units), ("num_proj", num_proj or 0)):
            if size % number_of_groups:
                raise ValueError(f"{what}, {size}, is not divisible by the number of groups, {number_of_groups}")
        self._num_units, self._initializer, self._num_proj = num_units, initializer, num_proj
        self._number_of_groups, self._forget_bias = number_of_groups, forget_bias
        self._activation = identifiers.activation(activation)

    output_size = property(lambda self: self._num_proj or self._num_units, doc="The size of the output.")
    state_size = property(lambda self: LSTMStateTuple(self._num_units, self.output_size), doc="The sizes of the state.")

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:
        c, h = state
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            i, j, f, o = self._gates(inputs, h)
        new_c = sigmoid(f + self._forget_bias) * c + sigmoid(i) * elementwise.tanh(j)
        new_h = sigmoid(o) * self._activation(new_c)
        if self._num_proj is not None:
            with variable_scope("projection"):
                new_h = linear(new_h, self._num_proj, bias=False)
        return new_h, LSTMStateTuple(new_c, new_h)

    def _gates(self, inputs: Any, h: Any) -> list[Tensor]:
        """i, j, f and o: for each, the concatenated groups, plus a bias."""
        count, size = self._number_of_groups, inputs.shape.as_list()[1]
        if size is None:
            raise ValueError(f"the input size must be statically known, but the inputs have shape {inputs.shape}")
        if size % count:
            raise ValueError(f"input size ({size}) must be divisible by number_of_groups ({count})")
        pieces = []
        for group, parts in enumerate(zip(array.split(inputs, count, axis=1), array.split(h, count, axis=1))):
            with variable_scope(f"group{group}"):
                product = linear(array.concat(parts, 1), 4 * self._num_units // count, bias=False)
                pieces.append(array.split(product, 4, axis=1))
        kind = inputs.dtype
        zeros = constant_initializer(0.0, dtype=kind)
        return [activations.bias_add(array.concat(groups, 1),
                                     get_variable(f"bias_{gate}", [self._num_units], dtype=kind, initializer=zeros))
                for gate, groups in zip("ijfo", zip(*pieces))]


# ---- phased units

def _log_uniform(low: float, high: float) -> Any:
    """An initializer with log-uniform numbers."""
    def numbers_of(shape: Any, dtype: Any = dtypes.float32, partition_info: Any = None) -> Tensor:
        return elementwise.exp(random.random_uniform(shape, numbers.log(low), numbers.log(high), dtype))
    return numbers_of


@export("contrib.rnn.PhasedLSTMCell")
class PhasedLSTMCell(RNNCell):
    """The phased LSTM, whose units are open during a part of their own period (Neil et al., 2016).

    Its inputs are pairs: times, of shape [batch, 1], and features, of shape [batch, size].

    Args:
        num_units: the size of the output and of each half of the state.
        use_peepholes: whether to use peephole connections to `c`.
        leak: the fraction that closed units let through.
        ratio_on: the initial fraction of its period in which a unit is open.
        trainable_ratio_on: whether that fraction is trainable.
        period_init_min, period_init_max: the range of the initial periods, which are log-uniform.
        reuse: True to share the variables of an earlier cell in the scope.
    """

    def __init__(self, num_units: int, use_peepholes: bool = False, leak: float = 0.001, ratio_on: float = 0.1,
                 trainable_ratio_on: bool = True, period_init_min: float = 1.0, period_init_max: float = 1000.0,
                 reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._leak = num_units, use_peepholes, leak
        self._ratio_on, self._trainable_ratio_on = ratio_on, trainable_ratio_on
        self._periods = (period_init_min, period_init_max)

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units), doc="The sizes of the state.")
    output_size = property(lambda self: self._num_units, doc="The number of units.")

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:
        (time, x), (c, h) = inputs, state
        i, f = array.split(self._gate("mask_gates", [x, h, c], 2), 2, axis=1)
        with variable_scope("new_input"):
            candidate = elementwise.tanh(linear([x, h], self._num_units))
        new_c = c * f + i * candidate
        new_h = elementwise.tanh(new_c) * self._gate("output_gate", [x, h, new_c], 1)
        opened = self._opened(time)
        new_c, new_h = opened * new_c + (1 - opened) * c, opened * new_h + (1 - opened) * h
        return new_h, LSTMStateTuple(new_c, new_h)

    def _gate(self, scope: str, parts: list[Any], count: int) -> Tensor:
        with variable_scope(scope):
            return sigmoid(linear(parts if self._use_peepholes else parts[:2], count * self._num_units))

    def _opened(self, time: Any) -> Tensor:
        """The openness of each unit: it opens, closes, and leaks in the rest of its period."""
        shape = [self._num_units]
        period = get_variable("period", shape, initializer=_log_uniform(*self._periods))
        phase = get_variable("phase", shape, initializer=random_uniform_initializer(0.0, period.initial_value))
        ratio = get_variable("ratio_on", shape, initializer=constant_initializer(self._ratio_on),
                             trainable=self._trainable_ratio_on)
        wide = math.cast(period, time.dtype)
        shifted = time - math.cast(phase, time.dtype)
        # The gradient ignores the modulo operation.
        into = basic.stop_gradient(elementwise.floor_mod(shifted, wide) - shifted) + shifted
        part = math.cast(into / wide, dtypes.float32)
        up = 2 * part / ratio
        opened = where(elementwise.less(part, ratio + array.zeros_like(part)), 2 - up, self._leak * part)
        return where(elementwise.less(part, 0.5 * ratio + array.zeros_like(part)), up, opened)


# ---- convolutional LSTMs

@export("contrib.rnn.ConvLSTMCell")
class ConvLSTMCell(RNNCell):
    """A convolutional LSTM for sequences, images or volumes (Shi et al., 2015).

    Args:
        conv_ndims: the number of spatial axes: 1, 2 or 3.
        input_shape: the shape of an input: the sizes of these axes, and the channels.
        output_channels: the channels of the output and of each half of the state.
        kernel_shape: the sizes of the kernel along these axes.
        use_bias: whether to add a bias.
        skip_connection: whether to concatenate the inputs to the output.
        forget_bias: added to the bias of the forget gate.
        initializers: has no effect, as in TensorFlow.
        name: the name of the cell.

    Raises:
        ValueError: `input_shape` has another rank.
    """

    def __init__(self, conv_ndims: int, input_shape: Any, output_channels: int, kernel_shape: Any,
                 use_bias: bool = True, skip_connection: bool = False, forget_bias: float = 1.0,
                 initializers: Any = None, name: Any = "conv_lstm_cell") -> None:
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(f"input_shape {input_shape} does not have {conv_ndims} axes and channels")
        self._conv_ndims, self._input_shape, self._channels = conv_ndims, list(input_shape), output_channels
        self._kernel_shape, self._use_bias = list(kernel_shape), use_bias
        self._skip_connection, self._forget_bias = skip_connection, forget_bias

    @property
    def output_size(self) -> TensorShape:
        """The shape of an output."""
        more = self._input_shape[-1] if self._skip_connection else 0
        return TensorShape([*self._input_shape[:-1], self._channels + more])

    @property
    def state_size(self) -> LSTMStateTuple:
        """The shapes of the state."""
        return LSTMStateTuple(*[TensorShape([*self._input_shape[:-1], self._channels])] * 2)

    def call(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, LSTMStateTuple]:
        """One step. The variables are in the layer's own scope: `scope` has no effect."""
        c, h = state
        i, j, f, o = array.split(self._convolved(array.concat([inputs, h], -1)), 4, axis=self._conv_ndims + 1)
        new_c = sigmoid(f + self._forget_bias) * c + sigmoid(i) * elementwise.tanh(j)
        output = elementwise.tanh(new_c) * sigmoid(o)
        if self._skip_connection:
            output = array.concat([output, inputs], axis=-1)
        return output, LSTMStateTuple(new_c, output)

    def _convolved(self, inputs: Tensor) -> Tensor:
        kind, axes, count = inputs.dtype, self._conv_ndims, 4 * self._channels
        kernel = get_variable("kernel", [*self._kernel_shape, inputs.shape.as_list()[-1], count], dtype=kind)
        convolve, strides = {1: (conv1d, 1), 2: (conv2d, [1] * 4), 3: (conv3d, [1] * 5)}[axes]
        result = convolve(inputs, kernel, strides, padding="SAME")
        if not self._use_bias:
            return result
        return result + get_variable("biases", [count], dtype=kind, initializer=constant_initializer(0.0, dtype=kind))


@export("contrib.rnn.Conv1DLSTMCell")
class Conv1DLSTMCell(ConvLSTMCell):
    """`tf.contrib.rnn.ConvLSTMCell` of sequences; see there for `**kwargs`."""

    def __init__(self, name: Any = "conv_1d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=1, name=name, **kwargs)


@export("contrib.rnn.Conv2DLSTMCell")
class Conv2DLSTMCell(ConvLSTMCell):
    """`tf.contrib.rnn.ConvLSTMCell` of images; see there for `**kwargs`."""

    def __init__(self, name: Any = "conv_2d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=2, name=name, **kwargs)


@export("contrib.rnn.Conv3DLSTMCell")
class Conv3DLSTMCell(ConvLSTMCell):
    """`tf.contrib.rnn.ConvLSTMCell` of volumes; see there for `**kwargs`."""

    def __init__(self, name: Any = "conv_3d_lstm_cell", **kwargs: Any) -> None:
        super().__init__(conv_ndims=3, name=name, **kwargs)
