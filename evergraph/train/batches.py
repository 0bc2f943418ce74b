"""Batches gathered in queues by threads: tf.train.batch, tf.train.shuffle_batch and their siblings.

Each makes a queue, a queue runner of the graph that fills it, and the tensors that take a batch from it. The queue is
of one kind or another (`_Store`); the threads all do the same, or each has tensors of its own ("join").
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import control_flow, indexing, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.input.queues import FIFOQueue, PaddingFIFOQueue, QueueBase, RandomShuffleQueue
from evergraph.frontend.sparse import serial
from evergraph.graph.composite import SparseTensor, convert_to_tensor_or_sparse_tensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math import elementwise
from evergraph.summary import summaries
from evergraph.train.queue_runner import QueueRunner, add_queue_runner, require_graph


@dataclass(frozen=True)
class _Store:
    """What differs between the queues that batches wait in.

    Attributes:
        make: given dtypes and shapes, makes the queue.
        capacity: how many elements it holds.
        reserve: how many of them are never handed out while more may come.
    """

    make: Callable[[list[dtypes.DType], list[TensorShape]], QueueBase]
    capacity: int
    reserve: int | None = None

    def summarize(self, queue: QueueBase) -> None:
        """Adds a summary of how full the queue is."""
        if self.reserve is None:
            full = math.cast(queue.size(), dtypes.float32) * (1.0 / self.capacity)
            summaries.scalar(f"fraction_of_{self.capacity}_full", full)
            return
        room = self.capacity - self.reserve
        above = elementwise.maximum(0.0, math.cast(queue.size() - self.reserve, dtypes.float32))
        summaries.scalar(f"fraction_over_{self.reserve}_of_{room}_full", above * (1.0 / room))


def _in_order(capacity: int, dynamic_pad: bool, shared_name: str | None) -> _Store:
    kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
    return _Store(lambda types, shapes: kind(capacity=capacity, dtypes=types, shapes=shapes, shared_name=shared_name),
                  capacity)


def _shuffled(capacity: int, min_after_dequeue: int, seed: int | None, shared_name: str | None) -> _Store:
    if capacity <= min_after_dequeue:
        raise ValueError(f"capacity must be larger than min_after_dequeue, but is {capacity}, not more than "
                         f"{min_after_dequeue}")
    return _Store(lambda types, shapes: RandomShuffleQueue(
        capacity=capacity, min_after_dequeue=min_after_dequeue, dtypes=types, shapes=shapes, seed=seed,
        shared_name=shared_name), capacity, min_after_dequeue)


# ---- the four functions, and the four that leave elements out


@export("train.batch")
def batch(tensors: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32, enqueue_many: bool = False,
          shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
          shared_name: str | None = None, name: str | None = None) -> Any:
    """Batches tensors: threads of a queue runner evaluate and enqueue them, and each step dequeues a batch.

    >>> image_batch, label_batch = tf.train.batch([image, label], batch_size=32)

    Args:
        tensors: a list or dict of tensors or sparse tensors, one example.
        batch_size: the number of examples in a batch; a number or a scalar tensor.
        num_threads: the number of threads; with more than one, the order of examples is not deterministic.
        capacity: the capacity of the queue, in examples.
        enqueue_many: whether the rows of `tensors` are examples, rather than `tensors` as a whole.
        shapes: the shape of each tensor of an example; by default the static shapes of `tensors`.
        dynamic_pad: whether to pad tensors of unknown, different sizes to the largest in the batch.
        allow_smaller_final_batch: whether the last batch may be smaller, rather than be dropped.
        shared_name: queues with the same shared name in a session are one queue.
        name: the name scope.

    Returns:
        Tensors with an additional first dimension, in a list or dict like `tensors`; for a list of one tensor, the
        tensor.

    Raises:
        ValueError: the shape of an example is not known.
    """
    return maybe_batch(tensors, True, batch_size, num_threads, capacity, enqueue_many, shapes, dynamic_pad,
                       allow_smaller_final_batch, shared_name, name)


@export("train.maybe_batch")
def maybe_batch(tensors: Any, keep_input: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32,
                enqueue_many: bool = False, shapes: Any = None, dynamic_pad: bool = False,
                allow_smaller_final_batch: bool = False, shared_name: str | None = None,
                name: str | None = None) -> Any:
    """Batches the examples for which `keep_input`, one truth or one for each row, is true; see `tf.train.batch`."""
    store = _in_order(capacity, dynamic_pad, shared_name)
    return _batched("batch", name, [tensors], num_threads, store, batch_size, keep_input, enqueue_many, shapes,
                    allow_smaller_final_batch)


@export("train.batch_join")
def batch_join(tensors_list: Any, batch_size: Any, capacity: int = 32, enqueue_many: bool = False, shapes: Any = None,
               dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, shared_name: str | None = None,
               name: str | None = None) -> Any:
    """Batches examples of several sources, a thread for each list or dict in `tensors_list`; see `tf.train.batch`."""
    return maybe_batch_join(tensors_list, True, batch_size, capacity, enqueue_many, shapes, dynamic_pad,
                            allow_smaller_final_batch, shared_name, name)


@export("train.maybe_batch_join")
def maybe_batch_join(tensors_list: Any, keep_input: Any, batch_size: Any, capacity: int = 32,
                     enqueue_many: bool = False, shapes: Any = None, dynamic_pad: bool = False,
                     allow_smaller_final_batch: bool = False, shared_name: str | None = None,
                     name: str | None = None) -> Any:
    """`tf.train.batch_join` of the examples for which `keep_input` is true; see `tf.train.maybe_batch`."""
    store = _in_order(capacity, dynamic_pad, shared_name)
    return _batched("batch_join", name, tensors_list, 1, store, batch_size, keep_input, enqueue_many, shapes,
                    allow_smaller_final_batch)


@export("train.shuffle_batch")
def shuffle_batch(tensors: Any, batch_size: Any, capacity: int, min_after_dequeue: int, num_threads: int = 1,
                  seed: int | None = None, enqueue_many: bool = False, shapes: Any = None,
                  allow_smaller_final_batch: bool = False, shared_name: str | None = None,
                  name: str | None = None) -> Any:
    """Batches tensors in random order: `tf.train.batch` with a RandomShuffleQueue.

    Args:
        tensors: a list or dict of tensors or sparse tensors, one example.
        batch_size: the number of examples in a batch.
        capacity: the capacity of the queue, in examples.
        min_after_dequeue: the number of examples that remain in the queue after a batch was dequeued, until the input
            ends; the larger, the better the mixing.
        num_threads: the number of threads.
        seed: the op-level seed of the shuffling.
        enqueue_many: whether the rows of `tensors` are examples.
        shapes: the shape of each tensor of an example.
        allow_smaller_final_batch: whether the last batch may be smaller.
        shared_name: queues with the same shared name in a session are one queue.
        name: the name scope.
    """
    return maybe_shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, True, num_threads, seed, enqueue_many,
                               shapes, allow_smaller_final_batch, shared_name, name)


@export("train.maybe_shuffle_batch")
def maybe_shuffle_batch(tensors: Any, batch_size: Any, capacity: int, min_after_dequeue: int, keep_input: Any,
                        num_threads: int = 1, seed: int | None = None, enqueue_many: bool = False, shapes: Any = None,
                        allow_smaller_final_batch: bool = False, shared_name: str | None = None,
                        name: str | None = None) -> Any:
    """`tf.train.shuffle_batch` of the examples for which `keep_input` is true; see `tf.train.maybe_batch`."""
    store = _shuffled(capacity, min_after_dequeue, seed, shared_name)
    return _batched("shuffle_batch", name, [tensors], num_threads, store, batch_size, keep_input, enqueue_many, shapes,
                    allow_smaller_final_batch)


@export("train.shuffle_batch_join")
def shuffle_batch_join(tensors_list: Any, batch_size: Any, capacity: int, min_after_dequeue: int,
                       seed: int | None = None, enqueue_many: bool = False, shapes: Any = None,
                       allow_smaller_final_batch: bool = False, shared_name: str | None = None,
                       name: str | None = None) -> Any:
    """Batches examples of several sources at random, a thread for each of them; see `tf.train.shuffle_batch`."""
    return maybe_shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, True, seed, enqueue_many,
                                    shapes, allow_smaller_final_batch, shared_name, name)


@export("train.maybe_shuffle_batch_join")
def maybe_shuffle_batch_join(tensors_list: Any, batch_size: Any, capacity: int, min_after_dequeue: int, keep_input: Any,
                             seed: int | None = None, enqueue_many: bool = False, shapes: Any = None,
                             allow_smaller_final_batch: bool = False, shared_name: str | None = None,
                             name: str | None = None) -> Any:
    """`tf.train.shuffle_batch_join` of the examples for which `keep_input` is true; see `tf.train.maybe_batch`."""
    store = _shuffled(capacity, min_after_dequeue, seed, shared_name)
    return _batched("shuffle_batch_join", name, tensors_list, 1, store, batch_size, keep_input, enqueue_many, shapes,
                    allow_smaller_final_batch)


# ---- what they all do


def _batched(kind: str, name: str | None, sources: Any, threads: int, store: _Store, batch_size: Any, keep_input: Any,
             enqueue_many: bool, shapes: Any, smaller_final_batch: bool) -> Any:
    """Makes the queue, fills it from the sources, and takes batches from it."""
    require_graph()
    listed = [tensors_of(source) for source in _checked(sources)]
    flat = [t for components in listed for t in components]
    with name_scope(name, kind, [*flat, keep_input]) as scope:
        rows = [[convert_to_tensor_or_sparse_tensor(t) for t in components] for components in listed]
        keep = as_condition(keep_input, enqueue_many)
        forms = [Form.common(column, enqueue_many) for column in zip(*rows)]
        rows = [[form.written(t, enqueue_many) for form, t in zip(forms, components)] for components in rows]
        types = [t.dtype.base_dtype for t in rows[0]]
        if any([t.dtype.base_dtype for t in components] != types for components in rows):
            raise TypeError(f"all sources must have the dtypes of the first, {types}")
        queue = store.make(types, element_shapes(rows, shapes, enqueue_many))
        enqueues = [_enqueue(queue, components, enqueue_many, keep) for components in rows]
        add_queue_runner(QueueRunner(queue, enqueues * threads))
        store.summarize(queue)
        take = queue.dequeue_up_to if smaller_final_batch else queue.dequeue_many
        taken = take(batch_size, name=scope)
        taken = taken if isinstance(taken, (list, tuple)) else [taken]
        read = [form.read(t) for form, t in zip(forms, taken)]
        if isinstance(sources[0], Mapping):
            return dict(zip(sorted(sources[0]), read))
        return read[0] if len(read) == 1 else read


def _checked(sources: Any) -> Any:
    """The sources, if all are of one kind."""
    if not isinstance(sources, (list, tuple)):
        raise TypeError("tensors_list must be a list of lists or dicts of tensors")
    if not sources:
        raise ValueError("tensors_list is empty")
    if isinstance(sources[0], Mapping):
        if any(not isinstance(s, Mapping) or set(s) != set(sources[0]) for s in sources):
            raise ValueError("all dicts of tensors_list must have the same keys")
    elif any(isinstance(s, Mapping) or len(tensors_of(s)) != len(tensors_of(sources[0])) for s in sources):
        raise ValueError("all lists of tensors_list must have the same number of tensors")
    return sources


def tensors_of(source: Any) -> list[Any]:
    """The tensors of an element, in order."""
    found = [source[key] for key in sorted(source)] if isinstance(source, Mapping) \
        else list(source) if isinstance(source, (list, tuple)) else [source]
    if not found:
        raise ValueError("a batch needs at least one tensor")
    return found


@dataclass(frozen=True)
class Form:
    """How a component lies in the queue: as it is, or a sparse tensor written as a vector of three strings."""

    sparse_dtype: dtypes.DType | None = None
    rank: int | None = None  # of a batch, where it is known

    @staticmethod
    def common(column: Sequence[Any], enqueue_many: bool) -> Form:
        """The form of a component, which is the same in all sources."""
        kinds = {isinstance(t, SparseTensor) for t in column}
        if kinds == {False}:
            return Form()
        if kinds != {True} or len({t.dtype for t in column}) > 1:
            raise TypeError("A tensor must be sparse, and of one dtype, in all sources or in none")
        ranks = {t.shape.ndims for t in column}
        known = len(ranks) == 1 and None not in ranks
        return Form(column[0].dtype, ranks.pop() + (0 if enqueue_many else 1) if known else None)

    def written(self, tensor: Any, enqueue_many: bool) -> Tensor:
        if self.sparse_dtype is None:
            return tensor
        return serial.serialize_many_sparse(tensor) if enqueue_many else serial.serialize_sparse(tensor)

    def read(self, tensor: Tensor) -> Any:
        if self.sparse_dtype is None:
            return tensor
        return serial.deserialize_many_sparse(tensor, dtype=self.sparse_dtype, rank=self.rank)


def as_condition(keep_input: Any, enqueue_many: bool) -> Any:
    """Which elements to keep: True when it is known to be all, else a tensor."""
    keep = convert_to_tensor(keep_input)
    if keep.shape.ndims == 0 and static_value(keep):
        return True
    if keep.shape.ndims is None:
        raise ValueError("the rank of keep_input must be known at graph construction")
    if not enqueue_many and keep.shape.ndims == 1:
        raise ValueError("`keep_input` cannot be a vector without enqueue_many")
    if keep.shape.ndims > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions, a scalar or a vector")
    return keep


def element_shapes(rows: list[list[Tensor]], shapes: Any, enqueue_many: bool) -> list[TensorShape]:
    """The shapes of the components, for each as given, or what the sources have in common."""
    if shapes is not None:
        return [TensorShape(s) for s in shapes]
    found = []
    for column in zip(*rows):
        if any(t.shape.ndims is None for t in column):
            raise ValueError(f"Cannot infer Tensor's rank: give shapes, or tensors of known rank, not {column}")
        own = [t.shape[1:] if enqueue_many else t.shape for t in column]
        common = own[0]
        for shape in own[1:]:
            common = common.most_specific_compatible_shape(shape)
        found.append(common)
    return found


def _enqueue(queue: QueueBase, tensors: list[Tensor], enqueue_many: bool, keep: Any) -> Operation:
    """An operation that adds one element, or one for each row, where they are to be kept."""
    add = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep is True:
        return add(tensors)
    if keep.shape.ndims == 1:
        places = indexing.where(keep)[:, 0]
        return add([indexing.gather(t, places) for t in tensors])
    return control_flow.cond(keep, lambda: add(tensors), no_op)
