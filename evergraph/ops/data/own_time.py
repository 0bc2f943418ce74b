"""Tells how long a thread takes for something from how long the system runs other processes meanwhile."""

from __future__ import annotations

from typing import NamedTuple

try:
    import resource

    _THREAD: int | None = resource.RUSAGE_THREAD
except (ImportError, AttributeError):  # not every system tells what one thread has used
    _THREAD = None


class Usage(NamedTuple):
    """What a thread has used.

    Attributes:
        processor: seconds of processor time.
        waits: how often it has waited for something.
    """

    processor: float
    waits: int


def usage() -> Usage | None:
    """What this thread has used so far; None where the system does not tell."""
    if _THREAD is None:
        return None
    used = resource.getrusage(_THREAD)
    return Usage(used.ru_utime + used.ru_stime, used.ru_nvcsw)


def own_seconds(seconds: float, before: Usage | None, after: Usage | None) -> float:
    """The part of some seconds, before and after which a thread has used so much, that are the thread's own.

    A thread that has waited for nothing has computed all the time, except while others had its core.
    """
    if before is None or after is None or before.waits != after.waits:
        return seconds
    return min(seconds, after.processor - before.processor)
