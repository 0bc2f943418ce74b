"""Stored values as kernels see them: variables, random streams."""

from __future__ import annotations

from typing import Any

from evergraph.base import errors


class Cell:
    """One stored value, as kernels see it during a step.

    Attributes:
        key: its name in the store.
        changed: whether this step has assigned to it.
    """

    __slots__ = ("key", "_value", "changed", "label")

    def __init__(self, key: str, value: Any, label: str = "") -> None:
        self.key, self._value, self.changed, self.label = key, value, False, label or key

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
        return self._value

    def peek(self) -> Any:
        """The stored value, or None."""
        return self._value

    def assign(self, value: Any) -> None:
        self._value, self.changed = value, True
