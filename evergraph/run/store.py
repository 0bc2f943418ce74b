"""The values a session keeps between steps: variables, random streams, tables, queues."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any


class Store:
    """Stored values by key. `layout` grows whenever the set of keys, or a shape or dtype, changes.

    Args:
        timeout: how many seconds queues in it may be waited for; None for any time.
    """

    def __init__(self, timeout: float | None = None) -> None:
        self.timeout = timeout
        self.lock = threading.RLock()
        self.layout = 0
        self._values: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        return self._values.get(key)

    def put(self, key: str, value: Any) -> None:
        old = self._values.get(key)
        if (
            old is None
            or getattr(old, "shape", None) != getattr(value, "shape", None)
            or getattr(old, "dtype", None) != getattr(value, "dtype", None)
        ):
            self.layout += 1
        self._values[key] = value

    def swap(self, key: str, value: Any) -> None:
        """Replaces a value by one of the same shape and dtype."""
        self._values[key] = value

    def shared(self, key: str, make: Callable[[], Any]) -> Any:
        """The object kept under `key`; the first to ask makes it."""
        with self.lock:
            found = self._values.get(key)
            if found is None:
                found = self._values[key] = make()
                if hasattr(found, "timeout"):
                    found.timeout = self.timeout
            return found

    def remove(self, keys: Iterable[str]) -> None:
        with self.lock:
            for key in keys:
                if self._values.pop(key, None) is not None:
                    self.layout += 1

    def clear(self) -> None:
        """Forgets everything; what waits in a queue is told that it waits in vain."""
        with self.lock:
            kept = list(self._values.values())
            self._values.clear()
            self.layout += 1
        for value in kept:
            if hasattr(value, "cancel"):
                value.cancel()

    def keys(self) -> list[str]:
        return list(self._values)
