"""tf.debugging.enable_check_numerics: what runs ends with an error at the first operation that gives an inf or NaN."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Iterator, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.debug.debugger.source import guess_is_tensorflow_py_library
from evergraph.debug.first_nan import described, is_bad
from evergraph.eager.graph import EagerGraph
from evergraph.eager.tensor import EagerTensor
from evergraph.graph.node import Operation
from evergraph.graph.traits import Memory
from evergraph.kernel.cells import Cell
from evergraph.run.executor import Executor
from evergraph.run.watch import Watch


class _Checking(threading.local):
    """What this thread has asked for: how many lines of the program an error has, and how long their paths may be."""

    limits: tuple[int, int] | None = None


_checking = _Checking()
_alone: weakref.WeakKeyDictionary[Executor, Executor] = weakref.WeakKeyDictionary()


@export("debugging.enable_check_numerics")
def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From now on, operations of this thread that give an infinity or a NaN raise an error that names them.

    That holds for runs of sessions, for eager operations and for functions of `tf.function`. Runs and functions compute
    each node alone, on NumPy, as in the debugger, and variables keep the values from before a run that fails.

    Args:
        stack_height_limit: how many lines of the program the error shows, where the operation is one of a graph.
        path_length_limit: how many characters of their files' paths it shows.

    Raises:
        tf.errors.InvalidArgumentError: (in what runs later) an operation has given an infinity or a NaN.
    """
    _checking.limits = stack_height_limit, path_length_limit
    if Executor.run is _run:
        Executor.run, EagerGraph.add_node = _checked_run, _checked_node  # type: ignore[method-assign]


@export("debugging.disable_check_numerics")
def disable_check_numerics() -> None:
    """Takes back `tf.debugging.enable_check_numerics` for this thread."""
    _checking.limits = None


_run, _add_node = Executor.run, EagerGraph.add_node  # which pay nothing until somebody asks for checks


@functools.wraps(_run)
def _checked_run(executor: Executor, store: Any, feed_values: Sequence[Any], watch: Watch | None = None) -> Any:
    if _checking.limits is None:
        return _run(executor, store, feed_values, watch)
    alone = _alone.get(executor)
    if alone is None:
        alone = _alone[executor] = Executor(executor.plan.fetches, executor.plan.feeds, "numpy")
    watch = watch or Watch()
    watch.show(_check)
    return _run(alone, store, feed_values, watch)


@functools.wraps(_add_node)
def _checked_node(graph: EagerGraph, *arguments: Any, **keywords: Any) -> Operation:
    node = _add_node(graph, *arguments, **keywords)
    if _checking.limits is not None:
        _check(node, [tensor.held if isinstance(tensor, EagerTensor) else None for tensor in node.outputs])
    return node


def _check(node: Operation, outputs: Sequence[Any]) -> None:
    """Raises an error for what a node computes; what it only hands on may be anything, and so may what is fed."""
    if not node._inputs or node.opdef.memory is Memory.VIEW or _checking.limits is None:
        return
    for place, value in enumerate(outputs):
        value = value.peek() if isinstance(value, Cell) else value
        if is_bad(value):
            text = f"{node.type} {node.name!r} gives an inf or NaN in output {place}: {described(value)}"
            raise errors.InvalidArgumentError(None, None, "\n".join([text, *_lines(node, *_checking.limits)]))


def _lines(node: Operation, most: int, longest: int) -> Iterator[str]:
    """The lines that made a node, the innermost first; an arrow marks those of the program."""
    for frame in list(reversed(node.traceback or ()))[:most]:
        file = frame.filename
        arrow = "  " if file.endswith(".py") and guess_is_tensorflow_py_library(file) else "->"
        file = file if len(file) <= longest else f"...{file[-longest:]}"
        yield f"  {arrow} {file}:{frame.lineno}, {frame.name}: {frame.line}"
