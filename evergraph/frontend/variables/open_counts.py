"""Counts how often variable scopes are opened."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


class OpenCounts:
    """The number of times each variable scope was opened since its parent was, which numbers default names.

    Opening and closing a scope takes time proportional to the scopes inside it, independent of its siblings.
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._below: dict[str, set[str]] = {}  # scope -> the scopes inside it, at any depth, that were opened
        self._journal: list[tuple[str, int]] = []  # (scope, its count before a change), while some scope is open
        self._depth = 0

    def copied(self) -> OpenCounts:
        """The same counts, which go on by themselves."""
        copy = OpenCounts()
        copy._counts, copy._depth, copy._journal = dict(self._counts), self._depth, list(self._journal)
        copy._below = {name: set(inner) for name, inner in self._below.items()}
        return copy

    def get(self, name: str) -> int:
        return self._counts.get(name, 0)

    @contextlib.contextmanager
    def opened(self, name: str, undone: bool) -> Iterator[None]:
        """Counts the scope; after the block its inner scopes are counted from zero.

        With `undone`, restores all counts at the end of the block.
        """
        self._set(name, self.get(name) + 1)
        begin = len(self._journal)
        self._depth += 1
        try:
            yield
        finally:
            for inner in self._below.pop(name, ()):
                self._set(inner, 0)
            if undone:
                for changed, before in reversed(self._journal[begin:]):
                    self._set(changed, before)
            self._depth -= 1
            if not self._depth:
                self._journal.clear()

    def _set(self, name: str, count: int) -> None:
        self._journal.append((name, self.get(name)))
        self._counts[name] = count
        parent = name.rpartition("/")[0]
        while parent:
            self._below.setdefault(parent, set()).add(name)
            parent = parent.rpartition("/")[0]
