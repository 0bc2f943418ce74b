"""Files that are flushed to disk by the time they are closed."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

_SENT_AT_ONCE = 1 << 25

# fdatasync skips the file's timestamps, where the system has it.
_flush_content = getattr(os, "fdatasync", os.fsync)


class DurableFile:
    """A new local file for sequential writing.

    Written data is flushed to disk in the background, so that closing waits for little. Errors are OSErrors, raised by
    a write or by the close.

    >>> with DurableFile("/tmp/large") as file:
    ...     file.write(b"content")
    """

    def __init__(self, path: str) -> None:
        self._file = open(path, "wb")
        self._size = self._unsent = 0
        self._helper: ThreadPoolExecutor | None = None
        self._sending: Future[None] | None = None

    def write(self, data: Any) -> None:
        """Appends bytes, or an object with the buffer protocol."""
        size = memoryview(data).nbytes
        self._file.write(data)
        self._size += size
        self._unsent += size
        if self._unsent >= _SENT_AT_ONCE:
            self._send()

    def tell(self) -> int:
        """The number of bytes written so far."""
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
