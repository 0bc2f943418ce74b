"""tf.contrib.rnn: cell wrappers with attention or highway connections."""
from __future__ import annotations

from typing import Any

from evergraph.base import logging, nest
from evergraph.base.export import export
from evergraph.contrib.rnn.linear import linear
from evergraph.frontend import array
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.initializers import constant_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.node import Tensor
from evergraph.layers.rnn_cell import RNNCell
from evergraph.layers.rnn_wrappers import CellWrapper, require_cell
from evergraph.ops.arrays import index, reshape
from evergraph.ops.math import elementwise


@export("contrib.rnn.AttentionCellWrapper")
class AttentionCellWrapper(RNNCell):
    """A cell that attends to its own recent outputs (Bahdanau et al., 2014; Vinyals et al., 2014).

    Args:
        cell: the wrapped cell.
        attn_length: the number of recent outputs to attend to.
        attn_size: the size of the attention and of the output; by default the output size of the cell.
        attn_vec_size: the size of the hidden layer of the attention; by default `attn_size`.
        input_size: the size of the cell's input; by default that of the inputs.
        state_is_tuple: True for a state that is a tuple (cell state, attention, recent outputs), False for one
            concatenated tensor.
        reuse: True to share the variables of an earlier cell in the scope.

    Raises:
        TypeError: `cell` is not a cell.
        ValueError: the cell has a tuple of states and `state_is_tuple` is False, or `attn_length` is not positive.
    """

    def __init__(self, cell: Any, attn_length: int, attn_size: int | None = None, attn_vec_size: int | None = None,
                 input_size: int | None = None, state_is_tuple: bool = True, reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        require_cell("cell", cell)
        if nest.is_nested(cell.state_size) and not state_is_tuple:
            raise ValueError(f"the cell's state is a structure, {cell.state_size}: it needs state_is_tuple=True")
        if attn_length <= 0:
            raise ValueError(f"a cell attends to at least one output, not to attn_length={attn_length}")
        if not state_is_tuple:
            logging.warning("%s: one tensor for the whole state is slower than a tuple: state_is_tuple=True.", self)
        self._cell, self._attn_length, self._input_size = cell, attn_length, input_size
        self._attn_size = cell.output_size if attn_size is None else attn_size
        self._attn_vec_size = self._attn_size if attn_vec_size is None else attn_vec_size
        self._state_is_tuple = state_is_tuple

    output_size = property(lambda self: self._attn_size, doc="The size of what is given out.")

    @property
    def state_size(self) -> Any:
        """A tuple of sizes, or their sum."""
        sizes = (self._cell.state_size, self._attn_size, self._attn_size * self._attn_length)
        return sizes if self._state_is_tuple else sum(sizes)

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]:
        cell_state, seen, past = state if self._state_is_tuple else self._parts(state)
        past = reshape.reshape(past, [-1, self._attn_length, self._attn_size])
        size = inputs.shape.as_list()[1] if self._input_size is None else self._input_size
        output, cell_state = self._cell(linear([inputs, seen], size), cell_state)
        query = array.concat(nest.flatten(cell_state), 1) if self._state_is_tuple else cell_state
        seen = self._attended(query, past)
        with variable_scope("attn_output_projection"):
            output = linear([output, seen], self._attn_size)
        past = array.concat([past[:, 1:], array.expand_dims(output, 1)], 1)
        past = reshape.reshape(past, [-1, self._attn_length * self._attn_size])
        after = (cell_state, seen, past)
        return output, after if self._state_is_tuple else array.concat(after, 1)

    def _parts(self, state: Any) -> list[Tensor]:
        sizes = (self._cell.state_size, self._attn_size, self._attn_size * self._attn_length)
        return [index.slice_(state, [0, sum(sizes[:place])], [-1, size]) for place, size in enumerate(sizes)]

    def _attended(self, query: Any, past: Tensor) -> Tensor:
        """The attention-weighted sum of the recent outputs."""
        length, size, hidden = self._attn_length, self._attn_size, self._attn_vec_size
        with variable_scope("attention"):
            kernel = get_variable("attn_w", [1, 1, size, hidden])  # of a 1x1 convolution, which equals this product
            weights = get_variable("attn_v", [hidden])
            features = matmul(reshape.reshape(past, [-1, size]), reshape.reshape(kernel, [size, hidden]))
            features = reshape.reshape(features, [-1, length, hidden])
            asked = array.expand_dims(linear(query, hidden), 1)
            chances = activations.softmax(reduce_sum(weights * elementwise.tanh(features + asked), 2))
            return reduce_sum(array.expand_dims(chances, 2) * past, 1)


@export("contrib.rnn.HighwayWrapper")
class HighwayWrapper(CellWrapper):
    """A cell with a highway connection past it (Srivastava et al., 2015).

    Args:
        cell: the wrapped cell, with outputs of the inputs' size.
        couple_carry_transform_gates: whether the transform gate is one minus the carry gate.
        carry_bias_init: the initial bias of the carry gate.
    """

    def __init__(self, cell: Any, couple_carry_transform_gates: bool = True, carry_bias_init: float = 1.0) -> None:
        super().__init__(cell)
        self._coupled, self._carry_bias_init = couple_carry_transform_gates, carry_bias_init

    def _wrapped(self, inputs: Any, state: Any, options: dict[str, Any]) -> Any:
        outputs, state = super()._wrapped(inputs, state, options)
        nest.assert_same_structure(inputs, outputs)
        return nest.map_structure(self._highway, inputs, outputs), state

    def _highway(self, x: Any, output: Any) -> Tensor:
        x.shape.assert_is_compatible_with(output.shape)
        carry = self._gate("carry", x, self._carry_bias_init)
        transform = 1 - carry if self._coupled else self._gate("transform", x, -self._carry_bias_init)
        return x * carry + output * transform

    def _gate(self, name: str, x: Any, bias: float) -> Tensor:
        size = x.shape.with_rank(2).as_list()[1]
        weights = get_variable(f"{name}_w", [size, size])
        biases = get_variable(f"{name}_b", [size], initializer=constant_initializer(bias))
        return elementwise.sigmoid(activations.xw_plus_b(x, weights, biases))


@export("contrib.rnn.CompiledWrapper")
class CompiledWrapper(CellWrapper):
    """Returns the cell unchanged: evergraph compiles every cell with XLA.

    Args:
        cell: the wrapped cell.
        compile_stateful: has no effect.
    """

    def __init__(self, cell: Any, compile_stateful: bool = False) -> None:
        super().__init__(cell)
