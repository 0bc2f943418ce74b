# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.cudnn_rnn."""

from collections.abc import Sequence
from evergraph import Tensor
from evergraph.contrib.rnn import LSTMBlockCell
from evergraph.nn.rnn_cell import GRUCell
from typing import Any

CUDNN_INPUT_AUTO_MODE: str
CUDNN_INPUT_LINEAR_MODE: str
CUDNN_INPUT_SKIP_MODE: str
CUDNN_RNN_BIDIRECTION: str
CUDNN_RNN_UNIDIRECTION: str

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

class CudnnGRU:
    """cuDNN's GRU, computed by `tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell`."""
    @property
    def num_layers(self) -> Any: ...
    @property
    def num_units(self) -> Any: ...
    @property
    def input_mode(self) -> Any: ...
    @property
    def rnn_mode(self) -> Any: ...
    @property
    def direction(self) -> Any: ...
    @property
    def num_dirs(self) -> Any: ...
    @property
    def input_size(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    @property
    def variables(self) -> Any: ...
    @property
    def trainable_variables(self) -> Any: ...
    @property
    def weights(self) -> Any: ...
    def build(self, input_shape: Any) -> None:
        """Makes the variables for an input of three axes, of which the last has a known size."""
    def __call__(
        self, inputs: Any, initial_state: Any = None, sequence_lengths: Any = None, time_major: bool = True,
        training: bool = True,
    ) -> tuple[Any, tuple[Any, ...]]: ...
    def __init__(
        self, num_layers: int, num_units: int, input_mode: str = 'linear_input',
        direction: str = 'unidirectional', dropout: float = 0.0, seed: int | None = None, dtype: Any = ...,
        kernel_initializer: Any = None, bias_initializer: Any = None, name: str | None = None,
    ) -> None: ...
    built: Any

class CudnnGRUSaveable:
    """A buffer that checkpoints hold as the variables of portable GRU cells, so that either restores the
    other's."""
    @property
    def format_converter(self) -> Any:
        """What takes the buffer apart."""
    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Any: ...
    @property
    def optional_restore(self) -> bool:
        """Whether a checkpoint may lack it."""
    @property
    def device(self) -> str:
        """Where its tensors are."""
    def __init__(
        self, opaque_params: Any, num_layers: int, num_units: int, input_size: int,
        input_mode: str = 'linear_input', direction: str = 'unidirectional', scope: Any = None,
        name: str = 'cudnn_rnn_saveable',
    ) -> None: ...
    op: Any
    specs: Any
    name: Any

class CudnnLSTM:
    """cuDNN's LSTM, computed by `tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell`."""
    @property
    def num_layers(self) -> Any: ...
    @property
    def num_units(self) -> Any: ...
    @property
    def input_mode(self) -> Any: ...
    @property
    def rnn_mode(self) -> Any: ...
    @property
    def direction(self) -> Any: ...
    @property
    def num_dirs(self) -> Any: ...
    @property
    def input_size(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    @property
    def variables(self) -> Any: ...
    @property
    def trainable_variables(self) -> Any: ...
    @property
    def weights(self) -> Any: ...
    def build(self, input_shape: Any) -> None:
        """Makes the variables for an input of three axes, of which the last has a known size."""
    def __call__(
        self, inputs: Any, initial_state: Any = None, sequence_lengths: Any = None, time_major: bool = True,
        training: bool = True,
    ) -> tuple[Any, tuple[Any, ...]]: ...
    def __init__(
        self, num_layers: int, num_units: int, input_mode: str = 'linear_input',
        direction: str = 'unidirectional', dropout: float = 0.0, seed: int | None = None, dtype: Any = ...,
        kernel_initializer: Any = None, bias_initializer: Any = None, name: str | None = None,
    ) -> None: ...
    built: Any

class CudnnLSTMSaveable:
    """A buffer that checkpoints hold as the variables of portable LSTM cells, so that either restores the
    other's."""
    @property
    def format_converter(self) -> Any:
        """What takes the buffer apart."""
    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Any: ...
    @property
    def optional_restore(self) -> bool:
        """Whether a checkpoint may lack it."""
    @property
    def device(self) -> str:
        """Where its tensors are."""
    def __init__(
        self, opaque_params: Any, num_layers: int, num_units: int, input_size: int,
        input_mode: str = 'linear_input', direction: str = 'unidirectional', scope: Any = None,
        name: str = 'cudnn_rnn_saveable',
    ) -> None: ...
    op: Any
    specs: Any
    name: Any

class CudnnParamsFormatConverterGRU:
    """Takes a buffer apart into the kernels and biases of GRU cells, and makes one of them."""
    gate_count: int
    variables: tuple[str, ...]
    @property
    def params_size(self) -> int:
        """How many numbers a buffer has."""
    def opaque_to_tf_canonical(self, opaque_param: Any) -> tuple[list[Tensor], list[Tensor]]:
        """(kernels, biases) of the cells of all layers, of a bidirectional one forward before backward."""
    def tf_canonical_to_opaque(self, tf_canonicals: Sequence[Any], weights_proj: Any = None) -> Tensor:
        """The buffer of cells."""
    def __init__(
        self, num_layers: int, num_units: int, input_size: int, num_proj: int | None = None,
        input_mode: str = 'linear_input', direction: str = 'unidirectional',
    ) -> None: ...
    directions: Any

class CudnnParamsFormatConverterLSTM:
    """Takes a buffer apart into the kernels and biases of LSTM cells, and makes one of them."""
    gate_count: int
    order: tuple[int, ...]
    variables: tuple[str, ...]
    @property
    def params_size(self) -> int:
        """How many numbers a buffer has."""
    def opaque_to_tf_canonical(self, opaque_param: Any) -> tuple[list[Tensor], list[Tensor]]:
        """(kernels, biases) of the cells of all layers, of a bidirectional one forward before backward."""
    def tf_canonical_to_opaque(self, tf_canonicals: Sequence[Any], weights_proj: Any = None) -> Tensor:
        """The buffer of cells."""
    def __init__(
        self, num_layers: int, num_units: int, input_size: int, num_proj: int | None = None,
        input_mode: str = 'linear_input', direction: str = 'unidirectional',
    ) -> None: ...
    directions: Any

class CudnnParamsFormatConverterRelu:
    """Takes a buffer apart into the kernels and biases of plain cells with relu, and makes one of them."""
    gate_count: int
    variables: tuple[str, ...]
    order: tuple[int, ...]
    @property
    def params_size(self) -> int:
        """How many numbers a buffer has."""
    def opaque_to_tf_canonical(self, opaque_param: Any) -> tuple[list[Tensor], list[Tensor]]:
        """(kernels, biases) of the cells of all layers, of a bidirectional one forward before backward."""
    def tf_canonical_to_opaque(self, tf_canonicals: Sequence[Any], weights_proj: Any = None) -> Tensor:
        """The buffer of cells."""
    def __init__(
        self, num_layers: int, num_units: int, input_size: int, num_proj: int | None = None,
        input_mode: str = 'linear_input', direction: str = 'unidirectional',
    ) -> None: ...
    directions: Any

class CudnnParamsFormatConverterTanh:
    """Takes a buffer apart into the kernels and biases of plain cells with tanh, and makes one of them."""
    gate_count: int
    variables: tuple[str, ...]
    order: tuple[int, ...]
    @property
    def params_size(self) -> int:
        """How many numbers a buffer has."""
    def opaque_to_tf_canonical(self, opaque_param: Any) -> tuple[list[Tensor], list[Tensor]]:
        """(kernels, biases) of the cells of all layers, of a bidirectional one forward before backward."""
    def tf_canonical_to_opaque(self, tf_canonicals: Sequence[Any], weights_proj: Any = None) -> Tensor:
        """The buffer of cells."""
    def __init__(
        self, num_layers: int, num_units: int, input_size: int, num_proj: int | None = None,
        input_mode: str = 'linear_input', direction: str = 'unidirectional',
    ) -> None: ...
    directions: Any

class CudnnRNNRelu:
    """cuDNN's network of plain cells with relu."""
    @property
    def num_layers(self) -> Any: ...
    @property
    def num_units(self) -> Any: ...
    @property
    def input_mode(self) -> Any: ...
    @property
    def rnn_mode(self) -> Any: ...
    @property
    def direction(self) -> Any: ...
    @property
    def num_dirs(self) -> Any: ...
    @property
    def input_size(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    @property
    def variables(self) -> Any: ...
    @property
    def trainable_variables(self) -> Any: ...
    @property
    def weights(self) -> Any: ...
    def build(self, input_shape: Any) -> None:
        """Makes the variables for an input of three axes, of which the last has a known size."""
    def __call__(
        self, inputs: Any, initial_state: Any = None, sequence_lengths: Any = None, time_major: bool = True,
        training: bool = True,
    ) -> tuple[Any, tuple[Any, ...]]: ...
    def __init__(
        self, num_layers: int, num_units: int, input_mode: str = 'linear_input',
        direction: str = 'unidirectional', dropout: float = 0.0, seed: int | None = None, dtype: Any = ...,
        kernel_initializer: Any = None, bias_initializer: Any = None, name: str | None = None,
    ) -> None: ...
    built: Any

class CudnnRNNReluSaveable:
    """A buffer that checkpoints hold as the variables of plain cells with relu, so that either restores the
    other's."""
    @property
    def format_converter(self) -> Any:
        """What takes the buffer apart."""
    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Any: ...
    @property
    def optional_restore(self) -> bool:
        """Whether a checkpoint may lack it."""
    @property
    def device(self) -> str:
        """Where its tensors are."""
    def __init__(
        self, opaque_params: Any, num_layers: int, num_units: int, input_size: int,
        input_mode: str = 'linear_input', direction: str = 'unidirectional', scope: Any = None,
        name: str = 'cudnn_rnn_saveable',
    ) -> None: ...
    op: Any
    specs: Any
    name: Any

class CudnnRNNTanh:
    """cuDNN's network of plain cells with tanh."""
    @property
    def num_layers(self) -> Any: ...
    @property
    def num_units(self) -> Any: ...
    @property
    def input_mode(self) -> Any: ...
    @property
    def rnn_mode(self) -> Any: ...
    @property
    def direction(self) -> Any: ...
    @property
    def num_dirs(self) -> Any: ...
    @property
    def input_size(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    @property
    def variables(self) -> Any: ...
    @property
    def trainable_variables(self) -> Any: ...
    @property
    def weights(self) -> Any: ...
    def build(self, input_shape: Any) -> None:
        """Makes the variables for an input of three axes, of which the last has a known size."""
    def __call__(
        self, inputs: Any, initial_state: Any = None, sequence_lengths: Any = None, time_major: bool = True,
        training: bool = True,
    ) -> tuple[Any, tuple[Any, ...]]: ...
    def __init__(
        self, num_layers: int, num_units: int, input_mode: str = 'linear_input',
        direction: str = 'unidirectional', dropout: float = 0.0, seed: int | None = None, dtype: Any = ...,
        kernel_initializer: Any = None, bias_initializer: Any = None, name: str | None = None,
    ) -> None: ...
    built: Any

class CudnnRNNTanhSaveable:
    """A buffer that checkpoints hold as the variables of plain cells with tanh, so that either restores the
    other's."""
    @property
    def format_converter(self) -> Any:
        """What takes the buffer apart."""
    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Any: ...
    @property
    def optional_restore(self) -> bool:
        """Whether a checkpoint may lack it."""
    @property
    def device(self) -> str:
        """Where its tensors are."""
    def __init__(
        self, opaque_params: Any, num_layers: int, num_units: int, input_size: int,
        input_mode: str = 'linear_input', direction: str = 'unidirectional', scope: Any = None,
        name: str = 'cudnn_rnn_saveable',
    ) -> None: ...
    op: Any
    specs: Any
    name: Any
