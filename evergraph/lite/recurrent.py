"""`tf.lite.experimental.nn`: recurrent cells and networks, which the converter makes a loop of.

TensorFlow's converter knows these cells by hints that they leave in the graph, and refuses all others. The converter
here takes any cell, so these are the cells and the loop of `tf.nn`.
"""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.layers import rnn
from evergraph.layers.rnn_cell import BasicRNNCell, LSTMCell


@export("lite.experimental.nn.TFLiteLSTMCell")
class TFLiteLSTMCell(LSTMCell):
    """`tf.nn.rnn_cell.LSTMCell` by the name under which it can be converted in TensorFlow.

    Its variables are those of `LSTMCell`: one kernel and one bias for all gates.
    """

    def build(self, inputs_shape: Any) -> None:
        """Makes the variables for inputs of this shape."""
        super().build(inputs_shape)


@export("lite.experimental.nn.TfLiteRNNCell")
class TfLiteRNNCell(BasicRNNCell):
    """The same as `tf.nn.rnn_cell.BasicRNNCell`, by the name under which it can be converted in TensorFlow."""

    def build(self, inputs_shape: Any) -> None:
        """Makes the variables for inputs of this shape."""
        super().build(inputs_shape)


@export("lite.experimental.nn.dynamic_rnn")
def dynamic_rnn(cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None, dtype: Any = None,
                parallel_iterations: int | None = None, swap_memory: bool = False, time_major: bool = True,
                scope: Any = None) -> tuple[Any, Any]:
    """`tf.nn.dynamic_rnn` for sequences whose first axis is time; returns the outputs and the last state.

    Args:
        cell: the cell.
        inputs: the sequences, [time, batch, ...].
        sequence_length, initial_state, dtype, parallel_iterations, swap_memory, scope: as for `tf.nn.dynamic_rnn`.
        time_major: must be True.

    Raises:
        ValueError: `time_major` is False.
    """
    if not time_major:
        raise ValueError("time_major must be True: the first axis of the inputs is time")
    return rnn.dynamic_rnn(cell, inputs, sequence_length, initial_state, dtype, parallel_iterations, swap_memory,
                           time_major, scope)  # fmt: skip
