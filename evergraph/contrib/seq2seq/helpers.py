"""Helpers, which provide a decoder's inputs: the base class, and helpers for inference."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, random
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import where
from evergraph.frontend.nn.embedding import embedding_lookup
from evergraph.frontend.reduce import argmax, reduce_all
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import pad, reshape
from evergraph.ops.math import elementwise


@export("contrib.seq2seq.Helper")
class Helper:
    """The base of helpers, which sample from a `tf.contrib.seq2seq.BasicDecoder`'s outputs and provide its inputs.

    A subclass has the properties `batch_size`, `sample_ids_shape` (without the batch) and `sample_ids_dtype`,
    and the methods below.
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

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """(which sequences are finished initially, the first inputs)."""
        raise NotImplementedError

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Samples of a step's outputs."""
        raise NotImplementedError

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any,
                    name: str | None = None) -> tuple[Any, Any, Any]:
        """(which sequences are finished now, the next inputs, the next state)."""
        raise NotImplementedError

    _steps: Any = None  # see tf.contrib.seq2seq.Decoder


@export("contrib.seq2seq.CustomHelper")
class CustomHelper(Helper):
    """A helper defined by functions.

    Args:
        initialize_fn: a function () -> (finished, inputs).
        sample_fn: a function (time, outputs, state) -> samples, called with these keywords.
        next_inputs_fn: a function (time, outputs, state, sample_ids) -> (finished, next inputs, next state), called
            with these keywords.
        sample_ids_shape: the shape of a sample; by default a scalar's.
        sample_ids_dtype: its dtype; by default int32.
    """

    def __init__(self, initialize_fn: Callable[..., Any], sample_fn: Callable[..., Any],
                 next_inputs_fn: Callable[..., Any], sample_ids_shape: Any = None,
                 sample_ids_dtype: Any = None) -> None:
        self._initialize_fn, self._sample_fn, self._next_inputs_fn = initialize_fn, sample_fn, next_inputs_fn
        self._batch_size: Tensor | None = None
        self._sample_ids_shape = TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or dtypes.int32

    @property
    def batch_size(self) -> Any:
        """The number of sequences.

        Raises:
            ValueError: unknown before `initialize`.
        """
        if self._batch_size is None:
            raise ValueError("the batch size of a CustomHelper is known only after initialize")
        return self._batch_size

    sample_ids_shape = property(lambda self: self._sample_ids_shape, doc="The shape of a sample.")
    sample_ids_dtype = property(lambda self: self._sample_ids_dtype, doc="The dtype of a sample.")

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        with name_scope(name, f"{type(self).__name__}Initialize"):
            finished, inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = array.size(finished)
        return finished, inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        with name_scope(name, f"{type(self).__name__}Sample", [time, outputs, *nest.flatten(state)]):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        with name_scope(name, f"{type(self).__name__}NextInputs", [time, outputs, *nest.flatten(state)]):
            return self._next_inputs_fn(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


def embedding_function(embedding: Any) -> Callable[[Any], Tensor]:
    """The embedding function: `embedding` itself, or a lookup in it."""
    return embedding if callable(embedding) else lambda ids: embedding_lookup(embedding, ids)


def start_and_end(start_tokens: Any, end_token: Any) -> tuple[Tensor, Tensor]:
    """The start and end tokens as tensors.

    Raises:
        ValueError: `start_tokens` is not a vector, or `end_token` not a scalar.
    """
    start = convert_to_tensor(start_tokens, dtype=dtypes.int32, name="start_tokens")
    end = convert_to_tensor(end_token, dtype=dtypes.int32, name="end_token")
    if start.shape.ndims != 1:
        raise ValueError(f"start_tokens must be a vector, but has the shape {start.shape}")
    if end.shape.ndims != 0:
        raise ValueError(f"end_token must be a scalar, but has the shape {end.shape}")
    return start, end


def sampled_symbols(logits: Any, seed: int | None) -> Tensor:
    """One token per row of logits, sampled from their softmax."""
    flat = logits if logits.shape.ndims == 2 else reshape.reshape(logits, [-1, array.shape(logits)[-1]])
    draws = random.multinomial(flat, 1, seed=seed, output_dtype=dtypes.int32)
    return reshape.reshape(draws, array.shape(logits)[:-1])


def require_tensor(outputs: Any) -> None:
    """Raises TypeError unless a cell's outputs are a tensor of logits."""
    if not isinstance(outputs, Tensor):
        raise TypeError(f"symbols are chosen by one tensor of logits, not by {outputs!r}")


@export("contrib.seq2seq.GreedyEmbeddingHelper")
class GreedyEmbeddingHelper(Helper):
    """Greedy decoding: feeds the embedding of the most likely token back, until the end token.

    Args:
        embedding: a function of token ids, or the `params` of `tf.nn.embedding_lookup`.
        start_tokens: the start token of each sequence: an int32 vector.
        end_token: the end token: an int32 scalar.

    Raises:
        ValueError: `start_tokens` is not a vector, or `end_token` not a scalar.
    """

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None:
        self._embedding_fn = embedding_function(embedding)
        self._start_tokens, self._end_token = start_and_end(start_tokens, end_token)
        self._batch_size = array.size(self._start_tokens)
        self._start_inputs = self._embedding_fn(self._start_tokens)

    batch_size = property(lambda self: self._batch_size, doc="How many sequences there are.")
    sample_ids_shape = property(lambda self: TensorShape([]), doc="A sample is a number.")
    sample_ids_dtype = property(lambda self: dtypes.int32, doc="It is an int32.")

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        return pad.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """The most likely tokens."""
        require_tensor(outputs)
        return argmax(outputs, axis=-1, output_type=dtypes.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        finished = elementwise.equal(sample_ids, self._end_token)
        inputs = where(reduce_all(finished), self._start_inputs, self._embedding_fn(sample_ids))
        return finished, inputs, state


@export("contrib.seq2seq.SampleEmbeddingHelper")
class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """As `tf.contrib.seq2seq.GreedyEmbeddingHelper`, but samples tokens at random.

    Args:
        embedding, start_tokens, end_token: see there.
        softmax_temperature: the divisor of the logits: above 1 for more randomness, below for less.
        seed: see `tf.set_random_seed`.

    Raises:
        ValueError: `start_tokens` is not a vector, or `end_token` not a scalar.
    """

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any, softmax_temperature: Any = None,
                 seed: int | None = None) -> None:
        super().__init__(embedding, start_tokens, end_token)
        self._softmax_temperature, self._seed = softmax_temperature, seed

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """Tokens sampled from the logits."""
        require_tensor(outputs)
        logits = outputs if self._softmax_temperature is None else outputs / self._softmax_temperature
        return sampled_symbols(logits, self._seed)


@export("contrib.seq2seq.InferenceHelper")
class InferenceHelper(Helper):
    """Feeds a function of the outputs back, until another function marks a sequence as finished.

    Args:
        sample_fn: a function outputs -> samples.
        sample_shape: the shape of a sample: a size or a list of them.
        sample_dtype: its dtype.
        start_inputs: the first inputs, with a batch as their first axis.
        end_fn: a function samples -> which sequences are finished.
        next_inputs_fn: a function samples -> the next inputs; by default these are the samples.
    """

    def __init__(self, sample_fn: Callable[..., Any], sample_shape: Any, sample_dtype: Any, start_inputs: Any,
                 end_fn: Callable[..., Any], next_inputs_fn: Callable[..., Any] | None = None) -> None:
        self._sample_fn, self._end_fn, self._next_inputs_fn = sample_fn, end_fn, next_inputs_fn
        self._sample_shape, self._sample_dtype = TensorShape(sample_shape), sample_dtype
        self._start_inputs = convert_to_tensor(start_inputs, name="start_inputs")
        self._batch_size = array.shape(start_inputs)[0]

    batch_size = property(lambda self: self._batch_size, doc="How many sequences there are.")
    sample_ids_shape = property(lambda self: self._sample_shape, doc="The shape of a sample.")
    sample_ids_dtype = property(lambda self: self._sample_dtype, doc="The dtype of a sample.")

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        return pad.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        return self._sample_fn(outputs)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        inputs = sample_ids if self._next_inputs_fn is None else self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), inputs, state
