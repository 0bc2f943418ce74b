# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.rnn."""

from evergraph import Tensor, TensorShape
from evergraph.layers import Layer
from evergraph.nn.rnn_cell import LSTMStateTuple as _LSTMStateTuple, RNNCell as _RNNCell
from typing import Any

import sys
if sys.platform == "":
    del (
        around, blocks, cudnn, fused, gated, grid, inside, linear, lstms, minimal, normalized, projections,
        turing,
    )

class AttentionCellWrapper(_RNNCell):
    """A cell that attends to its own recent outputs (Bahdanau et al., 2014; Vinyals et al., 2014)."""
    @property
    def output_size(self) -> Any:
        """The size of what is given out."""
    @property
    def state_size(self) -> Any:
        """A tuple of sizes, or their sum."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]: ...
    def __init__(
        self, cell: Any, attn_length: int, attn_size: int | None = None, attn_vec_size: int | None = None,
        input_size: int | None = None, state_is_tuple: bool = True, reuse: Any = None,
    ) -> None: ...

from evergraph.nn.rnn_cell import BasicLSTMCell as BasicLSTMCell
from evergraph.nn.rnn_cell import BasicRNNCell as BasicRNNCell

class BidirectionalGridLSTMCell(GridLSTMCell):
    """A bidirectional grid LSTM: one `tf.contrib.rnn.GridLSTMCell` up the frequencies and one down."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]: ...
    def __init__(
        self, num_units: int, use_peepholes: bool = False, share_time_frequency_weights: bool = False,
        cell_clip: Any = None, initializer: Any = None, num_unit_shards: int = 1, forget_bias: float = 1.0,
        feature_size: int | None = None, frequency_skip: int | None = None, num_frequency_blocks: Any = None,
        start_freqindex_list: Any = None, end_freqindex_list: Any = None,
        couple_input_forget_gates: bool = False, backward_slice_offset: int = 0, reuse: Any = None,
    ) -> None: ...

class CFNCell(LayerRNNCell):
    """The chaos free network (Laurent and von Brecht, 2016), whose two gates add up to one."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    @property
    def state_size(self) -> Any:
        """The number of units."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def __init__(
        self, units: int, activation: Any = 'tanh', recurrent_activation: Any = 'sigmoid',
        use_bias: bool = True, kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'ones',
        name: Any = None, dtype: Any = None, reuse: Any = None, **kwargs: Any,
    ) -> None: ...
    recurrent_activation: Any
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    units: Any
    use_bias: Any
    kernel: Any
    recurrent_kernel: Any
    bias: Any
    built: Any

class CompiledWrapper(_RNNCell):
    """Returns the cell unchanged: evergraph compiles every cell with XLA."""
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
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> _RNNCell:
        """The wrapper with these arguments; `custom_objects` has the classes of cells that are not
        TensorFlow's."""
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any: ...
    def __init__(self, cell: Any, compile_stateful: bool = False) -> None: ...
    cell: Any
    built: Any

class Conv1DLSTMCell(ConvLSTMCell):
    """`tf.contrib.rnn.ConvLSTMCell` of sequences; see there for `**kwargs`."""
    def __init__(self, name: Any = 'conv_1d_lstm_cell', **kwargs: Any) -> None: ...

class Conv2DLSTMCell(ConvLSTMCell):
    """`tf.contrib.rnn.ConvLSTMCell` of images; see there for `**kwargs`."""
    def __init__(self, name: Any = 'conv_2d_lstm_cell', **kwargs: Any) -> None: ...

class Conv3DLSTMCell(ConvLSTMCell):
    """`tf.contrib.rnn.ConvLSTMCell` of volumes; see there for `**kwargs`."""
    def __init__(self, name: Any = 'conv_3d_lstm_cell', **kwargs: Any) -> None: ...

class ConvLSTMCell(_RNNCell):
    """A convolutional LSTM for sequences, images or volumes (Shi et al., 2015)."""
    @property
    def output_size(self) -> TensorShape:
        """The shape of an output."""
    @property
    def state_size(self) -> _LSTMStateTuple:
        """The shapes of the state."""
    def call(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, _LSTMStateTuple]:
        """One step."""
    def __init__(
        self, conv_ndims: int, input_shape: Any, output_channels: int, kernel_shape: Any, use_bias: bool = True,
        skip_connection: bool = False, forget_bias: float = 1.0, initializers: Any = None,
        name: Any = 'conv_lstm_cell',
    ) -> None: ...

class CoupledInputForgetGateLSTMCell(_RNNCell):
    """An LSTM with coupled input and forget gates (Greff et al., 2015)."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    @property
    def state_size(self) -> Any:
        """An LSTMStateTuple of sizes, or their sum."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]: ...
    def __init__(
        self, num_units: int, use_peepholes: bool = False, initializer: Any = None, num_proj: int | None = None,
        proj_clip: Any = None, num_unit_shards: int = 1, num_proj_shards: int = 1, forget_bias: float = 1.0,
        state_is_tuple: bool = True, activation: Any = ..., reuse: Any = None, layer_norm: bool = False,
        norm_gain: float = 1.0, norm_shift: float = 0.0,
    ) -> None: ...

from evergraph.nn.rnn_cell import DeviceWrapper as DeviceWrapper
from evergraph.nn.rnn_cell import DropoutWrapper as DropoutWrapper

class EmbeddingWrapper(_RNNCell):
    """A cell with an embedding of its integer input."""
    def call(self, inputs: Any, state: Any) -> Any: ...
    @property
    def state_size(self) -> Any:
        """The sizes of the state of the cell inside."""
    @property
    def output_size(self) -> Any:
        """The size of the output of the cell inside."""
    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """A zero state in the structure of `state_size`; see `tf.nn.rnn_cell.RNNCell`."""
    def __init__(
        self, cell: Any, embedding_classes: int, embedding_size: int, initializer: Any = None,
        reuse: Any = None,
    ) -> None: ...

class FusedRNNCell:
    """The base of networks that are called with the inputs of all steps."""
    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]: ...

class FusedRNNCellAdaptor(FusedRNNCell):
    """Adapts a cell to be called with the inputs of all steps."""
    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]: ...
    def __init__(self, cell: Any, use_dynamic_rnn: bool = False) -> None: ...

class GLSTMCell(_RNNCell):
    """A group LSTM, whose groups of units see only their part of the inputs (Kuchaiev and Ginsburg,
    2017)."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    @property
    def state_size(self) -> Any:
        """The sizes of the state."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, _LSTMStateTuple]: ...
    def __init__(
        self, num_units: int, initializer: Any = None, num_proj: int | None = None, number_of_groups: int = 1,
        forget_bias: float = 1.0, activation: Any = ..., reuse: Any = None,
    ) -> None: ...

class GRUBlockCell(LayerRNNCell):
    """A fused GRU cell, one op per step; equivalent to `tf.nn.rnn_cell.GRUCell`."""
    @property
    def state_size(self) -> Any:
        """The number of units."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, h_prev: Any) -> tuple[Tensor, Tensor]: ...
    def __init__(
        self, num_units: int | None = None, cell_size: int | None = None, reuse: Any = None,
        name: Any = 'gru_cell',
    ) -> None: ...
    built: Any

class GRUBlockCellV2(GRUBlockCell):
    """The same as `tf.contrib.rnn.GRUBlockCell`, with the variable names of `tf.nn.rnn_cell.GRUCell`."""

from evergraph.nn.rnn_cell import GRUCell as GRUCell

class GridLSTMCell(_RNNCell):
    """A grid LSTM over time and frequency (Kalchbrenner et al., 2015)."""
    @property
    def state_tuple_type(self) -> Any:
        """The named tuple of a state, or None."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    @property
    def state_size(self) -> Any:
        """A named tuple of sizes, or their sum."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]: ...
    def __init__(
        self, num_units: int, use_peepholes: bool = False, share_time_frequency_weights: bool = False,
        cell_clip: Any = None, initializer: Any = None, num_unit_shards: int = 1, forget_bias: float = 1.0,
        feature_size: int | None = None, frequency_skip: int | None = None, num_frequency_blocks: Any = None,
        start_freqindex_list: Any = None, end_freqindex_list: Any = None,
        couple_input_forget_gates: bool = False, state_is_tuple: bool = True, reuse: Any = None,
    ) -> None: ...

class HighwayWrapper(_RNNCell):
    """A cell with a highway connection past it (Srivastava et al., 2015)."""
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
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> _RNNCell:
        """The wrapper with these arguments; `custom_objects` has the classes of cells that are not
        TensorFlow's."""
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any: ...
    def __init__(
        self, cell: Any, couple_carry_transform_gates: bool = True, carry_bias_init: float = 1.0,
    ) -> None: ...
    cell: Any
    built: Any

class IndRNNCell(LayerRNNCell):
    """The independently recurrent network (IndRNN; Li et al., 2018): activation(W * input + u * state + b),
    u a vector."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    @property
    def state_size(self) -> Any:
        """The number of units."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, name: Any = None, dtype: Any = None,
    ) -> None: ...
    built: Any

class IndyGRUCell(LayerRNNCell):
    """An independently recurrent GRU: each unit sees only its own state."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    @property
    def state_size(self) -> Any:
        """The number of units."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, kernel_initializer: Any = None,
        bias_initializer: Any = None, name: Any = None, dtype: Any = None,
    ) -> None: ...
    built: Any

class IndyLSTMCell(LayerRNNCell):
    """An independently recurrent LSTM: each unit sees only its own output (Gonnet and Deselaers, 2019)."""
    @property
    def state_size(self) -> Any:
        """The sizes of the state."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, _LSTMStateTuple]: ...
    def __init__(
        self, num_units: int, forget_bias: float = 1.0, activation: Any = None, reuse: Any = None,
        kernel_initializer: Any = None, bias_initializer: Any = None, name: Any = None, dtype: Any = None,
    ) -> None: ...
    built: Any

class InputProjectionWrapper(_RNNCell):
    """A cell with a projection of its input."""
    def call(self, inputs: Any, state: Any) -> Any: ...
    @property
    def state_size(self) -> Any:
        """The sizes of the state of the cell inside."""
    @property
    def output_size(self) -> Any:
        """The size of the output of the cell inside."""
    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """A zero state in the structure of `state_size`; see `tf.nn.rnn_cell.RNNCell`."""
    def __init__(
        self, cell: Any, num_proj: int, activation: Any = None, input_size: Any = None, reuse: Any = None,
    ) -> None: ...

class IntersectionRNNCell(_RNNCell):
    """The intersection RNN (+RNN; Collins et al., 2016): one gate for the state, and one between input and
    output."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    @property
    def state_size(self) -> Any:
        """The number of units."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def __init__(
        self, num_units: int, num_in_proj: int | None = None, initializer: Any = None, forget_bias: float = 1.0,
        y_activation: Any = ..., reuse: Any = None,
    ) -> None: ...

class LSTMBlockCell(LayerRNNCell):
    """A fused LSTM cell, one op per step; equivalent to `tf.nn.rnn_cell.LSTMCell`, with the same
    variables."""
    @property
    def state_size(self) -> Any:
        """The sizes of the state."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, _LSTMStateTuple]: ...
    def __init__(
        self, num_units: int, forget_bias: float = 1.0, cell_clip: Any = None, use_peephole: bool = False,
        dtype: Any = None, reuse: Any = None, name: Any = 'lstm_cell',
    ) -> None: ...
    built: Any

class LSTMBlockFusedCell(LSTMBlockWrapper):
    """A fused LSTM over whole sequences, in one op."""
    @property
    def num_units(self) -> Any:
        """The size of the output and of each half of the state."""
    def build(self, input_shape: Any) -> None: ...
    def __init__(
        self, num_units: int, forget_bias: float = 1.0, cell_clip: Any = None, use_peephole: bool = False,
        reuse: Any = None, dtype: Any = None, name: Any = 'lstm_fused_cell',
    ) -> None: ...
    built: Any

class LSTMBlockWrapper(Layer):
    """The base of LSTMs over whole sequences: a subclass defines `num_units` and `_call_cell`."""
    @property
    def num_units(self) -> int:
        """The size of the output and of each half of the state."""
    def call(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None,
    ) -> tuple[Any, _LSTMStateTuple]:
        """The outputs and the final state."""
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any: ...

from evergraph.nn.rnn_cell import LSTMCell as LSTMCell
from evergraph.nn.rnn_cell import LSTMStateTuple as LSTMStateTuple

class LayerNormBasicLSTMCell(_RNNCell):
    """An LSTM with layer normalization of its gates and of `c` (Ba et al., 2016), and recurrent dropout."""
    @property
    def state_size(self) -> Any:
        """The sizes of the state."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def call(self, inputs: Any, state: Any) -> tuple[Any, _LSTMStateTuple]: ...
    def __init__(
        self, num_units: int, forget_bias: float = 1.0, input_size: Any = None, activation: Any = ...,
        layer_norm: bool = True, norm_gain: float = 1.0, norm_shift: float = 0.0, dropout_keep_prob: Any = 1.0,
        dropout_prob_seed: Any = None, reuse: Any = None,
    ) -> None: ...

class LayerNormLSTMCell(_RNNCell):
    """An LSTM with peepholes and a projection, and layer normalization of its gates and `c` (Ba et al.,
    2016)."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    @property
    def state_size(self) -> Any:
        """The sizes of the state."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, _LSTMStateTuple]: ...
    def __init__(
        self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None, initializer: Any = None,
        num_proj: int | None = None, proj_clip: Any = None, forget_bias: float = 1.0, activation: Any = None,
        layer_norm: bool = False, norm_gain: float = 1.0, norm_shift: float = 0.0, reuse: Any = None,
    ) -> None: ...

class LayerRNNCell(_RNNCell):
    """The base class of cells that create their variables in `build`, and so share them between all
    calls."""
    def __call__(self, inputs: Any, state: Any, scope: Any = None, *args: Any, **kwargs: Any) -> Any: ...

class MinimalRNNCell(LayerRNNCell):
    """The minimal RNN (Chen, 2017): one gate between the old state and an embedding of the input."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    @property
    def state_size(self) -> Any:
        """The number of units."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def __init__(
        self, units: int, activation: Any = 'tanh', use_bias: bool = True,
        kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'ones', name: Any = None,
        dtype: Any = None, reuse: Any = None, **kwargs: Any,
    ) -> None: ...
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    units: Any
    use_bias: Any
    kernel: Any
    recurrent_kernel: Any
    bias: Any
    built: Any

from evergraph.nn.rnn_cell import MultiRNNCell as MultiRNNCell

class NASCell(LayerRNNCell):
    """The cell found by neural architecture search (Zoph and Le, 2016)."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    @property
    def state_size(self) -> Any:
        """The sizes of the state."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, _LSTMStateTuple]: ...
    def __init__(
        self, num_units: int, num_proj: int | None = None, use_bias: bool = False, reuse: Any = None,
        **kwargs: Any,
    ) -> None: ...
    built: Any

class NTMCell(_RNNCell):
    """A Neural Turing Machine (Graves, Wayne and Danihelka, 2014): a cell with a memory that heads read and
    write."""
    @property
    def output_size(self) -> int:
        """The size of the output."""
    @property
    def state_size(self) -> tuple:
        """The sizes of the state."""
    def zero_state(self, batch_size: Any, dtype: Any) -> tuple:
        """The state before the first step; where the heads start is trained."""
    def call(self, inputs: Any, state: tuple) -> tuple[Tensor, tuple]: ...
    def __init__(
        self, controller: _RNNCell, memory_size: int, memory_vector_dim: int, read_head_num: int,
        write_head_num: int, shift_range: int = 1, output_dim: int | None = None, clip_value: float = 20,
        dtype: Any = ..., name: str | None = None,
    ) -> None: ...
    controller: Any
    memory_size: Any
    memory_vector_dim: Any
    read_head_num: Any
    write_head_num: Any
    shift_range: Any
    output_dim: Any
    clip_value: Any

class OutputProjectionWrapper(_RNNCell):
    """A cell with a projection of its output."""
    @property
    def output_size(self) -> Any:
        """The size of the projection."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]: ...
    @property
    def state_size(self) -> Any:
        """The sizes of the state of the cell inside."""
    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """A zero state in the structure of `state_size`; see `tf.nn.rnn_cell.RNNCell`."""
    def __init__(self, cell: Any, output_size: int, activation: Any = None, reuse: Any = None) -> None: ...

class PhasedLSTMCell(_RNNCell):
    """The phased LSTM, whose units are open during a part of their own period (Neil et al., 2016)."""
    @property
    def state_size(self) -> Any:
        """The sizes of the state."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, _LSTMStateTuple]: ...
    def __init__(
        self, num_units: int, use_peepholes: bool = False, leak: float = 0.001, ratio_on: float = 0.1,
        trainable_ratio_on: bool = True, period_init_min: float = 1.0, period_init_max: float = 1000.0,
        reuse: Any = None,
    ) -> None: ...

from evergraph.nn.rnn_cell import RNNCell as RNNCell
from evergraph.nn.rnn_cell import ResidualWrapper as ResidualWrapper

class SRUCell(LayerRNNCell):
    """The simple recurrent unit (SRU; Lei et al., 2017), whose matrix products do not depend on its
    state."""
    def build(self, input_shape: Any) -> None: ...
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    @property
    def state_size(self) -> Any:
        """The number of units."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    built: Any

class TimeFreqLSTMCell(_RNNCell):
    """A time-frequency LSTM, which moves over windows of features in every step (Li et al., 2015)."""
    @property
    def state_size(self) -> Any:
        """The sizes of `c` and `h` of one window."""
    @property
    def output_size(self) -> Any:
        """The size of the output of one window."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    def __init__(
        self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None, initializer: Any = None,
        num_unit_shards: int = 1, forget_bias: float = 1.0, feature_size: int | None = None,
        frequency_skip: int = 1, reuse: Any = None,
    ) -> None: ...

class TimeReversedFusedRNN(FusedRNNCell):
    """A network that processes sequences in reverse; its outputs are in the order of its inputs."""
    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]: ...
    def __init__(self, cell: Any) -> None: ...

class UGRNNCell(_RNNCell):
    """The update gate RNN (UGRNN; Collins et al., 2016): new state = g * state + (1 - g) * candidate."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    @property
    def state_size(self) -> Any:
        """The number of units."""
    @property
    def output_size(self) -> Any:
        """The number of units."""
    def __init__(
        self, num_units: int, initializer: Any = None, forget_bias: float = 1.0, activation: Any = ...,
        reuse: Any = None,
    ) -> None: ...

class WeightNormLSTMCell(_RNNCell):
    """An LSTM with peepholes and a projection whose kernels have normalized columns (Salimans and Kingma,
    2016)."""
    @property
    def output_size(self) -> Any:
        """The size of the output."""
    @property
    def state_size(self) -> Any:
        """The sizes of the state."""
    def call(self, inputs: Any, state: Any) -> tuple[Tensor, _LSTMStateTuple]: ...
    def __init__(
        self, num_units: int, norm: bool = True, use_peepholes: bool = False, cell_clip: Any = None,
        initializer: Any = None, num_proj: int | None = None, proj_clip: Any = None, forget_bias: float = 1,
        activation: Any = None, reuse: Any = None,
    ) -> None: ...

def best_effort_input_batch_size(flat_input: list[Tensor]) -> Any:
    """The number of sequences in inputs whose second axis is the batch: a number if one of them tells."""

def stack_bidirectional_dynamic_rnn(
    cells_fw: Any, cells_bw: Any, inputs: Any, initial_states_fw: Any = None, initial_states_bw: Any = None,
    dtype: Any = None, sequence_length: Any = None, parallel_iterations: Any = None,
    time_major: Any = False, scope: Any = None, swap_memory: bool = False,
) -> tuple[Any, Any, Any]:
    """Stacked bidirectional RNN: the concatenated outputs of each layer are the input of the next."""

def stack_bidirectional_rnn(
    cells_fw: Any, cells_bw: Any, inputs: Any, initial_states_fw: Any = None, initial_states_bw: Any = None,
    dtype: Any = None, sequence_length: Any = None, scope: Any = None,
) -> tuple[Any, Any, Any]:
    """Stacked bidirectional RNN, unrolled over a list of inputs; see `stack_bidirectional_dynamic_rnn`."""

from evergraph.nn import static_bidirectional_rnn as static_bidirectional_rnn
from evergraph.nn import static_rnn as static_rnn
from evergraph.nn import static_state_saving_rnn as static_state_saving_rnn

def transpose_batch_time(x: Any) -> Tensor:
    """A tensor with its first two axes, batch and time, exchanged."""
