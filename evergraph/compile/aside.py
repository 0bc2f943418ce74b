"""Runs what must not be interrupted halfway in a thread of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

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


def deep_thread(call: Callable[[], None]) -> threading.Thread | None:
    """A new thread that calls, with a stack that is large enough for tracing.

    None where the interpreter shuts down and starts no more threads.
    """
    thread = threading.Thread(target=call, name="evergraph compiler", daemon=False)
    with _starting:
        before = threading.stack_size(_STACK)
        try:
            thread.start()
        except RuntimeError:
            return None
        finally:
            threading.stack_size(before)
    return thread
