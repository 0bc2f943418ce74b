# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.cudnn_rnn."""

from evergraph import Tensor
from evergraph.contrib.rnn import LSTMBlockCell
from evergraph.nn.rnn_cell import GRUCell
from typing import Any

class CudnnCompatibleGRUCell(GRUCell):
    """A GRU cell compatible with cuDNN, whose reset gate is applied after the recurrent kernel."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    def __init__(self, num_units: int, reuse: Any = None, kernel_initializer: Any = None) -> None: ...
    built: Any

class CudnnCompatibleLSTMCell(LSTMBlockCell):
    """An LSTM cell compatible with cuDNN: `tf.contrib.rnn.LSTMBlockCell` without peepholes, clipping or
    forget bias."""
    def __init__(self, num_units: int, reuse: Any = None) -> None: ...
