"""Draws the times of a run for Chrome's chrome://tracing: tensorflow.python.client.timeline.Timeline."""
from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_LABEL = re.compile(r".* = (?P<type>[^(]*)\((?P<inputs>.*)\)")


@dataclass(frozen=True)
class _Bar:
    """One node as it is drawn: in a lane of its device's process, from when to when in microseconds."""

    stats: Any
    process: int
    lane: int

    start = property(lambda self: self.stats.all_start_micros)
    length = property(lambda self: max(1, self.stats.all_end_rel_micros))
    stop = property(lambda self: self.start + self.length)

    @property
    def type(self) -> str:
        found = _LABEL.fullmatch(self.stats.timeline_label)
        return found["type"] if found else self.stats.node_name

    @property
    def inputs(self) -> list[str]:
        """The names of the nodes it takes from, without their output numbers; remarks have spaces, names have none."""
        found = _LABEL.fullmatch(self.stats.timeline_label)
        names = found["inputs"].split(", ") if found else []
        return [name.lstrip("^").split(":")[0] for name in names if name and " " not in name]

    @property
    def place(self) -> dict[str, int]:
        return {"pid": self.process, "tid": self.lane}


class Timeline:
    """A trace of a session run for chrome://tracing.

    Args:
        step_stats: the `step_stats` of a RunMetadata, filled by a run with RunOptions.FULL_TRACE.
    """

    def __init__(self, step_stats: Any) -> None:
        self._devices = [(device.device, list(device.node_stats)) for device in step_stats.dev_stats]

    def generate_chrome_trace_format(self, show_dataflow: bool = True, show_memory: bool = False) -> str:
        """The JSON text that chrome://tracing reads.

        Args:
            show_dataflow: draws arrows from nodes to those that use their outputs.
            show_memory: draws the bytes of the outputs that are still to be used.
        """
        bars = [bar for process, (_, nodes) in enumerate(self._devices) for bar in _bars(process, nodes)]
        events = [*self._processes(), *map(_drawn, bars)]
        if show_dataflow:
            events += _arrows(bars)
        if show_memory:
            events += self._memory(bars)
        return json.dumps({"traceEvents": events}, indent=4, separators=(",", ": "))

    def _processes(self) -> Iterator[dict[str, Any]]:
        for process, (device, _) in enumerate(self._devices):
            yield {"name": "process_name", "ph": "M", "pid": process, "args": {"name": f"{device} Compute"}}

    def _memory(self, bars: list[_Bar]) -> Iterator[dict[str, Any]]:
        """How many bytes of each allocator are in use, whenever that changes, in a process of its own."""
        process = len(self._devices)
        yield {"name": "process_name", "ph": "M", "pid": process, "args": {"name": "Allocators"}}
        last_use = {name: bar.stop for bar in sorted(bars, key=lambda bar: bar.stop) for name in bar.inputs}
        changes: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for bar in bars:
            freed = max(last_use.get(bar.stats.node_name, bar.stop), bar.stop)
            for output in bar.stats.output:
                memory = output.tensor_description.allocation_description
                if memory.requested_bytes:
                    changes[memory.allocator_name] += [(bar.start, memory.requested_bytes),
                                                       (freed, -memory.requested_bytes)]
        for allocator, steps in sorted(changes.items()):
            total = 0
            for moment, size in sorted(steps):
                total += size
                yield {"name": allocator, "cat": "Memory", "ph": "C", "pid": process, "ts": moment,
                       "args": {allocator: total}}


def _bars(process: int, nodes: list[Any]) -> Iterator[_Bar]:
    """The nodes of a device, each in the first lane that is free when it begins."""
    free_at: list[int] = []
    for stats in sorted(nodes, key=lambda stats: stats.all_start_micros):
        lane = next((n for n, moment in enumerate(free_at) if moment <= stats.all_start_micros), len(free_at))
        bar = _Bar(stats, process, lane)
        free_at[lane:lane + 1] = [bar.stop]
        yield bar


def _drawn(bar: _Bar) -> dict[str, Any]:
    inputs = {f"input{number}": name for number, name in enumerate(bar.inputs)}
    return {"name": bar.type, "cat": "Op", "ph": "X", "ts": bar.start, "dur": bar.length, **bar.place,
            "args": {"name": bar.stats.node_name, "op": bar.type, **inputs}}


def _arrows(bars: list[_Bar]) -> Iterator[dict[str, Any]]:
    made_by = {bar.stats.node_name: bar for bar in bars}
    number = 0
    for bar in bars:
        for name in bar.inputs:
            source = made_by.get(name)
            if source is not None and source is not bar:
                flow = {"name": name, "cat": "DataFlow", "id": number}
                yield {**flow, "ph": "s", "ts": source.stop, **source.place}
                yield {**flow, "ph": "t", "ts": bar.start, **bar.place}
                number += 1
