"""Deadlines for steps that wait: in a queue, for gradients, for a lock."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator


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
