"""Functions whose source is generated, one line for a node, so that the line number of an exception names the node."""

from __future__ import annotations

import functools
import itertools
import re
import types
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from evergraph.base import dtypes
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind

_MOST_SOURCES = 64  # whose code is kept for graphs that are built again, as by each call of Estimator.train ...
_LONGEST_SOURCE = 1 << 18  # ... if they have no more characters than this
LOCAL = ("xp", "static", "settle", "settle_all", "cells")  # what many lines use of the context

_NAME = re.compile(r"\b[it]\d+(?:_\d+)?\b")  # of a local value in generated source
_READING = re.compile(r"\.value\b|\bread\(")
_MADE = re.compile(r"(?:^|; )((?:t\d+_\d+,? ?)+)= ")  # what a statement assigns

_numbers = itertools.count()


class Call(NamedTuple):
    """What a line does that calls one function of C code.

    Attributes:
        function: the global name of the function, which takes a context and more.
        given: the names of what more it takes.
        made: the names of what it returns: a tuple, or one value.
        is_tuple: whether it returns a tuple.
    """

    function: str
    given: tuple[str, ...]
    made: tuple[str, ...]
    is_tuple: bool = True

    @property
    def text(self) -> str:
        """The statement."""
        targets = "".join(f"{name}, " for name in self.made) if self.is_tuple else f"{self.made[0]} "
        return f"{targets}= {self.function}({', '.join(('context', *self.given))})"


class Line(NamedTuple):
    """A statement, with the nodes that it runs, and what it calls if it is a call of C code."""

    text: str
    nodes: tuple[Operation, ...]
    call: Call | None = None

    @property
    def names(self) -> set[str]:
        """The local values in it."""
        return set(names_in(self.text))

    @property
    def made(self) -> set[str]:
        """The local values that it assigns."""
        return {name for target in _MADE.findall(self.text) for name in names_in(target)}

    @property
    def is_check(self) -> bool:
        """Whether all that it does is to fail the step, or not."""
        return all(not node.outputs and "check" in node.opdef.wants
                   and not any(t._dtype.is_ref or t._dtype is dtypes.resource for t in node._inputs)
                   for node in self.nodes)

    @property
    def has_effect(self) -> bool:
        """Whether it changes a variable or something outside, or might."""
        return any(not node.opdef.is_pure and node.opdef.kind not in (Kind.VARIABLE, Kind.READ) for node in self.nodes)

    @property
    def reads(self) -> bool:
        """Whether it reads a variable, which others may change."""
        return _READING.search(self.text) is not None or any(node.opdef.kind is Kind.READ for node in self.nodes)


def names_in(text: str) -> list[str]:
    """The local values in generated source."""
    return _NAME.findall(text)


@dataclass(eq=False)
class Lowered:
    """A lowered function: `call(context, *inputs)` returns the tuple of its outputs.

    Attributes:
        call: the function.
        source: its source.
        file: the name of the file that tracebacks show for it.
        lines: its lines.
        inputs: the tensors that it takes.
        outputs: those that it returns.
        prepared: what else it takes behind the inputs: for each the position of an input, and a function of it.
        results: the text of the outputs.
    """

    call: Callable[..., tuple[Any, ...]]
    source: str
    file: str
    lines: Sequence[Line]
    inputs: Sequence[Tensor] = ()
    outputs: Sequence[Tensor] = ()
    prepared: Sequence[tuple[int, Callable[[Any], Any]]] = ()
    results: str = ""

    @functools.cached_property
    def nodes(self) -> Sequence[Operation]:
        """The nodes that it runs."""
        return [node for line in self.lines for node in line.nodes]

    def nodes_at(self, line: int) -> Sequence[Operation]:
        """The nodes that a line of the source runs."""
        index = line - 3  # the function's head and its local names come first
        return self.lines[index].nodes if 0 <= index < len(self.lines) else ()

    def node_at(self, line: int) -> Operation | None:
        """The first node that a line of the source runs."""
        return next(iter(self.nodes_at(line)), None)

    def node_behind(self, error: BaseException) -> Operation | None:
        """The node that the function ran when the error was raised."""
        step = error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == self.file:
                return self.node_at(step.tb_lineno)
            step = step.tb_next
        return None


LOWERED: weakref.WeakValueDictionary[str, Lowered] = weakref.WeakValueDictionary()
"""File name of generated source -> the lowered function, to find the node behind a traceback."""


def generated(
    lines: Sequence[Line], parameters: Sequence[str], results: str, scope: dict[str, Any],
    inputs: Sequence[Tensor] = (), outputs: Sequence[Tensor] = ()
) -> Lowered:
    """The function of these lines.

    Args:
        lines: what it does.
        parameters: the names of its inputs; the context comes before them.
        results: the text of the outputs, with a comma behind each.
        scope: its globals.
        inputs: the tensors that it takes.
        outputs: those that it returns.
    """
    source = (
        f"def stage({', '.join(['context', *parameters])}):\n    {_local_names(lines)}\n"
        + "".join(f"    {line.text}\n" for line in lines)
        + f"    return ({results})\n"
    )
    file = f"<stage {next(_numbers)}>"
    code = _kept_code(source) if len(source) <= _LONGEST_SOURCE else _code(source)
    call = types.FunctionType(code.replace(co_filename=file), scope)
    lowered = LOWERED[file] = Lowered(call, source, file, lines, inputs, outputs, results=results)
    return lowered


def _code(source: str) -> types.CodeType:
    """The code of the only function in a source."""
    module = compile(source, "", "exec")
    return next(each for each in module.co_consts if isinstance(each, types.CodeType))


_kept_code = functools.lru_cache(maxsize=_MOST_SOURCES)(_code)


def _local_names(lines: Sequence[Line]) -> str:
    """The statement that looks up the context's methods once which the lines call."""
    used = [name for name in LOCAL if any(f"{name}(" in line.text or f"{name}.get(" in line.text for line in lines)]
    return f"{', '.join(used)} = {', '.join(f'context.{name}' for name in used)}" if used else "pass"
