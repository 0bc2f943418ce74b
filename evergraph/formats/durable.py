"""Files that are on the disk when they are closed, and mostly before that."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

_SENT_AT_ONCE = 1 << 25

# Without the times of the file, where the system can do that.
_flush_content = getattr(os, "fdatasync", os.fsync)


class DurableFile:
    """A new file of the operating system, written from its start to its end.

    While a program goes on writing, what it has written so far is sent to the disk, so that little is left to wait for
    at the end. Failures are OSErrors, and come with one of the writes or at the end.

    >>> with DurableFile("/tmp/large") as file:
    ...     file.write(b"content")
    """

    def __init__(self, path: str) -> None:
        self._file = open(path, "wb")
        self._size = self._unsent = 0
        self._helper: ThreadPoolExecutor | None = None
        self._sending: Future[None] | None = None

    def write(self, data: Any) -> None:
        """Adds bytes, or anything that has some."""
        size = memoryview(data).nbytes
        self._file.write(data)
        self._size += size
        self._unsent += size
        if self._unsent >= _SENT_AT_ONCE:
            self._send()

    def tell(self) -> int:
        """How much was written so far."""
        return self._size

    def _send(self) -> None:
        if self._helper is None:
            self._helper = ThreadPoolExecutor(1)
        if self._sending is None or self._sending.done():
            self._wait()
            self._file.flush()
            self._sending = self._helper.submit(_flush_content, self._file.fileno())
            self._unsent = 0

    def _wait(self) -> None:
        sending, self._sending = self._sending, None
        if sending is not None:
            sending.result()

    def __enter__(self) -> DurableFile:
        return self

    def __exit__(self, kind: Any, *exception: Any) -> None:
        with self._file:
            if self._helper is not None:
                self._helper.shutdown()
            if kind is None:
                self._wait()
                self._file.flush()
                os.fsync(self._file.fileno())
