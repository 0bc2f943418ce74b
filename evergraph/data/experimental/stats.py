"""Measurements of datasets: `tf.data.experimental.StatsAggregator`, latency_stats and bytes_produced_stats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.data.arguments import text
from evergraph.graph.node import Tensor
from evergraph.ops.data import statistics


@export("data.experimental.StatsAggregator", "contrib.data.StatsAggregator")
class StatsAggregator:
    """Collects what a dataset measures when it runs.

    >>> numbers = tf.data.Dataset.range(10).apply(tf.data.experimental.latency_stats("latency"))
    >>> measured, settings = tf.data.experimental.StatsAggregator(), tf.data.Options()
    >>> settings.experimental_stats.aggregator = measured
    >>> numbers, summary = numbers.with_options(settings), measured.get_summary()
    """

    def __init__(self) -> None:
        self._resource = statistics.stats_aggregator_handle()

    def get_summary(self) -> Tensor:
        """A scalar string: a Summary with the histogram of each tag, for a tf.summary.FileWriter."""
        return statistics.stats_aggregator_summary(self._resource)


@export("data.experimental.latency_stats", "contrib.data.latency_stats")
def latency_stats(tag: Any) -> Callable[[Any], Any]:
    """For `Dataset.apply`: measures how many microseconds each element takes.

    Args:
        tag: what the measurements are called.
    """
    return lambda dataset: dataset._then(statistics.latency_stats_dataset, text(tag, "tag"))


@export("data.experimental.bytes_produced_stats")
def bytes_produced_stats(tag: Any) -> Callable[[Any], Any]:
    """For `Dataset.apply`: measures how many bytes each element has.

    Args:
        tag: what the measurements are called.
    """
    return lambda dataset: dataset._then(statistics.bytes_produced_stats_dataset, text(tag, "tag"))


@export("contrib.data.set_stats_aggregator")
def set_stats_aggregator(stats_aggregator: StatsAggregator, prefix: Any = "",
                         counter_prefix: Any = "") -> Callable[[Any], Any]:
    """For `Dataset.apply`: lets an aggregator collect what the dataset measures.

    Args:
        stats_aggregator: a StatsAggregator.
        prefix: what tags begin with.
        counter_prefix: what the names of counters would begin with; there are none.
    """
    return lambda dataset: dataset._then(
        statistics.set_stats_aggregator_dataset, stats_aggregator._resource, text(prefix, "tag"),
        text(counter_prefix, "counter_prefix"))
