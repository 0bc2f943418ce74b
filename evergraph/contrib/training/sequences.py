"""tf.contrib.training.batch_sequences_with_states: long sequences in segments, with states from one to the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import dtypes, errors
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape, dimension_value
from evergraph.frontend import array, control_flow, math, reduce
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import Assert
from evergraph.frontend.indexing import gather, where
from evergraph.frontend.input.barrier import Barrier
from evergraph.frontend.input.queues import FIFOQueue
from evergraph.frontend.random import random_uniform
from evergraph.frontend.sparse.serial import deserialize_many_sparse, serialize_many_sparse, serialize_sparse
from evergraph.frontend.sparse.shape import sparse_reshape
from evergraph.frontend.strings import regex_full_match
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.pad import tile
from evergraph.ops.math import elementwise
from evergraph.ops.strings.numbers import as_string
from evergraph.ops.strings.strings import string_join
from evergraph.train.queue_runner import QueueRunner, add_queue_runner

_OWN = ("length", "total_length", "next_key", "sequence", "sequence_count")


@export("contrib.training.SequenceQueueingStateSaver")
class SequenceQueueingStateSaver:
    """Cuts sequences into segments of `num_unroll` steps, and makes batches of segments of different sequences.

    The segments of a sequence come one after the other, each with the states that were saved for the one before.
    `prefetch_op` adds one sequence; `next_batch` takes a batch.

    Args:
        batch_size: the number of segments in a batch.
        num_unroll: the number of steps in a segment.
        input_length: an int32 scalar, the length of the sequence without padding.
        input_key: a string scalar, a key that no other sequence has at the time.
        input_sequences: a dict of tensors [padded length, ...]; that length is a multiple of `num_unroll`.
        input_context: a dict of tensors that each segment of the sequence has.
        initial_states: a dict of the states of the first segment.
        capacity: how many sequences wait at most; None for no limit.
        allow_small_batch: whether batches become smaller when the input has ended.
        name: a name for the operations.

    Raises:
        TypeError: something that must be a dict is none, or `num_unroll` is no int.
        ValueError: a shape is not known, there are no sequences or states, or the capacity is less than a batch.
    """

    def __init__(self, batch_size: Any, num_unroll: int, input_length: Any, input_key: Any,
                 input_sequences: Mapping[str, Any], input_context: Mapping[str, Any],
                 initial_states: Mapping[str, Any], capacity: int | None = None, allow_small_batch: bool = False,
                 name: str | None = None) -> None:
        if not isinstance(num_unroll, int):
            raise TypeError(f"num_unroll must be an int, not {num_unroll!r}")
        if num_unroll < 1:
            raise ValueError(f"num_unroll must be positive, got {num_unroll}")
        if capacity is not None and isinstance(batch_size, int) and capacity < batch_size:
            raise ValueError(f"capacity {capacity} needs to be >= batch_size {batch_size}")
        self._num_unroll, self._allow_small_batch = num_unroll, allow_small_batch
        with name_scope(name, "InputQueueingStateSaver") as scope:
            self._scope = scope
            self._batch_size = convert_to_tensor(batch_size, dtypes.int32, name="batch_size")
            self._length = _scalar(input_length, dtypes.int32, "length")
            self._key = _scalar(input_key, dtypes.string, "key")
            self._sequences = _tensors(input_sequences, "input_sequences", is_sequence=True)
            self._context = _tensors(input_context, "input_context")
            self._states = _tensors(initial_states, "initial_states")
            if not self._sequences or not self._states:
                raise ValueError("there must be at least one sequence and one state")
            self._room = None if capacity is None else FIFOQueue(capacity, [dtypes.int32], [[]], name="capacity_queue")
            self._capacity = capacity
            self._places = {place: at for at, place in enumerate(self._components())}
            self._barrier = Barrier([dtype for dtype, _ in self._components().values()],
                                    [shape for _, shape in self._components().values()], name="barrier")
        self._prefetch_op: Operation | None = None
        self._next_batch: NextQueuedSequenceBatch | None = None

    def _components(self) -> dict[tuple[str, str], tuple[Any, TensorShape]]:
        """The dtype and shape of each component of a segment, by kind and name."""
        kinds = {("own", name): (dtypes.string if name == "next_key" else dtypes.int32, TensorShape([]))
                 for name in _OWN}
        kinds |= {("sequence", name): (tensor.dtype, TensorShape([self._num_unroll]).concatenate(tensor.shape[1:]))
                  for name, tensor in self._sequences.items()}
        for kind, tensors in (("context", self._context), ("state", self._states)):
            kinds |= {(kind, name): (tensor.dtype, tensor.shape) for name, tensor in tensors.items()}
        return kinds

    name = property(lambda self: self._scope)
    barrier = property(lambda self: self._barrier)
    batch_size = property(lambda self: self._batch_size)
    num_unroll = property(lambda self: self._num_unroll)

    @property
    def prefetch_op(self) -> Operation:
        """The operation that adds one sequence, and waits while there is no room for it."""
        if self._prefetch_op is None:
            with name_scope(None), name_scope(self._scope):
                self._prefetch_op = self._prefetch()
        return self._prefetch_op

    @property
    def next_batch(self) -> NextQueuedSequenceBatch:
        """The next batch of segments: a NextQueuedSequenceBatch."""
        if self._next_batch is None:
            with name_scope(None), name_scope(self._scope):
                self._next_batch = NextQueuedSequenceBatch(self)
        return self._next_batch

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """An operation that ends the input; segments of sequences that are there are still given out."""
        with name_scope(name, "SQSSClose", [self._barrier.barrier_ref]):
            closing = [self._barrier.close(cancel_pending_enqueues)]
            if self._room is not None:
                closing.append(self._room.close(cancel_pending_enqueues))
            return control_flow.group(*closing, name="close")

    def _prefetch(self) -> Operation:
        sequences = self._checked_sequences()
        padded = array.shape(next(iter(sequences.values())))[0]
        count = padded // self._num_unroll
        numbers = math.range(count)
        keys = string_join([_five(numbers), "_of_", _five(count), ":", self._key])
        values = self._own_values(numbers, count, keys)
        for name, tensor in sequences.items():
            shape = array.concat([[count, self._num_unroll], array.shape(tensor)[1:]], 0)
            values["sequence", name] = array.reshape(tensor, shape)
        for name, tensor in self._context.items():
            values["context", name] = _repeated(tensor, count)
        enters = [] if self._room is None else [self._room.enqueue(0)]
        with control_dependencies(enters):
            inserts = [self._barrier.insert_many(self._places[place], keys, value) for place, value in values.items()]
            inserts += [self._barrier.insert_many(self._places["state", name], keys[:1], array.expand_dims(state, 0))
                        for name, state in self._states.items()]
        return control_flow.group(*inserts, name="prefetch")

    def _checked_sequences(self) -> dict[str, Tensor]:
        """The sequences, once they have one length that is a multiple of the number of steps."""
        sizes = {name: array.shape(tensor)[0] for name, tensor in self._sequences.items()}
        first = next(iter(sizes.values()))
        checks = [Assert(elementwise.equal(first % self._num_unroll, 0), [string_join(
            [f"Dimension 0 of the sequences should be a multiple of: {self._num_unroll}, but saw value: ",
             as_string(first), ". Consider setting pad=True."])])]
        checks += [Assert(elementwise.equal(size, first), [string_join(
            [f"Dimension 0 of tensor labeled sorted_sequences_{name} should be: ", as_string(first),
             ", shape received: ", as_string(size)])]) for name, size in sizes.items()]
        if self._capacity is not None:
            checks.append(Assert(elementwise.less_equal(self._batch_size, self._capacity),
                                 [f"capacity needs to be >= batch_size: it is {self._capacity}, and batch_size is",
                                  self._batch_size]))
        with control_dependencies(checks):
            return {name: array.identity(tensor) for name, tensor in self._sequences.items()}

    def _own_values(self, numbers: Tensor, count: Tensor, keys: Tensor) -> dict[tuple[str, str], Tensor]:
        left = self._length - numbers * self._num_unroll
        stop = array.expand_dims(string_join(["STOP:", self._key]), 0)
        own = {"length": elementwise.maximum(elementwise.minimum(left, self._num_unroll), 0),
               "total_length": _repeated(self._length, count), "next_key": array.concat([keys[1:], stop], 0),
               "sequence": numbers, "sequence_count": _repeated(count, count)}
        return {("own", name): value for name, value in own.items()}


class NextQueuedSequenceBatch:
    """A batch of segments.

    Attributes:
        batch_size: the number of segments.
        key: "00001_of_00003:key" for the second of three segments.
        next_key: the key of the next segment; "STOP:key" after the last one.
        insertion_index: the number of the sequence, from -2**63 on.
        length: the number of steps that are no padding, for each segment.
        total_length: the length of the sequence without padding.
        sequence: the number of the segment.
        sequence_count: the number of segments of the sequence.
        sequences: a dict of tensors [batch, num_unroll, ...].
        context: a dict of tensors [batch, ...].
    """

    def __init__(self, state_saver: SequenceQueueingStateSaver) -> None:
        self._saver = state_saver
        taken = state_saver._barrier.take_many(state_saver._batch_size, state_saver._allow_small_batch)
        index, key, values = taken
        self._goes_on = elementwise.logical_not(regex_full_match(values[_OWN.index("next_key")], r"STOP:(?s:.*)"))
        with control_dependencies(self._leaves()):
            self.insertion_index, self.key = array.identity(index), array.identity(key, name="key")
            values = [array.identity(value) for value in values]
        found = {place: values[at] for place, at in state_saver._places.items()}
        for name in _OWN:
            setattr(self, name, found["own", name])
        self.batch_size = array.size(self.key, name="batch_size")
        self.sequences = {name: found["sequence", name] for name in state_saver._sequences}
        self.context = {name: found["context", name] for name in state_saver._context}
        self._states = {name: found["state", name] for name in state_saver._states}

    def _leaves(self) -> list[Any]:
        """The operation that makes room for as many sequences as end with this batch."""
        if self._saver._room is None:
            return []
        ended = array.size(self._goes_on) - reduce.reduce_sum(math.cast(self._goes_on, dtypes.int32))
        return [self._saver._room.dequeue_many(ended)]

    def state(self, state_name: str) -> Tensor:
        """The state of each segment: the initial one, or what was saved for it.

        Raises:
            KeyError: there is no such state.
        """
        self._check_declared(state_name)
        return self._states[state_name]

    def save_state(self, state_name: str, value: Any, name: str | None = None) -> Operation:
        """An operation that saves a state for the next segments; it must run with each batch.

        Raises:
            KeyError: there is no such state.
            ValueError: the shape does not fit.
        """
        self._check_declared(state_name)
        initial = self._saver._states[state_name]
        with name_scope(name, "InputQueueingStateSaver_SaveState", [value]):
            tensor = convert_to_tensor(value, initial.dtype, name=f"convert_{state_name}")
            if tensor.shape.ndims not in (None, initial.shape.ndims + 1):
                raise ValueError(f"Rank check failed for {state_name}: a batch of states of shape {initial.shape} has "
                                 f"rank {initial.shape.ndims + 1}, got shape {tensor.shape}")
            places = array.reshape(where(self._goes_on), [-1])
            return self._saver._barrier.insert_many(
                self._saver._places["state", state_name], gather(self.next_key, places),
                gather(tensor, places), name="save")

    def _check_declared(self, state_name: str) -> None:
        if state_name not in self._states:
            raise KeyError(f"state was not declared: {state_name}")


def _tensors(given: Any, what: str, is_sequence: bool = False) -> dict[str, Tensor]:
    if not isinstance(given, Mapping):
        raise TypeError(f"{what} must be a dict, not {given!r}")
    tensors = {name: convert_to_tensor(given[name], name=name) for name in sorted(given)}
    for name, tensor in tensors.items():
        shape = tensor.shape[1:] if is_sequence and tensor.shape.ndims else tensor.shape
        if not shape.is_fully_defined() or is_sequence and not tensor.shape.ndims:
            raise ValueError(f"the shape of {what} {name!r} must be known, but for the length of a sequence: it is "
                             f"{tensor.shape}")
    return tensors


def _scalar(value: Any, dtype: Any, name: str) -> Tensor:
    tensor = array.identity(convert_to_tensor(value, dtype), name=name)
    tensor.set_shape([])
    return tensor


def _five(number: Tensor) -> Tensor:
    return as_string(number, width=5, fill="0")


def _repeated(tensor: Tensor, count: Tensor) -> Tensor:
    multiples = array.concat([[count], [1] * tensor.shape.ndims], 0)
    return tile(array.expand_dims(tensor, 0), multiples)


@export("contrib.training.batch_sequences_with_states")
def batch_sequences_with_states(input_key: Any, input_sequences: Mapping[str, Any], input_context: Mapping[str, Any],
                                input_length: Any, initial_states: Mapping[str, Any], num_unroll: int,
                                batch_size: Any, num_threads: int = 3, capacity: int | None = 1000,
                                allow_small_batch: bool = True, pad: bool = True, make_keys_unique: bool = False,
                                make_keys_unique_seed: int | None = None,
                                name: str | None = None) -> NextQueuedSequenceBatch:
    """Batches of segments of sequences, which a queue runner reads; see `SequenceQueueingStateSaver`.

    Args:
        input_key: a string scalar, the key of a sequence.
        input_sequences: a dict of tensors or sparse tensors [length, ...].
        input_context: a dict of tensors or sparse tensors that each segment has.
        input_length: the length; None, if `pad`, for that of the tensors.
        initial_states: a dict of the states of the first segment.
        num_unroll: the number of steps in a segment.
        batch_size: the number of segments in a batch.
        num_threads: the number of threads that read sequences.
        capacity: how many sequences wait at most.
        allow_small_batch: whether batches become smaller when the input has ended.
        pad: whether sequences are padded to a multiple of `num_unroll`.
        make_keys_unique: whether a random number is put behind the key.
        make_keys_unique_seed: the seed of these numbers.
        name: a name for the operations.

    Returns:
        The batch, with the attributes of NextQueuedSequenceBatch and the methods `state` and `save_state`.

    Raises:
        ValueError: there is no length and no padding, or what SequenceQueueingStateSaver says.
    """
    with name_scope(name, "batch_sequences_with_states"):
        if input_length is None and not pad:
            raise ValueError("without pad, input_length must be given")
        key = convert_to_tensor(input_key, dtypes.string)
        if make_keys_unique:
            number = random_uniform([], maxval=2**31 - 1, dtype=dtypes.int32, seed=make_keys_unique_seed)
            key = string_join([key, as_string(number)], separator=":")
        length, sequences = padded_sequences(input_sequences, num_unroll) if pad else (None, dict(input_sequences))
        parts = _Parts(sequences, dict(input_context))
        saver = SequenceQueueingStateSaver(
            batch_size, num_unroll, length if input_length is None else input_length, key, parts.sequences,
            parts.context, initial_states, capacity, allow_small_batch)
        add_queue_runner(QueueRunner(
            saver.barrier, [saver.prefetch_op] * num_threads, close_op=saver.close(),
            cancel_op=saver.close(cancel_pending_enqueues=True),
            queue_closed_exception_types=(errors.OutOfRangeError, errors.CancelledError)))
        parts.restore(saver.next_batch)
        return saver.next_batch


def padded_sequences(sequences: Mapping[str, Any], num_unroll: int) -> tuple[Tensor, dict[str, Any]]:
    """The common length of sequences, and the sequences with zeros or "" up to a multiple of `num_unroll`."""
    if not isinstance(sequences, Mapping) or not sequences:
        raise TypeError(f"sequences must be a dict that is not empty, got {sequences!r}")
    given = {name: each if isinstance(each, SparseTensor) else convert_to_tensor(each)
             for name, each in sequences.items()}
    dense = {name: each for name, each in given.items() if not isinstance(each, SparseTensor)}
    lengths = [array.shape(each)[0] for each in dense.values()] or [
        math.cast(each.dense_shape[0], dtypes.int32) for each in given.values()]
    length = lengths[0] if dense else reduce.reduce_max(array.stack(lengths))
    checks = [Assert(elementwise.equal(each, length), ["All sequence lengths must match, but received lengths:", length,
                                                       each]) for each in lengths] if dense else []
    with control_dependencies(checks):
        length = array.identity(length)
    whole = (length + num_unroll - 1) // num_unroll * num_unroll
    return length, {name: _padded(each, length, whole) for name, each in given.items()}


def _padded(sequence: Any, length: Tensor, whole: Tensor) -> Any:
    if isinstance(sequence, SparseTensor):
        shape = array.concat([math.cast(array.expand_dims(whole, 0), dtypes.int64), sequence.dense_shape[1:]], 0)
        return SparseTensor(sequence.indices, sequence.values, shape)
    rest = array.concat([array.expand_dims(whole - length, 0), array.shape(sequence)[1:]], 0)
    result = array.concat([sequence, array.fill(rest, "" if sequence.dtype == dtypes.string
                                                else math.cast(0, sequence.dtype))], 0)
    result.set_shape(TensorShape([None]).concatenate(sequence.shape[1:]))
    return result


class _Parts:
    """Sparse tensors as strings on their way through the barrier."""

    def __init__(self, sequences: dict[str, Any], context: dict[str, Any]) -> None:
        self._given = sequences, context
        self.sequences = {name: serialize_many_sparse(each) if isinstance(each, SparseTensor) else each
                          for name, each in sequences.items()}
        self.context = {name: serialize_sparse(each) if isinstance(each, SparseTensor) else each
                        for name, each in context.items()}

    def restore(self, batch: NextQueuedSequenceBatch) -> None:
        """Makes sparse tensors again."""
        sequences, context = self._given
        for name, each in context.items():
            if isinstance(each, SparseTensor):
                batch.context[name] = deserialize_many_sparse(batch.context[name], each.dtype, _rank(each, 1))
        for name, each in sequences.items():
            if isinstance(each, SparseTensor):
                rows = deserialize_many_sparse(array.reshape(batch.sequences[name], [-1, 3]), each.dtype, _rank(each))
                steps = math.cast(array.stack([batch.batch_size, batch._saver.num_unroll]), dtypes.int64)
                batch.sequences[name] = sparse_reshape(rows, array.concat([steps, rows.dense_shape[1:]], 0))


def _rank(sparse: SparseTensor, more: int = 0) -> int | None:
    rank = dimension_value(sparse.dense_shape.shape[0])
    return None if rank is None else rank + more
