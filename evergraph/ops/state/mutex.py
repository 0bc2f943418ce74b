"""Mutexes, which keep steps of other threads out of what one step does.

A step holds a mutex from MutexLock to ConsumeMutexLock. Steps run their nodes one after the other, so that a second
lock of the same mutex in the same step need not wait; two sections of one step run in the order they were made.
"""

from __future__ import annotations

import threading

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.ops.state.patience import patience


class Mutex:
    """Held by one thread at a time, by that as often as it likes."""

    def __init__(self):
        self.timeout = None  # seconds to wait at most
        self._holder, self._count, self._cancelled = None, 0, False
        self._changed = threading.Condition()

    def acquire(self):
        """Waits until no other thread holds it, and gives the hold on it."""
        thread = threading.get_ident()
        with self._changed:
            idle = lambda: self._cancelled or self._holder in (None, thread)
            free = self._changed.wait_for(idle, patience(self.timeout))
            if self._cancelled:
                raise errors.CancelledError(None, None, "Lock acquisition cancelled.")
            if not free:
                raise errors.DeadlineExceededError(None, None, "Timed out waiting for a mutex")
            self._holder = thread
            self._count += 1
        return Hold(self)

    def let_go(self):
        with self._changed:
            self._count -= 1
            if not self._count:
                self._holder = None
                self._changed.notify_all()

    def cancel(self):
        """Wakes everybody who waits, in vain."""
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()


class Hold:
    """A hold on a mutex; it ends when it is released, or when a step that failed forgets about it."""

    def __init__(self, mutex):
        self._mutex = mutex

    def release(self):
        mutex, self._mutex = self._mutex, None
        if mutex is not None:
            mutex.let_go()

    __del__ = release


@op("MutexV2(*, container: string = '', shared_name: string = '') -> resource: resource", stateful=True, on="host",
    grad=STOP, shape=scalar)
def mutex_v2(shared):
    """A mutex."""
    return shared(Mutex)


@op("MutexLock(mutex: resource) -> mutex_lock: variant", stateful=True, on="host", grad=STOP, shape=scalar)
def mutex_lock(mutex):
    """Waits for a mutex and holds it."""
    box = np.empty((), object)
    box[()] = mutex.acquire()
    return box


@op("ConsumeMutexLock(mutex_lock: variant) -> ()", stateful=True, on="host", grad=STOP)
def consume_mutex_lock(mutex_lock):
    """Ends the hold on a mutex."""
    mutex_lock[()].release()
