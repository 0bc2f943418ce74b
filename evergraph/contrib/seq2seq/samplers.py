"""Samplers: helpers that get their inputs when decoding begins, so that one decoder serves many batches."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.seq2seq import helpers, training
from evergraph.distributions.discrete import Bernoulli, Categorical
from evergraph.frontend import array, checks, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.indexing import sequence_mask
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic, pad


@export("contrib.seq2seq.Sampler")
class Sampler:
    """The base of samplers, which sample from a `tf.contrib.seq2seq.BasicDecoderV2`'s outputs and provide its inputs.

    A subclass has the properties `batch_size`, `sample_ids_shape` (without the batch) and `sample_ids_dtype`, which may
    be asked for after `initialize`, and the methods below.
    """

    @property
    def batch_size(self) -> Any:
        """The number of sequences: a scalar tensor."""
        raise NotImplementedError(f"{type(self).__name__} does not say its batch_size")

    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample."""
        raise NotImplementedError(f"{type(self).__name__} does not say its sample_ids_shape")

    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
        raise NotImplementedError(f"{type(self).__name__} does not say its sample_ids_dtype")

    def initialize(self, inputs: Any, **kwargs: Any) -> tuple[Any, Any]:
        """(which sequences are finished initially, the first inputs)."""
        raise NotImplementedError

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """Samples of a step's outputs."""
        raise NotImplementedError

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> tuple[Any, Any, Any]:
        """(which sequences are finished now, the next inputs, the next state)."""
        raise NotImplementedError

    _steps: Any = None  # see tf.contrib.seq2seq.Decoder


class _OfHelper(Sampler):
    """The base of samplers that make a helper for each batch: a subclass defines `_made`."""

    _helper: Any = None

    def _asked(self) -> Any:
        """The helper.

        Raises:
            ValueError: there is none before `initialize`.
        """
        if self._helper is None:
            raise ValueError(f"what is asked of {type(self).__name__} is known only after initialize")
        return self._helper

    batch_size = property(lambda self: self._asked().batch_size, doc="How many sequences there are.")
    sample_ids_shape = property(lambda self: self._asked().sample_ids_shape, doc="The shape of a sample.")
    sample_ids_dtype = property(lambda self: self._asked().sample_ids_dtype, doc="The dtype of a sample.")
    _steps = property(lambda self: self._asked()._steps)

    def _start(self, helper: Any) -> tuple[Any, Any]:
        self._helper = helper
        return helper.initialize()

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        return self._asked().sample(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> tuple[Any, Any, Any]:
        return self._asked().next_inputs(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


@export("contrib.seq2seq.CustomSampler")
class CustomSampler(_OfHelper):
    """A sampler defined by functions.

    Args:
        initialize_fn: a function (inputs, **keywords) -> (finished, first inputs).
        sample_fn, next_inputs_fn, sample_ids_shape, sample_ids_dtype: see `tf.contrib.seq2seq.CustomHelper`.
    """

    def __init__(self, initialize_fn: Callable[..., Any], sample_fn: Callable[..., Any],
                 next_inputs_fn: Callable[..., Any], sample_ids_shape: Any = None,
                 sample_ids_dtype: Any = None) -> None:
        self._initialize_fn = initialize_fn
        self._others = (sample_fn, next_inputs_fn, sample_ids_shape, sample_ids_dtype)

    def initialize(self, inputs: Any, **kwargs: Any) -> tuple[Any, Any]:
        """(which sequences are finished initially, the first inputs)."""
        return self._start(helpers.CustomHelper(lambda: self._initialize_fn(inputs, **kwargs), *self._others))


def _lengths(inputs: Any, time_major: bool, sequence_length: Any, mask: Any) -> Tensor:
    """The lengths of sequences, given as such, or by a mask, or by neither: then all are complete.

    Raises:
        ValueError: both are given.
    """
    if sequence_length is not None and mask is not None:
        raise ValueError("sequence_length and mask exclude each other")
    if sequence_length is not None:
        return convert_to_tensor(sequence_length, name="sequence_length")
    if mask is None:
        sizes = array.shape(inputs)
        return pad.tile(sizes[:1] if time_major else sizes[1:2], sizes[1:2] if time_major else sizes[:1])
    mask = math.cast(mask, dtypes.bool)
    mask = array.transpose(mask) if time_major else mask
    lengths = reduce_sum(math.cast(mask, dtypes.int32), 1)
    kept = checks.assert_equal(mask, sequence_mask(lengths, array.shape(mask)[1]),
                               message="a mask of the inputs may leave out steps at their end alone")
    with control_dependencies([] if kept is None else [kept]):
        return basic.identity(lengths)


@export("contrib.seq2seq.TrainingSampler")
class TrainingSampler(_OfHelper):
    """Teacher forcing: feeds a decoder the ground-truth inputs.

    Args:
        time_major: True for inputs of shape [time, batch, ...].
    """

    def __init__(self, time_major: bool = False) -> None:
        self.time_major = time_major

    def initialize(self, inputs: Any, sequence_length: Any = None, mask: Any = None) -> tuple[Any, Any]:
        """Begins with a batch.

        Args:
            inputs: a tensor of shape [batch, time, ...].
            sequence_length: the length of each sequence.
            mask: in its place, which steps there are: [batch, time]. Without both all sequences are complete.

        Returns:
            (which sequences are finished initially, the first inputs).
        """
        inputs = convert_to_tensor(inputs, name="inputs")
        lengths = _lengths(inputs, self.time_major, sequence_length, mask)
        return self._start(training.TrainingHelper(inputs, lengths, self.time_major))


@export("contrib.seq2seq.ScheduledEmbeddingTrainingSampler")
class ScheduledEmbeddingTrainingSampler(_OfHelper):
    """Scheduled sampling (Bengio et al., 2015): feeds embeddings of sampled tokens in place of some inputs.

    Args:
        sampling_probability: the probability of replacing an input: a scalar, or a vector with one per sequence.
        embedding_fn: a function of token ids; by default a lookup in the `embedding` of `initialize`.
        time_major: True for inputs of shape [time, batch, ...].
        seed: the seed of the tokens.
        scheduling_seed: the seed of the choice.
    """

    def __init__(self, sampling_probability: Any, embedding_fn: Callable[..., Any] | None = None,
                 time_major: bool = False, seed: int | None = None, scheduling_seed: int | None = None) -> None:
        self.sampling_probability, self.embedding_fn, self.time_major = sampling_probability, embedding_fn, time_major
        self.seed, self.scheduling_seed = seed, scheduling_seed

    def initialize(self, inputs: Any, sequence_length: Any = None, mask: Any = None,
                   embedding: Any = None) -> tuple[Any, Any]:
        """Begins with a batch: see `tf.contrib.seq2seq.TrainingSampler`; `embedding` has the rows of tokens."""
        inputs = convert_to_tensor(inputs, name="inputs")
        return self._start(training.ScheduledEmbeddingTrainingHelper(
            inputs, _lengths(inputs, self.time_major, sequence_length, mask),
            _embedding(self.embedding_fn, embedding), self.sampling_probability, time_major=self.time_major,
            seed=self.seed, scheduling_seed=self.scheduling_seed))


def _embedding(function: Any, given: Any) -> Any:
    """The embedding: the function of the sampler, or what a batch began with.

    Raises:
        ValueError: there is neither.
    """
    if function is None and given is None:
        raise ValueError("an embedding is needed: say embedding_fn, or begin with an embedding")
    return given if function is None else function


@export("contrib.seq2seq.ScheduledOutputTrainingSampler")
class ScheduledOutputTrainingSampler(_OfHelper):
    """Scheduled sampling (Bengio et al., 2015): feeds the previous output in place of some inputs.

    Args:
        sampling_probability: the probability of replacing an input: a scalar, or a vector with one per sequence.
        time_major: True for inputs of shape [time, batch, ...].
        seed: the seed of the choice.
        next_inputs_fn: a function from outputs to inputs; by default the identity.
    """

    def __init__(self, sampling_probability: Any, time_major: bool = False, seed: int | None = None,
                 next_inputs_fn: Callable[..., Any] | None = None) -> None:
        self.sampling_probability, self.time_major = sampling_probability, time_major
        self.seed, self.next_inputs_fn = seed, next_inputs_fn

    def initialize(self, inputs: Any, sequence_length: Any = None, mask: Any = None,
                   auxiliary_inputs: Any = None) -> tuple[Any, Any]:
        """Begins with a batch: see `tf.contrib.seq2seq.TrainingSampler`; `auxiliary_inputs` join inputs and outputs."""
        inputs = convert_to_tensor(inputs, name="inputs")
        return self._start(training.ScheduledOutputTrainingHelper(
            inputs, _lengths(inputs, self.time_major, sequence_length, mask), self.sampling_probability,
            time_major=self.time_major, seed=self.seed, next_inputs_fn=self.next_inputs_fn,
            auxiliary_inputs=auxiliary_inputs))


@export("contrib.seq2seq.GreedyEmbeddingSampler")
class GreedyEmbeddingSampler(_OfHelper):
    """Greedy decoding: feeds the embedding of the most likely token back, until the end token.

    Args:
        embedding_fn: a function of token ids; by default a lookup in the `embedding` of `initialize`.
    """

    def __init__(self, embedding_fn: Callable[..., Any] | None = None) -> None:
        self.embedding_fn = embedding_fn

    def initialize(self, embedding: Any, start_tokens: Any = None, end_token: Any = None) -> tuple[Any, Any]:
        """Begins with a batch.

        Args:
            embedding: the rows of tokens; unused if the sampler has an `embedding_fn`.
            start_tokens: the start token of each sequence: an int32 vector.
            end_token: the end token: an int32 scalar.

        Returns:
            (which sequences are finished initially, the first inputs).
        """
        return self._start(self._made(_embedding(self.embedding_fn, embedding), start_tokens, end_token))

    def _made(self, embedding: Any, start_tokens: Any, end_token: Any) -> Any:
        return helpers.GreedyEmbeddingHelper(embedding, start_tokens, end_token)


@export("contrib.seq2seq.SampleEmbeddingSampler")
class SampleEmbeddingSampler(GreedyEmbeddingSampler):
    """As `tf.contrib.seq2seq.GreedyEmbeddingSampler`, but samples tokens at random.

    Args:
        embedding_fn: see there.
        softmax_temperature: the divisor of the logits: above 1 for more randomness, below for less.
        seed: see `tf.set_random_seed`.
    """

    def __init__(self, embedding_fn: Callable[..., Any] | None = None, softmax_temperature: Any = None,
                 seed: int | None = None) -> None:
        super().__init__(embedding_fn)
        self.softmax_temperature, self.seed = softmax_temperature, seed

    def _made(self, embedding: Any, start_tokens: Any, end_token: Any) -> Any:
        return helpers.SampleEmbeddingHelper(embedding, start_tokens, end_token, self.softmax_temperature, self.seed)


@export("contrib.seq2seq.InferenceSampler")
class InferenceSampler(_OfHelper):
    """Feeds a function of the outputs back, until another function marks a sequence as finished.

    Args:
        sample_fn, sample_shape, sample_dtype, end_fn, next_inputs_fn: see `tf.contrib.seq2seq.InferenceHelper`.
    """

    def __init__(self, sample_fn: Callable[..., Any], sample_shape: Any, sample_dtype: Any,
                 end_fn: Callable[..., Any], next_inputs_fn: Callable[..., Any] | None = None) -> None:
        self.sample_fn, self.sample_shape, self.sample_dtype = sample_fn, sample_shape, sample_dtype
        self.end_fn, self.next_inputs_fn = end_fn, next_inputs_fn

    def initialize(self, start_inputs: Any) -> tuple[Any, Any]:
        """Begins with the first inputs of a batch."""
        return self._start(helpers.InferenceHelper(
            self.sample_fn, self.sample_shape, self.sample_dtype, start_inputs, self.end_fn, self.next_inputs_fn))


def bernoulli_sample(probs=None, logits=None, dtype=dtypes.int32, sample_shape=(), seed=None):
    """Samples of zeros and ones, by the probability of a one or its log-odds."""
    return Bernoulli(probs=probs, logits=logits, dtype=dtype).sample(sample_shape, seed=seed)


def categorical_sample(logits, dtype=dtypes.int32, sample_shape=(), seed=None):
    """Samples of class numbers, by unnormalized log probabilities along the last axis."""
    return Categorical(logits=logits, dtype=dtype).sample(sample_shape, seed=seed)
