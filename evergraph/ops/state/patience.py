"""How long a step may wait: in a queue, for gradients, for a lock."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator


class _Step(threading.local):
    """When the step that this thread runs has to be over, by the monotonic clock."""

    deadline: float | None = None


_step = _Step()


@contextlib.contextmanager
def until(deadline: float | None) -> Iterator[None]:
    """A with-block in which nothing waits beyond a time of the monotonic clock; None for any time."""
    before, _step.deadline = _step.deadline, deadline
    try:
        yield
    finally:
        _step.deadline = before


def patience(timeout: float | None) -> float | None:
    """Seconds to wait at most: what is left of the step's time, or else a timeout of one's own. None for any time."""
    return timeout if _step.deadline is None else max(0.0, _step.deadline - time.monotonic())
