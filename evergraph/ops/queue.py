"""The queues that queue ops hold: elements wait here between steps, and threads wait for elements or for room."""

from __future__ import annotations

import collections
import heapq
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.graph.shaping import text
from evergraph.ops.candidates import Words
from evergraph.ops.patience import patience
from evergraph.ops.philox import initial_state

Element = tuple[np.ndarray, ...]


class _Turn:
    """Somebody who waits: what to try, and how it ended."""

    def __init__(self, attempt: Callable[[], bool]) -> None:
        self.attempt, self.done = attempt, False
        self.error: errors.OpError | None = None

    def try_it(self) -> bool:
        """Whether it is over, one way or the other."""
        try:
            self.done = self.attempt()
        except errors.OpError as error:
            self.error, self.done = error, True
        return self.done


class Queue:
    """Elements in the order they came.

    Those who wait are served in the order they came, too: a dequeue of many does not lose its elements to a later one.

    Args:
        name: what errors call it.
        capacity: how many elements fit; negative for any number.
        types: the dtype of each component of an element.
        shapes: the shape of each component, or () when they are not fixed.
    """

    def __init__(self, name: str, capacity: int, types: Sequence[dtypes.DType], shapes: Sequence[Any]) -> None:
        self.name, self.types, self.shapes = name, tuple(types), tuple(shapes)
        self.capacity = capacity if capacity >= 0 else float("inf")
        self.closed = self.cancelled = False
        self._changed = threading.Condition()
        self._adding: collections.deque[_Turn] = collections.deque()
        self._taking: collections.deque[_Turn] = collections.deque()
        self.timeout: float | None = None  # seconds to wait at most
        self._elements: Any = self._empty()

    # ---- what kinds of queues differ in

    def _empty(self) -> Any:
        return collections.deque()

    def _add(self, element: Element) -> None:
        self._elements.append(element)

    def _take(self) -> Element:
        return self._elements.popleft()

    def _ready(self) -> int:
        """How many elements may be taken now."""
        return len(self._elements)

    def _stacked(self, arrays: Sequence[np.ndarray], position: int) -> np.ndarray:
        """One component of several elements as one array."""
        return np.stack(arrays)

    # ---- adding

    def enqueue(self, element: Sequence[np.ndarray]) -> None:
        """Adds one element, waiting for room.

        Raises:
            CancelledError: the queue is closed, or closes while this waits.
            InvalidArgumentError: the element does not fit.
        """
        self._check_types(element)
        for position, array in enumerate(element):
            self._check_shape(position, np.shape(array))
        self._enqueue_all([tuple(np.array(a) for a in element)])

    def enqueue_many(self, components: Sequence[np.ndarray]) -> None:
        """Adds the rows of the components one after the other."""
        self._check_types(components)
        sizes = {np.shape(c)[0] if np.ndim(c) else None for c in components}
        if len(sizes) != 1 or None in sizes:
            raise errors.InvalidArgumentError(
                None, None, f"All input tensors must have the same size in the 0th dimension: got "
                f"{', '.join(text(np.shape(c)) for c in components)}")
        for position, array in enumerate(components):
            self._check_shape(position, np.shape(array)[1:], np.shape(array)[:1])
        self._enqueue_all([tuple(np.array(c[i]) if not isinstance(c[i], bytes) else _boxed(c[i]) for c in components)
                           for i in range(sizes.pop() or 0)])

    def _enqueue_all(self, elements: list[Element]) -> None:
        waiting = collections.deque(elements)

        def attempt() -> bool:
            while waiting and len(self._elements) < self.capacity:
                self._add(waiting.popleft())
            return not waiting

        with self._changed:
            if self.closed:  # those who were waiting when it closed may still add, new ones may not
                raise errors.CancelledError(None, None, f"{type(self).__name__} '{self.name}' is closed.")
            self._wait(self._adding, attempt)

    # ---- taking

    def dequeue(self) -> list[np.ndarray]:
        """Takes one element, waiting for it.

        Raises:
            OutOfRangeError: the queue is closed and empty.
        """
        return list(self._dequeue(1, fewer=False)[0])

    def dequeue_many(self, count: int, fewer: bool = False) -> list[np.ndarray]:
        """Takes `count` elements, each component stacked; with `fewer`, what is left when the queue is closed."""
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
        taken: list[Element] = []

        def attempt() -> bool:
            while len(taken) < count and self._may_take(count - len(taken)):
                taken.append(self._take())
            if len(taken) == count:
                return True
            if self.closed and not self._adding and not self._may_take(count - len(taken)):
                if fewer and taken:
                    return True
                self._give_back(taken)
                raise errors.OutOfRangeError(
                    None, None, f"{type(self).__name__} '{self.name}' is closed and has insufficient elements "
                    f"(requested {count}, current size {len(self._elements)})")
            return False

        try:
            self._wait(self._taking, attempt)
        except (errors.CancelledError, errors.DeadlineExceededError):
            self._give_back(taken)
            raise
        return taken

    def _may_take(self, wanted: int) -> bool:
        return self._ready() > 0

    def _give_back(self, taken: list[Element]) -> None:
        for element in reversed(taken):
            self._elements.appendleft(element)
        taken.clear()

    # ---- closing

    def close(self, cancel_pending_enqueues: bool) -> None:
        """No more elements come in; those inside may still be taken."""
        with self._changed:
            self.closed = True
            for turn in self._adding if cancel_pending_enqueues else ():
                turn.error = errors.CancelledError(None, None, f"Enqueue operation on '{self.name}' was cancelled")
                turn.done = True
            if cancel_pending_enqueues:
                self._adding.clear()
            self._serve()

    def cancel(self) -> None:
        """Wakes everybody who waits, in vain."""
        with self._changed:
            self.cancelled = True
            self._changed.notify_all()

    def check_same(self, other: Queue) -> None:
        """Raises InvalidArgumentError unless another queue of the same shared name asks for the same thing."""
        asked = other._described()
        for what, mine in self._described().items():
            theirs = asked.get(what)
            if mine != theirs:
                raise errors.InvalidArgumentError(None, None, f"Shared queue '{self.name}' has {what} {mine} but "
                                                  f"requested {what} was {theirs}")

    def _described(self) -> dict[str, Any]:
        """What makes a queue what it is, by the names that errors give it."""
        return {"type": type(self).__name__, "capacity": self.capacity, "component types": self.types,
                "component shapes": self.shapes}

    def size(self) -> int:
        with self._changed:
            return len(self._elements)

    # ---- waiting

    def _wait(self, line: collections.deque[_Turn], attempt: Callable[[], bool]) -> None:
        """Stands in line until `attempt` has succeeded, which whoever changes the queue tries."""
        turn = _Turn(attempt)
        with self._changed:
            line.append(turn)
            self._serve()
            if not self._changed.wait_for(lambda: turn.done or self.cancelled, patience(self.timeout)):
                turn.error = errors.DeadlineExceededError(None, None, "Timed out waiting for notification")
            elif not turn.done:
                turn.error = errors.CancelledError(None, None, f"Operation on '{self.name}' was cancelled")
            if turn in line:
                line.remove(turn)
                self._serve()
        if turn.error is not None:
            raise turn.error

    def _serve(self) -> None:
        """Lets those at the heads of the lines try, until nobody gets any further."""
        progress = True
        while progress:
            progress = False
            for line in (self._adding, self._taking):
                while line and not line[0].done:
                    before = len(self._elements)
                    if not line[0].try_it():
                        progress = progress or len(self._elements) != before
                        break
                    line.popleft()
                    progress = True
        self._changed.notify_all()

    # ---- checking

    def _check_types(self, components: Sequence[np.ndarray]) -> None:
        if len(components) != len(self.types):
            raise errors.InvalidArgumentError(None, None, f"Wrong number of components in tuple. Expected "
                                              f"{len(self.types)}, got {len(components)}")

    def _check_shape(self, position: int, shape: tuple[int, ...], rows: tuple[int, ...] = ()) -> None:
        if not self.shapes:
            return
        wanted = self.shapes[position]
        if wanted is not None and (len(wanted) != len(shape)
                                   or any(w is not None and w != s for w, s in zip(wanted, shape))):
            raise errors.InvalidArgumentError(None, None, f"Shape mismatch in tuple component {position}. Expected "
                                              f"{text((*rows, *wanted))}, got {text((*rows, *shape))}")


class FIFOQueue(Queue):
    """First in, first out."""


class PaddingFIFOQueue(Queue):
    """First in, first out; components of unknown size are padded with zeros to the largest of a batch."""

    def _stacked(self, arrays: Sequence[np.ndarray], position: int) -> np.ndarray:
        largest = tuple(max(sizes) for sizes in zip(*(a.shape for a in arrays)))
        whole = np.full((len(arrays), *largest), b"", object) if arrays[0].dtype.hasobject \
            else np.zeros((len(arrays), *largest), arrays[0].dtype)
        for row, array in zip(whole, arrays) if largest else ():
            row[tuple(slice(n) for n in array.shape)] = array
        return whole if largest else np.stack(arrays)


class RandomShuffleQueue(Queue):
    """Elements in random order; some stay behind for mixing until the queue is closed."""

    def __init__(self, name: str, capacity: int, types: Sequence[dtypes.DType], shapes: Sequence[Any],
                 min_after_dequeue: int, seeds: tuple[int, int]) -> None:
        self.min_after_dequeue, self.seeds = min_after_dequeue, seeds
        self._words = Words(initial_state(*seeds))  # the order is TensorFlow's
        super().__init__(name, capacity, types, shapes)

    def _described(self) -> dict[str, Any]:
        return {**super()._described(), "min_after_dequeue": self.min_after_dequeue, "random seeds": self.seeds}

    def _empty(self) -> Any:
        return []

    def _take(self) -> Element:
        place = int(self._words.take(1)[0]) % len(self._elements)
        self._elements[place], self._elements[-1] = self._elements[-1], self._elements[place]
        return self._elements.pop()

    def _may_take(self, wanted: int) -> bool:
        kept = 0 if self.closed else self.min_after_dequeue
        return len(self._elements) > kept

    def _give_back(self, taken: list[Element]) -> None:
        self._elements += taken
        taken.clear()


class PriorityQueue(Queue):
    """The element whose first component, an int64, is smallest comes first; equals in the order they came."""

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

    def _give_back(self, taken: list[Element]) -> None:
        for element in taken:
            self._add(element)
        taken.clear()


def _boxed(value: Any) -> np.ndarray:
    box = np.empty((), object)
    box[()] = value
    return box
