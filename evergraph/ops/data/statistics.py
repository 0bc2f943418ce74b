"""Measurements of datasets: how long elements take and how large they are, collected by an aggregator."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import errors
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.kernel.values import boxed
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, Element, Iterator, Scope, Transformed, text
from evergraph.ops.state.summaries import LARGEST, bucket_counts, fill_buckets

_NAMED = "container: string = '', shared_name: string = ''"


class Aggregator:
    """Collects numbers by tag. Threads may add at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._collected: dict[str, _Numbers] = {}

    def add(self, tag: str, value: float) -> None:
        with self._lock:
            self._collected.setdefault(tag, _Numbers()).add(value)

    def summary(self) -> bytes:
        """A Summary with the histogram of each tag."""
        message = proto.summary_pb2.Summary()
        with self._lock:
            for tag in sorted(self._collected):
                self._collected[tag].write(message.value.add(tag=tag).histo)
        return message.SerializeToString()


class _Numbers:
    """What a histogram tells of numbers."""

    def __init__(self) -> None:
        self._least, self._most = LARGEST, -LARGEST
        self._count = self._sum = self._squares = 0.0
        self._buckets: Any = 0

    def add(self, value: float) -> None:
        self._least, self._most = min(self._least, value), max(self._most, value)
        self._count, self._sum, self._squares = self._count + 1, self._sum + value, self._squares + value * value
        self._buckets = self._buckets + bucket_counts(np.array([value]))

    def write(self, histogram: Any) -> None:
        histogram.min, histogram.max, histogram.num = self._least, self._most, self._count
        histogram.sum, histogram.sum_squares = self._sum, self._squares
        fill_buckets(histogram, self._buckets)


class MeasuredScope(Scope):
    """The scope of the iterators whose measurements an aggregator collects.

    Args:
        outer: the scope around it, whose streams and kept objects it shares.
        prefix: what tags begin with.
    """

    def __init__(self, outer: Scope, aggregator: Aggregator, prefix: str) -> None:
        super().__init__(outer._calls)
        self.streams, self._kept = outer.streams, outer._kept
        self._aggregator, self._prefix = aggregator, prefix

    def add(self, tag: str, value: float) -> None:
        self._aggregator.add(f"{self._prefix}::{tag}" if self._prefix else tag, value)


class Collected(Transformed):
    """The same elements; an aggregator collects what the datasets below measure."""

    def __init__(self, node: Any, source: Any, aggregator: Aggregator, prefix: str) -> None:
        super().__init__(node, source)
        self.aggregator, self.prefix = aggregator, prefix

    def iterate(self, scope: Scope) -> Iterator:
        return self.source.iterate(MeasuredScope(scope, self.aggregator, self.prefix))


class _Measured(Transformed):
    """The same elements, measured if there is an aggregator."""

    iterator: Any

    def __init__(self, node: Any, source: Any, tag: str) -> None:
        super().__init__(node, source)
        self.tag = tag

    def iterate(self, scope: Scope) -> Iterator:
        source = self.source.iterate(scope)
        return self.iterator(source, scope, self.tag) if isinstance(scope, MeasuredScope) else source


class _MeasuringIterator(Iterator):
    def __init__(self, source: Iterator, scope: MeasuredScope, tag: str) -> None:
        super().__init__(source)
        self._scope, self._tag = scope, tag

    def state(self) -> Any:
        return self.source.state()

    def restore(self, state: Any) -> None:
        self.source.restore(state)


class _LatencyIterator(_MeasuringIterator):
    def get(self) -> Element | None:
        start = time.monotonic()
        element = self.source.get()
        if element is not None:
            self._scope.add(self._tag, (time.monotonic() - start) * 1e6)
        return element


class _BytesIterator(_MeasuringIterator):
    def get(self) -> Element | None:
        element = self.source.get()
        if element is not None:
            self._scope.add(self._tag, float(sum(map(_size, element))))
        return element


def _size(value: Any) -> int:
    """How many bytes a component has; those of strings, for an array of strings."""
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        return sum(len(each) for each in value.ravel().tolist() if isinstance(each, bytes))
    return int(getattr(value, "nbytes", 0))


class Latencies(_Measured):
    """Measures how many microseconds each element takes."""

    iterator = _LatencyIterator


class Bytes(_Measured):
    """Measures how many bytes each element has."""

    iterator = _BytesIterator


@two_names(f"LatencyStatsDataset(input_dataset: variant, tag: string, *, {TYPES})", {})
def latency_stats_dataset(node, input_dataset, tag):
    """The same dataset; measures how long its elements take."""
    return Latencies(node, input_dataset, text(tag))


@two_names(f"BytesProducedStatsDataset(input_dataset: variant, tag: string, *, {TYPES})", {})
def bytes_produced_stats_dataset(node, input_dataset, tag):
    """The same dataset; measures how large its elements are."""
    return Bytes(node, input_dataset, text(tag))


@two_names("SetStatsAggregatorDataset(input_dataset: variant, stats_aggregator: resource, tag: string, "
           f"counter_prefix: string, *, {TYPES})", {}, stateful=True)
def set_stats_aggregator_dataset(node, input_dataset, stats_aggregator, tag):
    """The same dataset; an aggregator collects what it measures. There are no counters that a prefix would name."""
    return Collected(node, input_dataset, stats_aggregator, text(tag))


def _aggregator(shared):
    """An aggregator."""
    return shared(Aggregator)


stats_aggregator_handle, stats_aggregator_handle_v2, experimental_stats_aggregator_handle = (
    op(f"{name}(*, {_NAMED}) -> handle: resource", stateful=True, on="host", shape=scalar, grad=STOP)(_aggregator)
    for name in ("StatsAggregatorHandle", "StatsAggregatorHandleV2", "ExperimentalStatsAggregatorHandle"))


def _summary(iterator):
    """A Summary of what an aggregator has collected."""
    if not isinstance(iterator, Aggregator):
        raise errors.InvalidArgumentError(None, None, "StatsAggregatorSummary takes the handle of an aggregator")
    return boxed(iterator.summary())


stats_aggregator_summary, experimental_stats_aggregator_summary = (
    op(f"{name}(iterator: resource) -> summary: string", stateful=True, on="host", shape=scalar, grad=STOP)(_summary)
    for name in ("StatsAggregatorSummary", "ExperimentalStatsAggregatorSummary"))
