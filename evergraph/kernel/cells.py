"""Stored values as kernels see them: variables, random streams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import errors


class Cell:
    """One stored value, as kernels see it during a step.

    Attributes:
        key: its name in the store.
        changed: whether this step has assigned to it.
    """

    __slots__ = ("key", "_value", "changed", "label", "_updates", "_in_part_only")

    def __init__(self, key: str, value: Any, label: str = "") -> None:
        self.key, self._value, self.changed, self.label = key, value, False, label or key
        self._updates: list[Callable[[Any, Any], Any]] = []
        self._in_part_only = True

    @property
    def is_set(self) -> bool:
        return self._value is not None

    @property
    def value(self) -> Any:
        """The stored value.

        Raises:
            FailedPreconditionError: nothing was assigned yet.
        """
        if self._value is None:
            raise errors.FailedPreconditionError(None, None, f"Attempting to use uninitialized value {self.label}")
        return self.peek()

    def peek(self) -> Any:
        """The stored value, or None."""
        if self._updates:
            self._value, self._in_part_only = self._after_updates(True), False
            self._updates.clear()
        return self._value

    def assign(self, value: Any) -> None:
        self._value, self.changed, self._in_part_only = value, True, False
        self._updates.clear()

    def replace(self, change: Callable[[Any], Any]) -> Any:
        """Assigns what `change` makes of the value, and gives the value from before."""
        before = self.value
        self.assign(change(before))
        return before

    def update(self, change: Callable[[Any, Any], Any]) -> None:
        """Changes a part of the value, later: `change(value, wanted)` gives the new value.

        The step decides in the end whether it is `wanted`, so that a failed one leaves no trace, and no copy of the
        whole value has to be kept for that.
        """
        self._updates.append(change)
        self.changed = True

    def _after_updates(self, wanted: Any) -> Any:
        value = self._value
        for change in self._updates:
            value = change(value, wanted)
        return value

    @property
    def waiting(self) -> Sequence[Callable[[Any, Any], Any]]:
        """The changes that the end of the step decides about."""
        return self._updates if self._in_part_only else ()

    def outcome(self, wanted: Any) -> Any:
        """The value after the step when only parts were changed, and those only if `wanted`; else None."""
        return self._after_updates(wanted) if self._in_part_only and self._updates else None


class SharedCell(Cell):
    """A stored value in a step that may wait for other threads while they change it: `replace` is one act for all.

    What was replaced stays so even when the step fails later, as an element stays out of the queue it was taken from.
    """

    __slots__ = ("_load", "_store")

    def __init__(self, key: str, load: Callable[[str], Any], store: Any, label: str = "") -> None:
        super().__init__(key, load(key), label)
        self._load, self._store = load, store

    def replace(self, change: Callable[[Any], Any]) -> Any:
        with self._store.lock:
            self._value = self._load(self.key)
            before = self.value
            self._value = change(before)
            self._store.put(self.key, self._value)
        return before
