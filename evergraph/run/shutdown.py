"""Stops the steps of daemon threads when the interpreter shuts down.

Many programs leave threads behind that train or fill queues. Python ends a daemon thread when it next asks for the
interpreter's lock; a thread that does so inside XLA aborts the process. So the process ends only when no thread is in
a step any more, and none begins another.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
import weakref
from types import CodeType
from typing import Any

GRACE_SECONDS = 5.0  # that steps have to end in


class _Shutdown:
    """Whether the interpreter shuts down, and the stores whose steps then end.

    Attributes:
        has_begun: whether it does.
        stores: all stores of the process.
    """

    def __init__(self) -> None:
        self.has_begun = False
        self.stores: weakref.WeakSet[Any] = weakref.WeakSet()
        self._parked: set[int] = set()
        self._steps: set[CodeType] = set()
        threading._register_atexit(self._stop)  # type: ignore[attr-defined] # before atexit's, where JAX cleans up

    def watch(self, step: Any) -> Any:
        """Decorates a function: the threads that are in it are waited for."""
        self._steps.add(step.__code__)
        return step

    def park(self) -> None:
        """Holds a thread for good, once the interpreter shuts down; the main thread goes on."""
        if threading.current_thread() is not threading.main_thread():
            self._parked.add(threading.get_ident())
            threading.Event().wait()

    def _stop(self) -> None:
        for thread in threading.enumerate():  # these end by themselves, and may still run steps
            if not thread.daemon and thread is not threading.main_thread():
                thread.join()
        self.has_begun = True
        for store in list(self.stores):
            with contextlib.suppress(Exception):
                store.cancel()
        deadline = time.monotonic() + GRACE_SECONDS
        while self._has_running() and time.monotonic() < deadline:
            time.sleep(0.002)

    def _has_running(self) -> bool:
        me = threading.get_ident()
        return any(self._is_in_step(frame) for thread, frame in sys._current_frames().items()
                   if thread != me and thread not in self._parked)

    def _is_in_step(self, frame: Any) -> bool:
        while frame is not None:
            if frame.f_code in self._steps:
                return True
            frame = frame.f_back
        return False


shutdown = _Shutdown()
