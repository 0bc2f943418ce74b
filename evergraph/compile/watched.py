"""Runs a stage node by node, and shows what each node has computed, also those inside of loops and functions."""

from __future__ import annotations

import functools
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


class WatchedContext(NumpyContext):
    """Kernels run at once, on NumPy arrays, and each node is seen.

    Args:
        watcher: sees each node.
        further arguments: those of a `NumpyContext`.
    """

    def __init__(self, watcher: Watcher, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.begun, self.seen = watcher.begun, watcher.seen

    def function(self, graph: FuncGraph) -> Function:
        return _WatchedFunction(self, graph)

    def repeat(self, node: Operation, cond: Function, body: Function, arguments: Sequence[Any]) -> list[Any]:
        return loop.run_each_iteration(node, cond, body, arguments)


class _WatchedFunction(Function):
    @functools.cached_property
    def lowered(self) -> Lowered:
        return lower_function(self.graph, is_watched=True)
