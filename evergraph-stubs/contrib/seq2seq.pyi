# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.seq2seq."""

from collections.abc import Callable
from evergraph import Tensor
from evergraph.keras.layers import Layer
from evergraph.keras.losses import Loss
from evergraph.nn.rnn_cell import RNNCell
from evergraph.raw_ops import GatherTree
from typing import Any, NamedTuple

import sys
if sys.platform == "":
    del (
        attention, attention_layers, basic, beam, beam_step, decoder, decoder_layers, helpers, loss,
        monotonic, samplers, training, wrapper,
    )

class AttentionMechanism:
    """The base of attention mechanisms, which are called with a query and a state."""
    @property
    def alignments_size(self) -> Any:
        """The number of steps of the memory."""
    @property
    def state_size(self) -> Any:
        """The sizes of the state."""

class AttentionWrapper(RNNCell):
    """A cell that attends to a memory in every step."""
    @property
    def output_size(self) -> Any:
        """The size of the attention, or of the cell's output."""
    @property
    def state_size(self) -> AttentionWrapperState:
        """The sizes of the state."""
    def zero_state(self, batch_size: Any, dtype: Any) -> AttentionWrapperState:
        """The initial state: zeros, except for a given cell state and the mechanisms' initial states."""
    def call(self, inputs: Any, state: Any) -> tuple[Any, AttentionWrapperState]:
        """The output and the new state."""
    def __init__(
        self, cell: Any, attention_mechanism: Any, attention_layer_size: Any = None,
        alignment_history: bool = False, cell_input_fn: Callable[..., Any] | None = None,
        output_attention: bool = True, initial_cell_state: Any = None, name: str | None = None,
        attention_layer: Any = None, attention_fn: Callable[..., Any] | None = None, dtype: Any = None,
    ) -> None: ...

class _AttentionWrapperState(NamedTuple):
    cell_state: Any
    attention: Any
    time: Any
    alignments: Any
    alignment_history: Any
    attention_state: Any

class AttentionWrapperState(_AttentionWrapperState):
    """The state of an `tf.contrib.seq2seq.AttentionWrapper`; with several mechanisms the last three are
    tuples."""
    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """The state with some fields replaced by values of the same shapes."""

class BahdanauAttention(AttentionMechanism):
    """Bahdanau attention (Bahdanau et al., 2014): scores are v * tanh(key + query)."""
    def __call__(self, query: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    @property
    def memory_layer(self) -> Any:
        """The layer that made the keys."""
    @property
    def query_layer(self) -> Any:
        """The layer that queries go through."""
    @property
    def values(self) -> Any:
        """The memory, zero beyond the lengths of the sequences."""
    @property
    def keys(self) -> Any:
        """What queries are compared with."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def alignments_size(self) -> Any:
        """How many steps the memory has."""
    @property
    def state_size(self) -> Any:
        """The state is the weights."""
    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: zeros."""
    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The initial state: the initial alignments."""
    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
        probability_fn: Any = None, score_mask_value: Any = None, dtype: Any = None,
        custom_key_value_fn: Any = None, name: str = 'BahdanauAttention',
    ) -> None: ...
    dtype: Any

class BahdanauAttentionV2(AttentionMechanism, Layer):
    """Bahdanau attention (Bahdanau et al., 2014) as a layer: scores are v * tanh(key + query)."""
    def get_config(self) -> dict[str, Any]:
        """What `from_config` makes the same mechanism from, without a memory."""
    @property
    def alignments_size(self) -> Any:
        """How many steps the memory has."""
    @property
    def state_size(self) -> Any:
        """The state is the weights."""
    def build(self, input_shape: Any) -> None:
        """Makes the variables of the memory, and then, when there is one, those of queries."""
    def call(
        self, inputs: Any, mask: Any = None, setup_memory: bool = False, memory_sequence_length: Any = None,
    ) -> tuple[Any, Any]:
        """Takes a memory, and returns it and its keys; or returns (alignments, next state) for a query and a
        state."""
    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        """None: alignments have a weight for every step of the memory."""
    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: zeros."""
    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The initial state: the initial alignments."""
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]: ...
    def __init__(
        self, units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
        probability_fn: Any = 'softmax', kernel_initializer: Any = 'glorot_uniform', dtype: Any = None,
        name: str = 'BahdanauAttention', **kwargs: Any,
    ) -> None: ...
    probability_fn: Any
    kernel_initializer: Any
    attention_v: Any
    attention_g: Any
    attention_b: Any
    units: Any
    normalize: Any
    values: Any
    keys: Any
    batch_size: Any
    query_layer: Any
    memory_layer: Any
    built: Any

class BahdanauMonotonicAttention(AttentionMechanism):
    """Monotonic attention (Raffel et al., 2017) with the scores of
    `tf.contrib.seq2seq.BahdanauAttention`."""
    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: all weight at the first step of the memory."""
    def __call__(self, query: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    @property
    def memory_layer(self) -> Any:
        """The layer that made the keys."""
    @property
    def query_layer(self) -> Any:
        """The layer that queries go through."""
    @property
    def values(self) -> Any:
        """The memory, zero beyond the lengths of the sequences."""
    @property
    def keys(self) -> Any:
        """What queries are compared with."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def alignments_size(self) -> Any:
        """How many steps the memory has."""
    @property
    def state_size(self) -> Any:
        """The state is the weights."""
    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The initial state: the initial alignments."""
    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
        score_mask_value: Any = None, sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0, mode: str = 'parallel', dtype: Any = None,
        name: str = 'BahdanauMonotonicAttention',
    ) -> None: ...
    dtype: Any

class BahdanauMonotonicAttentionV2(AttentionMechanism, Layer):
    """Monotonic attention (Raffel et al., 2017) with the scores of
    `tf.contrib.seq2seq.BahdanauAttentionV2`."""
    attention_score_bias: Any
    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: all weight at the first step of the memory."""
    def get_config(self) -> dict[str, Any]:
        """What `from_config` makes the same mechanism from, without a memory."""
    @property
    def alignments_size(self) -> Any:
        """How many steps the memory has."""
    @property
    def state_size(self) -> Any:
        """The state is the weights."""
    def build(self, input_shape: Any) -> None:
        """Makes the variables of the memory, and then, when there is one, those of queries."""
    def call(
        self, inputs: Any, mask: Any = None, setup_memory: bool = False, memory_sequence_length: Any = None,
    ) -> tuple[Any, Any]:
        """Takes a memory, and returns it and its keys; or returns (alignments, next state) for a query and a
        state."""
    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        """None: alignments have a weight for every step of the memory."""
    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The initial state: the initial alignments."""
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]: ...
    def __init__(
        self, units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
        sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None, score_bias_init: float = 0.0,
        mode: str = 'parallel', kernel_initializer: Any = 'glorot_uniform', dtype: Any = None,
        name: str = 'BahdanauMonotonicAttention', **kwargs: Any,
    ) -> None: ...
    kernel_initializer: Any
    attention_v: Any
    attention_g: Any
    attention_b: Any
    units: Any
    normalize: Any
    values: Any
    keys: Any
    batch_size: Any
    query_layer: Any
    memory_layer: Any
    built: Any

class BaseDecoder(Decoder, Layer):
    """The base of decoders that are layers: `decoder(inputs, initial_state=state)` decodes a batch."""
    def call(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> tuple[Any, Any, Any]:
        """(the outputs of all steps, the final state, the length of each sequence)."""
    def __init__(
        self, output_time_major: bool = False, impute_finished: bool = False, maximum_iterations: Any = None,
        parallel_iterations: int = 32, swap_memory: bool = False, **kwargs: Any,
    ) -> None: ...
    maximum_iterations: Any
    output_time_major: Any
    impute_finished: Any
    parallel_iterations: Any
    swap_memory: Any

class BasicDecoder(Decoder):
    """A decoder that calls a cell with inputs from a helper."""
    @property
    def batch_size(self) -> Any:
        """The number of sequences."""
    @property
    def output_size(self) -> BasicDecoderOutput:
        """The sizes of a step's outputs."""
    @property
    def output_dtype(self) -> BasicDecoderOutput:
        """The dtypes of a step's outputs: the first one is that of the state."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """(which sequences are finished initially, the first inputs, the initial state)."""
    def step(
        self, time: Any, inputs: Any, state: Any, name: str | None = None,
    ) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which sequences are finished now)."""
    def __init__(self, cell: Any, helper: Any, initial_state: Any, output_layer: Any = None) -> None: ...

class _BasicDecoderOutput(NamedTuple):
    rnn_output: Any
    sample_id: Any

class BasicDecoderOutput(_BasicDecoderOutput):
    """The output of a step: `rnn_output` of the cell or the output layer, and the helper's `sample_id`."""

class BasicDecoderV2(BaseDecoder):
    """A layer that calls a cell with inputs from a sampler."""
    def initialize(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> tuple[Any, Any, Any]:
        """Begins with a batch; keywords go to the sampler."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def output_size(self) -> Any:
        """The sizes of a step's outputs."""
    @property
    def output_dtype(self) -> Any:
        """The dtypes of a step's outputs."""
    @property
    def tracks_own_finished(self) -> Any:
        """Whether finished sequences may resume."""
    def step(
        self, time: Any, inputs: Any, state: Any, name: str | None = None,
    ) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which sequences are finished now)."""
    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Post-processes (outputs, final state)."""
    def __init__(self, cell: Any, sampler: Any, output_layer: Any = None, **kwargs: Any) -> None: ...
    cell: Any
    sampler: Any
    output_layer: Any

class BeamSearchDecoder(Decoder):
    """A beam search decoder: in each step it extends the `beam_width` best prefixes of every sequence."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def tracks_own_finished(self) -> Any:
        """A beam may continue another one that is not finished."""
    @property
    def output_size(self) -> BeamSearchDecoderOutput:
        """The sizes of a step's outputs."""
    @property
    def output_dtype(self) -> BeamSearchDecoderOutput:
        """The dtypes of a step's outputs."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any, BeamSearchDecoderState]:
        """(which beams are finished initially, the first inputs, the initial state)."""
    def step(
        self, time: Any, inputs: Any, state: Any, name: str | None = None,
    ) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which beams are finished now)."""
    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """The tokens of every final beam, with the outputs of all steps."""
    def __init__(
        self, cell: Any, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any, beam_width: int,
        output_layer: Any = None, length_penalty_weight: Any = 0.0, coverage_penalty_weight: Any = 0.0,
        reorder_tensor_arrays: bool = True,
    ) -> None: ...

class _BeamSearchDecoderOutput(NamedTuple):
    scores: Any
    predicted_ids: Any
    parent_ids: Any

class BeamSearchDecoderOutput(_BeamSearchDecoderOutput):
    """The output of a step: `scores` of the beams, their last tokens `predicted_ids`, and `parent_ids`."""

class _BeamSearchDecoderState(NamedTuple):
    cell_state: Any
    log_probs: Any
    finished: Any
    lengths: Any
    accumulated_attention_probs: Any

class BeamSearchDecoderState(_BeamSearchDecoderState):
    """The state of a beam search; all fields have the axes batch and beam."""

class BeamSearchDecoderV2(BaseDecoder):
    """A layer that searches with beams: see `tf.contrib.seq2seq.BeamSearchDecoder`."""
    def call(
        self, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any, **kwargs: Any,
    ) -> tuple[Any, Any, Any]:
        """(the outputs of the search, the final state, the length of each sequence)."""
    def initialize(
        self, inputs: Any, start_tokens: Any = None, end_token: Any = None, initial_state: Any = None,
    ) -> tuple[Any, Any, Any]:
        """Begins with a batch."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def output_size(self) -> Any:
        """The sizes of a step's outputs."""
    @property
    def output_dtype(self) -> Any:
        """The dtypes of a step's outputs."""
    @property
    def tracks_own_finished(self) -> Any:
        """Whether finished sequences may resume."""
    def step(
        self, time: Any, inputs: Any, state: Any, name: str | None = None,
    ) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which sequences are finished now)."""
    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Post-processes (outputs, final state)."""
    def __init__(
        self, cell: Any, beam_width: int, embedding_fn: Any = None, output_layer: Any = None,
        length_penalty_weight: Any = 0.0, coverage_penalty_weight: Any = 0.0,
        reorder_tensor_arrays: bool = True, **kwargs: Any,
    ) -> None: ...
    cell: Any
    beam_width: Any
    embedding_fn: Any
    output_layer: Any

class CustomHelper(Helper):
    """A helper defined by functions."""
    @property
    def batch_size(self) -> Any:
        """The number of sequences."""
    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any]: ...
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any: ...
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None,
    ) -> Any: ...
    def __init__(
        self, initialize_fn: Callable[..., Any], sample_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any], sample_ids_shape: Any = None, sample_ids_dtype: Any = None,
    ) -> None: ...

class CustomSampler(Sampler):
    """A sampler defined by functions."""
    def initialize(self, inputs: Any, **kwargs: Any) -> tuple[Any, Any]:
        """(which sequences are finished initially, the first inputs)."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
    def sample(self, time: Any, outputs: Any, state: Any) -> Any: ...
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> tuple[Any, Any, Any]: ...
    def __init__(
        self, initialize_fn: Callable[..., Any], sample_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any], sample_ids_shape: Any = None, sample_ids_dtype: Any = None,
    ) -> None: ...

class Decoder:
    """The base of decoders: a subclass defines the initial inputs and one step."""
    @property
    def batch_size(self) -> Any:
        """The number of sequences."""
    @property
    def output_size(self) -> Any:
        """The sizes of a step's outputs."""
    @property
    def output_dtype(self) -> Any:
        """The dtypes of a step's outputs."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """(which sequences are finished initially, the first inputs, the initial state)."""
    def step(
        self, time: Any, inputs: Any, state: Any, name: str | None = None,
    ) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which sequences are finished now)."""
    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Post-processes (outputs, final state); the outputs are time-major."""
    @property
    def tracks_own_finished(self) -> bool:
        """Whether finished sequences may resume: then the flags of `step` are used unchanged."""

class _FinalBeamDecoderOutput(NamedTuple):
    predicted_ids: Any
    beam_search_decoder_output: Any

class FinalBeamSearchDecoderOutput(_FinalBeamDecoderOutput):
    """The output of a beam search: `predicted_ids`, best beam first, and `beam_search_decoder_output` of
    all steps."""

class GreedyEmbeddingHelper(Helper):
    """Greedy decoding: feeds the embedding of the most likely token back, until the end token."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def sample_ids_shape(self) -> Any:
        """A sample is a number."""
    @property
    def sample_ids_dtype(self) -> Any:
        """It is an int32."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any]: ...
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """The most likely tokens."""
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None,
    ) -> tuple[Tensor, Tensor, Any]: ...
    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None: ...

class GreedyEmbeddingSampler(Sampler):
    """Greedy decoding: feeds the embedding of the most likely token back, until the end token."""
    def initialize(
        self, embedding: Any, start_tokens: Any = None, end_token: Any = None,
    ) -> tuple[Any, Any]:
        """Begins with a batch."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
    def sample(self, time: Any, outputs: Any, state: Any) -> Any: ...
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> tuple[Any, Any, Any]: ...
    def __init__(self, embedding_fn: Callable[..., Any] | None = None) -> None: ...
    embedding_fn: Any

class Helper:
    """The base of helpers, which sample from a `tf.contrib.seq2seq.BasicDecoder`'s outputs and provide its
    inputs."""
    @property
    def batch_size(self) -> Any:
        """The number of sequences: a scalar tensor."""
    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """(which sequences are finished initially, the first inputs)."""
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Samples of a step's outputs."""
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None,
    ) -> tuple[Any, Any, Any]:
        """(which sequences are finished now, the next inputs, the next state)."""

class InferenceHelper(Helper):
    """Feeds a function of the outputs back, until another function marks a sequence as finished."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any]: ...
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any: ...
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None,
    ) -> tuple[Any, Any, Any]: ...
    def __init__(
        self, sample_fn: Callable[..., Any], sample_shape: Any, sample_dtype: Any, start_inputs: Any,
        end_fn: Callable[..., Any], next_inputs_fn: Callable[..., Any] | None = None,
    ) -> None: ...

class InferenceSampler(Sampler):
    """Feeds a function of the outputs back, until another function marks a sequence as finished."""
    def initialize(self, start_inputs: Any) -> tuple[Any, Any]:
        """Begins with the first inputs of a batch."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
    def sample(self, time: Any, outputs: Any, state: Any) -> Any: ...
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> tuple[Any, Any, Any]: ...
    def __init__(
        self, sample_fn: Callable[..., Any], sample_shape: Any, sample_dtype: Any, end_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any] | None = None,
    ) -> None: ...
    sample_fn: Any
    sample_shape: Any
    sample_dtype: Any
    end_fn: Any
    next_inputs_fn: Any

class LuongAttention(AttentionMechanism):
    """Luong attention (Luong et al., 2015): scores are products of queries and keys."""
    def __call__(self, query: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    @property
    def memory_layer(self) -> Any:
        """The layer that made the keys."""
    @property
    def query_layer(self) -> Any:
        """The layer that queries go through."""
    @property
    def values(self) -> Any:
        """The memory, zero beyond the lengths of the sequences."""
    @property
    def keys(self) -> Any:
        """What queries are compared with."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def alignments_size(self) -> Any:
        """How many steps the memory has."""
    @property
    def state_size(self) -> Any:
        """The state is the weights."""
    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: zeros."""
    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The initial state: the initial alignments."""
    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        probability_fn: Any = None, score_mask_value: Any = None, dtype: Any = None,
        custom_key_value_fn: Any = None, name: str = 'LuongAttention',
    ) -> None: ...
    dtype: Any

class LuongAttentionV2(AttentionMechanism, Layer):
    """Luong attention (Luong et al., 2015) as a layer: scores are products of queries and keys."""
    def get_config(self) -> dict[str, Any]:
        """What `from_config` makes the same mechanism from, without a memory."""
    @property
    def alignments_size(self) -> Any:
        """How many steps the memory has."""
    @property
    def state_size(self) -> Any:
        """The state is the weights."""
    def build(self, input_shape: Any) -> None:
        """Makes the variables of the memory, and then, when there is one, those of queries."""
    def call(
        self, inputs: Any, mask: Any = None, setup_memory: bool = False, memory_sequence_length: Any = None,
    ) -> tuple[Any, Any]:
        """Takes a memory, and returns it and its keys; or returns (alignments, next state) for a query and a
        state."""
    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        """None: alignments have a weight for every step of the memory."""
    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: zeros."""
    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The initial state: the initial alignments."""
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]: ...
    def __init__(
        self, units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        probability_fn: Any = 'softmax', dtype: Any = None, name: str = 'LuongAttention', **kwargs: Any,
    ) -> None: ...
    probability_fn: Any
    units: Any
    scale: Any
    attention_g: Any
    values: Any
    keys: Any
    batch_size: Any
    query_layer: Any
    memory_layer: Any
    built: Any

class LuongMonotonicAttention(AttentionMechanism):
    """Monotonic attention (Raffel et al., 2017) with the scores of `tf.contrib.seq2seq.LuongAttention`."""
    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: all weight at the first step of the memory."""
    def __call__(self, query: Any, state: Any) -> tuple[Tensor, Tensor]: ...
    @property
    def memory_layer(self) -> Any:
        """The layer that made the keys."""
    @property
    def query_layer(self) -> Any:
        """The layer that queries go through."""
    @property
    def values(self) -> Any:
        """The memory, zero beyond the lengths of the sequences."""
    @property
    def keys(self) -> Any:
        """What queries are compared with."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def alignments_size(self) -> Any:
        """How many steps the memory has."""
    @property
    def state_size(self) -> Any:
        """The state is the weights."""
    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The initial state: the initial alignments."""
    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        score_mask_value: Any = None, sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0, mode: str = 'parallel', dtype: Any = None,
        name: str = 'LuongMonotonicAttention',
    ) -> None: ...
    dtype: Any

class LuongMonotonicAttentionV2(AttentionMechanism, Layer):
    """Monotonic attention (Raffel et al., 2017) with the scores of
    `tf.contrib.seq2seq.LuongAttentionV2`."""
    attention_score_bias: Any
    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The initial alignments: all weight at the first step of the memory."""
    def get_config(self) -> dict[str, Any]:
        """What `from_config` makes the same mechanism from, without a memory."""
    @property
    def alignments_size(self) -> Any:
        """How many steps the memory has."""
    @property
    def state_size(self) -> Any:
        """The state is the weights."""
    def build(self, input_shape: Any) -> None:
        """Makes the variables of the memory, and then, when there is one, those of queries."""
    def call(
        self, inputs: Any, mask: Any = None, setup_memory: bool = False, memory_sequence_length: Any = None,
    ) -> tuple[Any, Any]:
        """Takes a memory, and returns it and its keys; or returns (alignments, next state) for a query and a
        state."""
    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        """None: alignments have a weight for every step of the memory."""
    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The initial state: the initial alignments."""
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]: ...
    def __init__(
        self, units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None, score_bias_init: float = 0.0,
        mode: str = 'parallel', dtype: Any = None, name: str = 'LuongMonotonicAttention', **kwargs: Any,
    ) -> None: ...
    units: Any
    scale: Any
    attention_g: Any
    values: Any
    keys: Any
    batch_size: Any
    query_layer: Any
    memory_layer: Any
    built: Any

class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """As `tf.contrib.seq2seq.GreedyEmbeddingHelper`, but samples tokens at random."""
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """Tokens sampled from the logits."""
    def __init__(
        self, embedding: Any, start_tokens: Any, end_token: Any, softmax_temperature: Any = None,
        seed: int | None = None,
    ) -> None: ...

class SampleEmbeddingSampler(GreedyEmbeddingSampler):
    """As `tf.contrib.seq2seq.GreedyEmbeddingSampler`, but samples tokens at random."""
    def __init__(
        self, embedding_fn: Callable[..., Any] | None = None, softmax_temperature: Any = None,
        seed: int | None = None,
    ) -> None: ...
    softmax_temperature: Any
    seed: Any

class Sampler:
    """The base of samplers, which sample from a `tf.contrib.seq2seq.BasicDecoderV2`'s outputs and provide
    its inputs."""
    @property
    def batch_size(self) -> Any:
        """The number of sequences: a scalar tensor."""
    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
    def initialize(self, inputs: Any, **kwargs: Any) -> tuple[Any, Any]:
        """(which sequences are finished initially, the first inputs)."""
    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """Samples of a step's outputs."""
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> tuple[Any, Any, Any]:
        """(which sequences are finished now, the next inputs, the next state)."""

class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Scheduled sampling (Bengio et al., 2015): feeds the embedding of a token sampled from the previous
    output."""
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """The sampled tokens, -1 for sequences with ground-truth input."""
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None,
    ) -> tuple[Any, Tensor, Any]: ...
    def __init__(
        self, inputs: Any, sequence_length: Any, embedding: Any, sampling_probability: Any,
        time_major: bool = False, seed: int | None = None, scheduling_seed: int | None = None,
        name: str | None = None,
    ) -> None: ...

class ScheduledEmbeddingTrainingSampler(Sampler):
    """Scheduled sampling (Bengio et al., 2015): feeds embeddings of sampled tokens in place of some
    inputs."""
    def initialize(
        self, inputs: Any, sequence_length: Any = None, mask: Any = None, embedding: Any = None,
    ) -> tuple[Any, Any]:
        """Begins with a batch: see `tf.contrib.seq2seq.TrainingSampler`; `embedding` has the rows of tokens."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
    def sample(self, time: Any, outputs: Any, state: Any) -> Any: ...
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> tuple[Any, Any, Any]: ...
    def __init__(
        self, sampling_probability: Any, embedding_fn: Callable[..., Any] | None = None,
        time_major: bool = False, seed: int | None = None, scheduling_seed: int | None = None,
    ) -> None: ...
    sampling_probability: Any
    embedding_fn: Any
    time_major: Any
    seed: Any
    scheduling_seed: Any

class ScheduledOutputTrainingHelper(TrainingHelper):
    """Scheduled sampling (Bengio et al., 2015): feeds the previous output instead of the input."""
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """1 for sequences that continue with the previous output, else 0."""
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None,
    ) -> tuple[Any, Tensor, Any]: ...
    def __init__(
        self, inputs: Any, sequence_length: Any, sampling_probability: Any, time_major: bool = False,
        seed: int | None = None, next_inputs_fn: Any = None, auxiliary_inputs: Any = None,
        name: str | None = None,
    ) -> None: ...

class ScheduledOutputTrainingSampler(Sampler):
    """Scheduled sampling (Bengio et al., 2015): feeds the previous output in place of some inputs."""
    def initialize(
        self, inputs: Any, sequence_length: Any = None, mask: Any = None, auxiliary_inputs: Any = None,
    ) -> tuple[Any, Any]:
        """Begins with a batch: see `tf.contrib.seq2seq.TrainingSampler`; `auxiliary_inputs` join inputs and
        outputs."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
    def sample(self, time: Any, outputs: Any, state: Any) -> Any: ...
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> tuple[Any, Any, Any]: ...
    def __init__(
        self, sampling_probability: Any, time_major: bool = False, seed: int | None = None,
        next_inputs_fn: Callable[..., Any] | None = None,
    ) -> None: ...
    sampling_probability: Any
    time_major: Any
    seed: Any
    next_inputs_fn: Any

class SequenceLoss(Loss):
    """`tf.contrib.seq2seq.sequence_loss` as a loss of Keras: `loss(targets, logits, weights)`."""
    def call(self, y_true: Any, y_pred: Any) -> Tensor:
        """The loss with all weights 1."""
    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Tensor: ...
    def __init__(
        self, average_across_timesteps: bool = False, average_across_batch: bool = False,
        sum_over_timesteps: bool = True, sum_over_batch: bool = True, softmax_loss_function: Any = None,
        name: str | None = None,
    ) -> None: ...
    softmax_loss_function: Any
    average_across_timesteps: Any
    average_across_batch: Any
    sum_over_timesteps: Any
    sum_over_batch: Any

class TrainingHelper(Helper):
    """Teacher forcing: feeds a decoder the ground-truth inputs."""
    @property
    def inputs(self) -> Any:
        """The inputs of all steps, as they were given."""
    @property
    def sequence_length(self) -> Any:
        """The number of steps of each sequence."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def sample_ids_shape(self) -> Any:
        """A sample is a number."""
    @property
    def sample_ids_dtype(self) -> Any:
        """It is an int32."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any]: ...
    def sample(self, time: Any, outputs: Any, name: str | None = None, **unused_kwargs: Any) -> Any:
        """The most likely tokens; not used in training."""
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, name: str | None = None, **unused_kwargs: Any,
    ) -> tuple[Tensor, Any, Any]: ...
    def __init__(
        self, inputs: Any, sequence_length: Any, time_major: bool = False, name: str | None = None,
    ) -> None: ...

class TrainingSampler(Sampler):
    """Teacher forcing: feeds a decoder the ground-truth inputs."""
    def initialize(self, inputs: Any, sequence_length: Any = None, mask: Any = None) -> tuple[Any, Any]:
        """Begins with a batch."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
    def sample(self, time: Any, outputs: Any, state: Any) -> Any: ...
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> tuple[Any, Any, Any]: ...
    def __init__(self, time_major: bool = False) -> None: ...
    time_major: Any

def dynamic_decode(
    decoder: Any, output_time_major: Any = False, impute_finished: Any = False,
    maximum_iterations: Any = None, parallel_iterations: Any = 32, swap_memory: bool = False,
    scope: Any = None, **kwargs: Any,
) -> tuple[Any, Any, Any]:
    """Runs `decoder.step` in a loop until every sequence is finished."""

gather_tree = GatherTree

def hardmax(logits: Any, name: str | None = None) -> Tensor:
    """A one-hot argmax along the last axis: 1 at the maximum, 0 elsewhere."""

def monotonic_attention(p_choose_i: Any, previous_attention: Any, mode: Any) -> Any:
    """The monotonic attention distribution (Raffel et al., 2017), given that of the previous step."""

def safe_cumprod(x: Any, *args: Any, **kwargs: Any) -> Tensor:
    """The cumulative product of numbers in [0, 1], computed as a sum of logarithms so that gradients stay
    finite."""

def sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: Any = True,
    average_across_batch: Any = True, sum_over_timesteps: Any = False, sum_over_batch: Any = False,
    softmax_loss_function: Any = None, name: str | None = None,
) -> Tensor:
    """The weighted softmax cross entropy of a batch of sequences."""

def tile_batch(t: Any, multiplier: Any, name: str | None = None) -> Any:
    """Repeats each sequence of a batch, one copy per beam."""
