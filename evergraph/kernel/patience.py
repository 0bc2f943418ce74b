"""Deadlines of steps: for kernels that wait in a queue, for gradients, for a lock; for loops that run as Python."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from evergraph.base import errors


class _Step(threading.local):
    """The deadline of the step that this thread runs, on the monotonic clock."""

    deadline: float | None = None


_step = _Step()


@contextlib.contextmanager
def until(deadline: float | None) -> Iterator[None]:
    """Context manager that sets a deadline on the monotonic clock; None for no deadline."""
    before, _step.deadline = _step.deadline, deadline
    try:
        yield
    finally:
        _step.deadline = before


def patience(timeout: float | None) -> float | None:
    """The longest time to wait, in seconds: the rest of the step's time, or else `timeout`. None for no limit."""
    return timeout if _step.deadline is None else max(0.0, _step.deadline - time.monotonic())


def deadline() -> float | None:
    """When the time of the step is over, on the monotonic clock; None for no limit."""
    return _step.deadline


def require_time(end: float) -> None:
    """Raises DeadlineExceededError if the monotonic clock has reached `end`."""
    if time.monotonic() >= end:
        raise errors.DeadlineExceededError(None, None, "the run took longer than its options allow")
