"""Reads the results of evaluations back from event files."""
from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from evergraph.base import files
from evergraph.base.export import export
from evergraph.summary.writer import summary_iterator


def metrics_in(pattern: str) -> Iterator[tuple[int, dict[str, float]]]:
    """(step, name -> number) of each summary with numbers in the event files that match a pattern."""
    for path in sorted(files.glob(pattern)):
        for event in summary_iterator(path):
            metrics = {value.tag: value.simple_value for value in event.summary.value if value.HasField("simple_value")}
            if metrics:
                yield event.step, metrics


def steps_in(pattern: str) -> list[int]:
    """The steps of all summaries in the event files that match a pattern."""
    return [event.step for path in files.glob(pattern) for event in summary_iterator(path) if event.HasField("summary")]


@export("contrib.estimator.read_eval_metrics")
def read_eval_metrics(eval_dir: Any) -> dict[int, dict[str, float]]:
    """The metrics that evaluations have written to a directory: step -> name -> number, in the order of steps.

    Args:
        eval_dir: the directory, such as `estimator.eval_dir()`.
    """
    found: dict[int, dict[str, float]] = {}
    for step, metrics in metrics_in(os.path.join(os.fspath(eval_dir), "*.tfevents.*")):
        found.setdefault(step, {}).update(metrics)
    return dict(sorted(found.items()))
