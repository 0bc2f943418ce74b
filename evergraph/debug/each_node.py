"""Shows each operation of a thread, and what it has computed, to functions: in sessions, eagerly, in `tf.function`s.

What nobody looks at pays nothing: the methods that run things are replaced when somebody asks for the first time.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from evergraph.eager.graph import EagerGraph
from evergraph.eager.tensor import EagerTensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation
from evergraph.kernel.cells import Cell
from evergraph.run.executor import Executor
from evergraph.run.functions import FunctionRunner
from evergraph.run.watch import Watch

Look: TypeAlias = Callable[[Operation, Sequence[Any]], None]
"""Is called with an operation and its outputs."""
LookAtCall: TypeAlias = Callable[[FuncGraph, Sequence[Any]], None]
"""Is called with a function that was called eagerly, behind its operations, and its outputs."""


class _Looking(threading.local):
    looks: tuple[tuple[Look, LookAtCall | None], ...] = ()


_looking = _Looking()
_alone: weakref.WeakKeyDictionary[Executor, Executor] = weakref.WeakKeyDictionary()
_run, _add_node, _call = Executor.run, EagerGraph.add_node, FunctionRunner.run


def look(function: Look, at_call: LookAtCall | None = None) -> None:
    """Has a function called with each operation that this thread runs from now on, after those that were there before.

    Runs and functions then compute each node alone, on NumPy.
    """
    stop(function)
    _looking.looks = (*_looking.looks, (function, at_call))
    Executor.run, EagerGraph.add_node = _seen_run, _seen_node  # type: ignore[method-assign]
    FunctionRunner.run = _seen_call  # type: ignore[method-assign]


def stop(function: Look) -> None:
    """Takes `look` back for this thread."""
    _looking.looks = tuple(each for each in _looking.looks if each[0] != function)


@functools.wraps(_run)
def _seen_run(executor: Executor, store: Any, feed_values: Sequence[Any], watch: Watch | None = None) -> Any:
    if not _looking.looks:
        return _run(executor, store, feed_values, watch)
    alone = _alone.get(executor)
    if alone is None:
        alone = _alone[executor] = Executor(executor.plan.fetches, executor.plan.feeds, "numpy")
    watch = watch or Watch()
    watch.show(_show)
    return _run(alone, store, feed_values, watch)


@functools.wraps(_add_node)
def _seen_node(graph: EagerGraph, *arguments: Any, **keywords: Any) -> Operation:
    node = _add_node(graph, *arguments, **keywords)
    if _looking.looks:
        _show(node, [tensor.held if isinstance(tensor, EagerTensor) else None for tensor in node.outputs])
    return node


@functools.wraps(_call)
def _seen_call(runner: FunctionRunner, held: Any, values: Sequence[Any]) -> Any:
    outputs = _call(runner, held, values)
    for _, at_call in _looking.looks:
        if at_call is not None:
            at_call(runner.function, outputs)
    return outputs


def _show(node: Operation, outputs: Sequence[Any]) -> None:
    values = [value.peek() if isinstance(value, Cell) else value for value in outputs]
    for function, _ in _looking.looks:
        function(node, values)
