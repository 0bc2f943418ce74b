# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.experimental."""

from evergraph.keras.layers import LSTMCell
from typing import Any

class PeepholeLSTMCell(LSTMCell):
    """An `LSTMCell` whose gates see the memory too."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, states: Any, training: Any = None) -> tuple[Any, Any]:
        """(the output, [the output, the memory]) of one step."""
    input_gate_peephole_weights: Any
    forget_gate_peephole_weights: Any
    output_gate_peephole_weights: Any
