"""Mappings of bounded size: one evicts the entries that were not used for longest, one computes what it lacks."""

from __future__ import annotations

import collections
import threading
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class RecentlyUsed(Generic[T]):
    """Values by key; adding one beyond the most evicts the least recently used. Threads share it.

    Looking up a key takes no lock, and does not count as use, while at most half of the room is taken.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: collections.OrderedDict[Hashable, T] = collections.OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> T | None:
        found = self._kept.get(key)
        if found is not None and len(self._kept) > self._most // 2:
            with self._lock:
                if key in self._kept:
                    self._kept.move_to_end(key)
        return found

    def put(self, key: Hashable, value: T) -> None:
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def discard(self, is_stale: Callable[[Hashable], bool]) -> None:
        """Removes the entries whose keys are stale."""
        with self._lock:
            for key in [key for key in self._kept if is_stale(key)]:
                del self._kept[key]

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()

    def __iter__(self) -> Iterator[T]:
        """The values."""
        with self._lock:
            return iter(list(self._kept.values()))

    def __len__(self) -> int:
        return len(self._kept)


class Computed(dict[Any, Any]):
    """A dictionary that computes the values of keys that it lacks, and forgets them all when there are too many.

    Args:
        compute: a function from a key to its value. What it raises is raised each time.
        most: how many keys there may be.
    """

    __slots__ = ("_compute", "_most")

    def __init__(self, compute: Callable[[Any], Any], most: int = 256) -> None:
        self._compute, self._most = compute, most

    def __missing__(self, key: Any) -> Any:
        value = self._compute(key)
        if len(self) >= self._most:
            self.clear()
        self[key] = value
        return value
