"""What a run has replaced in the store, for the case that it does not come to its end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from evergraph.graph.node import Operation
from evergraph.kernel.storage import Storage


class Watcher(Protocol):
    """Looks at what NumPy runs.

    Attributes:
        needs_each: whether each node has to run alone, also one whose result is known.
    """

    needs_each: bool

    def begin(self) -> Callable[[tuple[Any, ...]], None]:
        """Returns what code for NumPy calls behind each line.

        With the node, when the line began and ended, by `time.perf_counter_ns`, and the shapes of the outputs; None for
        those that are no arrays, or that nobody computed.
        """

    def seen(self, node: Operation, outputs: Sequence[Any]) -> None:
        """A node has run, alone, and has these outputs."""


class Undo:
    """The first phase of what the stages of a run store, and what undoes it when the run fails or is interrupted.

    Attributes:
        replaced: key -> what the store takes to have the value from before the run again.
        is_last_stage: whether the run is complete when the stage that runs now has stored its results.
        returns_early: whether the run may return while the device still computes its only stage.
        watcher: sees what NumPy runs; None in a run that nobody watches.
    """

    _ran: dict[str, Any] | None = None
    _check: int | None = None
    watcher: Watcher | None = None
    _parts: tuple[_Part, ...] = ()

    def __init__(self) -> None:
        self.replaced: dict[str, Any] = {}
        self.is_last_stage = True
        self.returns_early = False

    def part(self) -> _Part:
        """The undo of a stage that runs beside others."""
        part = _Part()
        self._parts = (*self._parts, part)
        return part

    def wait(self) -> None:
        """Waits until none of the stages runs that run beside others. Doing it twice does no harm."""
        for part in self._parts:
            part.end()
            self.replaced = part.replaced | self.replaced

    def prepare(self, store: Storage, keys: Sequence[str], changes_layout: bool, donated: bool = False) -> None:
        """Prepares a store for what a stage replaces; see `Storage.prepare`. The last stage has nothing to keep.

        So the last one need not call it, unless it changes the layout.
        """
        kept = store.prepare(keys, changes_layout, donated and not self.is_last_stage)
        if not self.is_last_stage:
            self.replaced = dict(zip(keys, kept, strict=True)) | self.replaced

    def awaited(self, check: int | None = None) -> dict[str, Any]:
        """A dictionary that gets the results of a stage as "found", in the C call that stores them.

        Args:
            check: where among the results the number of a failed check is, with which the run is not complete.
        """
        ran: dict[str, Any] = {}
        if self.is_last_stage:
            self._ran, self._check = ran, check
        return ran

    @property
    def is_complete(self) -> bool:
        """Whether the last stage has stored its results, so that the run counts even if an interrupt follows."""
        if self._ran is None or "found" not in self._ran:
            return False
        return self._check is None or not int(self._ran["found"][self._check])


class _Part(Undo):
    """The undo of a stage that runs beside others, in a thread of its own: no such stage is the last one."""

    def __init__(self) -> None:
        super().__init__()
        self.is_last_stage = self._has_ended = False
        self._running = threading.Lock()

    def unless_ended(self, call: Callable[[], Any]) -> Any:
        """The result of a call; None, without the call, after `end`."""
        with self._running:
            return None if self._has_ended else call()

    def end(self) -> None:
        """Waits for a call that runs, and prevents one that has not begun."""
        self._has_ended = True
        with self._running:
            pass
