"""Queues of file names, numbers and rows that are filled epoch after epoch: tf.train.string_input_producer, ..."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.checks import Assert
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.input.queues import FIFOQueue
from evergraph.frontend.random import random_shuffle
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.composite import convert_to_tensor_or_indexed_slices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.summary import summaries
from evergraph.train.queue_runner import QueueRunner, add_queue_runner, require_graph


@export("train.limit_epochs")
def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Any:
    """A tensor with the same value that can be evaluated `num_epochs` times and then raises OutOfRangeError.

    Args:
        tensor: the tensor.
        num_epochs: the number of evaluations; None for no limit. The count is a local variable, `epochs`, which must be
            initialized.
        name: the name of the operation.

    Raises:
        ValueError: `num_epochs` is not positive.
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be positive, not {num_epochs}")
    with name_scope(name, "limit_epochs", [tensor]) as scope:
        epochs = Variable(array.constant(0, dtypes.int64), name="epochs", trainable=False, use_resource=False,
                          collections=[GraphKeys.LOCAL_VARIABLES])
        with control_dependencies([epochs.count_up_to(num_epochs)]):
            return array.identity(tensor, name=scope)


@export("train.input_producer")
def input_producer(input_tensor: Any, element_shape: Any = None, num_epochs: int | None = None, shuffle: bool = True,
                   seed: int | None = None, capacity: int = 32, shared_name: str | None = None,
                   summary_name: str | None = None, name: str | None = None, cancel_op: Any = None) -> FIFOQueue:
    """A queue of the rows of a tensor, filled by a queue runner that is added to the graph's collection.

    Args:
        input_tensor: a tensor of shape [rows, ...].
        element_shape: the shape of a row, if the static shape of `input_tensor` is not known.
        num_epochs: the number of times that all rows are enqueued before OutOfRangeError; None for no limit. The count
            is a local variable, which must be initialized.
        shuffle: whether to shuffle the rows in each epoch.
        seed: the op-level seed of the shuffling.
        capacity: the capacity of the queue, in rows.
        shared_name: queues with the same shared name in a session are one queue.
        summary_name: the name of a summary of the fraction of the queue that is full; None for no summary.
        name: the name of the queue.
        cancel_op: the operation that the queue runner runs to stop; by default one that cancels pending enqueue
            operations.

    Raises:
        ValueError: the shape of a row is not known.
    """
    require_graph()
    with name_scope(name, "input_producer", [input_tensor]):
        rows = convert_to_tensor(input_tensor, name="input_tensor")
        shape = rows.shape[1:].merge_with(element_shape)
        if not shape.is_fully_defined():
            raise ValueError(f"the shape of an element is {shape}: give `element_shape` where `input_tensor` does not "
                             f"have a fully defined shape")
        if shuffle:
            rows = random_shuffle(rows, seed=seed)
        rows = limit_epochs(rows, num_epochs)
        queue = FIFOQueue(capacity=capacity, dtypes=[rows.dtype.base_dtype], shapes=[shape], shared_name=shared_name,
                          name=name)
        add_queue_runner(QueueRunner(queue, [queue.enqueue_many([rows])], cancel_op=cancel_op))
        if summary_name is not None:
            full = math.cast(queue.size(), dtypes.float32) * (1.0 / capacity)
            summaries.scalar(summary_name, full)
        return queue


@export("train.string_input_producer")
def string_input_producer(string_tensor: Any, num_epochs: int | None = None, shuffle: bool = True,
                          seed: int | None = None, capacity: int = 32, shared_name: str | None = None,
                          name: str | None = None, cancel_op: Any = None) -> FIFOQueue:
    """A queue of strings, usually file names for a reader. The arguments are those of `tf.train.input_producer`.

    >>> names = tf.train.string_input_producer(["a.csv", "b.csv"], num_epochs=2)
    >>> key, line = tf.TextLineReader().read(names)

    Raises:
        ValueError: a list or tuple of strings is empty. An empty tensor is an InvalidArgumentError in the run.
    """
    empty = "string_input_producer needs at least one string"
    if not isinstance(string_tensor, Tensor) and not hasattr(string_tensor, "op") and not len(string_tensor):
        raise ValueError(empty)
    with name_scope(name, "input_producer", [string_tensor]) as scope:
        strings = convert_to_tensor(string_tensor, dtype=dtypes.string)
        with control_dependencies([Assert(elementwise.greater(array.size(strings), 0), [empty])]):
            strings = basic.identity(strings)
        return input_producer(strings, [], num_epochs, shuffle, seed, capacity, shared_name,
                              f"fraction_of_{capacity}_full", scope, cancel_op)


@export("train.range_input_producer")
def range_input_producer(limit: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None,
                         capacity: int = 32, shared_name: str | None = None, name: str | None = None) -> FIFOQueue:
    """A queue of the integers 0, ..., limit - 1. The other arguments are those of `tf.train.input_producer`."""
    with name_scope(name, "input_producer", [limit]) as scope:
        return input_producer(math.range(limit), [], num_epochs, shuffle, seed, capacity, shared_name,
                              f"fraction_of_{capacity}_full", scope)


@export("train.slice_input_producer")
def slice_input_producer(tensor_list: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None,
                         capacity: int = 32, shared_name: str | None = None, name: str | None = None) -> list[Tensor]:
    """One row of each tensor at the same, in each step another, index: examples from a list of tensors.

    Args:
        tensor_list: tensors of shape [rows, ...] with the same number of rows.
        num_epochs: the number of times that each row is returned before OutOfRangeError; None for no limit.
        shuffle: whether to shuffle the rows in each epoch.
        seed: the op-level seed of the shuffling.
        capacity: the capacity of the queue of row numbers.
        shared_name: queues with the same shared name in a session are one queue.
        name: the name scope.

    Returns:
        A list of tensors, one row of each.

    Raises:
        ValueError: there are no tensors.
    """
    with name_scope(name, "input_producer", tensor_list):
        tensors = [convert_to_tensor_or_indexed_slices(t) for t in tensor_list]
        if not tensors:
            raise ValueError("slice_input_producer needs at least one tensor")
        rows = array.shape(tensors[0])[0]
        queue = range_input_producer(rows, num_epochs=num_epochs, shuffle=shuffle, seed=seed, capacity=capacity,
                                     shared_name=shared_name)
        number = queue.dequeue()
        return [indexing.gather(t, number) for t in tensors]
