"""Helpers for training: teacher forcing and scheduled sampling."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.seq2seq.helpers import Helper, embedding_function, require_tensor, sampled_symbols
from evergraph.frontend import array, math, random
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import cond
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import argmax, reduce_all, reduce_max
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.layers.rnn import transpose_batch_time
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise


def _rows(tensor: Tensor) -> TensorArray:
    """The steps of a tensor whose first axis is time."""
    return TensorArray(tensor.dtype.base_dtype, size=array.shape(tensor)[0],
                       element_shape=tensor.shape[1:]).unstack(tensor)


@export("contrib.seq2seq.TrainingHelper")
class TrainingHelper(Helper):
    """Teacher forcing: feeds a decoder the ground-truth inputs.

    Args:
        inputs: a tensor of shape [batch, time, ...], or a structure of them.
        sequence_length: the length of each sequence: an int32 vector.
        time_major: True for inputs of shape [time, batch, ...].
        name: a name scope.

    Raises:
        ValueError: `sequence_length` is not a vector.
    """

    def __init__(self, inputs: Any, sequence_length: Any, time_major: bool = False, name: str | None = None) -> None:
        with name_scope(name, "TrainingHelper", [*nest.flatten(inputs), sequence_length]):
            self._inputs = convert_to_tensor(inputs, name="inputs")
            steps = self._inputs if time_major else transpose_batch_time(self._inputs)
            self._input_tas = _rows(steps)
            self._sequence_length = convert_to_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.shape.ndims != 1:
                raise ValueError(f"sequence_length must be a vector, but has the shape {self._sequence_length.shape}")
            self._zero_inputs = array.zeros_like(steps[0])
            self._last = array.shape(steps)[0] - 1
            self._batch_size = array.size(self._sequence_length)
            self._steps = self._longest()

    def _longest(self) -> Tensor | None:
        """The number of steps, unless a subclass decides which sequences are finished."""
        if type(self).__module__ != __name__:
            return None
        return elementwise.maximum(math.cast(reduce_max(self._sequence_length), dtypes.int32), 0)

    inputs = property(lambda self: self._inputs, doc="The inputs of all steps, as they were given.")
    sequence_length = property(lambda self: self._sequence_length, doc="The number of steps of each sequence.")
    batch_size = property(lambda self: self._batch_size, doc="How many sequences there are.")
    sample_ids_shape = property(lambda self: TensorShape([]), doc="A sample is a number.")
    sample_ids_dtype = property(lambda self: dtypes.int32, doc="It is an int32.")

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        with name_scope(name, "TrainingHelperInitialize"):
            finished = elementwise.equal(array.zeros_like(self._sequence_length), self._sequence_length)
            inputs = cond(reduce_all(finished), lambda: self._zero_inputs, lambda: self._input_tas.read(0))
            return finished, inputs

    def sample(self, time: Any, outputs: Any, name: str | None = None, **unused_kwargs: Any) -> Any:
        """The most likely tokens; not used in training."""
        with name_scope(name, "TrainingHelperSample", [time, outputs]):
            return argmax(outputs, axis=-1, output_type=dtypes.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, name: str | None = None, **unused_kwargs: Any) -> Any:
        with name_scope(name, "TrainingHelperNextInputs", [time, *nest.flatten(outputs)]):
            next_time = time + 1
            finished = elementwise.greater_equal(math.cast(next_time, self._sequence_length.dtype),
                                                 self._sequence_length)
            return finished, self._inputs_at(self._input_tas, next_time, reduce_all(finished)), state

    def _inputs_at(self, rows: TensorArray, time: Any, over: Any) -> Tensor:
        """The inputs of a step; zeros after the end."""
        now = rows.read(elementwise.minimum(time, self._last))
        return where(over, array.zeros_like(now), now)


def _probability(given: Any) -> Tensor:
    """A probability as a tensor.

    Raises:
        ValueError: it is neither a scalar nor a vector.
    """
    probability = convert_to_tensor(given, name="sampling_probability")
    if probability.shape.ndims not in (0, 1):
        raise ValueError(f"sampling_probability must be a scalar or a vector, but has the shape {probability.shape}")
    return probability


def _chosen(probability: Tensor, batch_size: Any, seed: int | None) -> Tensor:
    """Which sequences are chosen, with a common probability or one per sequence."""
    shape = array.expand_dims(batch_size, 0) if probability.shape.ndims == 0 else array.shape(probability)
    return elementwise.less(random.random_uniform(shape, seed=seed, dtype=probability.dtype), probability)


@export("contrib.seq2seq.ScheduledEmbeddingTrainingHelper")
class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Scheduled sampling (Bengio et al., 2015): feeds the embedding of a token sampled from the previous output.

    The embedding function gets the tokens of all sequences of the batch, 0 for those with ground-truth inputs.

    Args:
        inputs, sequence_length, time_major, name: see `tf.contrib.seq2seq.TrainingHelper`.
        embedding: a function of token ids, or the `params` of `tf.nn.embedding_lookup`.
        sampling_probability: the probability of replacing an input: a scalar, or a vector with one per sequence.
        seed: the seed of the sampled tokens.
        scheduling_seed: the seed of the choice of replaced inputs.

    Raises:
        ValueError: `sequence_length` or `sampling_probability` has the wrong rank.
    """

    def __init__(self, inputs: Any, sequence_length: Any, embedding: Any, sampling_probability: Any,
                 time_major: bool = False, seed: int | None = None, scheduling_seed: int | None = None,
                 name: str | None = None) -> None:
        with name_scope(name, "ScheduledEmbeddingSamplingWrapper", [sampling_probability]):
            self._embedding_fn = embedding_function(embedding)
            self._sampling_probability = _probability(sampling_probability)
            self._seed, self._scheduling_seed = seed, scheduling_seed
            super().__init__(inputs, sequence_length, time_major=time_major, name=name)

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """The sampled tokens, -1 for sequences with ground-truth input."""
        with name_scope(name, "ScheduledEmbeddingTrainingHelperSample", [time, outputs]):
            require_tensor(outputs)
            chosen = _chosen(self._sampling_probability, self._batch_size, self._scheduling_seed)
            return where(chosen, sampled_symbols(outputs, self._seed), basic.fill([self._batch_size], -1))

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        with name_scope(name, "ScheduledEmbeddingTrainingHelperNextInputs", [time, outputs, sample_ids]):
            finished, right, state = super().next_inputs(time=time, outputs=outputs, state=state)
            own = self._embedding_fn(elementwise.maximum(sample_ids, 0))
            mixed = where(elementwise.greater(sample_ids, -1), own, right)
            return finished, where(reduce_all(finished), right, mixed), state


@export("contrib.seq2seq.ScheduledOutputTrainingHelper")
class ScheduledOutputTrainingHelper(TrainingHelper):
    """Scheduled sampling (Bengio et al., 2015): feeds the previous output instead of the input.

    `next_inputs_fn` gets the outputs of all sequences of the batch.

    Args:
        inputs, sequence_length, time_major, name: see `tf.contrib.seq2seq.TrainingHelper`.
        sampling_probability: the probability of replacing an input: a scalar, or a vector with one per sequence.
        seed: the seed of the choice.
        next_inputs_fn: a function from outputs to inputs; by default the identity.
        auxiliary_inputs: a tensor to concatenate to the inputs and their replacements.

    Raises:
        ValueError: `sequence_length` or `sampling_probability` has the wrong rank.
    """

    def __init__(self, inputs: Any, sequence_length: Any, sampling_probability: Any, time_major: bool = False,
                 seed: int | None = None, next_inputs_fn: Any = None, auxiliary_inputs: Any = None,
                 name: str | None = None) -> None:
        with name_scope(name, "ScheduledOutputTrainingHelper", [inputs, sampling_probability]):
            self._sampling_probability, self._seed = _probability(sampling_probability), seed
            self._next_inputs_fn, self._auxiliary_rows = next_inputs_fn, None
            if auxiliary_inputs is not None:
                beside = convert_to_tensor(auxiliary_inputs, name="auxiliary_inputs")
                inputs = array.concat([convert_to_tensor(inputs, name="inputs"), beside], -1)
                self._auxiliary_rows = _rows(beside if time_major else transpose_batch_time(beside))
            super().__init__(inputs, sequence_length, time_major=time_major, name=name)

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """1 for sequences that continue with the previous output, else 0."""
        with name_scope(name, "ScheduledOutputTrainingHelperSample", [time, outputs]):
            return math.cast(_chosen(self._sampling_probability, self._batch_size, self._seed), dtypes.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        with name_scope(name, "ScheduledOutputTrainingHelperNextInputs", [time, outputs, sample_ids]):
            finished, right, state = super().next_inputs(time=time, outputs=outputs, state=state)
            over = reduce_all(finished)
            own = outputs if self._next_inputs_fn is None else self._next_inputs_fn(outputs)
            if self._auxiliary_rows is not None:
                own = array.concat([own, self._inputs_at(self._auxiliary_rows, time + 1, over)], -1)
            mixed = where(math.cast(sample_ids, dtypes.bool), own, right)
            return finished, where(over, right, mixed), state
