"""Neural Turing machines."""
from __future__ import annotations

import collections
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.rnn.linear import linear
from evergraph.frontend import array
from evergraph.frontend.clip import clip_by_value
from evergraph.frontend.indexing import gather
from evergraph.frontend.math import tanh
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.activations import softmax
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.initializers import glorot_uniform_initializer
from evergraph.frontend.variables.scope import AUTO_REUSE, get_variable, variable_scope
from evergraph.graph.node import Tensor
from evergraph.layers.rnn_cell import RNNCell
from evergraph.ops.math import elementwise
from evergraph.ops.nn.activations import softplus

_START = 1e-6
"""What memory and readings hold in the beginning: cosines need vectors that are not zero."""

NTMControllerState = collections.namedtuple("NTMControllerState",
                                            ["controller_state", "read_vector_list", "w_list", "M", "time"])
"""The state of a NTMCell: that of its controller, what its heads read, where they are, the memory, and the step."""


@export("contrib.rnn.NTMCell")
class NTMCell(RNNCell):
    """A Neural Turing Machine (Graves, Wayne and Danihelka, 2014): a cell with a memory that heads read and write.

    A head goes to the rows that are like its key, or to those beside where it was, as it chooses; all of this has
    gradients. The start of the heads is trained.

    >>> cell = tf.contrib.rnn.NTMCell(tf.nn.rnn_cell.LSTMCell(8), memory_size=5, memory_vector_dim=4, read_head_num=1,
    ...                               write_head_num=1)
    >>> output, state = cell(tf.ones([2, 3]), cell.zero_state(2, tf.float32))
    >>> output.shape, state.M.shape
    (TensorShape([2, 8]), TensorShape([2, 5, 4]))

    Args:
        controller: the cell that steers the heads.
        memory_size: the number of rows of the memory.
        memory_vector_dim: the size of a row.
        read_head_num: the number of heads that read.
        write_head_num: the number of heads that write.
        shift_range: how many rows a head may move in a step, to both sides.
        output_dim: the size of the output; that of the controller's by default.
        clip_value: the largest size of the heads' parameters and of outputs.
        dtype: that of the memory.
        name: the name of the layer.
    """

    def __init__(self, controller: RNNCell, memory_size: int, memory_vector_dim: int, read_head_num: int,
                 write_head_num: int, shift_range: int = 1, output_dim: int | None = None, clip_value: float = 20,
                 dtype: Any = dtypes.float32, name: str | None = None) -> None:
        super().__init__(dtype=dtype, name=name)
        self.controller, self.memory_size, self.memory_vector_dim = controller, memory_size, memory_vector_dim
        self.read_head_num, self.write_head_num, self.shift_range = read_head_num, write_head_num, shift_range
        self.output_dim, self.clip_value = output_dim, clip_value

    @property
    def _heads(self) -> int:
        return self.read_head_num + self.write_head_num

    @property
    def output_size(self) -> int:
        """The size of the output."""
        return self.output_dim or self.controller.output_size

    @property
    def state_size(self) -> NTMControllerState:
        """The sizes of the state."""
        return NTMControllerState(self.controller.state_size, [self.memory_vector_dim] * self.read_head_num,
                                  [self.memory_size] * self._heads,
                                  TensorShape([self.memory_size, self.memory_vector_dim]), TensorShape([]))

    def zero_state(self, batch_size: Any, dtype: Any) -> NTMControllerState:
        """The state before the first step; where the heads start is trained."""
        rows = lambda *sizes: array.zeros(array.concat([[batch_size], sizes], 0), dtype)
        with variable_scope("init_state", reuse=AUTO_REUSE):
            starts = [get_variable(f"head_{number}", [1, self.memory_size], dtype, glorot_uniform_initializer())
                      for number in range(self._heads)]
        return NTMControllerState(
            self.controller.zero_state(batch_size, dtype),
            [rows(self.memory_vector_dim) + _START for _ in range(self.read_head_num)],
            [rows(self.memory_size) + softmax(start) for start in starts],
            rows(self.memory_size, self.memory_vector_dim) + _START, array.zeros([], dtype))

    def call(self, inputs: Any, state: NTMControllerState) -> tuple[Tensor, NTMControllerState]:
        seen = array.concat([inputs, *state.read_vector_list], axis=1)
        with variable_scope("controller"):
            steering, controller_state = self.controller(seen, state.controller_state)
        heads, erased, added = self._steered(steering)
        weights = [self._moved(head, before, state.M) for head, before in zip(heads, state.w_list)]
        readings = [reduce_sum(weight[..., None] * state.M, axis=1) for weight in weights[:self.read_head_num]]
        memory = state.M
        for weight, erase, add in zip(weights[self.read_head_num:], erased, added):
            where = weight[..., None]
            memory = memory * (1 - where * elementwise.sigmoid(erase)[:, None]) + where * tanh(add)[:, None]
        with variable_scope("output"):
            output = self._clipped(linear([steering, *readings], self.output_size))
        return output, NTMControllerState(controller_state, readings, weights, memory, state.time + 1)

    def _clipped(self, value: Tensor) -> Tensor:
        return clip_by_value(value, -self.clip_value, self.clip_value) if self.clip_value else value

    def _steered(self, steering: Tensor) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
        """(the parameters of each head, what each writing head erases, what it adds), before their activations."""
        size = self.memory_vector_dim + 2 + (2 * self.shift_range + 1) + 1
        sizes = [size] * self._heads + [self.memory_vector_dim] * (2 * self.write_head_num)
        with variable_scope("parameters"):
            parts = array.split(self._clipped(linear(steering, sum(sizes))), sizes, axis=1)
        return (parts[:self._heads], parts[self._heads:self._heads + self.write_head_num],
                parts[self._heads + self.write_head_num:])

    def _moved(self, head: Tensor, before: Tensor, memory: Tensor) -> Tensor:
        """Where a head goes, [batch, rows]."""
        size = self.memory_vector_dim
        key, strength, gate, shift, sharpness = array.split(head, [size, 1, 1, 2 * self.shift_range + 1, 1], axis=1)
        alike = softmax(softplus(strength) * _cosines(tanh(key), memory))
        gate = elementwise.sigmoid(gate)
        blended = gate * alike + (1 - gate) * before
        shifted = self._shifted(blended, softmax(shift))
        sharp = shifted ** (softplus(sharpness) + 1)
        return sharp / reduce_sum(sharp, axis=1, keepdims=True)

    def _shifted(self, weights: Tensor, shift: Tensor) -> Tensor:
        """The circular convolution of weights, [batch, rows], with shifts, [batch, shifts]."""
        steps = np.arange(-self.shift_range, self.shift_range + 1)
        places = (np.arange(self.memory_size)[:, None] - steps) % self.memory_size
        return matmul(gather(weights, places, axis=1), shift[..., None])[..., 0]


def _cosines(key: Tensor, memory: Tensor) -> Tensor:
    """The cosines of the angles of keys, [batch, size], with rows, [batch, rows, size]."""
    product = matmul(memory, key[..., None])[..., 0]
    lengths = elementwise.sqrt(reduce_sum(elementwise.square(memory), axis=2)) * elementwise.sqrt(
        reduce_sum(elementwise.square(key), axis=1, keepdims=True))
    return product / (lengths + _START ** 2)
