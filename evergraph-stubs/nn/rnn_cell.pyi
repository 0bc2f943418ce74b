# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.nn.rnn_cell."""

from evergraph import Tensor
from evergraph.contrib.rnn import LayerRNNCell
from evergraph.layers import Layer
from typing import Any, NamedTuple

class BasicLSTMCell(LayerRNNCell):
    """The long short-term memory cell, LSTM (Hochreiter and Schmidhuber, 1997; Zaremba et al., 2014)."""
    @property
    def state_size(self) -> Any:
        """An LSTMStateTuple of sizes, or their sum."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]: ...
    def get_config(self) -> dict[str, Any]: ...
    def __init__(
        self, num_units: int, forget_bias: float = 1.0, state_is_tuple: bool = True, activation: Any = None,
        reuse: Any = None, name: Any = None, dtype: Any = None, **kwargs: Any,
    ) -> None: ...
    built: Any

class BasicRNNCell(LayerRNNCell):
    """The simple recurrent cell (Elman network): output = new state = activation([inputs, state] @ kernel +
    bias)."""
    @property
    def state_size(self) -> Any:
        """The number of units."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]: ...
    def get_config(self) -> dict[str, Any]: ...
    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, name: Any = None, dtype: Any = None,
        **kwargs: Any,
    ) -> None: ...
    built: Any

class DeviceWrapper(RNNCell):
    """A cell that is placed on a device."""
    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros in the structure of `state_size`; see `tf.nn.rnn_cell.RNNCell`."""
    def get_config(self) -> dict[str, Any]: ...
    @property
    def state_size(self) -> Any:
        """The sizes of the state of the cell inside."""
    @property
    def output_size(self) -> Any:
        """The size of the output of the cell inside."""
    def build(self, _: Any) -> None:
        """Nothing: the cell inside makes its variables when it is called."""
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> RNNCell:
        """The wrapper with these arguments; `custom_objects` has the classes of cells that are not
        TensorFlow's."""
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any: ...
    def __init__(self, cell: Any, device: Any, **kwargs: Any) -> None: ...
    cell: Any
    built: Any

class DropoutWrapper(RNNCell):
    """Adds dropout to the inputs, outputs and state of a recurrent cell."""
    @property
    def wrapped_cell(self) -> Any:
        """The cell inside."""
    def get_config(self) -> dict[str, Any]: ...
    @property
    def state_size(self) -> Any:
        """The sizes of the state of the cell inside."""
    @property
    def output_size(self) -> Any:
        """The size of the output of the cell inside."""
    def build(self, _: Any) -> None:
        """Nothing: the cell inside makes its variables when it is called."""
    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros in the structure of `state_size`; see `tf.nn.rnn_cell.RNNCell`."""
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> RNNCell:
        """The wrapper with these arguments; `custom_objects` has the classes of cells that are not
        TensorFlow's."""
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any: ...
    def __init__(
        self, cell: Any, input_keep_prob: Any = 1.0, output_keep_prob: Any = 1.0, state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False, input_size: Any = None, dtype: Any = None, seed: Any = None,
        dropout_state_filter_visitor: Any = None, **kwargs: Any,
    ) -> None: ...
    cell: Any
    built: Any

class GRUCell(LayerRNNCell):
    """The gated recurrent unit, GRU (Cho et al., 2014)."""
    @property
    def state_size(self) -> Any:
        """The number of units."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]: ...
    def get_config(self) -> dict[str, Any]: ...
    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, kernel_initializer: Any = None,
        bias_initializer: Any = None, name: Any = None, dtype: Any = None, **kwargs: Any,
    ) -> None: ...
    built: Any

class LSTMCell(LayerRNNCell):
    """The long short-term memory cell, LSTM (Hochreiter and Schmidhuber, 1997), with optional
    extensions."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    @property
    def state_size(self) -> Any:
        """An LSTMStateTuple of sizes, or their sum."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]: ...
    def get_config(self) -> dict[str, Any]: ...
    def __init__(
        self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None, initializer: Any = None,
        num_proj: int | None = None, proj_clip: Any = None, num_unit_shards: int | None = None,
        num_proj_shards: int | None = None, forget_bias: float = 1.0, state_is_tuple: bool = True,
        activation: Any = None, reuse: Any = None, name: Any = None, dtype: Any = None, **kwargs: Any,
    ) -> None: ...
    built: Any

class _LSTMStateTuple(NamedTuple):
    c: Any
    h: Any

class LSTMStateTuple(_LSTMStateTuple):
    """The state of an LSTM cell: `c`, the cell state, and `h`, the hidden state, which is the last
    output."""
    @property
    def dtype(self) -> Any:
        """The dtype of both."""

class MultiRNNCell(RNNCell):
    """A stack of recurrent cells: the output of each is the input of the next."""
    @property
    def state_size(self) -> Any:
        """The cells' sizes as a tuple, or their sum."""
    @property
    def output_size(self) -> Any:
        """The size of the last cell's output."""
    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros in the structure of `state_size`; see `tf.nn.rnn_cell.RNNCell`."""
    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        """The output of the last cell, and the new state."""
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> MultiRNNCell:
        """The cells with these arguments."""
    def __init__(self, cells: Any, state_is_tuple: bool = True) -> None: ...

class RNNCell(Layer):
    """The base class of recurrent cells; a subclass defines `state_size`, `output_size` and `call(inputs,
    state)`."""
    rnncell_scope: Any
    @property
    def state_size(self) -> Any:
        """The sizes of the state: a number, a TensorShape, or a structure of these."""
    @property
    def output_size(self) -> Any:
        """The size of the output: a number, a TensorShape, or a structure of these."""
    def build(self, _: Any) -> None:
        """Creates no variables; a subclass that has some creates them here, or in `call`."""
    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """The initial state: zeros, for the batch size and dtype of `inputs`, or for the given ones."""
    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """A state of zeros in the structure of `state_size`."""
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any: ...
    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None: ...
    built: Any

class ResidualWrapper(RNNCell):
    """A cell whose output is added to its input."""
    def get_config(self) -> dict[str, Any]: ...
    @property
    def state_size(self) -> Any:
        """The sizes of the state of the cell inside."""
    @property
    def output_size(self) -> Any:
        """The size of the output of the cell inside."""
    def build(self, _: Any) -> None:
        """Nothing: the cell inside makes its variables when it is called."""
    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros in the structure of `state_size`; see `tf.nn.rnn_cell.RNNCell`."""
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> RNNCell:
        """The wrapper with these arguments; `custom_objects` has the classes of cells that are not
        TensorFlow's."""
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any: ...
    def __init__(self, cell: Any, residual_fn: Any = None, **kwargs: Any) -> None: ...
    cell: Any
    built: Any
