"""Draws the elements that the main thread asks for in another thread, so that no interrupt comes in the middle of one.

Python runs signal handlers in the main thread, between any two bytecodes. A KeyboardInterrupt in the middle of a draw
would lose rows of a batch, or leave a shuffle with half of a change. So the main thread only waits: an interrupt ends
the wait, and the element that was being drawn is what the next draw gives. All iterators share the thread that draws;
there are more only where a draw that was given up is still under way.
"""

from __future__ import annotations

import collections
import os
import queue
import threading
import time
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.aside import deep_thread
from evergraph.kernel.patience import patience
from evergraph.ops.data.blocks import drawn
from evergraph.ops.data.pipeline import Element, Iterator
from evergraph.ops.data.prefetching import QUICK

# Elements that one turn of the thread draws where nobody can tell. To wake it takes as long as two quick draws.
MOST_EARLY = 128
_MOST_BYTES = 1 << 20  # of them together

Answer = tuple[Element | None, BaseException | None]
"""An element, or None at the end; or what was raised instead."""


class Draws:
    """The elements of an iterator, one after another, for threads that may draw at the same time.

    Args:
        iterator: where they come from.
        is_quiet: whether nobody can tell when elements are drawn, so that some may be drawn before they are asked for.

    Attributes:
        there: something for each turn of the thread that is over.
    """

    def __init__(self, iterator: Iterator, is_quiet: bool) -> None:
        self.iterator, self._is_quiet = iterator, is_quiet
        self.lock = threading.RLock()  # held by whoever draws
        self._count = 1  # elements in the next turn of the thread
        self._waiting: collections.deque[Answer] = collections.deque()
        self._is_wanted = False
        self.there: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._is_closed = False

    def get(self) -> Element | None:
        """The next element; None at the end.

        Raises:
            DeadlineExceededError: the time of the step is over.
        """
        is_main = threading.current_thread() is threading.main_thread()
        element, error = self._apart() if is_main else self._here()
        if error is not None:
            try:
                raise error
            finally:
                error = None  # the traceback refers to this frame
        return element

    def _here(self) -> Answer:
        with self.lock:
            return self._waiting.popleft() if self._waiting else (self.iterator.get(), None)

    def _apart(self) -> Answer:
        """What is waiting, or what the thread draws now. An interrupt may come at any point."""
        while True:
            try:
                return self._waiting.popleft()
            except IndexError:
                pass
            if self._is_closed or not _drawers.are_there():
                return self._here()
            self._is_wanted = True
            _drawers.ask(self)
            try:
                self.there.get(timeout=patience(None))
            except queue.Empty:
                raise errors.DeadlineExceededError(None, None, "the next element was not there in time") from None

    def draw(self) -> None:
        """Draws what is wanted: a turn of the thread."""
        with self.lock:
            if self._is_wanted and not self._waiting:
                answers = self._drawn()
                self._is_wanted = False
                self._waiting.extend(answers)

    def _drawn(self) -> list[Answer]:
        """At least one answer."""
        start = time.perf_counter()
        try:
            if self._count == 1:
                answers: list[Answer] = [(self.iterator.get(), None)]
            else:
                answers = self._early(self._count)
        except BaseException as error:  # whoever asks for the element gets it
            return [(None, error)]
        if self._is_quiet:
            is_quick = time.perf_counter() - start < QUICK * len(answers)
            is_quick = is_quick and 8 * len(answers) * _bytes(answers[0]) < _MOST_BYTES
            self._count = min(8 * self._count, MOST_EARLY) if is_quick else max(1, self._count // 2)
        return answers

    def _early(self, count: int) -> list[Answer]:
        block = drawn(self.iterator, count)
        answers: list[Answer] = [(row, None) for row in block.rows()]
        return answers if len(answers) == count else [*answers, (None, block.error)]

    def close(self) -> None:
        """Ends threads and closes files."""
        self.iterator.stop()
        with self.lock:  # whoever is drawing leaves first
            self._is_closed = True
            self.iterator.close()

    def state(self) -> Any:
        """Where the next draw goes on: elements that wait, and the state of the iterator."""
        return list(self._waiting), self.iterator.state()

    def restore(self, state: Any) -> None:
        waiting, inner = state
        self.iterator.restore(inner)
        self._waiting.extend(waiting)


def _bytes(answer: Answer) -> int:
    return sum(value.nbytes for value in answer[0] or () if isinstance(value, np.ndarray))


class _Drawers:
    """The threads that draw for the main thread, which alone asks them."""

    def __init__(self) -> None:
        self._wanted: queue.SimpleQueue[Draws] = queue.SimpleQueue()
        self._asked = self._done = self._threads = 0

    def are_there(self) -> bool:
        """Whether some thread is free, or could be started; none can when the interpreter shuts down."""
        if self._asked - self._done < self._threads:
            return True
        if deep_thread(self._draw, "dataset_drawing", daemon=True) is None:
            return False
        self._threads += 1
        return True

    def ask(self, draws: Draws) -> None:
        """Gives a thread a turn. An interrupt between the two lines costs a thread that is not needed."""
        self._asked += 1
        self._wanted.put(draws)

    def _draw(self) -> None:
        while True:
            draws = self._wanted.get()
            draws.draw()
            there = draws.there
            del draws  # whoever waits may be the last to hold it
            with _counting:
                self._done += 1
            there.put(None)


_counting = threading.Lock()
_drawers = _Drawers()


def _start_anew() -> None:
    """Threads do not live on in a forked process."""
    global _drawers, _counting
    _drawers, _counting = _Drawers(), threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
