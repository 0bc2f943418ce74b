# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.lite.experimental.nn."""

from evergraph.nn.rnn_cell import BasicRNNCell, LSTMCell
from typing import Any

class TFLiteLSTMCell(LSTMCell):
    """`tf.nn.rnn_cell.LSTMCell` by the name under which it can be converted in TensorFlow."""
    def build(self, inputs_shape: Any) -> None:
        """Makes the variables for inputs of this shape."""

class TfLiteRNNCell(BasicRNNCell):
    """The same as `tf.nn.rnn_cell.BasicRNNCell`, by the name under which it can be converted in
    TensorFlow."""
    def build(self, inputs_shape: Any) -> None:
        """Makes the variables for inputs of this shape."""

def dynamic_rnn(
    cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None, dtype: Any = None,
    parallel_iterations: int | None = None, swap_memory: bool = False, time_major: bool = True,
    scope: Any = None,
) -> tuple[Any, Any]:
    """`tf.nn.dynamic_rnn` for sequences whose first axis is time; returns the outputs and the last
    state."""
