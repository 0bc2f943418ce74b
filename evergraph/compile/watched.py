"""Tells of each line of a stage that runs on NumPy, and of those inside of loops and functions."""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence
from typing import Any

from evergraph.compile import loop
from evergraph.compile.calls import Function
from evergraph.compile.contexts import NumpyContext
from evergraph.compile.generated import Lowered
from evergraph.compile.lower import lower_function
from evergraph.compile.undo import Watcher
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation
from evergraph.kernel import recording


class WatchedContext(NumpyContext):
    """Kernels run at once, on NumPy arrays, and a watcher is told of each line.

    Args:
        watcher: is told.
        further arguments: those of a `NumpyContext`.
    """

    clock = staticmethod(time.perf_counter_ns)

    def __init__(self, watcher: Watcher, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.watcher: Watcher = watcher
        self.tell, self.seen = watcher.begin(), watcher.seen

    def replayed(self, nodes: Sequence[Operation], start: int) -> None:
        """Tells of a replay of nodes, if there was one since `start`; what runs as Python tells of itself."""
        for place, shape, begin, end in recording.last_replay():
            node = nodes[place]
            self.tell((node, start + begin, start + end, *((shape,) if len(node.outputs) == 1 else ())))

    def function(self, graph: FuncGraph) -> Function:
        return _WatchedFunction(self, graph)

    def repeat(self, node: Operation, cond: Function, body: Function, arguments: Sequence[Any]) -> list[Any]:
        return loop.run_each_iteration(node, cond, body, arguments)


class _WatchedFunction(Function):
    context: WatchedContext

    @functools.cached_property
    def lowered(self) -> Lowered:
        needs_each = self.context.watcher.needs_each
        lowered = lower_function(self.graph, on_numpy=True, has_shortcuts=not needs_each)
        return lowered.shown if needs_each else lowered.timed
