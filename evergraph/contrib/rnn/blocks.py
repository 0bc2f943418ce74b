"""tf.contrib.rnn: fused cells and networks, with one op per step or sequence."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.indexing import gather_nd, sequence_mask
from evergraph.frontend.reduce import reduce_max
from evergraph.frontend.variables.initializers import constant_initializer
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.layer import Layer
from evergraph.layers.rnn_cell import LayerRNNCell, LSTMStateTuple
from evergraph.ops.nn import rnn_blocks


class _Peepholes:
    """The variables of both LSTMs: kernel, bias, and peephole weights."""

    _num_units: int

    def _make_weights(self, input_size: int) -> None:
        units = self._num_units
        self._kernel = self.add_variable("kernel", shape=[input_size + units, 4 * units])
        self._bias = self.add_variable("bias", shape=[4 * units], initializer=constant_initializer(0.0))
        if self._use_peephole:
            self._w_i_diag, self._w_f_diag, self._w_o_diag = (
                self.add_variable(f"w_{gate}_diag", shape=[units]) for gate in "ifo")

    def _weights(self, dtype: Any) -> dict[str, Any]:
        """The weights as arguments of the ops."""
        if self._use_peephole:
            peepholes = (self._w_i_diag, self._w_f_diag, self._w_o_diag)
        else:
            peepholes = (array.zeros([self._num_units], dtype=dtype),) * 3
        return {"w": self._kernel, "b": self._bias, **dict(zip(("wci", "wcf", "wco"), peepholes)),
                "forget_bias": self._forget_bias, "cell_clip": self._cell_clip, "use_peephole": self._use_peephole}


@export("contrib.rnn.LSTMBlockCell")
class LSTMBlockCell(_Peepholes, LayerRNNCell):
    """A fused LSTM cell, one op per step; equivalent to `tf.nn.rnn_cell.LSTMCell`, with the same variables.

    Args:
        num_units: the size of the output and of each half of the state.
        forget_bias: added to the bias of the forget gate.
        cell_clip: the bound to which to clip `c`; None or a non-positive number for none.
        use_peephole: whether to use peephole connections to `c`.
        dtype: the dtype of the variables; by default that of the input.
        reuse: True to share the variables of an earlier cell of the same name in the scope.
        name: the name of the cell.
    """

    def __init__(self, num_units: int, forget_bias: float = 1.0, cell_clip: Any = None, use_peephole: bool = False,
                 dtype: Any = None, reuse: Any = None, name: Any = "lstm_cell") -> None:
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self.input_spec = InputSpec(ndim=2)

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units), doc="The sizes of the state.")
    output_size = property(lambda self: self._num_units, doc="The number of units.")

    def build(self, input_shape: Any) -> None:
        self._make_weights(self._depth_of(input_shape))
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:
        if len(state) != 2:
            raise ValueError("the state must be a pair of cell and output")
        found = rnn_blocks.lstm_block_cell(x=inputs, cs_prev=state[0], h_prev=state[1], **self._weights(inputs.dtype))
        return found.h, LSTMStateTuple(found.cs, found.h)


@export("contrib.rnn.LSTMBlockWrapper")
class LSTMBlockWrapper(Layer):
    """The base of LSTMs over whole sequences: a subclass defines `num_units` and `_call_cell`."""

    @property
    def num_units(self) -> int:
        """The size of the output and of each half of the state."""
        raise NotImplementedError

    def _call_cell(self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any,
                   sequence_length: Any) -> tuple[Any, Any]:
        """(the states `c` of all steps, the outputs of all steps)."""
        raise NotImplementedError

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The outputs and the final state; see `call`. For a list of inputs, the outputs are a list."""
        if not isinstance(inputs, list):
            return super().__call__(inputs, *args, **kwargs)
        outputs, state = super().__call__(array.stack(inputs), *args, **kwargs)
        return array.unstack(outputs, num=len(inputs)), state

    def call(self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None) -> Any:
        """The outputs and the final state.

        Args:
            inputs: a tensor of shape [time, batch, size].
            initial_state: the initial (c, h); by default zeros.
            dtype: the dtype of the initial state; required without `initial_state`.
            sequence_length: the length of each sequence; by default all steps.

        Raises:
            ValueError: neither `initial_state` nor `dtype` is given, or a size is not static.
        """
        shape = inputs.shape.with_rank(3).as_list()
        if shape[2] is None:
            raise ValueError(f"the size of the inputs has to be known, but their shape is {inputs.shape}")
        steps, batch = (array.shape(inputs)[axis] if size is None else size for axis, size in enumerate(shape[:2]))
        if initial_state is None:
            if dtype is None:
                raise ValueError("without an initial_state the dtype must be given")
            initial_state = (array.zeros(array.stack([batch, self.num_units]), dtype=dtype),) * 2
        elif len(initial_state) != 2:
            raise ValueError("initial_state must be a pair of cell and output, or None")
        kind = initial_state[0].dtype if dtype is None else dtypes.as_dtype(dtype)
        if sequence_length is None:
            states, outputs = self._call_cell(inputs, *initial_state, kind, None)
            return outputs, LSTMStateTuple(states[-1], outputs[-1])
        lengths = convert_to_tensor(sequence_length)
        states, outputs = self._call_cell(inputs, *initial_state, kind, lengths)
        inside = array.transpose(sequence_mask(lengths, steps, dtype=kind), [1, 0])
        outputs = outputs * array.expand_dims(inside, -1)
        places = array.stack([lengths, math.range(math.cast(batch, lengths.dtype), dtype=lengths.dtype)], axis=1)
        last = (gather_nd(array.concat([array.expand_dims(first, 0), rows], 0), places)
                for first, rows in zip(initial_state, (states, outputs)))
        return outputs, LSTMStateTuple(*last)


@export("contrib.rnn.LSTMBlockFusedCell")
class LSTMBlockFusedCell(_Peepholes, LSTMBlockWrapper):
    """A fused LSTM over whole sequences, in one op.

    >>> outputs, state = tf.contrib.rnn.LSTMBlockFusedCell(8)(tf.ones([5, 2, 3]), dtype=tf.float32)
    >>> outputs.shape.as_list()
    [5, 2, 8]

    Args:
        num_units, forget_bias, cell_clip, use_peephole, reuse, dtype, name: see `tf.contrib.rnn.LSTMBlockCell`.
    """

    def __init__(self, num_units: int, forget_bias: float = 1.0, cell_clip: Any = None, use_peephole: bool = False,
                 reuse: Any = None, dtype: Any = None, name: Any = "lstm_fused_cell") -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self.input_spec = InputSpec(ndim=3)

    num_units = property(lambda self: self._num_units, doc="The size of the output and of each half of the state.")

    def build(self, input_shape: Any) -> None:
        self._make_weights(TensorShape(input_shape).as_list()[2])
        self.built = True

    def _call_cell(self, inputs: Any, initial_cell_state: Any = None, initial_output: Any = None, dtype: Any = None,
                   sequence_length: Any = None) -> tuple[Any, Any]:
        longest = array.shape(inputs)[0] if sequence_length is None else reduce_max(sequence_length)
        found = rnn_blocks.block_lstm(seq_len_max=math.cast(longest, dtypes.int64), x=inputs,
                                      cs_prev=initial_cell_state, h_prev=initial_output, **self._weights(dtype))
        return found.cs, found.h


@export("contrib.rnn.GRUBlockCell")
class GRUBlockCell(LayerRNNCell):
    """A fused GRU cell, one op per step; equivalent to `tf.nn.rnn_cell.GRUCell`.

    Args:
        num_units: the size of the state and output.
        cell_size: the older name of `num_units`.
        reuse: True to share the variables of an earlier cell of the same name in the scope.
        name: the name of the cell.

    Raises:
        ValueError: neither or both of the sizes are given.
    """

    _names = ("w_ru", "b_ru", "w_c", "b_c")

    def __init__(self, num_units: int | None = None, cell_size: int | None = None, reuse: Any = None,
                 name: Any = "gru_cell") -> None:
        super().__init__(_reuse=reuse, name=name)
        if (num_units is None) == (cell_size is None):
            raise ValueError("a GRUBlockCell needs num_units, or cell_size, which is its older name")
        self._cell_size: Any = cell_size if num_units is None else num_units
        self.input_spec = InputSpec(ndim=2)

    state_size = property(lambda self: self._cell_size, doc="The number of units.")
    output_size = property(lambda self: self._cell_size, doc="The number of units.")

    def build(self, input_shape: Any) -> None:
        size = TensorShape(input_shape).as_list()[1]
        if size is None:
            raise ValueError(f"the size of the inputs has to be known, but their shape is {input_shape}")
        units, (gates, gates_bias, candidate, candidate_bias) = self._cell_size, self._names
        self._gate_kernel = self.add_variable(gates, shape=[size + units, 2 * units])
        self._gate_bias = self.add_variable(gates_bias, shape=[2 * units], initializer=constant_initializer(1.0))
        self._candidate_kernel = self.add_variable(candidate, shape=[size + units, units])
        self._candidate_bias = self.add_variable(candidate_bias, shape=[units], initializer=constant_initializer(0.0))
        self.built = True

    def call(self, inputs: Any, h_prev: Any) -> tuple[Tensor, Tensor]:
        found = rnn_blocks.gru_block_cell(x=inputs, h_prev=h_prev, w_ru=self._gate_kernel, w_c=self._candidate_kernel,
                                          b_ru=self._gate_bias, b_c=self._candidate_bias)
        return found.h, found.h


@export("contrib.rnn.GRUBlockCellV2")
class GRUBlockCellV2(GRUBlockCell):
    """The same as `tf.contrib.rnn.GRUBlockCell`, with the variable names of `tf.nn.rnn_cell.GRUCell`."""

    _names = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")
