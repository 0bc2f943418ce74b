"""Runs what must not be interrupted halfway in a thread of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_STACK = 64 << 20  # bytes: tracing is recursive
_starting = threading.Lock()


def aside(function: Callable[..., T], *args: Any) -> T:
    """The result of a function, computed in another thread while this one waits.

    Signal handlers run in the main thread, so that the exceptions they raise, such as KeyboardInterrupt, end the wait
    and never the function: JAX keeps what it is tracing in variables of the thread, and an exception at the wrong
    moment would leave them wrong for good. When the wait ends early, the function finishes and its result is dropped.
    """
    answers: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def call() -> None:
        try:
            answers.put((function(*args), None))
        except BaseException as error:
            answers.put((None, error))

    if deep_thread(call) is None:
        return function(*args)
    result, error = answers.get()
    if error is not None:
        try:
            raise error
        finally:
            error = None  # the traceback refers to this frame
    return result  # type: ignore[return-value]


class Once(Generic[T]):
    """A function without arguments that computes its result once in a process, and wholly.

    However many threads ask for the first time together, and however often they are interrupted while they wait, one
    thread of its own computes the result, and callers that come later wait for that thread. What it raises is raised
    by each of those calls, and a later call tries again.

    Args:
        compute: the function. It may not ask for its own result.
    """

    def __init__(self, compute: Callable[[], T]) -> None:
        self._compute = compute
        self.forget()

    def __call__(self) -> T:
        if not self._found:
            aside(self._find)
        return self._found[0]

    def _find(self) -> None:
        """In a thread that no signal handler interrupts, so that the lock is not left behind."""
        with self._lock:
            if not self._found:
                self._found.append(self._compute())

    @property
    def is_under_way(self) -> bool:
        """Whether the result is being computed."""
        return self._lock.locked()

    @property
    def has_begun(self) -> bool:
        """Whether the result is there or is being computed."""
        return bool(self._found) or self.is_under_way

    def forget(self) -> None:
        """Has the next call compute the result; for a forked process, in which nobody else does."""
        self._found: list[T] = []
        self._lock = threading.Lock()


def deep_thread(call: Callable[[], None], name: str = "evergraph compiler", daemon: bool = False
                ) -> threading.Thread | None:
    """A new thread that calls, with a stack that is large enough for tracing.

    None where the interpreter shuts down and starts no more threads.
    """
    thread = threading.Thread(target=call, name=name, daemon=daemon)
    with _starting:
        before = threading.stack_size(_STACK)
        try:
            thread.start()
        except RuntimeError:
            return None
        finally:
            threading.stack_size(before)
    return thread
