"""Event files: one record per event, in the order they came. What TensorBoard reads."""

from __future__ import annotations

import atexit
import itertools
import os
import socket
import threading
import time
import weakref
from typing import Any

from evergraph import proto
from evergraph.base import files
from evergraph.formats.records import TFRecordWriter

VERSION = "brain.Event:2"
_numbers = itertools.count()
_open: weakref.WeakSet[EventFile] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """A program that ends without closing its writers loses nothing."""
    for file in list(_open):
        file.close()


def _flush(file: weakref.ref[EventFile]) -> None:
    """What a timer calls, which must not keep a file that nobody else has."""
    found = file()
    if found is not None:
        found.flush()


class EventFile:
    """A new event file, open for writing.

    Events are handed to the file in whole records, so that a reader never finds half of one.

    Args:
        logdir: its directory, which is made when it is missing.
        max_queue: how many events may wait; one more writes them all.
        flush_secs: how many seconds an event may wait.
        suffix: what the name ends with.
        is_numbered: whether the name has the process and a number in it, as TensorFlow names the files of its ops.

    Attributes:
        path: the file.
    """

    def __init__(
        self, logdir: str, max_queue: int = 10, flush_secs: float = 120, suffix: str = "", is_numbered: bool = False
    ) -> None:
        self.logdir, self.max_queue, self.flush_secs = logdir, max_queue, flush_secs
        files.makedirs(logdir)
        name = f"events.out.tfevents.{int(time.time()):010}.{socket.gethostname()}"
        if is_numbered or files.exists(os.path.join(logdir, name + suffix)):  # another one within the same second
            name += f".{os.getpid()}.{next(_numbers)}"
        self.path = os.path.join(logdir, name + suffix)
        self._lock = threading.RLock()
        self._writer: TFRecordWriter | None = TFRecordWriter(self.path)
        self._waiting: list[bytes] = []
        self._timer: threading.Timer | None = None
        _open.add(self)
        self.add(proto.event_pb2.Event(wall_time=time.time(), file_version=VERSION))
        self.flush()

    @property
    def closed(self) -> bool:
        return self._writer is None

    def add(self, event: Any) -> None:
        """Writes an Event message, sooner or later; nothing once the file is closed."""
        with self._lock:
            if self._writer is None:
                return
            self._waiting.append(event.SerializeToString())
            if len(self._waiting) > self.max_queue or self.flush_secs <= 0:
                self.flush()
            elif self._timer is None:
                self._timer = threading.Timer(self.flush_secs, _flush, [weakref.ref(self)])
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> None:
        """Hands everything that waits to the file."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._writer is not None:
                while self._waiting:
                    self._writer.write(self._waiting[0])
                    del self._waiting[0]  # it is taken: should the next one fail, it is not written twice
                self._writer.flush()

    def close(self) -> None:
        """Flushes and closes the file; once more does nothing."""
        with self._lock:
            self.flush()
            if self._writer is not None:
                self._writer.close()
                self._writer = None
                _open.discard(self)

    def __del__(self) -> None:
        if hasattr(self, "_waiting"):
            self.close()
