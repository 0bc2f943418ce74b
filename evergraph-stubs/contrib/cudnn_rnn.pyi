# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.cudnn_rnn."""

from evergraph import Tensor
from evergraph.contrib.rnn import LSTMBlockCell
from evergraph.nn.rnn_cell import GRUCell
from typing import Any

class CudnnCompatibleGRUCell(GRUCell):
    """The GRU of cuDNN, whose reset gate comes after the matrix that the state is multiplied with."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    def __init__(self, num_units: int, reuse: Any = None, kernel_initializer: Any = None) -> None: ...
    built: Any

class CudnnCompatibleLSTMCell(LSTMBlockCell):
    """The LSTM of cuDNN: `tf.contrib.rnn.LSTMBlockCell` without peepholes, clipping or a bias of the forget
    gate."""
    def __init__(self, num_units: int, reuse: Any = None) -> None: ...
