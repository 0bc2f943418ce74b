"""Runs a part of a step with the options and the metadata of the step."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from evergraph.base import errors
from evergraph.run.executor import Executor
from evergraph.run.metadata import fill_step_stats, partition_graphs
from evergraph.run.watch import Watch


def run_watched(executor: Executor, store: Any, values: Sequence[Any], options: Any, metadata: Any,
                deadline: float | None) -> Sequence[Any]:
    """What a part gives, within its time; the metadata gain what the options ask for.

    Args:
        executor: the part's.
        store: the session's.
        values: of its feeds.
        options: a tf.RunOptions, or None.
        metadata: a tf.RunMetadata, or None.
        deadline: when the step has to be over, by the monotonic clock; None for any time.

    Raises:
        UnimplementedError: the options ask for dumps of tensors.
        DeadlineExceededError: it took too long.
    """
    if options is not None and options.debug_options.debug_tensor_watch_opts:
        raise errors.UnimplementedError(None, None, "to dump the tensors of a step that several tasks share")
    is_tracing = metadata is not None and options is not None and bool(
        options.trace_level or options.output_partition_graphs)  # fmt: skip
    watch = Watch(deadline, is_tracing, is_tracing and options.trace_level >= options.HARDWARE_TRACE)
    results = executor.run(store, values, watch)
    if is_tracing and options.trace_level:
        fill_step_stats(metadata.step_stats, watch.stages)
    if is_tracing and options.output_partition_graphs:
        metadata.partition_graphs.extend(partition_graphs(watch.stages, executor.plan.feeds))
    return results


def deadline_after(seconds: float | None) -> float | None:
    """When so many seconds are over, by the monotonic clock."""
    return None if seconds is None else time.monotonic() + seconds
