"""tf.contrib.rnn: cells with projections, embeddings or layer normalization; stacked bidirectional networks."""
from __future__ import annotations

import functools
import math
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.contrib.rnn.linear import layer_normalized, linear
from evergraph.frontend import array
from evergraph.frontend.blocks import device, name_scope
from evergraph.frontend.math import tanh
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.nn.embedding import embedding_lookup
from evergraph.frontend.variables.initializers import random_uniform_initializer
from evergraph.frontend.variables.scope import get_variable, get_variable_scope, variable_scope
from evergraph.graph.node import Tensor
from evergraph.layers import identifiers
from evergraph.layers.rnn import bidirectional_dynamic_rnn
from evergraph.layers.rnn_cell import LSTMStateTuple, RNNCell
from evergraph.layers.rnn_static import static_bidirectional_rnn
from evergraph.layers.rnn_wrappers import require_cell
from evergraph.ops.arrays import reshape
from evergraph.ops.math import elementwise

# ---- wrappers


class _WrapperCell(RNNCell):
    """A wrapper with its own scope and variables."""

    def __init__(self, cell: Any, reuse: Any) -> None:
        super().__init__(_reuse=reuse)
        require_cell("cell", cell)
        self._cell = cell

    state_size = property(lambda self: self._cell.state_size, doc="The sizes of the state of the cell inside.")
    output_size = property(lambda self: self._cell.output_size, doc="The size of the output of the cell inside.")

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """A zero state in the structure of `state_size`; see `tf.nn.rnn_cell.RNNCell`."""
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)


def _projected(inputs: Any, size: int, activation: Any) -> Tensor:
    result = linear(inputs, size)
    return result if activation is None else activation(result)


@export("contrib.rnn.InputProjectionWrapper")
class InputProjectionWrapper(_WrapperCell):
    """A cell with a projection of its input.

    Args:
        cell: the wrapped cell.
        num_proj: the size of the projection.
        activation: the activation of the projection; None for none.
        input_size: has no effect: the size of the input is inferred.
        reuse: True to share the variables of an earlier wrapper in the scope.
    """

    def __init__(self, cell: Any, num_proj: int, activation: Any = None, input_size: Any = None,
                 reuse: Any = None) -> None:
        super().__init__(cell, reuse)
        self._num_proj, self._activation = num_proj, activation

    def call(self, inputs: Any, state: Any) -> Any:
        return self._cell(_projected(inputs, self._num_proj, self._activation), state)


@export("contrib.rnn.OutputProjectionWrapper")
class OutputProjectionWrapper(_WrapperCell):
    """A cell with a projection of its output.

    Args:
        cell: the wrapped cell.
        output_size: the size of the projection.
        activation: the activation of the projection; None for none.
        reuse: True to share the variables of an earlier wrapper in the scope.

    Raises:
        TypeError: `cell` is not a cell.
        ValueError: the size is not positive.
    """

    def __init__(self, cell: Any, output_size: int, activation: Any = None, reuse: Any = None) -> None:
        super().__init__(cell, reuse)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._output_size, self._activation = output_size, activation

    output_size = property(lambda self: self._output_size, doc="The size of the projection.")

    def call(self, inputs: Any, state: Any) -> Any:
        output, new_state = self._cell(inputs, state)
        return _projected(output, self._output_size, self._activation), new_state


@export("contrib.rnn.EmbeddingWrapper")
class EmbeddingWrapper(_WrapperCell):
    """A cell with an embedding of its integer input.

    Args:
        cell: the wrapped cell.
        embedding_classes: the vocabulary size.
        embedding_size: the size of the embedding.
        initializer: the initializer of the embedding; by default the scope's, or uniform numbers of variance 1.
        reuse: True to share the variables of an earlier wrapper in the scope.

    Raises:
        TypeError: `cell` is not a cell.
        ValueError: a size is not positive.
    """

    def __init__(self, cell: Any, embedding_classes: int, embedding_size: int, initializer: Any = None,
                 reuse: Any = None) -> None:
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError("Both embedding_classes and embedding_size must be > 0: "
                             f"{embedding_classes}, {embedding_size}.")
        self._shape, self._initializer = [embedding_classes, embedding_size], initializer

    def call(self, inputs: Any, state: Any) -> Any:
        with device("/cpu:0"):
            bound = math.sqrt(3)
            start = (self._initializer or get_variable_scope().initializer
                     or random_uniform_initializer(-bound, bound))
            embedding = get_variable("embedding", self._shape, initializer=start,
                                     dtype=nest.flatten(state)[0].dtype)
            embedded = embedding_lookup(embedding, reshape.reshape(inputs, [-1]))
            return self._cell(embedded, state)


# ---- cells

@export("contrib.rnn.LayerNormBasicLSTMCell")
class LayerNormBasicLSTMCell(RNNCell):
    """An LSTM with layer normalization of its gates and of `c` (Ba et al., 2016), and recurrent dropout.

    Args:
        num_units: the size of the output and of each half of the state.
        forget_bias: added to the bias of the forget gate.
        input_size: has no effect: the size of the input is inferred.
        activation: a function; by default tanh.
        layer_norm: False for no normalization.
        norm_gain: the initial scale of the normalizations.
        norm_shift: the initial offset of the normalizations.
        dropout_keep_prob: the probability that an element is kept: a number or a scalar tensor.
        dropout_prob_seed: see `tf.set_random_seed`.
        reuse: True to share the variables of an earlier cell in the scope.
    """

    def __init__(self, num_units: int, forget_bias: float = 1.0, input_size: Any = None, activation: Any = tanh,
                 layer_norm: bool = True, norm_gain: float = 1.0, norm_shift: float = 0.0,
                 dropout_keep_prob: Any = 1.0, dropout_prob_seed: Any = None, reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        self._num_units, self._forget_bias = num_units, forget_bias
        self._activation = identifiers.activation(activation)
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift
        self._keep_prob, self._seed = dropout_keep_prob, dropout_prob_seed

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units), doc="The sizes of the state.")
    output_size = property(lambda self: self._num_units, doc="The number of units.")

    def call(self, inputs: Any, state: Any) -> Any:
        sigmoid, (c, h) = elementwise.sigmoid, state
        i, j, f, o = self._gates(array.concat([inputs, h], 1))
        addition = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            addition = activations.dropout(addition, self._keep_prob, seed=self._seed)
        new_c = c * sigmoid(f + self._forget_bias) + sigmoid(i) * addition
        if self._layer_norm:
            new_c = self._normalized(new_c, "state")
        new_h = self._activation(new_c) * sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)

    def _gates(self, inputs: Tensor) -> list[Tensor]:
        kernel = get_variable("kernel", [inputs.shape.as_list()[-1], 4 * self._num_units], dtype=inputs.dtype)
        product = matmul(inputs, kernel)
        if not self._layer_norm:
            product = activations.bias_add(product, get_variable("bias", [4 * self._num_units], dtype=inputs.dtype))
        gates = array.split(product, 4, axis=1)
        if not self._layer_norm:
            return gates
        return [self._normalized(gate, name) for gate, name in zip(gates, ("input", "transform", "forget", "output"))]

    def _normalized(self, value: Tensor, scope: str) -> Tensor:
        return layer_normalized(value, scope, self._norm_gain, self._norm_shift)


# ---- stacked networks

def _stacked(cells_fw: Any, cells_bw: Any, inputs: Any, states_fw: Any, states_bw: Any, scope: Any, run: Any) -> Any:
    """Stacks bidirectional networks: `run` builds one and returns (outputs, state forward, backward).

    Raises:
        ValueError: the numbers of cells or states differ.
    """
    for cells, direction in ((cells_fw, "fw"), (cells_bw, "bw")):
        if cells is None:
            raise ValueError(f"Must specify one or more {direction} cells for BidirectionalRNN.")
        if not isinstance(cells, list):
            raise ValueError(f"cells_{direction} must be a list with a cell for each layer")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("there must be as many cells forward as backward")
    for states, direction in ((states_fw, "fw"), (states_bw, "bw")):
        if states is not None and (not isinstance(states, list) or len(states) != len(cells_fw)):
            raise ValueError(f"initial_states_{direction} must be a list with the state of each layer")
    none, last = [None] * len(cells_fw), []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        layers = zip(cells_fw, cells_bw, states_fw or none, states_bw or none)
        for number, (fw, bw, start_fw, start_bw) in enumerate(layers):
            with variable_scope(f"cell_{number}"):
                inputs, *states = run(fw, bw, inputs, initial_state_fw=start_fw, initial_state_bw=start_bw)
            last.append(states)
    return inputs, tuple(fw for fw, _ in last), tuple(bw for _, bw in last)


@export("contrib.rnn.stack_bidirectional_dynamic_rnn")
def stack_bidirectional_dynamic_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None, initial_states_bw=None,
                                    dtype=None, sequence_length=None, parallel_iterations=None, time_major=False,
                                    scope=None, swap_memory=False):
    """Stacked bidirectional RNN: the concatenated outputs of each layer are the input of the next.

    Args:
        cells_fw, cells_bw: lists of cells, one for each layer.
        initial_states_fw, initial_states_bw: lists of initial states; by default zeros.
        inputs, dtype, sequence_length, parallel_iterations, time_major, swap_memory: see `tf.nn.dynamic_rnn`.
        scope: a variable scope; by default "stack_bidirectional_rnn".

    Returns:
        (the outputs of the last layer, the tuple of final states forward, the tuple of final states backward).

    Raises:
        ValueError: the numbers of cells or states differ.
    """
    def run(fw: Any, bw: Any, inputs: Any, **states: Any) -> Any:
        outputs, last = bidirectional_dynamic_rnn(
            fw, bw, inputs, dtype=dtype, sequence_length=sequence_length, parallel_iterations=parallel_iterations,
            swap_memory=swap_memory, time_major=time_major, **states)
        return array.concat(outputs, 2), *last
    return _stacked(cells_fw, cells_bw, inputs, initial_states_fw, initial_states_bw, scope, run)


@export("contrib.rnn.stack_bidirectional_rnn")
def stack_bidirectional_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None, initial_states_bw=None, dtype=None,
                            sequence_length=None, scope=None):
    """Stacked bidirectional RNN, unrolled over a list of inputs; see `stack_bidirectional_dynamic_rnn`.

    Args:
        cells_fw, cells_bw: lists of cells, one for each layer.
        initial_states_fw, initial_states_bw: lists of initial states; by default zeros.
        inputs, dtype, sequence_length: see `tf.nn.static_rnn`.
        scope: a variable scope; by default "stack_bidirectional_rnn".

    Returns:
        (the list of outputs of the last layer, the tuple of final states forward, the tuple of final states backward).

    Raises:
        ValueError: the numbers of cells or states differ.
    """
    run = functools.partial(static_bidirectional_rnn, dtype=dtype, sequence_length=sequence_length)
    return _stacked(cells_fw, cells_bw, inputs, initial_states_fw, initial_states_bw, scope, run)
