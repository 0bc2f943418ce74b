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
        """How many steps the memory has."""
    @property
    def state_size(self) -> Any:
        """The sizes of the state."""

class AttentionWrapper(RNNCell):
    """A cell that attends to a memory in every step."""
    @property
    def output_size(self) -> Any:
        """The size of what is attended to, or of the cell's output."""
    @property
    def state_size(self) -> AttentionWrapperState:
        """The sizes of the state."""
    def zero_state(self, batch_size: Any, dtype: Any) -> AttentionWrapperState:
        """The state to begin with: zeros, but for a cell state that was given, and what mechanisms begin
        with."""
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
    """The state of an `tf.contrib.seq2seq.AttentionWrapper`; of several mechanisms the last three are
    tuples."""
    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """The state with other values for some fields, of the same shapes."""

class BahdanauAttention(AttentionMechanism):
    """Attention by a small network of queries and keys (Bahdanau et al., 2014)."""
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
        """The weights before the first step: zeros."""
    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The state before the first step: the weights before it."""
    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
        probability_fn: Any = None, score_mask_value: Any = None, dtype: Any = None,
        custom_key_value_fn: Any = None, name: str = 'BahdanauAttention',
    ) -> None: ...
    dtype: Any

class BahdanauMonotonicAttention(AttentionMechanism):
    """Monotonic attention with the scores of `tf.contrib.seq2seq.BahdanauAttention`."""
    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The weights before the first step: all at the first step of the memory."""
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
        """The state before the first step: the weights before it."""
    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
        score_mask_value: Any = None, sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0, mode: str = 'parallel', dtype: Any = None,
        name: str = 'BahdanauMonotonicAttention',
    ) -> None: ...
    dtype: Any

class BasicDecoder(Decoder):
    """Calls a cell with inputs that a helper chooses."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def output_size(self) -> BasicDecoderOutput:
        """The sizes of what a step gives out."""
    @property
    def output_dtype(self) -> BasicDecoderOutput:
        """The dtypes of what a step gives out: the first one is that of the state."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """(which sequences are finished before the first step, the first inputs, the first state)."""
    def step(
        self, time: Any, inputs: Any, state: Any, name: str | None = None,
    ) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which sequences are finished now)."""
    def __init__(self, cell: Any, helper: Any, initial_state: Any, output_layer: Any = None) -> None: ...

class _BasicDecoderOutput(NamedTuple):
    rnn_output: Any
    sample_id: Any

class BasicDecoderOutput(_BasicDecoderOutput):
    """What a step gives out: the output of the cell or of the layer after it, and the helper's sample of
    that."""

class BeamSearchDecoder(Decoder):
    """Decodes with a beam search: in each step the `beam_width` best beginnings of every sequence are
    continued."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def tracks_own_finished(self) -> Any:
        """A beam may continue another one that is not finished."""
    @property
    def output_size(self) -> BeamSearchDecoderOutput:
        """The sizes of what a step gives out."""
    @property
    def output_dtype(self) -> BeamSearchDecoderOutput:
        """The dtypes of what a step gives out."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any, BeamSearchDecoderState]:
        """(which beams are finished before the first step, the first inputs, the first state)."""
    def step(
        self, time: Any, inputs: Any, state: Any, name: str | None = None,
    ) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which beams are finished now)."""
    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """The symbols of every beam in order, beside the outputs of all steps."""
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
    """What a step gives out: the scores of the beams, their last symbols, and the beams that they
    continue."""

class _BeamSearchDecoderState(NamedTuple):
    cell_state: Any
    log_probs: Any
    finished: Any
    lengths: Any
    accumulated_attention_probs: Any

class BeamSearchDecoderState(_BeamSearchDecoderState):
    """The state of a beam search, all with the axes batch and beam."""

class CustomHelper(Helper):
    """A helper made of functions."""
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
    ) -> Any: ...
    def __init__(
        self, initialize_fn: Callable[..., Any], sample_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any], sample_ids_shape: Any = None, sample_ids_dtype: Any = None,
    ) -> None: ...

class Decoder:
    """The base of decoders: a subclass says how a sequence begins and what one step does."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are."""
    @property
    def output_size(self) -> Any:
        """The sizes of what a step gives out."""
    @property
    def output_dtype(self) -> Any:
        """The dtypes of what a step gives out."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """(which sequences are finished before the first step, the inputs of that step, the state to begin
        with)."""
    def step(
        self, time: Any, inputs: Any, state: Any, name: str | None = None,
    ) -> tuple[Any, Any, Any, Any]:
        """(outputs, next state, next inputs, which sequences are finished now)."""
    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """(outputs, state) as the caller gets them; the outputs that come in have time as their first axis."""
    @property
    def tracks_own_finished(self) -> bool:
        """Whether a finished sequence may go on: then what `step` says holds, also for those finished
        before."""

class _FinalBeamDecoderOutput(NamedTuple):
    predicted_ids: Any
    beam_search_decoder_output: Any

class FinalBeamSearchDecoderOutput(_FinalBeamDecoderOutput):
    """What a beam search gives out: the symbols of every beam, the best beam first, and the outputs of all
    steps."""

class GreedyEmbeddingHelper(Helper):
    """Feeds the likeliest symbol of each step back, through an embedding, until a symbol that ends the
    sequence."""
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
        """The likeliest symbols."""
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None,
    ) -> tuple[Tensor, Tensor, Any]: ...
    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None: ...

class Helper:
    """The base of helpers, which a `tf.contrib.seq2seq.BasicDecoder` asks for samples of its outputs and
    for inputs."""
    @property
    def batch_size(self) -> Any:
        """How many sequences there are: a scalar tensor."""
    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """(which sequences are finished before the first step, the inputs of that step)."""
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Samples of a step's outputs."""
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None,
    ) -> tuple[Any, Any, Any]:
        """(which sequences are finished now, the next inputs, the next state)."""

class InferenceHelper(Helper):
    """Feeds what a function makes of the outputs back, until another function says that a sequence is
    finished."""
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
    """Attention by products of queries and keys (Luong et al., 2015)."""
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
        """The weights before the first step: zeros."""
    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The state before the first step: the weights before it."""
    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        probability_fn: Any = None, score_mask_value: Any = None, dtype: Any = None,
        custom_key_value_fn: Any = None, name: str = 'LuongAttention',
    ) -> None: ...
    dtype: Any

class LuongMonotonicAttention(AttentionMechanism):
    """Monotonic attention with the scores of `tf.contrib.seq2seq.LuongAttention`."""
    def initial_alignments(self, batch_size: Any, dtype: Any) -> Tensor:
        """The weights before the first step: all at the first step of the memory."""
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
        """The state before the first step: the weights before it."""
    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        score_mask_value: Any = None, sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0, mode: str = 'parallel', dtype: Any = None,
        name: str = 'LuongMonotonicAttention',
    ) -> None: ...
    dtype: Any

class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """The same as `tf.contrib.seq2seq.GreedyEmbeddingHelper`, but symbols are drawn at random."""
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """Symbols drawn with the probabilities of the outputs, which are logits."""
    def __init__(
        self, embedding: Any, start_tokens: Any, end_token: Any, softmax_temperature: Any = None,
        seed: int | None = None,
    ) -> None: ...

class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Gives the right inputs, but with some probability the embedding of a symbol drawn from the output
    before."""
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """The symbols to go on with, -1 for sequences that get the right input."""
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None,
    ) -> tuple[Any, Tensor, Any]: ...
    def __init__(
        self, inputs: Any, sequence_length: Any, embedding: Any, sampling_probability: Any,
        time_major: bool = False, seed: int | None = None, scheduling_seed: int | None = None,
        name: str | None = None,
    ) -> None: ...

class ScheduledOutputTrainingHelper(TrainingHelper):
    """Gives the right inputs, but with some probability the output before."""
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """1 for sequences that go on with the output before, else 0."""
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None,
    ) -> tuple[Any, Tensor, Any]: ...
    def __init__(
        self, inputs: Any, sequence_length: Any, sampling_probability: Any, time_major: bool = False,
        seed: int | None = None, next_inputs_fn: Any = None, auxiliary_inputs: Any = None,
        name: str | None = None,
    ) -> None: ...

class TrainingHelper(Helper):
    """Gives a decoder the inputs of each step from a tensor."""
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
        """The likeliest symbols of the outputs, which training does without."""
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
    """Calls `decoder.step` until every sequence is finished."""

gather_tree = GatherTree

def hardmax(logits: Any, name: str | None = None) -> Tensor:
    """1 at the greatest number along the last axis, 0 elsewhere."""

def monotonic_attention(p_choose_i: Any, previous_attention: Any, mode: Any) -> Any:
    """How likely each step of a memory is attended to, when the one before was as likely as
    `previous_attention` says."""

def safe_cumprod(x: Any, *args: Any, **kwargs: Any) -> Tensor:
    """Products of the numbers so far, in [0, 1], computed as sums of logarithms so that gradients stay
    finite."""

def sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: Any = True,
    average_across_batch: Any = True, sum_over_timesteps: Any = False, sum_over_batch: Any = False,
    softmax_loss_function: Any = None, name: str | None = None,
) -> Tensor:
    """The weighted cross entropy of a batch of sequences."""

def tile_batch(t: Any, multiplier: Any, name: str | None = None) -> Any:
    """Repeats each sequence of a batch, one copy for each beam."""
