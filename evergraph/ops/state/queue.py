"""The objects behind queue ops: blocking queues of elements."""

from __future__ import annotations

import collections
import heapq
import threading
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.shapes import text
from evergraph.kernel.patience import patience, woken
from evergraph.kernel.philox import initial_state
from evergraph.kernel.values import boxed
from evergraph.ops.nn.candidates import Words

Element = tuple[np.ndarray, ...]
_WORDS_AT_ONCE = 256


class _Waiter:
    """A waiting enqueue or dequeue.

    Each thread that changes the queue advances the waiters and wakes each once, when it is done: spurious wake-ups of
    threads cost more than everything else here.
    """

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self.is_over = False
        self.error: errors.OpError | None = None
        self._gate = threading.Lock()
        self._gate.acquire()

    def go_on(self) -> bool:
        """Advances as far as the queue allows; returns whether it is done, successfully or not."""
        try:
            if not self._advance():
                return False
        except errors.OpError as error:
            self.error = error
        self.end(self.error)
        return True

    def end(self, error: errors.OpError | None = None) -> None:
        self.error, self.is_over = error, True
        self._gate.release()

    def wait(self, seconds: float | None) -> bool:
        """Waits until it is done; returns whether that was before the timeout."""
        return self._gate.acquire(timeout=-1 if seconds is None else seconds)

    def _advance(self) -> bool:
        """Performs the possible part; returns whether nothing is left to do."""
        raise NotImplementedError

    def undo(self) -> None:
        """Rolls back a partial operation that ends early."""


class _PendingEnqueue(_Waiter):
    """A waiting enqueue."""

    def __init__(self, queue: Queue, elements: Iterable[Element]) -> None:
        super().__init__(queue)
        self._left = collections.deque(elements)

    def _advance(self) -> bool:
        room = self._queue.capacity - len(self._queue._elements)
        while self._left and room > 0:
            self._queue._add(self._left.popleft())
            room -= 1
        return not self._left


class _PendingDequeue(_Waiter):
    """A waiting dequeue of `count` elements, or of `fewer` once the queue is closed."""

    def __init__(self, queue: Queue, count: int, fewer: bool) -> None:
        super().__init__(queue)
        self._count, self._fewer = count, fewer
        self.taken: list[Element] = []

    def _advance(self) -> bool:
        queue = self._queue
        for _ in range(min(self._count - len(self.taken), queue._available())):
            self.taken.append(queue._take())
        if len(self.taken) == self._count:
            return True
        if not queue.closed or queue._adding or queue._available() > 0:
            return False
        if self._fewer and self.taken:
            return True
        self.undo()
        raise errors.OutOfRangeError(
            None, None, f"{type(queue).__name__} '{queue.name}' is closed and has insufficient elements "
            f"(requested {self._count}, current size {len(queue._elements)})")

    def undo(self) -> None:
        self._queue._give_back(self.taken)
        self.taken = []


class Queue:
    """A FIFO queue, and the base of the other kinds.

    Waiters are served in order of arrival too: a dequeue of many does not lose its elements to a later one.

    Args:
        name: its name in error messages.
        capacity: the maximal number of elements; negative for no limit.
        types: the dtype of each component of an element.
        shapes: the shape of each component, or () if shapes are not fixed.
    """

    def __init__(self, name: str, capacity: int, types: Sequence[dtypes.DType], shapes: Sequence[Any]) -> None:
        self.name, self.types, self.shapes = name, tuple(types), tuple(shapes)
        self.capacity = capacity if capacity >= 0 else float("inf")
        self.closed = self.cancelled = False
        self._lock = threading.Lock()
        self._adding: collections.deque[_Waiter] = collections.deque()
        self._taking: collections.deque[_Waiter] = collections.deque()
        self.timeout: float | None = None  # the longest time to wait, in seconds
        self.agreed: weakref.WeakSet[Any] = weakref.WeakSet()  # nodes of the same shared name with equal attrs
        self._elements: Any = self._empty()

    # ---- defined by each kind of queue

    def _empty(self) -> Any:
        return collections.deque()

    def _add(self, element: Element) -> None:
        self._elements.append(element)

    def _take(self) -> Element:
        return self._elements.popleft()

    def _available(self) -> int:
        """The number of elements that may be dequeued now."""
        return len(self._elements)

    def _give_back(self, taken: Sequence[Element]) -> None:
        """Puts back the elements dequeued last."""
        self._elements.extendleft(reversed(taken))

    def _stacked(self, arrays: Sequence[np.ndarray], position: int) -> np.ndarray:
        """One component of several elements as one array."""
        return _stacked(arrays)

    # ---- enqueue

    def enqueue(self, element: Sequence[np.ndarray]) -> None:
        """Enqueues one element, waiting for capacity.

        Raises:
            CancelledError: the queue is closed, or was closed during the wait.
            InvalidArgumentError: the element does not match the queue's dtypes or shapes.
        """
        self._check_types(element)
        for position, array in enumerate(element):
            self._check_shape(position, np.shape(array))
        own = tuple([np.array(a) for a in element])
        with self._lock:
            self._check_open()
            if not self._adding and len(self._elements) < self.capacity:
                self._add(own)
                if self._taking:
                    self._serve()
                return
            turn = self._in_line(self._adding, _PendingEnqueue(self, [own]))
        self._wait(self._adding, turn)

    def enqueue_many(self, components: Sequence[np.ndarray]) -> None:
        """Enqueues the rows of the components in order."""
        self._check_types(components)
        sizes = {np.shape(c)[0] if np.ndim(c) else None for c in components}
        if len(sizes) != 1 or None in sizes:
            raise errors.InvalidArgumentError(
                None, None, f"the components of many elements have one length, the number of elements; got "
                            f"{', '.join(text(np.shape(c)) for c in components)}")
        for position, array in enumerate(components):
            self._check_shape(position, np.shape(array)[1:], np.shape(array)[:1])
        elements = list(zip(*[_rows(np.asarray(c)) for c in components]))
        with self._lock:
            self._check_open()
            turn = self._in_line(self._adding, _PendingEnqueue(self, elements))
        self._wait(self._adding, turn)

    def _check_open(self) -> None:
        """Raises if the queue is closed; enqueues that were waiting when it closed may still finish."""
        if self.closed:
            raise errors.CancelledError(None, None, f"{type(self).__name__} '{self.name}' is closed.")

    # ---- dequeue

    def dequeue(self) -> list[np.ndarray]:
        """Dequeues one element, waiting for it.

        Raises:
            OutOfRangeError: the queue is closed and empty.
        """
        with self._lock:
            if not self._taking and self._available() > 0:
                element = self._take()
                if self._adding:
                    self._serve()
                return list(element)
        return list(self._dequeue(1, fewer=False)[0])

    def dequeue_many(self, count: int, fewer: bool = False) -> list[np.ndarray]:
        """Dequeues `count` elements, each component stacked; with `fewer`, the rest of a closed queue."""
        if count < 0:
            raise errors.InvalidArgumentError(None, None, f"DequeueMany requested {count} < 0 elements")
        if not self.shapes:
            raise errors.InvalidArgumentError(None, None, "This queue's DequeueMany and DequeueUpTo methods require "
                                              "the components to have specified shapes.")
        elements = self._dequeue(count, fewer) if count else []
        if not elements:
            return [np.empty((0, *(0 if d is None else d for d in shape)), t.np)
                    for t, shape in zip(self.types, self.shapes)]
        return [self._stacked([e[i] for e in elements], i) for i in range(len(self.types))]

    def _dequeue(self, count: int, fewer: bool) -> list[Element]:
        turn = _PendingDequeue(self, count, fewer)
        with self._lock:
            self._in_line(self._taking, turn)
        self._wait(self._taking, turn)
        return turn.taken

    # ---- closing

    def close(self, cancel_pending_enqueues: bool) -> None:
        """Closes the queue for enqueues; its elements can still be dequeued."""
        with self._lock:
            self.closed = True
            if cancel_pending_enqueues:
                _end_all(self._adding, f"Enqueue operation on '{self.name}' was cancelled")
            self._serve()

    def cancel(self) -> None:
        """Wakes all waiting threads with an error."""
        with self._lock:
            self.cancelled = True
            for line in (self._adding, self._taking):
                _end_all(line, f"Operation on '{self.name}' was cancelled")

    def check_same(self, other: Queue) -> None:
        """Raises InvalidArgumentError unless another queue of the same shared name has equal attrs."""
        asked = other._described()
        for what, mine in self._described().items():
            theirs = asked.get(what)
            if mine != theirs:
                raise errors.InvalidArgumentError(None, None, f"Shared queue '{self.name}' has {what} {mine} but "
                                                  f"requested {what} was {theirs}")

    def _described(self) -> dict[str, Any]:
        """The defining attrs of a queue, by their names in error messages."""
        return {"type": type(self).__name__, "capacity": self.capacity, "component types": self.types,
                "component shapes": self.shapes}

    def size(self) -> int:
        return len(self._elements)

    # ---- waiting

    def _in_line(self, line: collections.deque[_Waiter], turn: _Waiter) -> _Waiter:
        """Appends a waiter to a line; it may be done at once."""
        line.append(turn)
        self._serve()
        if self.cancelled:
            _end_all(line, self._cancellation)
        return turn

    @property
    def _cancellation(self) -> str:
        return f"Operation on '{self.name}' was cancelled"

    def _wait(self, line: collections.deque[_Waiter], turn: _Waiter) -> None:
        """Waits until a waiter is done, without holding the lock."""
        in_time = False
        try:
            with woken(lambda: self._leave(line, turn, errors.CancelledError(None, None, self._cancellation))):
                in_time = turn.wait(patience(self.timeout))
        finally:
            if not in_time:
                late = errors.DeadlineExceededError(None, None, "Timed out waiting for notification")
                self._leave(line, turn, late)
        if turn.error is not None:
            raise turn.error

    def _leave(self, line: collections.deque[_Waiter], turn: _Waiter, error: errors.OpError) -> None:
        """Removes a waiter that has given up."""
        with self._lock:
            if not turn.is_over:
                line.remove(turn)
                turn.undo()
                turn.end(error)
                self._serve()

    def _serve(self) -> None:
        """Advances the waiters at the heads of both lines until none makes progress."""
        self._go_on(self._adding)
        while self._go_on(self._taking) and self._adding:
            self._go_on(self._adding)

    def _go_on(self, line: collections.deque[_Waiter]) -> bool:
        """Advances the waiters at the head of a line; returns whether any made progress."""
        before, waiting = len(self._elements), len(line)
        while line and line[0].go_on():
            line.popleft()
        return len(line) != waiting or len(self._elements) != before

    # ---- checking

    def _check_types(self, components: Sequence[np.ndarray]) -> None:
        if len(components) != len(self.types):
            raise errors.InvalidArgumentError(None, None, f"an element has {len(self.types)} components, got "
                                              f"{len(components)}")

    def _check_shape(self, position: int, shape: tuple[int, ...], rows: tuple[int, ...] = ()) -> None:
        if not self.shapes or self.shapes[position] == shape:
            return
        wanted = self.shapes[position]
        if wanted is not None and (len(wanted) != len(shape)
                                   or any(w is not None and w != s for w, s in zip(wanted, shape))):
            raise errors.InvalidArgumentError(None, None, f"Shape mismatch in tuple component {position}. Expected "
                                              f"{text((*rows, *wanted))}, got {text((*rows, *shape))}")


class FIFOQueue(Queue):
    """A first-in, first-out queue."""


class PaddingFIFOQueue(Queue):
    """A FIFO queue that pads components of unknown size with zeros to the largest of a batch."""

    def _stacked(self, arrays: Sequence[np.ndarray], position: int) -> np.ndarray:
        largest = tuple(max(sizes) for sizes in zip(*(a.shape for a in arrays)))
        whole = np.full((len(arrays), *largest), b"", object) if arrays[0].dtype.hasobject \
            else np.zeros((len(arrays), *largest), arrays[0].dtype)
        for row, array in zip(whole, arrays) if largest else ():
            row[tuple(slice(n) for n in array.shape)] = array
        return whole if largest else _stacked(arrays)


class RandomShuffleQueue(Queue):
    """A queue that dequeues in random order; keeps a minimum of elements for mixing until it is closed."""

    def __init__(self, name: str, capacity: int, types: Sequence[dtypes.DType], shapes: Sequence[Any],
                 min_after_dequeue: int, seeds: tuple[int, int]) -> None:
        self.min_after_dequeue, self.seeds = min_after_dequeue, seeds
        self._words = Words(initial_state(*seeds))  # the order is TensorFlow's
        self._drawn: list[int] = []  # words drawn but not used, the next one last
        super().__init__(name, capacity, types, shapes)

    def _described(self) -> dict[str, Any]:
        return {**super()._described(), "min_after_dequeue": self.min_after_dequeue, "random seeds": self.seeds}

    def check_same(self, other: Queue) -> None:
        if isinstance(other, RandomShuffleQueue) and other.seeds == (0, 0):  # an unseeded queue accepts any order
            other.seeds = self.seeds
        super().check_same(other)

    def _empty(self) -> Any:
        return []

    def _take(self) -> Element:
        if not self._drawn:
            self._drawn = self._words.take(_WORDS_AT_ONCE).tolist()[::-1]
        elements, place = self._elements, self._drawn.pop() % len(self._elements)
        elements[place], elements[-1] = elements[-1], elements[place]
        return elements.pop()

    def _available(self) -> int:
        return len(self._elements) - (0 if self.closed else self.min_after_dequeue)

    def _give_back(self, taken: Sequence[Element]) -> None:
        self._elements += taken


class PriorityQueue(Queue):
    """A queue that dequeues the element with the smallest first component, an int64; ties in order of arrival."""

    def __init__(self, name: str, capacity: int, types: Sequence[dtypes.DType], shapes: Sequence[Any]) -> None:
        self._arrivals = 0
        super().__init__(name, capacity, types, shapes)

    def _empty(self) -> Any:
        return []

    def _add(self, element: Element) -> None:
        heapq.heappush(self._elements, (int(element[0]), self._arrivals, element))
        self._arrivals += 1

    def _take(self) -> Element:
        return heapq.heappop(self._elements)[2]

    def _give_back(self, taken: Sequence[Element]) -> None:
        for element in taken:
            self._add(element)


def _end_all(line: collections.deque[_Waiter], reason: str) -> None:
    """Wakes all waiters of a line with an error."""
    while line:
        turn = line.popleft()
        turn.undo()
        turn.end(errors.CancelledError(None, None, reason))


def _rows(array: np.ndarray) -> list[Any]:
    """Copies of an array's rows, so that each is freed separately. Scalars, which are immutable, are not copied."""
    if array.ndim > 1:
        return [row.copy() for row in array]
    return [boxed(value) for value in array] if array.dtype.hasobject else list(array)


def _stacked(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Arrays of one shape as one array."""
    first = arrays[0]
    return np.stack(arrays) if first.dtype.hasobject or first.dtype.fields else np.array(arrays)
