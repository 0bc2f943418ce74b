"""What event files hold: the tags of each run, with their first and last values."""

from __future__ import annotations

import datetime
import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.cli.reports.report import Report, Table
from evergraph.formats.event_file import events_of
from evergraph.formats.tensor_messages import proto_to_array

_PLUGINS = {"simple_value": "scalars", "histo": "histograms", "image": "images", "audio": "audio"}


@dataclass
class _Tag:
    """The values of one tag in the order they were written."""

    plugin: str = ""
    count: int = 0
    first: Any = None
    last: Any = None

    def see(self, event: Any, value: Any) -> None:
        self.plugin = self.plugin or value.metadata.plugin_data.plugin_name or _PLUGINS.get(
            value.WhichOneof("value") or "", "")  # fmt: skip
        self.count += 1
        self.last = (event.step, event.wall_time, value)
        self.first = self.first or self.last

    def row(self, run: str, tag: str) -> list[Any]:
        (first_step, first_time, first), (last_step, last_time, last) = self.first, self.last
        return [run, tag, self.plugin, self.count, first_step, last_step, shown(first), shown(last),
                _time(first_time), _time(last_time)]  # fmt: skip


@dataclass
class _Run:
    """What the event files of one directory hold."""

    tags: dict[str, _Tag] = field(default_factory=dict)
    others: list[list[Any]] = field(default_factory=list)
    events: int = 0
    truncated: list[str] = field(default_factory=list)

    def see(self, run: str, event: Any) -> None:
        self.events += 1
        what = event.WhichOneof("what")
        if what == "summary":
            for value in event.summary.value:
                self.tags.setdefault(value.tag or value.node_name, _Tag()).see(event, value)
        elif what is not None and what != "file_version":
            self.others.append([run, what, event.step, _other(event, what), _time(event.wall_time)])


def events_report(path: str, files: list[str]) -> Report:
    """Lists the tags in event files.

    Args:
        path: the file or directory that was asked for.
        files: the event files; those of one directory are one run.

    Raises:
        DataLossError: a file is damaged in its middle. One whose last event is cut off may still be written to.
    """
    runs: dict[str, _Run] = {}
    for file in files:
        name = os.path.relpath(os.path.dirname(file), path) if os.path.isdir(path) else "."
        run = runs.setdefault(name, _Run())
        for event in events_of(file, run.truncated):
            run.see(name, event)
    columns = ["run", "tag", "plugin", "values", "first_step", "last_step", "first", "last", "first_time", "last_time"]
    facts = {
        "files": [os.path.relpath(file, path) if os.path.isdir(path) else os.path.basename(file) for file in files],
        "file_bytes": sum(os.path.getsize(file) for file in files),
        "runs": len(runs),
        "events": sum(run.events for run in runs.values()),
        "cut_off": [os.path.basename(file) for run in runs.values() for file in run.truncated],
    }
    quiet = ["first_time", *(["run"] if len(runs) == 1 else [])]
    tags = [tag.row(name, key) for name, run in runs.items() for key, tag in run.tags.items()]
    return Report("events", path, facts, [
        Table("tags", columns, tags, quiet),
        Table("other_events", ["run", "event", "step", "content", "time"],
              [row for run in runs.values() for row in run.others], quiet),
    ])  # fmt: skip


def _time(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="milliseconds")


def shown(value: Any) -> Any:
    """A summary's value: a number, or in words what it is."""
    kind = value.WhichOneof("value")
    if kind == "simple_value":
        return value.simple_value
    if kind == "histo":
        histo = value.histo
        return f"{histo.num:g} numbers, {histo.min:.4g} to {histo.max:.4g}"
    if kind == "image":
        return f"image {value.image.width} x {value.image.height}, {value.image.colorspace} channels"
    if kind == "audio":
        seconds = value.audio.length_frames / value.audio.sample_rate if value.audio.sample_rate else 0
        return f"audio {seconds:g} s at {value.audio.sample_rate:g} Hz"
    return _tensor(value.tensor) if kind == "tensor" else ""


def _tensor(message: Any) -> Any:
    array = np.asarray(proto_to_array(message))
    if array.size != 1:
        return f"{array.dtype.name if array.dtype != object else 'string'} {list(array.shape)}"
    only = array.reshape(-1)[0]
    if isinstance(only, bytes):
        text = only.decode("utf-8", "backslashreplace")
        return text if len(text) <= 60 else f"{text[:57]}..."
    return only.item()


def _other(event: Any, what: str) -> str:
    if what == "graph_def":
        return f"{len(proto.graph_pb2.GraphDef.FromString(event.graph_def).node)} nodes"
    if what == "meta_graph_def":
        return f"{len(proto.meta_graph_pb2.MetaGraphDef.FromString(event.meta_graph_def).graph_def.node)} nodes"
    if what == "tagged_run_metadata":
        return event.tagged_run_metadata.tag
    if what == "session_log":
        return proto.event_pb2.SessionLog.SessionStatus.Name(event.session_log.status)
    if what == "log_message":
        return event.log_message.message
    return ""
