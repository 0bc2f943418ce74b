# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.seq2seq."""

from collections.abc import Callable
from evergraph import Tensor
from evergraph.nn.rnn_cell import RNNCell
from evergraph.raw_ops import GatherTree
from typing import Any, NamedTuple

import sys
if sys.platform == "":
    del (
        attention, basic, beam, beam_step, decoder, helpers, loss, monotonic, training, wrapper,
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
    """The output of a step: that of the cell or the output layer, and the helper's sample ids."""

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
    """The output of a step: the beams' scores, their last tokens, and their parent beams."""

class _BeamSearchDecoderState(NamedTuple):
    cell_state: Any
    log_probs: Any
    finished: Any
    lengths: Any
    accumulated_attention_probs: Any

class BeamSearchDecoderState(_BeamSearchDecoderState):
    """The state of a beam search; all fields have the axes batch and beam."""

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
    """The output of a beam search: the tokens of every beam, the best beam first, and the outputs of all
    steps."""

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

class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """As `tf.contrib.seq2seq.GreedyEmbeddingHelper`, but samples tokens at random."""
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """Tokens sampled from the logits."""
    def __init__(
        self, embedding: Any, start_tokens: Any, end_token: Any, softmax_temperature: Any = None,
        seed: int | None = None,
    ) -> None: ...

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
