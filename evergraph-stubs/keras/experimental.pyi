# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.experimental."""

from collections.abc import Mapping
from evergraph.keras.layers import LSTMCell, Layer
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

class SequenceFeatures(Layer):
    """A layer that makes one tensor of sequences: what columns give for each step, sorted by their
    names."""
    kind: type
    word: str
    def call(self, features: Mapping[str, Any]) -> tuple[Any, Any]:
        """(a tensor [batch, steps, width], the number of steps of each example)."""
    def compute_output_shape(self, input_shape: Any) -> tuple[Any, Any, int]:
        """The shape of the tensor, for a shape whose first sizes are batch and steps."""
    def build(self, _: Any) -> None:
        """Makes the variables of the columns."""
    def get_config(self) -> dict[str, Any]:
        """The arguments to make a like layer from."""
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Layer:
        """A layer with these arguments; `custom_objects` holds functions and classes by name."""
    def __call__(self, features: Any, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(
        self, feature_columns: Any, trainable: bool = True, name: str | None = None, **kwargs: Any,
    ) -> None: ...
