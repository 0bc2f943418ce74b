"""FileWriter: writes summaries, graphs and other events to event files as a program runs."""
from __future__ import annotations

import os
import threading
import time
import warnings
from typing import Any

from evergraph import proto
from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.version import GIT_VERSION, VERSION
from evergraph.formats.event_file import EventFile
from evergraph.formats.records import tf_record_iterator
from evergraph.formats.wire import sized
from evergraph.frontend.array import placeholder
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.graphdef import graph_bytes
from evergraph.summary.session_writer import create_file_writer, import_event


class _DirectFile:
    """Events go to a file of this process."""

    def __init__(self, logdir: str, max_queue: int, flush_secs: float, suffix: str) -> None:
        self._settings = (logdir, max_queue, flush_secs, suffix)
        self.closed = True
        self.reopen()

    def reopen(self) -> None:
        if self.closed:
            self._file, self.closed = EventFile(*self._settings), False

    @property
    def path(self) -> str:
        return self._file.path

    def add(self, event: Any) -> None:
        self._file.add(event)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()
        self.closed = True


class _SessionFile:
    """Events go through ops of a session's graph: with a remote session, to a file over there."""

    path = None

    def __init__(self, session: Any, logdir: str, max_queue: int, flush_secs: float, suffix: str | None) -> None:
        self._session = session
        with session.graph.as_default(), session.graph.name_scope("filewriter"):
            self._event = placeholder(dtypes.string, [])
            writer = create_file_writer(logdir, max_queue, int(flush_secs * 1000), suffix)
            with writer.as_default():
                self._add = import_event(self._event)
            self._init, self._flush, self._close = writer.init(), writer.flush(), writer.close()
        self.closed = True
        self.reopen()

    def reopen(self) -> None:
        if self.closed:
            self._session.run(self._init)
            self.closed = False

    def add(self, event: Any) -> None:
        if not self.closed:
            self._session.run(self._add, {self._event: event.SerializeToString()})

    def flush(self) -> None:
        if not self.closed:
            self._session.run(self._flush)

    def close(self) -> None:
        if not self.closed:
            self._session.run(self._close)
            self.closed = True


@export("summary.FileWriter")
class FileWriter:
    """Writes summaries, graphs and other events to a file in a directory.

    Args:
        logdir: the directory, which is made when it is missing.
        graph: a graph to write at once, with a MetaGraph around it.
        max_queue: how many events may wait before they are written out.
        flush_secs: how many seconds they may wait.
        graph_def: a GraphDef to write at once, for programs that have no Graph.
        filename_suffix: what the file's name ends with.
        session: a session whose graph gets ops that write; all writers of it to one directory share a file. Without
            one, this process writes.

    >>> with tf.summary.FileWriter("/tmp/logs", tf.get_default_graph()) as writer:
    ...     writer.add_summary(summary, global_step=1)
    """

    def __init__(self, logdir: Any, graph: Graph | None = None, max_queue: int = 10, flush_secs: float = 120,
                 graph_def: Any = None, filename_suffix: str | None = None, session: Any = None) -> None:
        if default_graph().is_eager:
            raise RuntimeError("tf.summary.FileWriter writes what sessions fetch; with eager execution, "
                               "tf.contrib.summary writes.")
        self._logdir = os.fspath(logdir)
        self._file: Any = (
            _DirectFile(self._logdir, max_queue, flush_secs, filename_suffix or "") if session is None
            else _SessionFile(session, self._logdir, max_queue, flush_secs, filename_suffix))  # fmt: skip
        self._metadata_tags: set[str] = set()  # summaries whose metadata was written
        self._run_tags: set[str] = set()
        if graph is not None or graph_def is not None:
            given = _graph_bytes(graph, graph_def)
            self._add(proto.event_pb2.Event(graph_def=given), None)
            self._add(proto.event_pb2.Event(meta_graph_def=_meta_graph_bytes(given)), None)

    @property
    def path(self) -> str | None:
        """The file; None when a session writes it."""
        return self._file.path

    def get_logdir(self) -> str:
        """The directory of the file."""
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Writes an Event message. A closed writer gives a warning and writes nothing."""
        if self._file.closed:
            warnings.warn(f"the FileWriter for {self._logdir} is closed: an event given to it is lost", stacklevel=2)
        self._file.add(event)

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Writes a Summary message, as `session.run` of a summary gives it, or as an object."""
        if isinstance(summary, bytes):
            summary = proto.summary_pb2.Summary.FromString(summary)
        message = proto.event_pb2.Event(summary=summary)
        for value in message.summary.value:  # metadata is the same every time: once is enough
            if value.HasField("metadata"):
                if value.tag in self._metadata_tags:
                    value.ClearField("metadata")
                self._metadata_tags.add(value.tag)
        self._add(message, global_step)

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Writes a graph, which TensorBoard draws.

        Args:
            graph: a tf.Graph, or a GraphDef.
            global_step: the step of the event.
            graph_def: a GraphDef, as older programs give it.

        Raises:
            ValueError: neither a graph nor a GraphDef is given, or both are.
            TypeError: what is given is neither.
        """
        self._add(proto.event_pb2.Event(graph_def=_graph_bytes(graph, graph_def)), global_step)

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Writes a MetaGraphDef message.

        Raises:
            TypeError: it is another message.
        """
        if not isinstance(meta_graph_def, proto.meta_graph_pb2.MetaGraphDef):
            raise TypeError(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
        self._add(proto.event_pb2.Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Writes a SessionLog message."""
        self._add(proto.event_pb2.Event(session_log=session_log), global_step)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Writes what a run measured, under a tag of its own: TensorBoard's graph page offers it by that tag.

        Raises:
            ValueError: the tag was used before.
        """
        if tag in self._run_tags:
            raise ValueError("run metadata of this tag was already written")
        self._run_tags.add(tag)
        tagged = proto.event_pb2.TaggedRunMetadata(tag=tag, run_metadata=run_metadata.SerializeToString())
        self._add(proto.event_pb2.Event(tagged_run_metadata=tagged), global_step)

    def _add(self, event: Any, global_step: Any) -> None:
        event.wall_time = time.time()
        if global_step is not None:
            event.step = int(global_step)
        self.add_event(event)

    def flush(self) -> None:
        """Hands everything to the file."""
        self._file.flush()

    def close(self) -> None:
        """Flushes and closes the file."""
        self._file.close()

    def reopen(self) -> None:
        """Goes on in a new file after `close`; does nothing when it is open."""
        self._file.reopen()

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _graph_bytes(graph: Any, graph_def: Any) -> bytes:
    """The encoded GraphDef of what was given as either."""
    if graph is not None and graph_def is not None:
        raise ValueError("give graph, or the older graph_def, not both")
    if isinstance(graph, Graph):
        return graph_bytes(graph, add_shapes=True)
    given = graph_def if graph_def is not None else graph
    if given is None:
        raise ValueError("Give add_graph a graph, or a GraphDef as graph_def")
    if not isinstance(given, proto.graph_pb2.GraphDef):
        raise TypeError(f"Not a Graph or GraphDef: {given!r}")
    content: bytes = given.SerializeToString()
    return content


def _meta_graph_bytes(graph_def: bytes) -> bytes:
    """An encoded MetaGraphDef around an encoded GraphDef, which is its second field."""
    message = proto.meta_graph_pb2.MetaGraphDef()
    message.meta_info_def.tensorflow_version = VERSION
    message.meta_info_def.tensorflow_git_version = GIT_VERSION
    around: bytes = message.SerializeToString()
    return around + sized(2, graph_def)


@export("summary.FileWriterCache")
class FileWriterCache:
    """One FileWriter per directory, for the whole process."""

    _writers: dict[str, FileWriter] = {}
    _lock = threading.RLock()

    @staticmethod
    def get(logdir: Any) -> FileWriter:
        """The writer for a directory, made when it is first asked for: it begins with the default graph."""
        path = os.fspath(logdir)
        with FileWriterCache._lock:
            if path not in FileWriterCache._writers:
                FileWriterCache._writers[path] = FileWriter(path, graph=default_graph())
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
