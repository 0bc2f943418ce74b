"""Mutexes for critical sections across steps.

A step holds a mutex from MutexLock to ConsumeMutexLock. A step runs its nodes sequentially, so that locking a mutex
again in the same step does not deadlock; two critical sections of one step run in the order of their creation.
"""

from __future__ import annotations

import threading

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.kernel.patience import wait_for


class Mutex:
    """A reentrant lock."""

    def __init__(self):
        self.timeout = None  # the longest time to wait, in seconds
        self._holder, self._count, self._cancelled = None, 0, False
        self._changed = threading.Condition()

    def acquire(self):
        """Waits until no other thread holds the lock, and acquires it."""
        thread = threading.get_ident()
        with self._changed:
            idle = lambda: self._cancelled or self._holder in (None, thread)
            free = wait_for(self._changed, idle, self.timeout)
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
        """Wakes all waiting threads with an error."""
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()


class Hold:
    """One acquisition of a mutex; ends when it is released, or garbage collected after a failed step."""

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
    """Creates a mutex."""
    return shared(Mutex)


@op("MutexLock(mutex: resource) -> mutex_lock: variant", stateful=True, on="host", grad=STOP, shape=scalar)
def mutex_lock(mutex):
    """Acquires a mutex, waiting for it."""
    box = np.empty((), object)
    box[()] = mutex.acquire()
    return box


@op("ConsumeMutexLock(mutex_lock: variant) -> ()", stateful=True, on="host", grad=STOP)
def consume_mutex_lock(mutex_lock):
    """Releases a mutex."""
    mutex_lock[()].release()
