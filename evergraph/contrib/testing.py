"""tf.contrib.testing: a summary writer that keeps what it is given, and readers of event files, for tests."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evergraph.base import files
from evergraph.base.export import export
from evergraph.proto import event_pb2, summary_pb2
from evergraph.summary import writer as writers
from evergraph.summary.writer import FileWriterCache, summary_iterator


def _named(name: str) -> Any:
    return export(f"contrib.testing.{name}")


@_named("FakeSummaryWriter")
class FakeSummaryWriter:
    """A summary writer that writes no file, and keeps what it is given.

    Args:
        logdir: the directory that it stands for.
        graph: the graph that it begins with.
    """

    _replaced: Any = None

    def __init__(self, logdir: Any, graph: Any = None) -> None:
        self._logdir, self._graph = logdir, graph
        self._summaries: dict[int, list[Any]] = {}
        self._added_graphs: list[Any] = []
        self._added_meta_graphs: list[Any] = []
        self._added_session_logs: list[Any] = []

    @classmethod
    def install(cls) -> None:
        """Lets all summary writers that are made by directory be of this kind."""
        if cls._replaced is not None:
            raise ValueError("FakeSummaryWriter is installed already")
        FileWriterCache.clear()
        cls._replaced, writers.FileWriter = writers.FileWriter, cls

    @classmethod
    def uninstall(cls) -> None:
        """Takes `install` back."""
        if cls._replaced is None:
            raise ValueError("FakeSummaryWriter is not installed")
        FileWriterCache.clear()
        writers.FileWriter, cls._replaced = cls._replaced, None

    @property
    def summaries(self) -> dict[int, list[Any]]:
        """The summaries of each step."""
        return self._summaries

    def add_summary(self, summary: Any, current_global_step: int) -> None:
        """Keeps a summary, a message or an encoded one, of a step."""
        if isinstance(summary, bytes):
            summary = summary_pb2.Summary.FromString(summary)
        self._summaries.setdefault(int(current_global_step), []).append(summary)

    def add_graph(self, graph: Any, global_step: int | None = None, graph_def: Any = None) -> None:
        """Keeps a graph.

        Raises:
            ValueError: a step or a GraphDef is given, which it cannot keep.
        """
        if global_step is not None or graph_def is not None:
            raise ValueError(f"FakeSummaryWriter keeps graphs alone, not step {global_step} or a GraphDef")
        self._added_graphs.append(graph)

    def add_meta_graph(self, meta_graph_def: Any, global_step: int | None = None) -> None:
        """Keeps a MetaGraphDef."""
        if global_step is not None:
            raise ValueError(f"FakeSummaryWriter keeps MetaGraphDefs alone, not step {global_step}")
        self._added_meta_graphs.append(meta_graph_def)

    def add_session_log(self, session_log: Any, global_step: int | None = None) -> None:
        """Keeps a SessionLog."""
        self._added_session_logs.append(session_log)

    def add_event(self, event: Any) -> None:
        """Keeps the summary of an event."""
        if event.HasField("summary"):
            self.add_summary(event.summary, event.step)

    def flush(self) -> None:
        """There is nothing to flush."""

    def reopen(self) -> None:
        """There is nothing to reopen."""

    def close(self) -> None:
        """There is nothing to close."""

    def assert_summaries(self, test_case: Any, expected_logdir: Any = None, expected_graph: Any = None,
                         expected_summaries: Mapping[int, Mapping[str, Any]] | None = None,
                         expected_added_graphs: Sequence[Any] | None = None,
                         expected_added_meta_graphs: Sequence[Any] | None = None,
                         expected_session_logs: Sequence[Any] | None = None) -> None:
        """Fails a test unless it was given what is expected; None expects nothing of that kind in particular.

        Args:
            test_case: a unittest.TestCase.
            expected_logdir: the directory.
            expected_graph: the graph that it begins with.
            expected_summaries: step -> tag -> value, of all summaries.
            expected_added_graphs, expected_added_meta_graphs, expected_session_logs: what was added.
        """
        if expected_logdir is not None:
            test_case.assertEqual(expected_logdir, self._logdir)
        if expected_graph is not None:
            test_case.assertIs(expected_graph, self._graph)
        for expected, found in ((expected_added_graphs, self._added_graphs),
                                (expected_added_meta_graphs, self._added_meta_graphs),
                                (expected_session_logs, self._added_session_logs)):
            if expected is not None:
                test_case.assertEqual(list(expected), found)
        for step, wanted in (expected_summaries or {}).items():
            test_case.assertIn(step, self._summaries)
            found = {value.tag: value.simple_value for summary in self._summaries[step] for value in summary.value}
            for tag, value in wanted.items():
                test_case.assertIn(tag, found)
                test_case.assertAlmostEqual(value, found[tag], places=4)


@_named("assert_summary")
def assert_summary(expected_tags: Iterable[str], expected_simple_values: Mapping[str, float],
                   summary_proto: Any) -> None:
    """Fails unless a summary has these tags, and these numbers among them.

    Raises:
        AssertionError: it has not.

    Args:
        expected_tags: all tags.
        expected_simple_values: numbers by tag.
        summary_proto: the summary.
    """
    found = {value.tag: value for value in summary_proto.value}
    if set(expected_tags) != set(found):
        raise AssertionError(f"expected the tags {sorted(expected_tags)}, found {sorted(found)}")
    for tag, number in expected_simple_values.items():
        if abs(found[tag].simple_value - number) > 1e-6:
            raise AssertionError(f"{tag} is {found[tag].simple_value}, expected {number}")


@_named("to_summary_proto")
def to_summary_proto(summary_str: bytes) -> Any:
    """The Summary that bytes encode."""
    return summary_pb2.Summary.FromString(summary_str)


@_named("latest_event_file")
def latest_event_file(base_dir: Any) -> str | None:
    """The event file in a directory that comes last by name; None without any."""
    found = sorted(files.glob(os.path.join(os.fspath(base_dir), "events.*")))
    return found[-1] if found else None


@_named("latest_events")
def latest_events(base_dir: Any) -> list[event_pb2.Event]:
    """The events of the latest event file in a directory."""
    path = latest_event_file(base_dir)
    return [] if path is None else list(summary_iterator(path))


@_named("latest_summaries")
def latest_summaries(base_dir: Any) -> list[event_pb2.Event]:
    """Those of `latest_events` that have summaries."""
    return [event for event in latest_events(base_dir) if event.HasField("summary")]


@_named("simple_values_from_events")
def simple_values_from_events(events: Iterable[Any], tags: Iterable[str]) -> dict[str, float]:
    """The last number of each of these tags."""
    wanted = set(tags)
    return {value.tag: value.simple_value for event in events if event.HasField("summary")
            for value in event.summary.value if value.tag in wanted}
