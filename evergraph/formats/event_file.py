"""Event files, which TensorBoard reads: one record per event, in order of arrival."""

from __future__ import annotations

import atexit
import itertools
import os
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any

from evergraph import proto
from evergraph.base import errors, files
from evergraph.formats.records import RecordReader, TFRecordWriter

VERSION = "brain.Event:2"
_numbers = itertools.count()
_open: weakref.WeakSet[EventFile] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """Closes all event files at exit, so that no event is lost."""
    for file in list(_open):
        file.close()


def _flush(file: weakref.ref[EventFile]) -> None:
    """The timer's callback; it holds a weak reference, so that the timer does not keep the file alive."""
    found = file()
    if found is not None:
        found._timer = None  # the next event starts another
        found.flush()


class EventFile:
    """A new event file for writing.

    Events are written in whole records, so that a reader never finds a partial one.

    Args:
        logdir: its directory, created if missing.
        max_queue: the number of events to buffer; one more flushes them all.
        flush_secs: the longest time in seconds that an event stays buffered.
        suffix: the suffix of the file name.
        is_numbered: whether the name includes the process id and a number, as TensorFlow names the files of its ops.

    Attributes:
        path: the path of the file.
    """

    def __init__(
        self, logdir: str, max_queue: int = 10, flush_secs: float = 120, suffix: str = "", is_numbered: bool = False
    ) -> None:
        self.logdir, self.max_queue, self.flush_secs = logdir, max_queue, flush_secs
        files.makedirs(logdir)
        name = f"events.out.tfevents.{int(time.time()):010}.{socket.gethostname()}"
        if is_numbered or files.exists(os.path.join(logdir, name + suffix)):  # another file of the same second
            name += f".{os.getpid()}.{next(_numbers)}"
        self.path = os.path.join(logdir, name + suffix)
        self._lock = threading.RLock()
        self._writer: TFRecordWriter | None = TFRecordWriter(self.path)
        self._waiting = [proto.event_pb2.Event(wall_time=time.time(), file_version=VERSION).SerializeToString()]
        self._timer: threading.Timer | None = None
        _open.add(self)
        self.flush()

    @property
    def closed(self) -> bool:
        return self._writer is None

    def add(self, event: Any) -> None:
        """Appends an Event message to the buffer; has no effect on a closed file."""
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
        """Writes all buffered events to the file."""
        with self._lock:
            if self._writer is not None:
                while self._waiting:
                    self._writer.write(self._waiting[0])
                    del self._waiting[0]  # removed once written: if the next event fails, this one is not written twice
                self._writer.flush()

    def close(self) -> None:
        """Flushes and closes the file; a second call has no effect."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self.flush()
            if self._writer is not None:
                self._writer.close()
                self._writer = None
                _open.discard(self)

    def __del__(self) -> None:
        if hasattr(self, "_waiting"):
            self.close()


def events_of(path: str, cut_off: list[str]) -> Iterator[Any]:
    """The events of a file. A program may be writing it: where the last one is incomplete, `cut_off` gets the path.

    Raises:
        DataLossError: the file is damaged in its middle.
    """
    try:
        for record in RecordReader(path):
            yield proto.event_pb2.Event.FromString(record)
    except errors.DataLossError as error:
        if "truncated" not in error.message:
            raise errors.DataLossError(None, None, f"{path}: {error.message}") from None
        cut_off.append(path)
