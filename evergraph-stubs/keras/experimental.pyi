# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.experimental."""

from evergraph.keras.layers import LSTMCell
from typing import Any

class PeepholeLSTMCell(LSTMCell):
    """An LSTM cell with peephole connections from the cell state to the gates (Gers and Schmidhuber,
    2000)."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, states: Any, training: Any = None) -> tuple[Any, Any]:
        """One step: (output, [output, cell state])."""
    input_gate_peephole_weights: Any
    forget_gate_peephole_weights: Any
    output_gate_peephole_weights: Any
