"""Measurements of a process by name, which programs import from tensorflow.python.eager.monitoring.

>>> requests = Counter("/my/requests", "How many requests came.", "method")
>>> requests.get_cell("get").increase_by(2)
>>> requests.get_cell("get").value()
2
"""

from __future__ import annotations

import bisect
import sys
import threading
import time
import weakref
from typing import Any

from evergraph import proto
from evergraph.base import errors

_metrics: weakref.WeakValueDictionary[str, Metric] = weakref.WeakValueDictionary()


class Metric:
    """A measurement, with a cell for each combination of its labels' values. Its name is free again when it is gone.

    Args:
        name: what it is called in the process.
        description: what it measures.
        *labels: names of what tells its cells apart.

    Raises:
        AlreadyExistsError: there is one of that name.
    """

    def __init__(self, name: str, description: str, *labels: str) -> None:
        if name in _metrics:
            raise errors.AlreadyExistsError(None, None, f"there is a metric called {name} already")
        self.name, self.description, self.labels = name, description, labels
        self._cells: dict[tuple[str, ...], Any] = {}
        self._lock = threading.Lock()
        _metrics[name] = self

    def get_cell(self, *labels: str) -> Any:
        """The cell for these values of the labels.

        Raises:
            ValueError: there are more or fewer labels.
        """
        if len(labels) != len(self.labels):
            raise ValueError(f"The metric {self.name} has the labels {self.labels}, got the values {labels}")
        with self._lock:
            if labels not in self._cells:
                self._cells[labels] = self._new_cell()
            return self._cells[labels]

    def _new_cell(self) -> Any:
        raise NotImplementedError


class CounterCell:
    """A number that only grows."""

    def __init__(self) -> None:
        self._value, self._lock = 0, threading.Lock()

    def increase_by(self, value: int) -> None:
        """Adds to it.

        Raises:
            ValueError: the value is negative.
        """
        if value < 0:
            raise ValueError(f"a counter grows, got {value}")
        with self._lock:
            self._value += value

    def value(self) -> int:
        """The number."""
        return self._value


class Counter(Metric):
    """A number that only grows."""

    def _new_cell(self) -> CounterCell:
        return CounterCell()


class GaugeCell:
    """A value that is set."""

    def __init__(self, kind: type) -> None:
        self._kind, self._value = kind, kind()

    def set(self, value: Any) -> None:
        """Sets it."""
        self._value = self._kind(value)

    def value(self) -> Any:
        """What was set last."""
        return self._value


class IntGauge(Metric):
    """An integer that is set."""

    def _new_cell(self) -> GaugeCell:
        return GaugeCell(int)


class StringGauge(Metric):
    """A string that is set."""

    def _new_cell(self) -> GaugeCell:
        return GaugeCell(str)


class BoolGauge(Metric):
    """A bool that is set."""

    def _new_cell(self) -> GaugeCell:
        return GaugeCell(bool)


class Buckets:
    """The intervals in which a Sampler counts.

    Args:
        limits: where intervals end, ascending; the last one ends at the largest number.
    """

    def __init__(self, limits: list[float]) -> None:
        self.limits = [*limits, sys.float_info.max]


class ExponentialBuckets(Buckets):
    """Intervals that end at scale, scale * growth_factor, scale * growth_factor ** 2...

    Args:
        scale: the end of the first one.
        growth_factor: how much further the next one ends.
        bucket_count: how many there are, beside the last one.
    """

    def __init__(self, scale: float, growth_factor: float, bucket_count: int) -> None:
        super().__init__([scale * growth_factor**power for power in range(bucket_count)])


class SamplerCell:
    """The distribution of values."""

    def __init__(self, limits: list[float]) -> None:
        self._limits, self._counts, self._lock = limits, [0] * len(limits), threading.Lock()
        self._least, self._largest, self._number, self._sum, self._squares = sys.float_info.max, -sys.float_info.max, \
            0.0, 0.0, 0.0

    def add(self, value: float) -> None:
        """Counts a value."""
        with self._lock:
            self._counts[min(bisect.bisect_right(self._limits, value), len(self._limits) - 1)] += 1
            self._least, self._largest = min(self._least, value), max(self._largest, value)
            self._number, self._sum, self._squares = self._number + 1, self._sum + value, self._squares + value * value

    def value(self) -> Any:
        """What was counted, as a HistogramProto message."""
        with self._lock:
            return proto.summary_pb2.HistogramProto(
                min=self._least, max=self._largest, num=self._number, sum=self._sum, sum_squares=self._squares,
                bucket_limit=self._limits, bucket=self._counts)


class Sampler(Metric):
    """The distribution of values.

    Args:
        name: what it is called in the process.
        buckets: the intervals to count in.
        description: what it measures.
        *labels: names of what tells its cells apart.
    """

    def __init__(self, name: str, buckets: Buckets, description: str, *labels: str) -> None:
        super().__init__(name, description, *labels)
        self._limits = buckets.limits

    def _new_cell(self) -> SamplerCell:
        return SamplerCell(self._limits)


class MonitoredTimer:
    """A with-block that adds its microseconds to a cell of a Counter."""

    def __init__(self, cell: CounterCell) -> None:
        self._cell, self._began = cell, 0

    def __enter__(self) -> MonitoredTimer:
        self._began = time.perf_counter_ns()
        return self

    def __exit__(self, *exception: object) -> None:
        self._cell.increase_by((time.perf_counter_ns() - self._began) // 1000)
