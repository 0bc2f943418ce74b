"""Functions whose source is generated: lines as values, which passes rewrite, and their text, which is printed last.

A line belongs to a node, so that the line number of an exception names the node.
"""

from __future__ import annotations

import functools
import itertools
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from evergraph.base import dtypes
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind

_MOST_SOURCES = 64  # whose code is kept for graphs that are built again, as by each call of Estimator.train ...
_LONGEST_SOURCE = 1 << 18  # ... if they have no more characters than this
LOCAL = {name: f"context.{name}" for name in ("xp", "static", "settle", "tell")} | {
    "held": "context.cells.get", "clock": "context.clock"}
"""What many lines call of the context: functions look these up once."""

_numbers = itertools.count()


class Local(str):
    """The name of a value that a function takes or computes. Other names are those of its globals."""

    __slots__ = ()


@dataclass(eq=False, slots=True)
class Call:
    """The call of a function. Without a function it is a tuple of several parts, or a list."""

    function: str
    parts: tuple[Expression, ...]
    brackets: str = "()"

    def text(self, called: set[str]) -> str:
        """The source; adds the names of functions to `called`."""
        called.add(self.function)
        texts = [part if isinstance(part, str) else part.text(called) for part in self.parts]
        return f"{self.function}{self.brackets[0]}{', '.join(texts)}{self.brackets[1]}"


@dataclass(eq=False, slots=True)
class Attribute:
    """An attribute of the only part, or the result of one of its methods."""

    parts: tuple[Expression]
    name: str

    def text(self, called: set[str]) -> str:
        return f"{_text(self.parts[0], called)}.{self.name}"


Expression: TypeAlias = str | Call | Attribute


def _text(expression: Expression, called: set[str]) -> str:
    return expression if isinstance(expression, str) else expression.text(called)


def value_of(cell: Expression, may_be_fed: bool = False) -> Expression:
    """The value of a variable; of one that an earlier stage hands on, the program may have fed a value instead."""
    return Call("read", (cell,)) if may_be_fed else Attribute((cell,), "value")


def _within(expression: Expression) -> list[Expression]:
    """An expression and its parts, from the left to the right."""
    if isinstance(expression, str):
        return [expression]
    return [expression, *(each for part in expression.parts for each in _within(part))]


def locals_in(expressions: Iterable[Expression]) -> list[Local]:
    """The values that expressions use, each once, from the left to the right."""
    return list(dict.fromkeys(e for each in expressions for e in _within(each) if isinstance(e, Local)))


@dataclass(eq=False)
class Line:
    """What a function does for a node, or for several of them.

    Attributes:
        nodes: the nodes.
        writes: the values that it computes.
        value: how it computes them.
        unpacks: whether the result is a sequence of the values, also if there is one.
        dtypes: the names of the dtypes that the values are to have; "" for one that may have any.
        recordable: whether it may become a part of a segment, see compile/segments.py.
        in_c: whether `value` is a call of C code with the context and values.
        replays: whether this call replays what the nodes do, or runs lines of their own.
        otherwise: how it computes the values where `value` is None; it uses no others.
    """

    nodes: tuple[Operation, ...]
    writes: tuple[Local, ...]
    value: Expression
    unpacks: bool = False
    dtypes: tuple[str, ...] = ()
    recordable: bool = False
    in_c: bool = False
    replays: bool = False
    otherwise: Call | None = None

    @functools.cached_property
    def reads(self) -> list[Local]:
        """The values that it uses."""
        return locals_in([self.value])

    @functools.cached_property
    def names(self) -> frozenset[Local]:
        """The values that it uses or computes."""
        return frozenset((*self.reads, *self.writes))

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
    def reads_variables(self) -> bool:
        """Whether it reads a variable, which others may change."""
        return any(node.opdef.kind is Kind.READ for node in self.nodes) or any(
            isinstance(e, Attribute) and e.name == "value" or isinstance(e, Call) and e.function == "read"
            for e in _within(self.value))

    def text(self, called: set[str], on_numpy: bool) -> str:
        """The source; adds the names of functions that it calls to `called`."""
        value = _text(self.value, called)
        value = value if self.otherwise is None else f"{value} or {self.otherwise.text(called)}"
        if not self.writes:
            return value
        if not self.unpacks:
            return f"{self.writes[0]} = {_settled(value, self.dtypes[0], on_numpy) if self.dtypes else value}"
        wanted = [(name, dtype) for name, dtype in zip(self.writes, self.dtypes) if dtype]
        after = [f"; {name} = {_settled(name, dtype, on_numpy)}" for name, dtype in wanted]
        return f"{''.join([f'{name}, ' for name in self.writes])}= {value}{''.join(after)}"


def _settled(value: str, dtype: str, on_numpy: bool) -> str:
    if on_numpy:  # most kernels return arrays that have the dtype, and need no call
        return f"v if type(v := {value}) is ndarray and v.dtype is {dtype} else settle(v, {dtype})"
    return f"settle({value}, {dtype})"


def inputs_of(lines: Sequence[Line]) -> list[Local]:
    """The values that lines use and do not compute."""
    writes = {name for line in lines for name in line.writes}
    return [name for name in dict.fromkeys(name for line in lines for name in line.reads) if name not in writes]


@dataclass(eq=False)
class Lowered:
    """A lowered function: `call(context, *inputs)` returns the tuple of its outputs.

    Attributes:
        call: the function.
        source: its source.
        file: the name of the file that tracebacks show for it.
        lines: its lines.
        parameters: the names of what it takes besides the context.
        results: what it returns.
        inputs: the tensors that it takes.
        outputs: those that it returns.
    """

    call: Callable[..., tuple[Any, ...]]
    source: str
    file: str
    lines: Sequence[Line]
    parameters: Sequence[str]
    results: Sequence[Expression]
    inputs: Sequence[Tensor] = ()
    outputs: Sequence[Tensor] = ()

    @functools.cached_property
    def timed(self) -> Lowered:
        """The function that also tells its context, a WatchedContext, when each line ran."""
        return self._telling(shows=False)

    @functools.cached_property
    def shown(self) -> Lowered:
        """The function that shows what each line has computed as well; it has a line for each node."""
        return self._telling(shows=True)

    def _telling(self, shows: bool) -> Lowered:
        scope, lines = self.call.__globals__, [_MARK]
        for at, line in enumerate(self.lines):
            lines.append(line)
            if line.replays:
                scope[f"nodes{at}"] = line.nodes
                lines += [Line(line.nodes, (), Call("context.replayed", (f"nodes{at}", _MARKED))), _MARK]
            elif isinstance(line.value, Call):
                node, name = line.nodes[0], f"node{at}"
                scope[name] = node
                outputs = zip(line.writes, node.outputs) if len(line.writes) == len(node.outputs) else ()
                shapes = [Attribute((value,), "shape") if is_array(t) else "None" for value, t in outputs]
                lines.append(Line((node,), (), Call("tell", (Call("", (name, _MARKED, Call("clock", ()), *shapes)),))))
                if shows:
                    lines.append(Line((node,), (), Call("context.seen", (name, Call("", line.writes, "[]")))))
                lines.append(_MARK)
        return generated(lines, self.parameters, self.results, scope, self.inputs, self.outputs)

    @functools.cached_property
    def nodes(self) -> Sequence[Operation]:
        """The nodes that it runs."""
        return list(dict.fromkeys(node for line in self.lines for node in line.nodes))

    def running(self) -> Operation | None:
        """The node that the function runs, for those whom that calls."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code is not self.call.__code__:
            frame = frame.f_back  # type: ignore[assignment]
        return None if frame is None else self.node_at(frame.f_lineno)

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


_MARKED = Local("mark")
_MARK = Line((), (_MARKED,), Call("clock", ()))  # when the next line begins

LOWERED: weakref.WeakValueDictionary[str, Lowered] = weakref.WeakValueDictionary()
"""File name of generated source -> the lowered function, to find the node behind a traceback."""


def generated(
    lines: Sequence[Line], parameters: Sequence[str], results: Sequence[Expression], scope: dict[str, Any],
    inputs: Sequence[Tensor] = (), outputs: Sequence[Tensor] = (), on_numpy: bool = True
) -> Lowered:
    """The function of these lines; `Lowered` tells what it is made of. Its globals are `scope`.

    Args:
        on_numpy: whether it runs on NumPy alone.
    """
    called: set[str] = {"settle"} if any(any(line.dtypes) for line in lines) else set()
    texts = [f"    {line.text(called, on_numpy)}\n" for line in lines]
    used = [name for name in LOCAL if name in called]
    source = "".join([
        f"def stage({', '.join(['context', *parameters])}):\n",
        f"    {', '.join(used)} = {', '.join([LOCAL[name] for name in used])}\n" if used else "    pass\n",
        *texts, f"    return ({''.join([f'{_text(each, called)}, ' for each in results])})\n"])
    file = f"<stage {next(_numbers)}>"
    code = _kept_code(source) if len(source) <= _LONGEST_SOURCE else _code(source)
    call = types.FunctionType(code.replace(co_filename=file), scope)
    lowered = LOWERED[file] = Lowered(call, source, file, lines, parameters, results, inputs, outputs)
    return lowered


def _code(source: str) -> types.CodeType:
    """The code of the only function in a source."""
    module = compile(source, "", "exec")
    return next(each for each in module.co_consts if isinstance(each, types.CodeType))


_kept_code = functools.lru_cache(maxsize=_MOST_SOURCES)(_code)


def is_array(tensor: Tensor) -> bool:
    """Whether the value of a tensor is an array: no variable, no object and no list."""
    dtype = tensor._dtype
    return not (dtype.is_ref or dtype is dtypes.resource or dtype is dtypes.variant)


def new_name(letter: str, scope: dict[str, Any]) -> str:
    """A name for a further global of a function."""
    return next(name for name in map(f"{letter}{{}}".format, itertools.count()) if name not in scope)
