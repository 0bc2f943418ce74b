# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.testing."""

from collections.abc import Iterable, Mapping, Sequence
from evergraph import Event
from typing import Any

class FakeSummaryWriter:
    """A summary writer that writes no file, and keeps what it is given."""
    @classmethod
    def install(cls) -> None:
        """Lets all summary writers that are made by directory be of this kind."""
    @classmethod
    def uninstall(cls) -> None:
        """Takes `install` back."""
    @property
    def summaries(self) -> dict[int, list[Any]]:
        """The summaries of each step."""
    def add_summary(self, summary: Any, current_global_step: int) -> None:
        """Keeps a summary, a message or an encoded one, of a step."""
    def add_graph(self, graph: Any, global_step: int | None = None, graph_def: Any = None) -> None:
        """Keeps a graph."""
    def add_meta_graph(self, meta_graph_def: Any, global_step: int | None = None) -> None:
        """Keeps a MetaGraphDef."""
    def add_session_log(self, session_log: Any, global_step: int | None = None) -> None:
        """Keeps a SessionLog."""
    def add_event(self, event: Any) -> None:
        """Keeps the summary of an event."""
    def flush(self) -> None:
        """There is nothing to flush."""
    def reopen(self) -> None:
        """There is nothing to reopen."""
    def close(self) -> None:
        """There is nothing to close."""
    def assert_summaries(
        self, test_case: Any, expected_logdir: Any = None, expected_graph: Any = None,
        expected_summaries: Mapping[int, Mapping[str, Any]] | None = None,
        expected_added_graphs: Sequence[Any] | None = None,
        expected_added_meta_graphs: Sequence[Any] | None = None,
        expected_session_logs: Sequence[Any] | None = None,
    ) -> None:
        """Fails a test unless it was given what is expected; None expects nothing of that kind in
        particular."""
    def __init__(self, logdir: Any, graph: Any = None) -> None: ...

def assert_summary(
    expected_tags: Iterable[str], expected_simple_values: Mapping[str, float], summary_proto: Any,
) -> None:
    """Fails unless a summary has these tags, and these numbers among them."""

def latest_event_file(base_dir: Any) -> str | None:
    """The event file in a directory that comes last by name; None without any."""

def latest_events(base_dir: Any) -> list[Event]:
    """The events of the latest event file in a directory."""

def latest_summaries(base_dir: Any) -> list[Event]:
    """Those of `latest_events` that have summaries."""

def simple_values_from_events(events: Iterable[Any], tags: Iterable[str]) -> dict[str, float]:
    """The last number of each of these tags."""

def to_summary_proto(summary_str: bytes) -> Any:
    """The Summary that bytes encode."""
