# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.summary."""

from evergraph import Graph, Tensor
from google.protobuf.message import Message
from typing import Any

import sys
if sys.platform == "":
    del (
        events_writer, projector, session_writer, summaries, tagged, writer,
    )

from evergraph import Event as Event

class FileWriter:
    """Writes summaries, graphs and other events to a file in a directory."""
    @property
    def path(self) -> str | None:
        """The file; None when a session writes it."""
    def get_logdir(self) -> str:
        """The directory of the file."""
    def add_event(self, event: Any) -> None:
        """Writes an Event message."""
    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Writes a Summary message, as `session.run` of a summary gives it, or as an object."""
    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Writes a graph, which TensorBoard draws."""
    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Writes a MetaGraphDef message."""
    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Writes a SessionLog message."""
    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Writes what a run measured, under a tag of its own: TensorBoard's graph page offers it by that
        tag."""
    def flush(self) -> None:
        """Hands everything to the file."""
    def close(self) -> None:
        """Flushes and closes the file."""
    def reopen(self) -> None:
        """Goes on in a new file after `close`; does nothing when it is open."""
    def __enter__(self) -> FileWriter: ...
    def __exit__(self, *exception: object) -> None: ...
    def __init__(
        self, logdir: Any, graph: Graph | None = None, max_queue: int = 10, flush_secs: float = 120,
        graph_def: Any = None, filename_suffix: str | None = None, session: Any = None,
    ) -> None: ...

class FileWriterCache:
    """One FileWriter per directory, for the whole process."""
    @staticmethod
    def get(logdir: Any) -> FileWriter:
        """The writer for a directory, made when it is first asked for: it begins with the default graph."""
    @staticmethod
    def clear() -> None:
        """Closes and forgets all writers."""

from evergraph import SessionLog as SessionLog
from evergraph import Summary as Summary

class SummaryDescription(Message):
    type_hint: str
    def __init__(self, *, type_hint: Any = ...) -> None: ...

class TaggedRunMetadata(Message):
    tag: str
    run_metadata: bytes
    def __init__(self, *, tag: Any = ..., run_metadata: Any = ...) -> None: ...

def all_v2_summary_ops() -> list[Tensor]:
    """What to run so that all summaries of `tf.contrib.summary` in the graph are written."""

def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: Any = 3, collections: Any = None,
    family: Any = None,
) -> Any:
    """A summary of the first clips of a batch: [batch, frames] or [batch, frames, channels], samples in
    [-1, 1]."""

def get_summary_description(node_def: Any) -> Any:
    """The description in a TensorSummary node, as a SummaryDescription message."""

def histogram(name: str, values: Any, collections: Any = None, family: Any = None) -> Any:
    """A summary of the distribution of the values."""

def image(
    name: str, tensor: Any, max_outputs: Any = 3, collections: Any = None, family: Any = None,
) -> Any:
    """A summary of the first images of a batch: [batch, height, width, channels] with 1, 3 or 4
    channels."""

def initialize(graph: Any = None, session: Any = None) -> None:
    """Opens all writers of the graph in a session, and writes a graph to the default one."""

def merge(inputs: Any, collections: Any = None, name: str | None = None) -> Any:
    """One summary out of several; tags must differ."""

def merge_all(key: Any = 'summaries', scope: Any = None, name: str | None = None) -> Any:
    """One summary out of all that a collection holds; None when it holds none."""

def scalar(name: str, tensor: Any, collections: Any = None, family: Any = None) -> Any:
    """A summary of one number."""

def tensor_summary(
    name: str, tensor: Any, summary_description: Any = None, collections: Any = None,
    summary_metadata: Any = None, family: Any = None, display_name: Any = None,
) -> Any:
    """A summary of a whole tensor."""

def text(name: str, tensor: Any, collections: Any = None) -> Any:
    """A summary of strings, which TensorBoard shows as Markdown."""
