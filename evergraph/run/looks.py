"""Functions that look at each operation that a thread runs: in sessions, eagerly, in `tf.function`s."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation
from evergraph.kernel.cells import Cell

Look: TypeAlias = Callable[[Operation, Sequence[Any]], None]
"""Is called with an operation and its outputs."""
LookAtCall: TypeAlias = Callable[[FuncGraph, Sequence[Any]], None]
"""Is called with a function that was called eagerly, behind its operations, and its outputs."""


class _Looks(threading.local):
    """Those of a thread, each with the one for calls.

    What runs operations asks whether there are any, which is all that steps pay at which nobody looks.
    """

    functions: tuple[tuple[Look, LookAtCall | None], ...] = ()

    def add(self, function: Look, at_call: LookAtCall | None = None) -> None:
        """Has a function called with each operation that the thread runs, after those that were there before.

        Runs and functions then compute each node alone, on NumPy.
        """
        self.remove(function)
        self.functions = (*self.functions, (function, at_call))

    def remove(self, function: Look) -> None:
        self.functions = tuple(each for each in self.functions if each[0] != function)


looks = _Looks()


def show(node: Operation, outputs: Sequence[Any]) -> None:
    """Shows a node that has run."""
    values = [value.peek() if isinstance(value, Cell) else value for value in outputs]
    for function, _ in looks.functions:
        function(node, values)


def show_call(function: FuncGraph, outputs: Sequence[Any]) -> None:
    """Shows a function that was called."""
    for _, at_call in looks.functions:
        if at_call is not None:
            at_call(function, outputs)
