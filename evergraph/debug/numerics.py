"""tf.debugging.enable_check_numerics: what runs ends with an error at the first operation that gives an inf or NaN."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.debug.debugger.source import guess_is_tensorflow_py_library
from evergraph.debug.first_nan import described, is_bad
from evergraph.graph.node import Operation
from evergraph.graph.traits import Memory
from evergraph.run.looks import looks


class _Limits(threading.local):
    """How many lines of the program an error has, and how long their paths may be."""

    lines, path = 30, 50


_limits = _Limits()


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
    _limits.lines, _limits.path = stack_height_limit, path_length_limit
    looks.add(_check)


@export("debugging.disable_check_numerics")
def disable_check_numerics() -> None:
    """Takes back `tf.debugging.enable_check_numerics` for this thread."""
    looks.remove(_check)


def _check(node: Operation, outputs: Sequence[Any]) -> None:
    """Raises an error for what a node computes; what it only hands on may be anything, and so may what is fed."""
    if not node._inputs or node.opdef.memory is Memory.VIEW:
        return
    for place, value in enumerate(outputs):
        if is_bad(value):
            text = f"{node.type} {node.name!r} gives an inf or NaN in output {place}: {described(value)}"
            raise errors.InvalidArgumentError(None, None, "\n".join([text, *_lines(node)]))


def _lines(node: Operation) -> Iterator[str]:
    """The lines that made a node, the innermost first; an arrow marks those of the program."""
    for frame in list(reversed(node.traceback or ()))[:_limits.lines]:
        file = frame.filename
        arrow = "  " if file.endswith(".py") and guess_is_tensorflow_py_library(file) else "->"
        file = file if len(file) <= _limits.path else f"...{file[-_limits.path:]}"
        yield f"  {arrow} {file}:{frame.lineno}, {frame.name}: {frame.line}"
