"""Compiles in the background, one program after another, while steps run on NumPy.

XLA compiles without the interpreter's lock. The one thread lives as long as there is something to compile, and is no
daemon: a process that ends waits for the program that is being compiled, because XLA aborts processes that do not, and
drops those that have not begun.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

from evergraph.base.aside import deep_thread
from evergraph.compile import backend

MOST_COPIED = 1 << 22  # elements of inputs and variables, of which compiling in the background takes a copy


class Job:
    """A call that happens in the background.

    Args:
        owner: the call is dropped if nobody else holds this object when its turn comes.
        call: what to call.
        error: what it has raised, if it is over.
    """

    def __init__(self, owner: Any, call: Callable[[], Any], error: BaseException | None = None) -> None:
        self._owner, self._call = weakref.ref(owner), call
        self._is_over = threading.Event()
        self._error = error
        self._is_done = False

    def wait(self) -> bool:
        """Waits for the call, and says whether it has happened. Raises the error that it raised."""
        self._is_over.wait()
        error, self._error = self._error, None
        if error is not None:
            raise error
        return self._is_done

    def make(self) -> None:
        """Calls, in the thread of the background."""
        try:
            if self._owner() is not None and threading.main_thread().is_alive():
                self._call()
                self._is_done = True
        except BaseException as error:
            self._error = error
        self.drop()

    def drop(self) -> None:
        """Ends the wait for the call, whether it has happened or not."""
        self._call = _nothing  # which frees what it holds
        self._is_over.set()


def _nothing() -> None: ...


class _Background:
    """The jobs that wait for their turn, and the thread that does them."""

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._lock, self._jobs = threading.Lock(), deque[Job]()
        self._thread: threading.Thread | None = None

    def add(self, job: Job) -> None:
        with self._lock:
            self._jobs.append(job)
            if self._thread is None:
                self._thread = deep_thread(self._work)
                if self._thread is None:  # the interpreter shuts down
                    self._jobs.pop().drop()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._jobs:
                    self._thread = None
                    return
                job = self._jobs.popleft()
            job.make()

    def note_fork(self) -> None:
        """In a forked process there is no such thread, and JAX may be loaded halfway."""
        if self._thread is not None:
            backend.process.is_forked = True
        for job in self._jobs:
            job.drop()
        self._reset()


_background = _Background()
os.register_at_fork(after_in_child=_background.note_fork)


def ahead(owner: Any, call: Callable[[], Any]) -> Job:
    """Calls in the background."""
    job = Job(owner, call)
    _background.add(job)
    return job


def failed(owner: Any, error: Exception) -> Job:
    """A call that is over, and has raised an error."""
    job = Job(owner, _nothing, error)
    job.drop()
    return job
