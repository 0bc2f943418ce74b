"""The object behind barrier ops: elements whose components arrive one by one, by key."""

from __future__ import annotations

import collections
import heapq
import threading
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.shapes import text
from evergraph.kernel.patience import wait_for
from evergraph.kernel.values import boxed

_FIRST = -(2**63)


class Barrier:
    """Holds elements until all their components are there; gives out complete ones, those inserted first at first.

    An insertion gives all its new keys one index, which is that of their elements. Threads that take elements are
    served in order of arrival.

    Args:
        name: its name in error messages.
        types: the dtype of each component.
        shapes: the shape of each component, or () if shapes are not fixed.
    """

    def __init__(self, name: str, types: Sequence[dtypes.DType], shapes: Sequence[Any]) -> None:
        self.name, self.types, self.shapes = name, tuple(types), tuple(shapes)
        self.timeout: float | None = None  # the longest time to wait, in seconds
        self.agreed: weakref.WeakSet[Any] = weakref.WeakSet()  # nodes of the same shared name with equal attrs
        self._index, self._arrivals = _FIRST, 0
        self._partial: dict[bytes, tuple[int, list[Any]]] = {}
        self._ready: list[tuple[int, int, bytes, list[Any]]] = []
        self._closed = self._inserts_cancelled = self._cancelled = False
        self._changed = threading.Condition()
        self._waiting: collections.deque[object] = collections.deque()

    @property
    def value(self) -> np.ndarray:
        """What a session returns for the handle: the container and the name."""
        return np.array([b"", self.name.encode()], object)

    def insert_many(self, component: int, keys: np.ndarray, values: np.ndarray) -> None:
        """Adds a component of several elements, of which the keys are known or new.

        Raises:
            CancelledError: the barrier is closed and a key is new, or its insertions are cancelled.
            InvalidArgumentError: the values do not fit, or an element has the component already.
        """
        self._check(component, keys, values)
        names = [bytes(key) for key in keys.ravel()]
        with self._changed:
            if self._inserts_cancelled or self._closed and any(name not in self._partial for name in names):
                raise errors.CancelledError(None, None, f"Barrier '{self.name}' is closed.")
            seen: set[bytes] = set()
            for name in names:
                if name in seen or name in self._partial and self._partial[name][1][component] is not None:
                    raise errors.InvalidArgumentError(None, None, f"Key {name!r} already has a value for component "
                                                      f"{component} in barrier '{self.name}'")
                seen.add(name)
            has_new = any(name not in self._partial for name in names)
            for name, value in zip(names, values):
                self._insert(name, component, boxed(value) if isinstance(value, bytes) else np.array(value))
            self._index += has_new
            self._changed.notify_all()

    def _insert(self, name: bytes, component: int, value: np.ndarray) -> None:
        index, values = self._partial.setdefault(name, (self._index, [None] * len(self.types)))
        values[component] = value
        if all(each is not None for each in values):
            del self._partial[name]
            heapq.heappush(self._ready, (index, self._arrivals, name, values))
            self._arrivals += 1

    def _check(self, component: int, keys: np.ndarray, values: np.ndarray) -> None:
        if not 0 <= component < len(self.types):
            raise errors.InvalidArgumentError(None, None, f"barrier '{self.name}' has {len(self.types)} components: "
                                              f"there is none of the number {component}")
        if values.ndim == 0 or len(values) != keys.size:
            raise errors.InvalidArgumentError(None, None, f"there must be a value for each of {keys.size} keys, got "
                                              f"shape {text(values.shape)}")
        if keys.size and not values.size:
            raise errors.InvalidArgumentError(None, None, "Tensors with no elements are not supported: got shape "
                                              f"{text(values.shape)} for component {component} of '{self.name}'")
        wanted = self.shapes[component] if self.shapes else None
        if wanted is not None and any(w not in (None, got) for w, got in zip(wanted, values.shape[1:])) \
                or wanted is not None and len(wanted) != values.ndim - 1:
            raise errors.InvalidArgumentError(None, None, f"Shape mismatch in tuple component {component}. Expected "
                                              f"{text(wanted)}, got {text(values.shape[1:])}")

    def take_many(self, count: int, allow_small_batch: bool) -> list[tuple[int, bytes, list[Any]]]:
        """Takes `count` complete elements, waiting for them; of a closed barrier what is complete, if that may be.

        Raises:
            OutOfRangeError: the barrier is closed, and there will not be as many elements.
            CancelledError: the session was closed during the wait.
            DeadlineExceededError: the wait exceeded the session's timeout.
        """
        turn = object()
        with self._changed:
            self._waiting.append(turn)
            try:
                self._wait(turn, count, allow_small_batch)
                taken = [heapq.heappop(self._ready) for _ in range(min(count, len(self._ready)))]
                return [(index, key, values) for index, _, key, values in taken]
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()

    def _wait(self, turn: object, count: int, allow_small_batch: bool) -> None:
        def is_over() -> bool:
            if self._cancelled:
                return True
            if self._waiting[0] is not turn:
                return False
            needed = min(count, 1) if self._closed and allow_small_batch else count
            return len(self._ready) >= needed or self._closed and self._total() < needed

        if not wait_for(self._changed, is_over, self.timeout):
            raise errors.DeadlineExceededError(None, None, "Timed out waiting for notification")
        if self._cancelled:
            raise errors.CancelledError(None, None, f"Operation on '{self.name}' was cancelled")
        if self._total() < (min(count, 1) if allow_small_batch else count):
            raise errors.OutOfRangeError(None, None, f"Barrier '{self.name}' is closed and has insufficient elements "
                                         f"(requested {count}, total size {self._total()})")

    def _total(self) -> int:
        """The number of elements that are complete or can become so."""
        return len(self._ready) + (0 if self._inserts_cancelled else len(self._partial))

    def close(self, cancel_pending_enqueues: bool) -> None:
        """Closes the barrier for new keys, and for components of known ones too if these are cancelled."""
        with self._changed:
            self._closed = True
            self._inserts_cancelled |= cancel_pending_enqueues
            self._changed.notify_all()

    def cancel(self) -> None:
        """Wakes all waiting threads with an error."""
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()

    def check_same(self, other: Barrier) -> None:
        """Raises InvalidArgumentError unless another barrier of the same shared name has equal attrs."""
        for what, mine, theirs in (("component types", self.types, other.types),
                                   ("component shapes", self.shapes, other.shapes)):
            if mine != theirs:
                raise errors.InvalidArgumentError(None, None, f"Shared barrier '{self.name}' has {what} {mine} but "
                                                  f"requested {what} was {theirs}")

    def ready_size(self) -> int:
        return len(self._ready)

    def incomplete_size(self) -> int:
        return len(self._partial)
