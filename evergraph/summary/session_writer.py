"""Writers that are ops: a session makes and feeds the event file. The default writer of a block, and initializing."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend.array import placeholder
from evergraph.frontend.blocks import init_scope, root_graph
from evergraph.graph import scopes
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.state import summary_writers as ops

WRITERS = "_SUMMARY_WRITER_V2"
"""The collection of ops that open the writers of a graph."""
SUMMARIES = "_SUMMARY_V2"
"""The collection of ops that write summaries."""
CPU = "/device:CPU:0"


class _Default(threading.local):
    """The writer that summaries of this thread go to."""

    writer: SummaryWriter | None = None


_default = _Default()


def default_writer() -> SummaryWriter | None:
    return _default.writer


@export("contrib.summary.SummaryWriter", "compat.v2.summary.SummaryWriter")
class SummaryWriter:
    """Where summaries go. `tf.contrib.summary.create_file_writer` makes one.

    Args:
        resource: the tensor that stands for the writer; None for one that writes nothing.
        opening: the op that opens it.
        closes_once: whether it can no longer be used once `close` has run eagerly.
    """

    def __init__(self, resource: Tensor | None, opening: Operation | None = None, closes_once: bool = False) -> None:
        self._resource, self._opening, self._closes_once, self._closed = resource, opening, closes_once, False

    def init(self) -> Operation:
        """The op that opens the writer; one that is open stays as it is."""
        self._check_open()
        return self._opening if self._opening is not None else no_op()

    def flush(self) -> Operation:
        """An op that hands what waits to the file."""
        if self._resource is None or self._closed:
            return no_op()
        return _on_cpu(lambda: ops.flush_summary_writer(self._resource))

    def close(self) -> Operation:
        """An op that closes the file; `init` would begin a new one, except for a writer that closes once."""
        if self._resource is None or self._closed:
            return no_op()
        self._closed = self._closes_once and default_graph().is_eager
        return _on_cpu(lambda: ops.close_summary_writer(self._resource))

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError(f"SummaryWriter {self!r} is already closed")

    def set_as_default(self) -> None:
        """Has summaries go here from now on, in this thread.

        Raises:
            RuntimeError: the writer is closed, and closes once.
        """
        self._check_open()
        _default.writer = self if self._resource is not None else None

    @contextlib.contextmanager
    def as_default(self) -> Iterator[SummaryWriter]:
        """A with-block whose summaries go here."""
        before = _default.writer
        self.set_as_default()
        try:
            yield self
        finally:
            _default.writer = before
        if self._resource is not None and root_graph() is self._resource.graph:
            self.flush()  # TensorFlow adds this node here, which numbers those that follow


def _on_cpu(make: Any) -> Any:
    with default_graph().device(CPU):
        return make()


@export("contrib.summary.create_file_writer")
def create_file_writer(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None, name: str | None = None
) -> SummaryWriter:
    """A writer to an event file, which opens when its `init` runs, as `tf.contrib.summary.initialize` has it.

    Args:
        logdir: the directory; None for a writer that writes nothing.
        max_queue: how many summaries may wait before they are written; 10 by default.
        flush_millis: how many milliseconds they may wait; two minutes by default.
        filename_suffix: what the file's name ends with; ".v2" by default.
        name: writers of one name are one; by default those to one directory are.
    """
    if logdir is None:
        return SummaryWriter(None)
    shared = f"logdir:{os.fspath(logdir)}" if name is None else name
    return file_writer(shared, logdir, max_queue, flush_millis, filename_suffix)


def file_writer(
    shared_name: str, logdir: Any, max_queue: Any, flush_millis: Any, filename_suffix: Any, closes_once: bool = False
) -> SummaryWriter:
    """A writer outside of functions; see `create_file_writer`.

    Args:
        shared_name: writers of one name are one; with eager execution "" makes one that is closed when it is dropped.
        logdir: the directory, a string or a tensor of one.
        max_queue: how many summaries may wait before they are written; 10 if it is None.
        flush_millis: how many milliseconds they may wait; two minutes if it is None.
        filename_suffix: what the file's name ends with; ".v2" if it is None.
        closes_once: whether it can no longer be used once `close` has run eagerly.

    Raises:
        ValueError: an argument is a tensor of a graph, and the writer opens at once.
    """
    settings = {"logdir": os.fspath(logdir) if isinstance(logdir, os.PathLike) else logdir,
                "max_queue": 10 if max_queue is None else max_queue,
                "flush_millis": 120_000 if flush_millis is None else flush_millis,
                "filename_suffix": ".v2" if filename_suffix is None else filename_suffix}
    with init_scope(), default_graph().device(CPU):
        graph = default_graph()
        for name, value in settings.items():
            if graph.is_eager and isinstance(value, Tensor) and not value.graph.is_eager:
                raise ValueError(f"Invalid graph Tensor argument \"{name}={value}\": with eager execution a writer "
                                 "opens at once, so that its arguments need values")
        resource = ops.summary_writer(shared_name=shared_name)
        opening = ops.create_summary_file_writer(resource, *settings.values())
        if not graph.is_eager:
            graph.add_to_collection(WRITERS, opening)
    return SummaryWriter(resource, opening, closes_once)


@export("contrib.summary.summary_writer_initializer_op")
def summary_writer_initializer_op() -> list[Operation]:
    """The ops that open all writers of the graph."""
    return default_graph().get_collection(WRITERS)


@export("summary.all_v2_summary_ops", "contrib.summary.all_summary_ops")
def all_v2_summary_ops() -> list[Tensor]:
    """What to run so that all summaries of `tf.contrib.summary` in the graph are written."""
    return default_graph().get_collection(SUMMARIES)


@export("summary.initialize", "contrib.summary.initialize")
def initialize(graph: Any = None, session: Any = None) -> None:
    """Opens all writers of the graph in a session, and writes a graph to the default one.

    Args:
        graph: a tf.Graph or GraphDef to write, or None.
        session: the session; the default one when not given.

    Raises:
        RuntimeError: no writer is the default here.
        ValueError: there is no session.
    """
    if _default.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = session or scopes.default_session()
    if session is None:
        raise ValueError("initialize needs a session: pass one, or call it where there is a default session")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        content = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
        given = placeholder(dtypes.string)
        session.run(write_graph(given, 0), {given: content.SerializeToString()})


def write_graph(content: Any, step: Any, name: str | None = None) -> Operation:
    """An op that writes a serialized GraphDef to the default writer."""
    writer = _default.writer
    if writer is None:
        return no_op()
    with default_graph().device(CPU):
        return ops.write_graph_summary(writer._resource, convert_to_tensor(step, dtypes.int64), content, name=name)


@export("contrib.summary.import_event")
def import_event(tensor: Any, name: str | None = None) -> Operation:
    """An op that writes a serialized Event to the default writer, as it is.

    Args:
        tensor: a scalar string tensor.
        name: the op's name.
    """
    writer = _default.writer
    return ops.import_event(writer._resource, tensor, name=name) if writer is not None else no_op()


@export("contrib.summary.flush", "compat.v2.summary.flush")
def flush(writer: Any = None, name: str | None = None) -> Operation:
    """An op that hands to the file what waits in a writer.

    Args:
        writer: a SummaryWriter or its resource; the default one when not given.
        name: the op's name.
    """
    writer = _default.writer if writer is None else writer
    resource = writer._resource if isinstance(writer, SummaryWriter) else writer
    if resource is None:
        return no_op()
    return _on_cpu(lambda: ops.flush_summary_writer(resource, name=name))
