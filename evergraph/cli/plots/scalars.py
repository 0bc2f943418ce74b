"""The scalars in the event files of runs: losses, metrics, steps per second."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.formats.event_file import events_of
from evergraph.formats.tensor_messages import proto_to_array


@dataclass
class Line:
    """The values of one tag in one run.

    Attributes:
        run: the name of the run.
        points: step -> value. A step that was run again has its last value.
    """

    run: str
    points: dict[int, float] = field(default_factory=dict)

    def restart(self, step: int) -> None:
        """Forgets the steps that a restored run does again."""
        self.points = {at: value for at, value in self.points.items() if at < step}

    def finite(self) -> list[tuple[int, float]]:
        """The points that can be drawn, by step."""
        return sorted(point for point in self.points.items() if math.isfinite(point[1]))


def lines_of(folders: Sequence[str]) -> dict[str, list[Line]]:
    """Tag -> its lines. The event files of one directory are a run, and so are those of each directory below.

    Raises:
        FileNotFoundError: one of the folders does not exist, or has no event files.
        DataLossError: a file is damaged in its middle.
    """
    found: dict[str, list[Line]] = {}
    for folder in folders:
        runs = list(_runs(folder))
        if not runs:
            there = "has no event files" if os.path.isdir(folder) else "does not exist"
            raise FileNotFoundError(f"{folder} {there}")
        for path, files in runs:
            for tag, line in _lines(_name(folder, path, len(folders)), files).items():
                found.setdefault(tag, []).append(line)
    return found


def _runs(folder: str) -> Iterator[tuple[str, list[str]]]:
    """(directory, its event files in the order they were begun) for each directory that has some."""
    for path, folders, names in os.walk(folder):
        folders.sort()
        files = [os.path.join(path, name) for name in sorted(names) if ".tfevents." in name]
        if files:
            yield path, files


def _name(folder: str, path: str, folders: int) -> str:
    """A short name for the run in `path`: where below its folder, and which folder where there are several."""
    below = os.path.relpath(path, folder)
    if folders == 1:
        return "train" if below == "." else below
    return os.path.basename(os.path.normpath(folder)) if below == "." else os.path.join(
        os.path.basename(os.path.normpath(folder)), below)


def _lines(run: str, files: Sequence[str]) -> dict[str, Line]:
    lines: dict[str, Line] = {}
    for file in files:
        for event in events_of(file, []):
            if event.session_log.status == proto.event_pb2.SessionLog.START and event.step:
                for line in lines.values():
                    line.restart(event.step)
            for value in event.summary.value:
                number = _number(value)
                if number is not None:
                    lines.setdefault(value.tag, Line(run)).points[event.step] = number
    return lines


def _number(value: Any) -> float | None:
    """A scalar in either of the forms that summaries have, or None."""
    if value.WhichOneof("value") == "simple_value":
        return float(value.simple_value)
    if value.WhichOneof("value") == "tensor" and value.metadata.plugin_data.plugin_name == "scalars":
        array = np.asarray(proto_to_array(value.tensor))
        return float(array.reshape(-1)[0]) if array.size == 1 else None
    return None
