"""Deadlines of steps: for kernels that wait in a queue, for gradients, for a lock; for loops that run as Python.

A step may also be stopped from outside: one that a client in another process has asked for ends when the client does.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from evergraph.base import errors


class _Step(threading.local):
    """The deadline of the step that this thread runs, on the monotonic clock, and what may stop it."""

    deadline: float | None = None
    stops: tuple[Stop, ...] = ()


class Stop:
    """Ends the waits of steps, now and from then on, once it is set."""

    def __init__(self) -> None:
        self.is_set = False
        self._lock = threading.Lock()
        self._wakes: dict[object, Callable[[], object]] = {}

    def set(self) -> None:
        with self._lock:
            self.is_set = True
            wakes = list(self._wakes.values())
        for wake in wakes:
            wake()

    def add(self, key: object, wake: Callable[[], object]) -> None:
        """Has `wake` called, in any thread, when it is set."""
        with self._lock:
            self._wakes[key] = wake

    def remove(self, key: object) -> None:
        with self._lock:
            self._wakes.pop(key, None)


_step = _Step()


@contextlib.contextmanager
def until(deadline: float | None) -> Iterator[None]:
    """Context manager that sets a deadline on the monotonic clock; None for no deadline."""
    before, _step.deadline = _step.deadline, deadline
    try:
        yield
    finally:
        _step.deadline = before


@contextlib.contextmanager
def stoppable(*stops: Stop) -> Iterator[None]:
    """Context manager for a step that each of these may stop."""
    before, _step.stops = _step.stops, stops
    try:
        yield
    finally:
        _step.stops = before


@contextlib.contextmanager
def woken(wake: Callable[[], object]) -> Iterator[None]:
    """Context manager for a wait, which `wake` ends: it is called if the step is stopped."""
    stops, key = _step.stops, object()
    for stop in stops:
        stop.add(key, wake)
    try:
        if any(stop.is_set for stop in stops):
            wake()
        yield
    finally:
        for stop in stops:
            stop.remove(key)


def wait_for(changed: threading.Condition, ready: Callable[[], object], timeout: float | None) -> bool:
    """Waits until `ready` holds, as `changed.wait_for`, at most as long as `patience` allows; returns whether it does.

    Raises:
        CancelledError: the step was stopped.
    """
    stops = _step.stops
    if not stops:
        return bool(changed.wait_for(ready, patience(timeout)))

    def wake() -> None:
        with changed:
            changed.notify_all()

    with woken(wake):
        found = changed.wait_for(lambda: any(stop.is_set for stop in stops) or ready(), patience(timeout))
    if any(stop.is_set for stop in stops):
        raise errors.CancelledError(None, None, "the step was cancelled while it waited")
    return bool(found)


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
