"""Watches one run from the side: keeps it to its time, and notes when each node ran. Other runs pay nothing for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from evergraph.base.devices import Place
from evergraph.compile import backend
from evergraph.compile.kernel_times import KernelTime
from evergraph.compile.policy import compilations
from evergraph.compile.stage import StageRunner
from evergraph.compile.undo import Watcher
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel.patience import require_time, until


class Form(NamedTuple):
    """What is noted of an array, which itself is let go."""

    shape: tuple[int, ...]
    dtype: Any
    nbytes: int


@dataclass(eq=False, slots=True)
class Seen:
    """A node that NumPy ran, once or several times, with the forms of its outputs that are arrays.

    Attributes:
        described: what metadata say of it but for the time, once they do.
    """

    node: Operation
    outputs: Sequence[tuple[Tensor, Form]]
    described: Any = None


NodeTime: TypeAlias = tuple[Seen, int, int]  # when it ran, from and to, in nanoseconds since the epoch


@dataclass(frozen=True)
class StageTime:
    """When one stage ran, in nanoseconds since the epoch.

    Attributes:
        number: its place in the run.
        nodes: what ran in it.
        times: of each node that NumPy ran; None when the stage was one compiled program.
        kernels: of the nodes of a compiled program; None when nobody looked at them.
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
    kernels: Sequence[KernelTime] | None
    outputs: Sequence[tuple[Tensor, Any]]
    was_compiled: bool
    place: Place
    why: str


class Watch:
    """Watches a run.

    Args:
        deadline: when it has to be over, by the monotonic clock; None for any time.
        is_tracing: whether to note when each node runs.
        traces_kernels: whether to ask XLA's profiler about the nodes of compiled programs, too.
        shown: is called with each node that has run, and its outputs, in a run on NumPy; None for none.

    Attributes:
        stages: the stages that ran, in order.
    """

    def __init__(self, deadline: float | None = None, is_tracing: bool = False, traces_kernels: bool = False,
                 shown: Callable[[Operation, Sequence[Any]], None] | None = None) -> None:
        self._deadline, self._is_tracing, self._traces_kernels = deadline, is_tracing, traces_kernels
        self._shown = shown
        self._clock = time.time_ns() - time.perf_counter_ns()
        self._marked = 0  # when the last node ended
        self._times: list[NodeTime] = []
        self._seen: dict[Any, Seen] = {}
        self.stages: list[StageTime] = []

    @property
    def watcher(self) -> Watcher | None:
        """What the run has to tell of its nodes; None if it need not."""
        return self if self._is_tracing or self._shown is not None else None

    def show(self, shown: Callable[[Operation, Sequence[Any]], None]) -> None:
        """Calls `shown` with each node, too, before who else looks at it."""
        before = self._shown

        def both(node: Operation, outputs: Sequence[Any]) -> None:
            shown(node, outputs)
            if before is not None:
                before(node, outputs)

        self._shown = both

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

    def begun(self) -> None:
        """The nodes that follow begin now."""
        self._marked = time.perf_counter_ns()

    def seen(self, node: Operation, outputs: Sequence[Any]) -> None:
        """A node has run since the last one ended."""
        now = time.perf_counter_ns()
        if self._is_tracing:
            key = (node, *[value.shape if hasattr(value, "nbytes") else None for value in outputs])
            seen = self._seen.get(key)
            if seen is None:
                seen = self._seen[key] = Seen(node, _forms(node, outputs))
            self._times.append((seen, self._marked + self._clock, now + self._clock))
        if self._shown is not None:
            self._shown(node, outputs)
        self._marked = time.perf_counter_ns()

    def _traced(self, runner: StageRunner, *arguments: Any) -> Sequence[Any]:
        compiled_before, place = compilations.count, runner.stage.place
        self._times, self._seen, kernels = [], runner.seen, None
        start = time.perf_counter_ns()
        if self._traces_kernels and runner.may_run_programs:
            outputs, kernels = runner.kernels.watched(lambda: runner.run(*arguments))
        else:
            outputs = runner.run(*arguments)
        if not self._times:
            backend.jax().block_until_ready(list(outputs))  # compiled programs go on after they have returned
        stop = time.perf_counter_ns()
        if kernels:  # the profiler takes a while to start and to stop
            start, stop = (end - self._clock for end in (min(k.start for k in kernels), max(k.stop for k in kernels)))
        times = self._times or None
        self.stages.append(StageTime(
            len(self.stages), runner.stage.nodes, start + self._clock, stop + self._clock, times, kernels,
            list(zip(runner.stage.outputs, outputs, strict=True)), compilations.count > compiled_before,
            place.host if times and place.platform_if_known != "cpu" else place, runner.explanation))  # fmt: skip
        return outputs


def _forms(node: Operation, outputs: Sequence[Any]) -> list[tuple[Tensor, Form]]:
    return [(tensor, Form(tuple(value.shape), value.dtype, value.nbytes))
            for tensor, value in zip(node.outputs, outputs, strict=True) if hasattr(value, "nbytes")]


def _plain(runner: StageRunner, *arguments: Any) -> Sequence[Any]:
    return runner.run(*arguments)
