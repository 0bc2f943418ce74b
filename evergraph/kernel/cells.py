"""Stored values as kernels see them during a step: variables, states of random streams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from evergraph import native
from evergraph.base import errors
from evergraph.kernel.storage import Storage, put


class UninitializedError(errors.FailedPreconditionError):
    """A kernel needs a stored value to which nothing was assigned yet."""


class PlainCell:
    """What every step asks of many cells, in Python; native/cells.c has the same."""

    __slots__ = ("key", "_value", "changed", "label", "_updates", "_in_part_only")

    def __init__(self, key: str, value: Any, label: str = "") -> None:
        self.key, self._value, self.changed, self.label = key, value, False, label or key
        self._updates: Sequence[Callable[[Any, Any], Any]] = ()
        self._in_part_only = True

    @property
    def is_set(self) -> bool:
        return self._value is not None

    @property
    def stored(self) -> Any:
        """The stored value as it is, on the host or on a device; None if nothing was assigned yet."""
        return self._value

    @property
    def value(self) -> Any:
        """The stored value.

        Raises:
            UninitializedError: nothing was assigned yet.
        """
        value = self._value
        return self._missing() if value is None else self._updated() if self._updates else value

    def peek(self) -> Any:
        """The stored value, or None."""
        return self._updated() if self._updates else self._value

    def assign(self, value: Any) -> None:
        self._value, self.changed, self._in_part_only = value, True, False
        self._updates = ()

    @property
    def waiting(self) -> Sequence[Callable[[Any, Any], Any]]:
        """The deferred updates, unless the value was also read or assigned as a whole."""
        return self._updates if self._in_part_only else ()

    def _missing(self) -> Any:
        raise NotImplementedError

    def _updated(self) -> Any:
        raise NotImplementedError


if TYPE_CHECKING:
    _Bare = PlainCell
else:
    _Bare = PlainCell if native.cells is None else native.cells.Cell


class Cell(_Bare):
    """One stored value, as kernels see it during a step.

    Attributes:
        key: its key in the store.
        changed: whether this step has assigned to it.
        label: what errors call it.
    """

    __slots__ = ()

    def _missing(self) -> Any:
        raise UninitializedError(None, None, f"Attempting to use uninitialized value {self.label}")

    def _updated(self) -> Any:
        """The stored value after the deferred updates, which now have happened."""
        self._value, self._in_part_only = self._after_updates(True), False
        self._updates = ()
        return self._value

    def held(self) -> Any:
        """The stored value as it is, wherever it is; None if there is none."""
        return Cell.peek(self)

    def replace(self, change: Callable[[Any], Any]) -> Any:
        """Assigns `change(value)`, and returns the old value."""
        before = self.value
        self.assign(change(before))
        return before

    def update(self, change: Callable[[Any, Any], Any]) -> None:
        """Defers an in-place update of a part of the value: `change(value, wanted)` returns the new value.

        At the end of the step `wanted` is true unless a check failed, in which case the update writes nothing. No copy
        of the old value has to stay alive for that.
        """
        self._updates = (*self._updates, change)
        self.changed = True

    def _after_updates(self, wanted: Any) -> Any:
        value = self._value
        for change in self._updates:
            value = change(value, wanted)
        return value

    def outcome(self, wanted: Any) -> Any:
        """The value at the end of the step, updated in place if `wanted`; None unless all updates were deferred."""
        return self._after_updates(wanted) if self._in_part_only and self._updates else None


def cells_of(labels: dict[str, str], values: list[Any]) -> dict[str, Cell]:
    """A cell for each key of the labels, with its value."""
    if native.cells is not None:
        return native.cells.cells(Cell, labels, values)
    return {key: Cell(key, value, label) for (key, label), value in zip(labels.items(), values, strict=True)}


class SharedCell(Cell):
    """A stored value in a host stage, during which other threads may change it: `replace` is atomic.

    A replaced value stays replaced when the step fails later, as a dequeued element stays out of its queue.
    """

    __slots__ = ("_load", "_store")

    def __init__(self, key: str, load: Callable[[str], Any], store: Storage, label: str = "") -> None:
        super().__init__(key, load(key), label)
        self._load, self._store = load, store

    def replace(self, change: Callable[[Any], Any]) -> Any:
        own = frozenset([self.key])
        with self._store.using(own, own):
            self._value = self._load(self.key)
            before = self.value
            self._value = change(before)
            put(self._store, {self.key: self._value})
        return before
