"""Watches one run from the side: keeps it to its time, and notes when each node ran. Other runs pay nothing for it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from evergraph.base.devices import Place
from evergraph.compile import backend
from evergraph.compile.kernel_times import KernelTime, own_times
from evergraph.compile.policy import compilations
from evergraph.compile.stage import StageRunner
from evergraph.compile.undo import Watcher
from evergraph.graph.node import Operation, Tensor
from evergraph.kernel.patience import require_time, until
from evergraph.kernel.recording import timed_replays
from evergraph.run.looks import looks, show


class Form(NamedTuple):
    """What is noted of an array, which itself is let go."""

    shape: tuple[int, ...]
    dtype: Any
    nbytes: int


@dataclass(eq=False, slots=True)
class Seen:
    """A node that NumPy ran, once or several times, with the forms of its outputs that are arrays.

    Attributes:
        head: what metadata say of it but for the time, encoded, once they do.
    """

    node: Operation
    outputs: Sequence[tuple[Tensor, Form]]
    head: bytes | None = None


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
        known: what metadata have said of its nodes, for later runs.
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
    known: dict[Any, Any]


class Watch:
    """Watches a run.

    Args:
        deadline: when it has to be over, by the monotonic clock; None for any time.
        is_tracing: whether to note when each node runs.
        traces_kernels: whether to ask XLA's profiler about the nodes of compiled programs, too.
        shown: is called with each node that has run, and its outputs, behind those who look at this thread; None for
            none.

    Attributes:
        stages: the stages that ran, in order.
        needs_each: whether each node has to run alone, on NumPy.
    """

    def __init__(self, deadline: float | None = None, is_tracing: bool = False, traces_kernels: bool = False,
                 shown: Callable[[Operation, Sequence[Any]], None] | None = None) -> None:
        self._deadline, self._is_tracing, self._traces_kernels = deadline, is_tracing, traces_kernels
        self._shown = (*((show,) if looks.functions else ()), *(() if shown is None else (shown,)))
        self.needs_each = bool(self._shown)
        self._clock = time.time_ns() - time.perf_counter_ns()
        self._told: list[Any] | None = None  # what the code for NumPy tells; None until it begins
        self.stages: list[StageTime] = []

    @property
    def watcher(self) -> Watcher | None:
        """What the run has to tell of its nodes; None if it need not."""
        return self if self._is_tracing or self.needs_each else None

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

    def begin(self) -> Callable[[tuple[Any, ...]], None]:
        """Notes what code for NumPy tells that begins now."""
        if self._told is None:
            self._told = []
        return self._told.append

    def seen(self, node: Operation, outputs: Sequence[Any]) -> None:
        """Shows a node that has run."""
        for shown in self._shown:
            shown(node, outputs)

    def _traced(self, runner: StageRunner, *arguments: Any) -> Sequence[Any]:
        compiled_before, place = compilations.count, runner.stage.place
        self._told, kernels = None, None
        start = time.perf_counter_ns()
        if self._traces_kernels and runner.may_run_programs:
            outputs, kernels = runner.kernels.watched(lambda: runner.run(*arguments))
        else:
            with timed_replays():
                outputs = runner.run(*arguments)
        if self._told is None:
            backend.jax().block_until_ready(list(outputs))  # compiled programs go on after they have returned
        stop = time.perf_counter_ns()
        if kernels:  # the profiler takes a while to start and to stop
            start, stop = (end - self._clock for end in (min(k.start for k in kernels), max(k.stop for k in kernels)))
        times = None if self._told is None else self._node_times(self._told, runner.seen)
        self.stages.append(StageTime(
            len(self.stages), runner.stage.nodes, start + self._clock, stop + self._clock, times, kernels,
            list(zip(runner.stage.outputs, outputs, strict=True)), compilations.count > compiled_before,
            place.host if times is not None and place.platform_if_known != "cpu" else place, runner.explanation,
            runner.seen))  # fmt: skip
        return outputs

    def _node_times(self, told: list[tuple[Any, ...]], known: dict[Any, Any]) -> list[NodeTime]:
        """The times of nodes, those of loops without what runs inside; what is `known` of nodes serves later runs."""
        told.sort(key=lambda each: each[1])
        found: list[NodeTime] = []
        lengths = own_times([(start, stop - start) for _, start, stop, *_ in told])
        for (node, start, _, *shapes), length in zip(told, lengths, strict=True):
            key = (node, *shapes)
            seen = known.get(key) or known.setdefault(key, Seen(node, _forms(node, shapes)))
            start += self._clock
            found.append((seen, start, start + length))
        return found


def _forms(node: Operation, shapes: Sequence[tuple[int, ...] | None]) -> list[tuple[Tensor, Form]]:
    forms = [(tensor, shape, tensor._dtype.np) for tensor, shape in zip(node.outputs, shapes)]
    return [(tensor, Form(shape, dtype, math.prod(shape) * dtype.itemsize)) for tensor, shape, dtype in forms
            if shape is not None and (tensor._shape is None or len(tensor._shape) == len(shape))]


def _plain(runner: StageRunner, *arguments: Any) -> Sequence[Any]:
    return runner.run(*arguments)
