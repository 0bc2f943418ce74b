"""tf.contrib.rnn: LSTMs with peepholes and a projection whose products or kernels are normalized."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.contrib.rnn.linear import layer_normalized
from evergraph.frontend import array
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.math import tanh
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.nn.normalize import l2_normalize
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable, get_variable_scope, variable_scope
from evergraph.graph.node import Tensor
from evergraph.layers import identifiers
from evergraph.layers.rnn_cell import LSTMStateTuple, RNNCell
from evergraph.ops.math import elementwise

sigmoid = elementwise.sigmoid


class _Projected(RNNCell):
    """The base of LSTMs with peepholes, clipped states and a projection; subclasses give `_gates` and `_projected`."""

    def __init__(self, num_units: int, use_peepholes: bool, cell_clip: Any, initializer: Any, num_proj: Any,
                 proj_clip: Any, forget_bias: float, activation: Any, reuse: Any) -> None:
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer, self._num_proj, self._proj_clip = initializer, num_proj, proj_clip
        self._forget_bias, self._activation = forget_bias, identifiers.activation(activation or tanh)

    output_size = property(lambda self: self._num_proj or self._num_units, doc="The size of the output.")
    state_size = property(lambda self: LSTMStateTuple(self._num_units, self.output_size), doc="The sizes of the state.")

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:
        c, h = state
        if inputs.shape.with_rank(2).as_list()[1] is None:
            raise ValueError(f"the size of the inputs has to be known, but their shape is {inputs.shape}")
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            i, j, f, o = self._gates(inputs, h)
            new_c = (sigmoid(self._seeing(c, f, "f") + self._forget_bias) * c
                     + sigmoid(self._seeing(c, i, "i")) * self._activation(j))
            new_c = self._state(new_c)
            if self._cell_clip is not None:
                new_c = clip_by_value(new_c, -self._cell_clip, self._cell_clip)
            new_h = sigmoid(self._seeing(new_c, o, "o")) * self._activation(new_c)
            if self._num_proj is not None:
                new_h = self._projected(new_h)
        if self._num_proj is not None and self._proj_clip is not None:
            new_h = clip_by_value(new_h, -self._proj_clip, self._proj_clip)
        return new_h, LSTMStateTuple(new_c, new_h)

    def _seeing(self, c: Tensor, gate: Tensor, name: str) -> Tensor:
        """The input of a gate, with its peephole."""
        if not self._use_peepholes:
            return gate
        return gate + get_variable(f"w_{name}_diag", [self._num_units], dtype=gate.dtype) * c

    def _state(self, c: Tensor) -> Tensor:
        return c


@export("contrib.rnn.LayerNormLSTMCell")
class LayerNormLSTMCell(_Projected):
    """An LSTM with peepholes and a projection, and layer normalization of its gates and `c` (Ba et al., 2016).

    Args:
        num_units: the size of `c`.
        use_peepholes: whether to use peephole connections to `c`.
        cell_clip: the bound to which to clip `c`; None for none.
        initializer: the kernel initializer; by default the scope's.
        num_proj: the size to which to project the output and `h`; None for no projection.
        proj_clip: the bound to which to clip the projection; None for none.
        forget_bias: added to the bias of the forget gate.
        activation: a function or its name; by default tanh.
        layer_norm: whether to normalize.
        norm_gain, norm_shift: the initial scale and offset of the normalizations.
        reuse: True to share the variables of an earlier cell in the scope.
    """

    def __init__(self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None, initializer: Any = None,
                 num_proj: int | None = None, proj_clip: Any = None, forget_bias: float = 1.0, activation: Any = None,
                 layer_norm: bool = False, norm_gain: float = 1.0, norm_shift: float = 0.0, reuse: Any = None) -> None:
        super().__init__(num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip, forget_bias,
                         activation, reuse)
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift

    def _gates(self, inputs: Any, h: Any) -> list[Tensor]:
        both, kind = array.concat([inputs, h], 1), inputs.dtype
        kernel = get_variable("kernel", [both.shape.as_list()[1], 4 * self._num_units], dtype=kind)
        product = matmul(both, kernel)
        if not self._layer_norm:
            bias = get_variable("bias", [4 * self._num_units], dtype=kind, initializer=zeros_initializer(dtype=kind))
            return array.split(activations.bias_add(product, bias), 4, axis=1)
        return [self._normalized(gate, name) for gate, name in
                zip(array.split(product, 4, axis=1), ("input", "transform", "forget", "output"))]

    def _state(self, c: Tensor) -> Tensor:
        return self._normalized(c, "state") if self._layer_norm else c

    def _normalized(self, value: Tensor, scope: str) -> Tensor:
        return layer_normalized(value, scope, self._norm_gain, self._norm_shift)

    def _projected(self, h: Tensor) -> Tensor:
        with variable_scope("projection"):
            return matmul(h, get_variable("kernel", [self._num_units, self._num_proj], dtype=h.dtype))


@export("contrib.rnn.WeightNormLSTMCell")
class WeightNormLSTMCell(_Projected):
    """An LSTM with peepholes and a projection whose kernels have normalized columns (Salimans and Kingma, 2016).

    Args:
        num_units: the size of `c`.
        norm: whether to normalize the kernels.
        use_peepholes, cell_clip, initializer, num_proj, proj_clip, forget_bias, activation, reuse: see
            `tf.contrib.rnn.LayerNormLSTMCell`.
    """

    def __init__(self, num_units: int, norm: bool = True, use_peepholes: bool = False, cell_clip: Any = None,
                 initializer: Any = None, num_proj: int | None = None, proj_clip: Any = None, forget_bias: float = 1,
                 activation: Any = None, reuse: Any = None) -> None:
        super().__init__(num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip, forget_bias,
                         activation, reuse)
        self._norm = norm

    def _gates(self, inputs: Any, h: Any) -> list[Tensor]:
        size, kind = 4 * self._num_units, inputs.dtype
        product = self._product([inputs, h], size)
        bias = get_variable("bias", [size], dtype=kind, initializer=zeros_initializer(dtype=kind))
        return array.split(activations.bias_add(product, bias), 4, axis=1)

    def _projected(self, h: Tensor) -> Tensor:
        with variable_scope("projection"):
            return self._product([h], self._num_proj)

    def _product(self, parts: list[Any], size: int) -> Tensor:
        """`concat(parts) @ kernel`, where the rows of each part are normalized by themselves."""
        rows = [part.shape.as_list()[1] for part in parts]
        kernel = get_variable("kernel", [sum(rows), size], dtype=parts[0].dtype)
        if self._norm:
            kernel = array.concat([
                l2_normalize(piece, 0) * get_variable(f"norm_{place}", [size], dtype=kernel.dtype)
                for place, piece in enumerate(array.split(kernel, rows, axis=0))], 0)
        return matmul(array.concat(parts, 1), kernel)
