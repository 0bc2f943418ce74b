"""Where threads that work together leave their errors, so that the one that explains the others is raised."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from evergraph.base import errors, logging

# What the other threads see when one of them has failed.
_FOLLOWING = (errors.CancelledError, errors.AbortedError, errors.OutOfRangeError)
_SECONDS = 0.05  # between two looks


class ErrorRendezvous:
    """Collects the errors of several threads.

    >>> meeting = ErrorRendezvous(2)
    >>> with meeting.catch_errors("input"):
    ...     raise ValueError("no file")
    >>> meeting.raise_errors()
    Traceback (most recent call last):
        ...
    ValueError: no file

    Args:
        num_sources: how many threads there are.
    """

    def __init__(self, num_sources: int) -> None:
        self._count = num_sources
        self._found: dict[str, Any] = {}
        self._lock = threading.Lock()

    def record_error(self, source: str, exc_info: Any, session: Any = None) -> None:
        """Notes the error of a thread, and closes the session, so that the other threads end too.

        Args:
            source: the name of the thread.
            exc_info: what `sys.exc_info()` gave.
            session: a session.
        """
        with self._lock:
            self._found.setdefault(source, exc_info[1])
        logging.error("Error recorded from %s: %s", source, exc_info[1])
        if session is not None:
            session.close()

    def record_done(self, source: str) -> None:
        """Notes that a thread has ended without an error."""
        logging.info("%s marked as finished", source)
        with self._lock:
            self._found.setdefault(source, None)

    @contextlib.contextmanager
    def catch_errors(self, source: str, session: Any = None) -> Iterator[None]:
        """A with-block whose errors are noted; see `record_error`."""
        try:
            yield
        except Exception:
            self.record_error(source, sys.exc_info(), session)

    def raise_errors(self, timeout_sec: float = 0) -> None:
        """Raises the error that explains the others, if there is one.

        Args:
            timeout_sec: for how many seconds to wait for threads that have said nothing.
        """
        end = time.monotonic() + timeout_sec
        while len(self._found) < self._count and time.monotonic() < end:
            time.sleep(_SECONDS)
        found = [error for error in self._found.values() if error is not None]
        found.sort(key=lambda error: isinstance(error, _FOLLOWING))
        if found:
            raise found[0]
