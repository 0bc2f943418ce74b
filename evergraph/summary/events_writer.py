"""EventsWriter of tensorflow.python.pywrap_tensorflow: an event file by the beginning of its path."""

from __future__ import annotations

import os
import socket
import time
from typing import Any

from evergraph import proto
from evergraph.base import files
from evergraph.formats.event_file import VERSION
from evergraph.formats.records import TFRecordWriter


class EventsWriter:
    """Writes events to `prefix`.out.tfevents.TIME.HOST, which is made for the first event.

    Args:
        file_prefix: the beginning of the path, text or bytes.
    """

    def __init__(self, file_prefix: Any) -> None:
        self._prefix, self._suffix = os.fsdecode(file_prefix), ""
        self._path, self._writer = "", None

    def Init(self) -> None:  # noqa: N802 - TensorFlow's spelling, here and below
        """Makes the file, unless it is there."""
        if self._writer is not None:
            return
        files.makedirs(os.path.dirname(self._prefix) or ".")
        self._path = f"{self._prefix}.out.tfevents.{int(time.time()):010}.{socket.gethostname()}{self._suffix}"
        self._writer = TFRecordWriter(self._path)
        self.WriteEvent(proto.event_pb2.Event(wall_time=time.time(), file_version=VERSION))

    def InitWithSuffix(self, suffix: Any) -> None:  # noqa: N802
        """Makes the file, with an end of its name."""
        self._suffix = os.fsdecode(suffix)
        self.Init()

    def FileName(self) -> bytes:  # noqa: N802
        """The path of the file, which is made now if it is not there."""
        self.Init()
        return os.fsencode(self._path)

    def WriteEvent(self, event: Any) -> None:  # noqa: N802
        """Writes an Event message."""
        self.Init()
        self._writer.write(event.SerializeToString())

    def Flush(self) -> bool:  # noqa: N802
        """Makes sure that all events are in the file."""
        if self._writer is not None:
            self._writer.flush()
        return True

    def Close(self) -> bool:  # noqa: N802
        """Closes the file; a later event makes another one."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        return True
