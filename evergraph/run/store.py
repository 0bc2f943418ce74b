"""The values a session keeps between steps: variables, random streams, tables, queues."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any


class Store:
    """Stored values by key. `layout` grows whenever the set of keys, or a shape or dtype, changes.

    Threads may run steps at the same time. Each runs in a `using` block that names what it uses, and waits there for
    others that change some of that; inside, values are its own to `get` and `put`.

    Args:
        timeout: how many seconds queues in it may be waited for; None for any time.
    """

    def __init__(self, timeout: float | None = None) -> None:
        self.timeout = timeout
        self.lock = threading.RLock()
        self.layout = 0
        self._values: dict[str, Any] = {}
        self._blocks: list[Using] = []  # those that run and those that wait, in the order they came
        self._left = threading.Condition(self.lock)

    def using(self, keys: frozenset[str], changed: frozenset[str]) -> Using:
        """A block that uses the values of `keys` and may replace those of `changed`, which are among them."""
        return Using(self, keys, changed)

    def enter(self, block: Using) -> None:
        """Waits for the blocks that came before and collide with this one, so that each has its turn."""
        with self.lock:
            nested = any(other.thread == block.thread for other in self._blocks)
            # Who waits for a block that this one stands in cannot be waited for.
            ahead = {other for other in self._blocks if block.collides(other) and (other.entered or not nested)}
            self._blocks.append(block)
            try:
                while not ahead.isdisjoint(self._blocks):
                    self._left.wait()
            except BaseException:
                self.leave(block)
                raise
            block.entered = True

    def leave(self, block: Using) -> None:
        with self.lock:
            self._blocks.remove(block)
            self._left.notify_all()

    def get(self, key: str) -> Any:
        return self._values.get(key)

    def read(self, key: str) -> Any:
        """The value of a key for those outside of a block: a whole one, which no step is about to replace."""
        with self.using(frozenset([key]), frozenset()):
            return self._values.get(key)

    def put(self, key: str, value: Any) -> None:
        with self.lock:
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
        known = self._values.get(key)
        if known is not None:
            return known
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


class Using:
    """A block of one thread that uses some values of a store; see `Store.using`."""

    __slots__ = ("_store", "_keys", "_changed", "thread", "entered")

    def __init__(self, store: Store, keys: frozenset[str], changed: frozenset[str]) -> None:
        self._store, self._keys, self._changed = store, keys, changed
        self.thread, self.entered = threading.get_ident(), False

    def collides(self, other: Using) -> bool:
        """Whether one changes what the other uses. Blocks of one thread stand inside each other and never collide."""
        return self.thread != other.thread and not (
            self._changed.isdisjoint(other._keys) and other._changed.isdisjoint(self._keys)
        )

    def __enter__(self) -> None:
        self._store.enter(self)

    def __exit__(self, *error: object) -> None:
        self._store.leave(self)
