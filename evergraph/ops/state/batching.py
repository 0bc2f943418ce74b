"""Batching ops: concurrent steps wait for each other and share one batch."""
from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.graph.opdef import op
from evergraph.graph.shaping import with_rank

_numbers = itertools.count(1)


class Task:
    """The tensors that one step adds to a batch."""

    def __init__(self, tensors: Sequence[np.ndarray]) -> None:
        self.tensors, self.number = list(tensors), next(_numbers)
        self.size = _rows(tensors)


class Batch:
    """Tasks that are computed together.

    Attributes:
        tasks: the tasks in order of arrival.
        closed: whether the batch accepts no more tasks.
        results: each task's part of each output, once computed; or the error.
    """

    def __init__(self, deadline: float) -> None:
        self.tasks: list[Task] = []
        self.deadline, self.closed = deadline, False
        self.results: Any = None

    @property
    def size(self) -> int:
        return sum(task.size for task in self.tasks)

    def spans(self) -> np.ndarray:
        """[id, start, end] of each task's rows."""
        ends = np.cumsum([task.size for task in self.tasks])
        return np.array([(t.number, end - t.size, end) for t, end in zip(self.tasks, ends)], np.int64).reshape(-1, 3)

    def tensors(self, size: int) -> list[np.ndarray]:
        """The concatenated tensors of all tasks, padded to `size` rows with the first one."""
        joined = [np.concatenate(parts) for parts in zip(*(task.tensors for task in self.tasks))]
        missing = size - self.size
        return [np.concatenate([t, np.repeat(t[:1], missing, axis=0)]) if missing else t for t in joined]


class Batcher:
    """Batches the tasks of concurrent steps: a batch closes when it is full, or after its first task's timeout."""

    def __init__(self, largest: int, timeout_micros: int, sizes: Sequence[int]) -> None:
        if sizes and (sorted(sizes) != list(sizes) or sizes[-1] != largest):
            raise invalid(f"allowed_batch_sizes must grow up to max_batch_size, {largest}, but are {list(sizes)}")
        self._largest, self._patience, self._sizes = largest, timeout_micros * 1e-6, list(sizes)
        self._changed = threading.Condition()
        self._open: Batch | None = None

    def join(self, tensors: Sequence[np.ndarray]) -> tuple[Batch, Task]:
        """Waits for the batch that contains these tensors to close, and returns it."""
        task = Task(tensors)
        if task.size > self._largest:
            raise invalid(f"a task of {task.size} rows does not fit in batches of {self._largest}")
        with self._changed:
            if self._open is not None and self._open.size + task.size > self._largest:
                self._close()
            if self._open is None:
                self._open = Batch(time.monotonic() + self._patience)
            batch = self._open
            batch.tasks.append(task)
            if batch.size == self._largest:
                self._close()
            while not batch.closed:  # the first task's timeout applies
                left = batch.deadline - time.monotonic() if batch.tasks[0] is task else None
                if left is not None and left <= 0:
                    self._close()
                else:
                    self._changed.wait(left)
        return batch, task

    def _close(self) -> None:
        self._open.closed, self._open = True, None
        self._changed.notify_all()

    def filled(self, batch: Batch) -> list[np.ndarray]:
        """The tensors of a batch, padded to the smallest allowed size."""
        return batch.tensors(next((s for s in self._sizes if s >= batch.size), batch.size))

    def once(self, batch: Batch, task: Task, compute: Any) -> list[np.ndarray]:
        """The results of a task; the last task to arrive computes the whole batch."""
        if batch.tasks[-1] is task:
            try:
                outputs = [np.asarray(o) for o in compute(self.filled(batch))]
                results: Any = {number: [o[start:end] for o in outputs] for number, start, end in batch.spans()}
            except Exception as error:  # all steps of the batch fail with it
                results = error
            with self._changed:
                batch.results = results
                self._changed.notify_all()
        with self._changed:
            self._changed.wait_for(lambda: batch.results is not None)
        if isinstance(batch.results, Exception):
            raise batch.results
        return batch.results[task.number]


class Exchange:
    """The rows that the steps of a batch exchange, by task id."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._rows: dict[int, np.ndarray] = {}

    def put(self, rows: dict[int, np.ndarray]) -> None:
        with self._changed:
            self._rows |= rows
            self._changed.notify_all()

    def take(self, numbers: Sequence[int], timeout: float | None) -> list[np.ndarray]:
        """Waits for the rows of these tasks.

        Raises:
            DeadlineExceededError: the timeout expired.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: all(n in self._rows for n in numbers), timeout):
                raise errors.DeadlineExceededError(None, None, "the batch was not computed in time")
            return [self._rows.pop(n) for n in numbers]


def _rows(tensors: Sequence[np.ndarray]) -> int:
    if any(np.ndim(t) == 0 for t in tensors):
        raise invalid("tensors to batch must have at least one dimension")
    sizes = {len(t) for t in tensors}
    if len(sizes) != 1:
        raise invalid(f"tensors of one task must have equal 0th-dimension size, but are of shape "
                      f"{[list(t.shape) for t in tensors]}")
    return sizes.pop()


def _batcher(shared, node, max_batch_size, batch_timeout_micros, allowed_batch_sizes, batching_queue):
    make = lambda: Batcher(max_batch_size, batch_timeout_micros, allowed_batch_sizes)
    if not batching_queue:
        return shared(make)
    return shared(make, f"batcher/{node.attrs['shared_name'] or node.name}/{batching_queue}")


def _of_any_size(shape):
    return None if shape is None else (None, *shape[1:])


_SIZES = ("num_batch_threads: int, max_batch_size: int, {}batch_timeout_micros: int, {}"
          "allowed_batch_sizes: list(int) = [], ")
_QUEUE = "max_enqueued_batches: int = 10, "
_PLACES = "container: string = '', shared_name: string = '', batching_queue: string = '', "


@op(f"Batch(in_tensors: T, *, {_SIZES.format(_QUEUE, '')}grad_timeout_micros: int, "
    f"{_PLACES}T: list(type) >= 1) -> batched_tensors: T, batch_index: int64, id: int64", on="host",
    shape=lambda in_tensors: [*map(_of_any_size, in_tensors), (None, 3), ()])
def batch(shared, node, in_tensors, max_batch_size, batch_timeout_micros, allowed_batch_sizes, batching_queue):
    """Concatenates the tensors of concurrent steps in one of the steps; the others get empty tensors.

    `batch_index` maps the `id` of each step to its rows. Each step waits in its own thread, so that the number of
    waiting steps is unlimited.
    """
    batcher = _batcher(shared, node, max_batch_size, batch_timeout_micros, allowed_batch_sizes, batching_queue)
    group, task = batcher.join(in_tensors)
    number = np.int64(task.number)
    if group.tasks[-1] is task:
        return batcher.filled(group), group.spans(), number
    return [t[:0] for t in in_tensors], np.zeros((0, 3), np.int64), number


@batch.grad
def _batch_grad(op, *dys):
    return [unbatch(dy, op.outputs[-2], op.outputs[-1], timeout_micros=op.attrs["grad_timeout_micros"],
                    shared_name=f"batch_gradient_{op.name}_{place}") for place, dy in enumerate(dys[:-2])]


def _unbatch_shape(batched_tensor, batch_index, id):
    return _of_any_size(batched_tensor)


@op("Unbatch(batched_tensor: T, batch_index: int64, id: int64, *, timeout_micros: int, container: string = '', "
    "shared_name: string = '', T: type) -> unbatched_tensor: T", on="host", shape=_unbatch_shape)
def unbatch(shared, batched_tensor, batch_index, id, timeout_micros):
    """This step's rows of the result that one step computed for the whole batch."""
    exchange = shared(Exchange)
    exchange.put({int(number): batched_tensor[start:end] for number, start, end in batch_index})
    return exchange.take([int(id)], timeout_micros * 1e-6)[0]


@unbatch.grad
def _unbatch_grad(op, dy):
    return [unbatch_grad(op.inputs[0], op.inputs[1], dy, op.inputs[2], shared_name=f"unbatch_gradient_{op.name}"),
            None, None]


def _unbatch_grad_shape(original_input, batch_index, grad, id):
    with_rank(id, 0)
    return _of_any_size(grad)


@op("UnbatchGrad(original_input: T, batch_index: int64, grad: T, id: int64, *, container: string = '', "
    "shared_name: string = '', T: type) -> batched_grad: T", on="host", shape=_unbatch_grad_shape)
def unbatch_grad(shared, node, original_input, batch_index, grad, id):
    """The gradient of Unbatch: the gradients of all steps, in the one that computed the batch; empty in the others."""
    exchange = shared(Exchange, f"unbatch_gradient/{node.attrs['shared_name'] or node.name}")
    exchange.put({int(id): grad})
    result = np.zeros_like(original_input)
    if len(batch_index):
        for (_, start, end), rows in zip(batch_index, exchange.take([int(n) for n in batch_index[:, 0]], None)):
            result[start:end] = rows
    return result


def _function_shapes(node):
    return [_of_any_size(t._shape) for t in node.graph.function(node.attrs["f"].name).outputs]


_LATER = {"low_priority_max_batch_size": 0, "low_priority_batch_timeout_micros": 0,
          "low_priority_allowed_batch_sizes": [], "low_priority_max_enqueued_batches": 0,
          "enable_large_batch_splitting": False}


@op("BatchFunction(in_tensors: Tin, captured_tensors: Tcaptured, *, f: func, "
    f"{_SIZES.format('', _QUEUE)}{_PLACES}Tin: list(type) >= 1, Tcaptured: list(type) >= 0, "
    "Tout: list(type) >= 1) -> out_tensors: Tout", on="host", shape=_function_shapes, later=_LATER)
def batch_function(shared, node, in_tensors, captured_tensors, f, max_batch_size, batch_timeout_micros,
                   allowed_batch_sizes, batching_queue):
    """Calls a function once on the concatenated tensors of concurrent steps; each step gets its own rows."""
    wanted, given = len(f.graph.inputs), len(in_tensors) + len(captured_tensors)
    if wanted != given:
        raise invalid(f"the function has {wanted} arguments, but {given} were given")
    batcher = _batcher(shared, node, max_batch_size, batch_timeout_micros, allowed_batch_sizes, batching_queue)
    group, task = batcher.join(in_tensors)
    return batcher.once(group, task, lambda tensors: f(*tensors, *captured_tensors))
