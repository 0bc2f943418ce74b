"""tf.contrib.rnn: LSTMs over time and frequency."""
from __future__ import annotations

import collections
from typing import Any

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.contrib.rnn.linear import sharded
from evergraph.frontend import array
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn import activations
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.node import Tensor
from evergraph.layers.rnn_cell import RNNCell
from evergraph.ops.arrays import index
from evergraph.ops.math import elementwise

sigmoid, tanh = elementwise.sigmoid, elementwise.tanh


def _windows(inputs: Any, starts: Any, size: int) -> list[Tensor]:
    """Windows of consecutive features, one for each start."""
    return [index.slice_(inputs, [0, start], [-1, size]) for start in starts]


def _width(inputs: Any) -> int:
    width = inputs.shape.with_rank(2).as_list()[-1]
    if width is None:
        raise ValueError(f"the size of the inputs has to be known, but their shape is {inputs.shape}")
    return width


def _clipped(value: Tensor, bound: Any) -> Tensor:
    return value if bound is None else clip_by_value(value, -bound, bound)


@export("contrib.rnn.TimeFreqLSTMCell")
class TimeFreqLSTMCell(RNNCell):
    """A time-frequency LSTM, which moves over windows of features in every step (Li et al., 2015).

    Args:
        num_units: the size of `c` and `h` of each window.
        use_peepholes: whether to use peephole connections to `c`.
        cell_clip: the bound to which to clip `c`; None for none.
        initializer: the kernel initializer; by default the scope's.
        num_unit_shards: the number of variables that store the kernel.
        forget_bias: added to the bias of the forget gate.
        feature_size: the size of a window.
        frequency_skip: the distance between windows.
        reuse: True to share the variables of an earlier cell in the scope.
    """

    def __init__(self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None, initializer: Any = None,
                 num_unit_shards: int = 1, forget_bias: float = 1.0, feature_size: int | None = None,
                 frequency_skip: int = 1, reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer, self._num_unit_shards, self._forget_bias = initializer, num_unit_shards, forget_bias
        self._feature_size: Any = feature_size
        self._frequency_skip = frequency_skip

    state_size = property(lambda self: 2 * self._num_units, doc="The sizes of `c` and `h` of one window.")
    output_size = property(lambda self: self._num_units, doc="The size of the output of one window.")

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        units, kind = self._num_units, inputs.dtype
        count = (_width(inputs) - self._feature_size) // self._frequency_skip + 1
        windows = _windows(inputs, range(0, count * self._frequency_skip, self._frequency_skip), self._feature_size)
        kernel = sharded("W", [self._feature_size + 2 * units, 4 * units], kind, self._num_unit_shards,
                         self._initializer)
        bias = get_variable("B", shape=[4 * units], initializer=zeros_initializer(), dtype=kind)
        peepholes = [get_variable(f"W_{gate}_diag", shape=[units], dtype=kind, initializer=self._initializer)
                     for gate in "FIO"] if self._use_peepholes else None
        beside = array.zeros_like(state[:, :units])  # the output of the previous window
        states, outputs = [], []
        for number, window in enumerate(windows):
            c, h = (index.slice_(state, [0, (2 * number + half) * units], [-1, units]) for half in (0, 1))
            gates = activations.bias_add(matmul(array.concat([window, h, beside], 1), kernel), bias)
            c, beside = self._step(array.split(gates, 4, axis=1), c, peepholes)
            states += [c, beside]
            outputs.append(beside)
        return array.concat(outputs, 1), array.concat(states, 1)

    def _step(self, gates: list[Tensor], c: Tensor, peepholes: Any) -> tuple[Tensor, Tensor]:
        i, j, f, o = gates
        f = f + self._forget_bias
        if peepholes:
            f, i = f + peepholes[0] * c, i + peepholes[1] * c
        c = _clipped(sigmoid(f) * c + sigmoid(i) * tanh(j), self._cell_clip)
        return c, sigmoid(o + peepholes[2] * c if peepholes else o) * tanh(c)


@export("contrib.rnn.GridLSTMCell")
class GridLSTMCell(RNNCell):
    """A grid LSTM over time and frequency (Kalchbrenner et al., 2015).

    Args:
        num_units: the size of `c` and `h` of each window of features.
        use_peepholes: whether to use peephole connections to `c`.
        share_time_frequency_weights: whether both LSTMs have the same variables.
        cell_clip: the bound to which to clip `c`; None for none.
        initializer: the kernel initializer; by default the scope's.
        num_unit_shards: the number of variables that store each kernel.
        forget_bias: added to the bias of the forget gate.
        feature_size: the size of a window.
        frequency_skip: the distance between windows.
        num_frequency_blocks: the number of windows in each block.
        start_freqindex_list, end_freqindex_list: the starts and ends of blocks; by default there is one.
        couple_input_forget_gates: whether the input gate is one minus the forget gate.
        state_is_tuple: True for a state that is a named tuple, False for one concatenated tensor.
        reuse: True to share the variables of an earlier cell in the scope.

    Raises:
        ValueError: `num_frequency_blocks` is missing.
    """

    def __init__(self, num_units: int, use_peepholes: bool = False, share_time_frequency_weights: bool = False,
                 cell_clip: Any = None, initializer: Any = None, num_unit_shards: int = 1, forget_bias: float = 1.0,
                 feature_size: int | None = None, frequency_skip: int | None = None, num_frequency_blocks: Any = None,
                 start_freqindex_list: Any = None, end_freqindex_list: Any = None,
                 couple_input_forget_gates: bool = False, state_is_tuple: bool = True, reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        if num_frequency_blocks is None:
            raise ValueError("num_frequency_blocks says how many windows of features there are: it has to be given")
        if not state_is_tuple:
            logging.warning("%s: one tensor for the whole state is slower than a tuple: state_is_tuple=True.", self)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._shares, self._couples = share_time_frequency_weights, couple_input_forget_gates
        self._initializer, self._num_unit_shards, self._forget_bias = initializer, num_unit_shards, forget_bias
        self._feature_size: Any = feature_size
        self._frequency_skip: Any = frequency_skip
        self._blocks = [int(count) for count in num_frequency_blocks]
        self._starts, self._ends = start_freqindex_list, end_freqindex_list
        self._state_is_tuple = state_is_tuple
        self._state_tuple_type = self._tuple_type("GridLSTMStateTuple", ["state"]) if state_is_tuple else None

    def _tuple_type(self, name: str, prefixes: list[str]) -> Any:
        return collections.namedtuple(name, [f"{prefix}_f{window:02d}_b{block:02d}_{part}" for prefix in prefixes
                                             for block, count in enumerate(self._blocks)
                                             for window in range(count) for part in "cm"])

    state_tuple_type = property(lambda self: self._state_tuple_type, doc="The named tuple of a state, or None.")
    output_size = property(lambda self: 2 * self._num_units * sum(self._blocks), doc="The size of the output.")

    @property
    def state_size(self) -> Any:
        """A named tuple of sizes, or their sum."""
        if self._state_tuple_type is None:
            return self.output_size
        return self._state_tuple_type(*[self._num_units] * len(self._state_tuple_type._fields))

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]:
        outputs, states = self._computed(self._features(inputs), state, "state")
        joined = array.concat(states, 1) if self._state_tuple_type is None else self._state_tuple_type(*states)
        return array.concat(outputs, 1), joined

    # ---- features

    def _features(self, inputs: Any, offset: int = 0) -> list[list[Tensor]]:
        """The windows of each block; `offset` shifts them by that many features and fills with zeros."""
        width, skip, size = _width(inputs), self._frequency_skip, self._feature_size
        if offset:
            inputs = array.pad(inputs, [[0, 0], [max(-offset, 0), max(offset, 0)]])
        if self._starts:
            if not len(self._starts) == len(self._ends) == len(self._blocks):
                raise ValueError("start_freqindex_list, end_freqindex_list and num_frequency_blocks must be of one "
                                 "length")
            ranges = list(zip(self._starts, self._ends))
        elif len(self._blocks) != 1:
            raise ValueError(f"without start_freqindex_list there is one block, not {len(self._blocks)}")
        else:
            ranges = [(0, width)]
        found = []
        for (start, end), wanted in zip(ranges, self._blocks):
            count = (end - start - size) // skip + 1
            if count != wanted:
                raise ValueError(f"num_frequency_blocks says {wanted} windows where the inputs have {count}")
            first = start + max(offset, 0)
            found.append(_windows(inputs, range(first, first + count * skip, skip), size))
        return found

    # ---- the grid

    def _computed(self, blocks: list[list[Tensor]], state: Any, prefix: str) -> tuple[list[Tensor], list[Tensor]]:
        """(outputs, states) of all windows of all blocks."""
        outputs, states = [], []
        for block, windows in enumerate(blocks):
            weights = self._weights(block, windows[0])
            c_freq = m_freq = None
            for number, window in enumerate(windows):
                c_time, m_time = self._before(state, prefix, number, block)
                if c_freq is None:
                    c_freq = m_freq = array.zeros_like(c_time)
                given = array.concat([window, m_time, m_freq], 1)
                c_freq, m_freq, c_time, m_time = self._step(given, c_freq, c_time, weights)
                outputs += [m_time, m_freq]
                states += [c_time, m_time]
        return outputs, states

    def _before(self, state: Any, prefix: str, number: int, block: int) -> tuple[Tensor, Tensor]:
        if self._state_tuple_type is not None:
            name = f"{prefix}_f{number:02d}_b{block:02d}"
            return getattr(state, f"{name}_c"), getattr(state, f"{name}_m")
        # As in TensorFlow, each block reads its state from the beginning of the tensor.
        units = self._num_units
        c, m = (index.slice_(state, [0, (2 * number + half) * units], [-1, units]) for half in (0, 1))
        return c, m

    def _weights(self, block: int, window: Tensor) -> dict[str, Any]:
        """Kernels, biases and peepholes by direction, "freq" or "time"."""
        units, kind, gates = self._num_units, window.dtype, "IO" if self._couples else "FIO"
        rows, columns = window.shape.as_list()[1] + 2 * units, (3 if self._couples else 4) * units
        found: dict[str, Any] = {}
        directions = ("freq",) if self._shares else ("freq", "time")
        for way in directions:
            kernel = sharded(f"W_{way[0]}_{block}", [rows, columns], kind, self._num_unit_shards, self._initializer)
            bias = get_variable(f"B_{way[0]}_{block}", shape=[columns], initializer=zeros_initializer(), dtype=kind)
            found[way] = (kernel, bias, {})
        if self._use_peepholes:
            for way in directions:
                for gate in gates:
                    for sees in "ft":
                        found[way][2][gate + sees] = get_variable(
                            f"W_{gate}_diag_{way}{sees}_{block}", shape=[units], dtype=kind,
                            initializer=self._initializer)
        found.setdefault("time", found["freq"])
        return found

    def _step(self, given: Tensor, c_freq: Tensor, c_time: Tensor, weights: dict[str, Any]) -> Any:
        """(c and m along frequency, c and m along time)."""
        both, outs, after = (c_freq, c_time), {}, {}
        for way, own in (("freq", c_freq), ("time", c_time)):
            kernel, bias, peepholes = weights[way]
            gates = activations.bias_add(matmul(given, kernel), bias)
            i, j, *f, outs[way] = array.split(gates, 3 if self._couples else 4, axis=1)
            i = sigmoid(self._seen(i, peepholes, "I", both))
            f = 1.0 - i if self._couples else sigmoid(self._seen(f[0] + self._forget_bias, peepholes, "F", both))
            after[way] = _clipped(f * own + i * tanh(j), self._cell_clip)
        both = (after["freq"], after["time"])
        m_freq, m_time = (sigmoid(self._seen(outs[way], weights[way][2], "O", both)) * tanh(after[way])
                          for way in ("freq", "time"))
        return after["freq"], m_freq, after["time"], m_time

    @staticmethod
    def _seen(gate: Tensor, peepholes: dict[str, Any], name: str, states: Any) -> Tensor:
        """A gate's input, including the states if there are peepholes."""
        if not peepholes:
            return gate
        return gate + peepholes[f"{name}f"] * states[0] + peepholes[f"{name}t"] * states[1]


@export("contrib.rnn.BidirectionalGridLSTMCell")
class BidirectionalGridLSTMCell(GridLSTMCell):
    """A bidirectional grid LSTM: one `tf.contrib.rnn.GridLSTMCell` up the frequencies and one down.

    Args:
        backward_slice_offset: the shift, in features, of the second one's windows.
        num_units, use_peepholes, share_time_frequency_weights, cell_clip, initializer, num_unit_shards, forget_bias,
            feature_size, frequency_skip, num_frequency_blocks, start_freqindex_list, end_freqindex_list,
            couple_input_forget_gates, reuse: see there.
    """

    def __init__(self, num_units: int, use_peepholes: bool = False, share_time_frequency_weights: bool = False,
                 cell_clip: Any = None, initializer: Any = None, num_unit_shards: int = 1, forget_bias: float = 1.0,
                 feature_size: int | None = None, frequency_skip: int | None = None, num_frequency_blocks: Any = None,
                 start_freqindex_list: Any = None, end_freqindex_list: Any = None,
                 couple_input_forget_gates: bool = False, backward_slice_offset: int = 0, reuse: Any = None) -> None:
        super().__init__(num_units, use_peepholes, share_time_frequency_weights, cell_clip, initializer,
                         num_unit_shards, forget_bias, feature_size, frequency_skip, num_frequency_blocks,
                         start_freqindex_list, end_freqindex_list, couple_input_forget_gates, True, reuse)
        self._backward_slice_offset = int(backward_slice_offset)
        self._state_tuple_type = self._tuple_type("BidirectionalGridLSTMStateTuple", ["fwd_state", "bwd_state"])

    output_size = property(lambda self: 4 * self._num_units * sum(self._blocks), doc="The size of the output.")

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]:
        with variable_scope("fwd"):
            outputs, states = self._computed(self._features(inputs), state, "fwd_state")
        with variable_scope("bwd"):
            moved = self._features(inputs, self._backward_slice_offset)
            more, back = self._computed([windows[::-1] for windows in moved], state, "bwd_state")
        return array.concat([*outputs, *more], 1), self._state_tuple_type(*states, *back)
