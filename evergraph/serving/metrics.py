"""Counts and distributions under TensorFlow Serving's names, and their text for Prometheus."""

from __future__ import annotations

import bisect
import threading
from collections.abc import Mapping, Sequence
from typing import Any

LATENCIES = tuple(10 * 1.8**power for power in range(33))  # microseconds, to about twenty minutes
SIZES = tuple(float(1 << power) for power in range(15))

REQUESTS = "request_count"
REQUEST_LATENCY = "request_latency"
RUNTIME_LATENCY = "runtime_latency"
BATCH_ROWS = "batching_session:input_batch_size"
BATCH_RUN_ROWS = "batching_session:processed_batch_size"
COMPILATIONS = "compile_count"

_KINDS = {
    REQUESTS: "counter", COMPILATIONS: "counter", REQUEST_LATENCY: "histogram", RUNTIME_LATENCY: "histogram",
    BATCH_ROWS: "histogram", BATCH_RUN_ROWS: "histogram",
}  # fmt: skip

Labels = tuple[tuple[str, str], ...]


class Counter:
    """A number that grows. Threads share it."""

    __slots__ = ("value", "_lock")

    def __init__(self) -> None:
        self.value = 0
        self._lock = threading.Lock()

    def add(self, amount: int = 1) -> None:
        with self._lock:
            self.value += amount


class Histogram:
    """How often values fell into each of the buckets, and their sum. Threads share it."""

    __slots__ = ("bounds", "counts", "total", "_lock")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0
        self._lock = threading.Lock()

    def add(self, value: float) -> None:
        place = bisect.bisect_left(self.bounds, value)
        with self._lock:
            self.counts[place] += 1
            self.total += value


class Metrics:
    """All metrics of a process, made when they are first asked for."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Labels], Counter | Histogram] = {}
        self._lock = threading.Lock()

    def counter(self, name: str, **labels: str) -> Counter:
        return self._get(name, tuple(labels.items()), Counter)  # type: ignore[return-value]

    def histogram(self, name: str, bounds: Sequence[float], **labels: str) -> Histogram:
        return self._get(name, tuple(labels.items()), lambda: Histogram(bounds))  # type: ignore[return-value]

    def _get(self, name: str, labels: Labels, make: Any) -> Counter | Histogram:
        key = name, labels
        found = self._found.get(key)
        if found is None:
            with self._lock:
                found = self._found.setdefault(key, make())
        return found

    def snapshot(self) -> list[Any]:
        """All values, as plain lists that other processes can add to theirs."""
        return [[name, labels, [metric.value] if isinstance(metric, Counter) else [*metric.counts, metric.total]]
                for (name, labels), metric in sorted(self._found.items())]  # fmt: skip


def summed(snapshots: Sequence[Sequence[Any]]) -> dict[tuple[str, Labels], list[float]]:
    """The sum of the metrics of several processes."""
    total: dict[tuple[str, Labels], list[float]] = {}
    for snapshot in snapshots:
        for name, labels, values in snapshot:
            key = name, tuple((label, text) for label, text in labels)
            total[key] = [a + b for a, b in zip(total.get(key, [0] * len(values)), values)]
    return dict(sorted(total.items()))


def exposition(total: Mapping[tuple[str, Labels], Sequence[float]]) -> str:
    """The text form that Prometheus reads."""
    lines: list[str] = []
    told = None
    for (name, labels), values in total.items():
        full = f":tensorflow:serving:{name}"
        if name != told:
            lines.append(f"# TYPE {full} {_KINDS[name]}")
            told = name
        if _KINDS[name] == "counter":
            lines.append(f"{full}{{{_labels(labels)}}} {values[0]}")
        else:
            lines += _histogram(full, labels, values)
    return "\n".join([*lines, ""])


def _histogram(name: str, labels: Labels, values: Sequence[float]) -> list[str]:
    *counts, total = values
    bounds = LATENCIES if len(counts) == len(LATENCIES) + 1 else SIZES
    lines, seen = [], 0.0
    for bound, count in zip([*map(_number, bounds), "+Inf"], counts):
        seen += count
        lines.append(f"{name}_bucket{{{_labels((*labels, ('le', bound)))}}} {seen:.0f}")
    ends = [f"{name}_sum{{{_labels(labels)}}} {_number(total)}", f"{name}_count{{{_labels(labels)}}} {seen:.0f}"]
    return lines + ends


def _number(value: float) -> str:
    return f"{value:.6g}"


def _labels(labels: Labels) -> str:
    return ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
