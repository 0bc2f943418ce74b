"""Event files: what TensorBoard reads. One record per event, appended as a program runs."""
from __future__ import annotations

import os
import socket
import threading
import time
from typing import Any

from evergraph import proto
from evergraph.base import files
from evergraph.base.export import export
from evergraph.base.records import TFRecordWriter, tf_record_iterator
from evergraph.graph.graph import Graph

_number = iter(range(1 << 62))


@export("summary.FileWriter")
class FileWriter:
    """Writes summaries, graphs and other events to a file in a directory.

    Args:
        logdir: the directory, which is made when it is missing.
        graph: a graph to write at once.
        max_queue: how many events may wait before they are written out.
        flush_secs: how many seconds they may wait.
        graph_def: a GraphDef to write at once, for programs that have no Graph.
        filename_suffix: what the file's name ends with.
        session: not supported: summaries that are ops come with TensorFlow 2's API.

    >>> with tf.summary.FileWriter("/tmp/logs", tf.get_default_graph()) as writer:
    ...     writer.add_summary(summary, global_step=1)
    """

    def __init__(self, logdir: Any, graph: Graph | None = None, max_queue: int = 10, flush_secs: float = 120,
                 graph_def: Any = None, filename_suffix: str | None = None, session: Any = None) -> None:
        if session is not None:
            raise NotImplementedError("FileWriter(session=...) writes through ops, which evergraph does not have")
        self._logdir, self._suffix = os.fspath(logdir), filename_suffix or ""
        self._max_queue, self._flush_secs = max_queue, flush_secs
        self._lock = threading.Lock()
        self._seen_tags: set[str] = set()
        self._open()
        if graph is not None or graph_def is not None:
            self.add_graph(graph, graph_def=graph_def)

    def _open(self) -> None:
        files.makedirs(self._logdir)
        name = f"events.out.tfevents.{int(time.time()):010}.{socket.gethostname()}"
        if files.exists(os.path.join(self._logdir, name + self._suffix)):  # another writer within the same second
            name += f".{os.getpid()}.{next(_number)}"
        self.path = os.path.join(self._logdir, name + self._suffix)
        self._writer = TFRecordWriter(self.path)
        self._closed, self._waiting, self._flushed = False, 0, time.monotonic()
        self.add_event(proto.event_pb2.Event(wall_time=time.time(), file_version="brain.Event:2"))
        self.flush()

    def get_logdir(self) -> str:
        """The directory of the file."""
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Writes an Event message."""
        with self._lock:
            if self._closed:
                return
            self._writer.write(event.SerializeToString())
            self._waiting += 1
            late = time.monotonic() - self._flushed >= self._flush_secs
        if late or self._waiting > self._max_queue:
            self.flush()

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Writes a Summary message, as `session.run` of a summary gives it, or as an object."""
        if isinstance(summary, bytes):
            summary = proto.summary_pb2.Summary.FromString(summary)
        message = proto.event_pb2.Event(summary=summary)
        for value in message.summary.value:  # metadata is the same every time: once is enough
            if value.HasField("metadata"):
                if value.tag in self._seen_tags:
                    value.ClearField("metadata")
                self._seen_tags.add(value.tag)
        self._add(message, global_step)

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Writes a graph, which TensorBoard draws.

        Raises:
            ValueError: neither a graph nor a GraphDef is given, or both are.
        """
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        if isinstance(graph, Graph):
            given = graph.as_graph_def(add_shapes=True)
            meta = proto.meta_graph_pb2.MetaGraphDef(graph_def=given)
            self._add(proto.event_pb2.Event(graph_def=given.SerializeToString()), global_step)
            self.add_meta_graph(meta, global_step)
            return
        given = graph_def if graph_def is not None else graph
        if not isinstance(given, proto.graph_pb2.GraphDef):
            raise TypeError(f"Not a Graph or GraphDef: {given!r}")
        self._add(proto.event_pb2.Event(graph_def=given.SerializeToString()), global_step)

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Writes a MetaGraphDef message."""
        if not isinstance(meta_graph_def, proto.meta_graph_pb2.MetaGraphDef):
            raise TypeError(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
        self._add(proto.event_pb2.Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Writes a SessionLog message."""
        self._add(proto.event_pb2.Event(session_log=session_log), global_step)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Writes what a run measured, under a tag of its own.

        Raises:
            ValueError: the tag was used before.
        """
        if tag in self._seen_tags:
            raise ValueError("The provided tag was already used for this event type")
        self._seen_tags.add(tag)
        tagged = proto.event_pb2.TaggedRunMetadata(tag=tag, run_metadata=run_metadata.SerializeToString())
        self._add(proto.event_pb2.Event(tagged_run_metadata=tagged), global_step)

    def _add(self, event: Any, global_step: Any) -> None:
        event.wall_time = time.time()
        if global_step is not None:
            event.step = int(global_step)
        self.add_event(event)

    def flush(self) -> None:
        """Hands everything to the file."""
        with self._lock:
            if not self._closed:
                self._writer.flush()
                self._waiting, self._flushed = 0, time.monotonic()

    def close(self) -> None:
        """Flushes and closes the file."""
        self.flush()
        with self._lock:
            if not self._closed:
                self._writer.close()
                self._closed = True

    def reopen(self) -> None:
        """Goes on in a new file after `close`; does nothing when it is open."""
        if self._closed:
            self._open()

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


@export("summary.FileWriterCache")
class FileWriterCache:
    """One FileWriter per directory, for the whole process."""

    _writers: dict[str, FileWriter] = {}
    _lock = threading.RLock()

    @staticmethod
    def get(logdir: Any) -> FileWriter:
        """The writer for a directory, made when it is first asked for."""
        path = os.fspath(logdir)
        with FileWriterCache._lock:
            if path not in FileWriterCache._writers:
                FileWriterCache._writers[path] = FileWriter(path)
            return FileWriterCache._writers[path]

    @staticmethod
    def clear() -> None:
        """Closes and forgets all writers."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._writers.values():
                writer.close()
            FileWriterCache._writers.clear()


@export("train.summary_iterator")
def summary_iterator(path: Any) -> Any:
    """The Event messages of an event file, in order."""
    for record in tf_record_iterator(path):
        yield proto.event_pb2.Event.FromString(record)
