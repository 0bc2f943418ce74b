"""Watches one run from the side: keeps it to its time, and notes when each node ran. Other runs pay nothing for it."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

from evergraph.base.devices import Place
from evergraph.compile import backend
from evergraph.compile.generated import Lowered
from evergraph.compile.policy import compilations
from evergraph.compile.stage import StageRunner
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel.patience import require_time, until


@dataclass(frozen=True)
class NodeTime:
    """When one node ran, in nanoseconds since the epoch."""

    node: Operation
    start: int
    stop: int


@dataclass(frozen=True)
class StageTime:
    """When one stage ran, in nanoseconds since the epoch.

    Attributes:
        number: its place in the run.
        nodes: what ran in it.
        times: of each node; None when the stage was one compiled program, inside which there is no telling.
        outputs: the tensors it computed for others, with their values.
        was_compiled: whether it was compiled just now, which took most of the time then.
        place: where it ran. What NumPy does for an accelerator it does on the host.
        why: the decision about its tier, in one line.
    """

    number: int
    nodes: Sequence[Operation]
    start: int
    stop: int
    times: Sequence[NodeTime] | None
    outputs: Sequence[tuple[Tensor, Any]]
    was_compiled: bool
    place: Place
    why: str


class Watch:
    """Watches a run.

    Args:
        deadline: when it has to be over, by the monotonic clock; None for any time.
        is_tracing: whether to note when each node runs.

    Attributes:
        stages: the stages that ran, in order.
    """

    def __init__(self, deadline: float | None = None, is_tracing: bool = False) -> None:
        self._deadline, self._is_tracing = deadline, is_tracing
        self._clock = time.time_ns() - time.perf_counter_ns()
        self.stages: list[StageTime] = []

    def over(self, runner: StageRunner) -> Callable[..., Sequence[Any]]:
        """`runner.run`, watched.

        Raises (when called):
            DeadlineExceededError: the time was over before it began, or while it waited for something.
        """
        run = self._traced if self._is_tracing else _plain

        def watched(*arguments: Any) -> Sequence[Any]:
            if self._deadline is not None:
                require_time(self._deadline)
            with until(self._deadline):
                return run(runner, *arguments)

        return watched

    def _traced(self, runner: StageRunner, *arguments: Any) -> Sequence[Any]:
        compiled_before, place = compilations.count, runner.stage.place
        marks: list[tuple[int, int]] = []
        start = time.perf_counter_ns()
        with _lines(runner.lowered, marks):
            outputs = runner.run(*arguments)
        if not marks:
            backend.jax().block_until_ready(list(outputs))  # compiled programs go on after they have returned
        stop = time.perf_counter_ns()
        self.stages.append(StageTime(
            len(self.stages), runner.stage.nodes, start + self._clock, stop + self._clock,
            self._times(runner.lowered, marks, stop) if marks else None,
            list(zip(runner.stage.outputs, outputs, strict=True)), compilations.count > compiled_before,
            place.host if marks and place.platform_if_known != "cpu" else place, runner.explanation))  # fmt: skip
        return outputs

    def _times(self, lowered: Lowered, marks: list[tuple[int, int]], stop: int) -> list[NodeTime]:
        """The time of a line is until the next; nodes that one line runs have equal parts of it."""
        times, ends = [], [*(began for _, began in marks[1:]), stop]
        for (line, began), ended in zip(marks, ends, strict=True):
            nodes = lowered.nodes_at(line)
            each = (ended - began) // max(len(nodes), 1)
            times += [NodeTime(node, began + place * each + self._clock, began + (place + 1) * each + self._clock)
                      for place, node in enumerate(nodes)]
        return times


def _plain(runner: StageRunner, *arguments: Any) -> Sequence[Any]:
    return runner.run(*arguments)


@contextlib.contextmanager
def _lines(lowered: Lowered, marks: list[tuple[int, int]]) -> Iterator[None]:
    """Notes (line, time) whenever a lowered function, run as Python, gets to its next line."""
    code = lowered.call.__code__

    def in_function(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            marks.append((frame.f_lineno, time.perf_counter_ns()))
        return in_function

    def on_call(frame: FrameType, event: str, argument: Any) -> Any:
        # While JAX traces it, the lines say nothing about how long they will take.
        return in_function if frame.f_code is code and not frame.f_locals["context"].tracing else None

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        yield
    finally:
        sys.settrace(before)
