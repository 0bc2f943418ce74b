"""The objects behind staging areas: buffers of tuples, in order or by key, that block when they are full or empty."""

from __future__ import annotations

import collections
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.kernel.patience import wait_for


class Area:
    """What both kinds of staging areas share: limits, a lock, and waiting.

    Args:
        name: its name in error messages.
        capacity: the largest number of elements; 0 for no limit.
        memory_limit: the largest number of bytes of all elements; 0 for no limit.
    """

    def __init__(self, name: str, capacity: int, memory_limit: int) -> None:
        self.name = name
        self.timeout: float | None = None  # the longest time to wait, in seconds
        self._capacity, self._memory_limit = capacity or float("inf"), memory_limit or float("inf")
        self._bytes = 0
        self._cancelled = False
        self._changed = threading.Condition()

    def cancel(self) -> None:
        """Wakes all waiting threads with an error."""
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()

    def _wait_for(self, ready: Callable[[], Any]) -> None:
        """Waits until `ready` holds; the caller holds the lock, and others get it meanwhile."""
        if not wait_for(self._changed, lambda: self._cancelled or ready(), self.timeout):
            raise errors.DeadlineExceededError(None, None, f"Staging area '{self.name}': the wait took too long")
        if self._cancelled and not ready():
            raise errors.CancelledError(None, None, f"Operation on staging area '{self.name}' was cancelled")

    def _count_bytes(self, arrays: Sequence[np.ndarray], sign: int = 1) -> None:
        self._bytes += sign * _size(arrays)
        self._changed.notify_all()

    def _check_size(self, arrays: Sequence[np.ndarray]) -> None:
        if _size(arrays) > self._memory_limit:
            raise errors.ResourceExhaustedError(None, None, f"Staging area '{self.name}': an element of "
                                                f"{_size(arrays)} bytes is above the limit of {self._memory_limit}")

    def _has_memory(self, arrays: Sequence[np.ndarray]) -> bool:
        return self._bytes + _size(arrays) <= self._memory_limit


class LineArea(Area):
    """Elements in the order in which they were put."""

    def __init__(self, name: str, capacity: int, memory_limit: int) -> None:
        super().__init__(name, capacity, memory_limit)
        self._elements: collections.deque[list[np.ndarray]] = collections.deque()

    def put(self, element: Sequence[np.ndarray]) -> None:
        """Appends an element, waiting for room."""
        own = [np.array(array) for array in element]
        self._check_size(own)
        with self._changed:
            self._wait_for(lambda: len(self._elements) < self._capacity and self._has_memory(own))
            self._elements.append(own)
            self._count_bytes(own)

    def get(self) -> list[np.ndarray]:
        """Removes the oldest element, waiting for one."""
        with self._changed:
            self._wait_for(lambda: self._elements)
            element = self._elements.popleft()
            self._count_bytes(element, -1)
            return element

    def peek(self, index: int) -> list[np.ndarray]:
        """The element at a position, waiting until there are as many."""
        with self._changed:
            self._wait_for(lambda: len(self._elements) > index)
            return self._elements[index]

    def size(self) -> int:
        return len(self._elements)

    def clear(self) -> None:
        with self._changed:
            self._elements.clear()
            self._bytes = 0
            self._changed.notify_all()


class KeyedArea(Area):
    """Elements by key, whose components may be put in parts; one is complete when all its components are there.

    Args:
        ordered: whether an element taken without a key is the one with the smallest key.
    """

    def __init__(self, name: str, capacity: int, memory_limit: int, ordered: bool) -> None:
        super().__init__(name, capacity, memory_limit)
        self._ordered = ordered
        self._partial: dict[int, dict[int, np.ndarray]] = {}
        self._complete: dict[int, dict[int, np.ndarray]] = {}

    def put(self, key: int, positions: Sequence[int], components: Sequence[np.ndarray], width: int) -> None:
        """Adds components to the element of a key, which has `width` of them, waiting for room.

        Raises:
            InvalidArgumentError: a component is there already.
        """
        own = {int(at): np.array(array) for at, array in zip(positions, components, strict=True)}
        self._check_size(list(own.values()))
        with self._changed:
            self._wait_for(lambda: self._has_room(key) and self._has_memory(list(own.values())))
            element = self._partial.get(key, {})
            self._check_new(key, own, element, width)
            self._partial[key] = {**element, **own}
            if len(self._partial[key]) == width:
                self._complete[key] = self._partial.pop(key)
            self._count_bytes(list(own.values()))

    def take(self, key: int, positions: Sequence[int]) -> list[np.ndarray]:
        """Removes components of the element of a key, waiting until it is complete."""
        with self._changed:
            self._wait_for(lambda: key in self._complete)
            return self._removed(key, positions)

    def take_any(self, positions: Sequence[int]) -> tuple[int, list[np.ndarray]]:
        """Removes components of an element, waiting for a complete one; returns its key too."""
        with self._changed:
            self._wait_for(lambda: self._complete)
            key = min(self._complete) if self._ordered else next(iter(self._complete))
            return key, self._removed(key, positions)

    def peek(self, key: int, positions: Sequence[int]) -> list[np.ndarray]:
        """Components of the element of a key, waiting until it is complete."""
        with self._changed:
            self._wait_for(lambda: key in self._complete)
            return [self._component(key, int(at)) for at in positions]

    def size(self) -> int:
        return len(self._complete)

    def incomplete_size(self) -> int:
        return len(self._partial)

    def clear(self) -> None:
        with self._changed:
            self._complete.clear()
            self._partial.clear()
            self._bytes = 0
            self._changed.notify_all()

    def _has_room(self, key: int) -> bool:
        return key in self._partial or len(self._complete) + len(self._partial) < self._capacity

    def _check_new(self, key: int, own: dict[int, np.ndarray], element: dict[int, np.ndarray], width: int) -> None:
        if key in self._complete:
            raise errors.InvalidArgumentError(None, None, f"Staging area '{self.name}' already has key {key}")
        for at in own:
            if not 0 <= at < width:
                raise errors.InvalidArgumentError(None, None, f"Index '{at}' is not in [0, {width})")
            if at in element:
                raise errors.InvalidArgumentError(None, None, f"The tensor for index '{at}' for key '{key}' is "
                                                  "already staged")

    def _removed(self, key: int, positions: Sequence[int]) -> list[np.ndarray]:
        taken = [self._component(key, int(at)) for at in positions]
        for at in positions:
            del self._complete[key][int(at)]
        if not self._complete[key]:
            del self._complete[key]
        self._count_bytes(taken, -1)
        return taken

    def _component(self, key: int, at: int) -> np.ndarray:
        try:
            return self._complete[key][at]
        except KeyError:
            raise errors.InvalidArgumentError(None, None, f"Tensor at index '{at}' for key '{key}' has already been "
                                              "removed.") from None


def _size(arrays: Sequence[np.ndarray]) -> int:
    return sum(array.nbytes for array in arrays)
