"""Loops on NumPy that C code repeats: the condition and the calls of an iteration, without Python between them.

Most lines of a loop's body call C code: segments, and what uses lists. The lines between them are functions of Python
here, which C code calls too. A body with effects is left to Python, because an iteration that fails is run again there,
so that the traceback of its error tells the node.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from evergraph import native
from evergraph.compile.generated import Call, Line, Local, Lowered, generated, inputs_of, locals_in
from evergraph.compile.lower import lower_function
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Tensor
from evergraph.kernel import recording

Repeater = Callable[[Any, tuple[Any, ...], int], tuple[tuple[Any, ...], int, bool]]
"""Runs iterations: of a context, the loop variables, and how many there may be. Returns the variables, how many there
were, and whether the loop is over."""

_C_FUNCTION = type(len)


class _Repeaters(dict[tuple[tuple[Tensor, ...], FuncGraph], Repeater | None]):
    """Those of loops with a body, by its outputs and the condition."""


def repeater(cond: FuncGraph, body: FuncGraph) -> Repeater | None:
    """The function that runs several iterations of a loop; None if they are left to Python."""
    known, key = body.cache(_Repeaters), (tuple(body.outputs), cond)
    if key not in known:
        known[key] = _made(lower_function(cond, on_numpy=True), lower_function(body, on_numpy=True))
    return known[key]


def _made(cond: Lowered, body: Lowered) -> Repeater | None:
    if native.loops is None or not recording.available() \
            or any(line.has_effect for lowered in (cond, body) for line in lowered.lines):
        return None
    (tests, tested), (steps, stepped) = _calls(cond), _calls(body)
    if 2 * sum(isinstance(call.function, _C_FUNCTION) for call in steps) < len(steps):
        return None
    taken = len(body.parameters)
    # Registers: the variables, which both functions take; constants; what the calls of each function make.
    uses = [(lowered, name) for lowered, calls, results in ((cond, tests, tested), (body, steps, stepped))
            for name in (*results, *(name for call in calls for name in (*call.given, *call.writes)))]
    constants = list(dict.fromkeys(use for use in uses if not isinstance(use[1], Local)))
    made = list(dict.fromkeys(use for use in uses if isinstance(use[1], Local) and use[1] not in use[0].parameters))
    places: dict[Any, int] = {use: taken + place for place, use in enumerate([*constants, *made])}
    places.update(((lowered, name), place) for lowered in (cond, body) for place, name in enumerate(lowered.parameters))

    def registers(lowered: Lowered, names: Sequence[str]) -> tuple[int, ...]:
        return tuple(places[lowered, name] for name in names)

    def lines(lowered: Lowered, calls: Sequence[_Called]) -> tuple[Any, ...]:
        return tuple((call.function, registers(lowered, call.given), registers(lowered, call.writes), not call.unpacks)
                     for call in calls)

    native.loops.prepare(np.ndarray, np.dtype(bool))
    loop = native.loops.make(
        taken, taken + len(constants) + len(made), tuple(lowered.call.__globals__[name] for lowered, name in constants),
        lines(cond, tests), registers(cond, tested), lines(body, steps), registers(body, stepped))
    return functools.partial(native.loops.repeat, loop)


class _Called(NamedTuple):
    """A call of a function with a context and values."""

    function: Callable[..., Any]
    given: Sequence[str]
    writes: Sequence[Local]
    unpacks: bool = True


def _calls(lowered: Lowered) -> tuple[list[_Called], list[str]]:
    """(the calls that a function consists of, the names of what it returns)."""
    scope, wanted = lowered.call.__globals__, set(locals_in(lowered.results))
    calls: list[_Called] = []
    for in_c, lines in itertools.groupby(reversed(lowered.lines), lambda line: line.in_c):
        group = list(lines)
        calls += [_c_call(line, scope) for line in group] if in_c else [_python_call(group[::-1], wanted, scope)]
        wanted.update(*(line.names for line in group))
    calls.reverse()
    copied = {each: Local(f"copy{n}") for n, each in enumerate(lowered.results) if not isinstance(each, str)}
    if copied:
        given = locals_in(copied)
        calls.append(_Called(generated([], given, list(copied), scope).call, given, list(copied.values())))
    return calls, [each if isinstance(each, str) else copied[each] for each in lowered.results]


def _c_call(line: Line, scope: dict[str, Any]) -> _Called:
    assert isinstance(line.value, Call)
    given = [part for part in line.value.parts[1:] if isinstance(part, str)]
    return _Called(scope[line.value.function], given, line.writes, line.unpacks)


def _python_call(lines: Sequence[Line], wanted: set[Local], scope: dict[str, Any]) -> _Called:
    """The call of a function of Python that runs lines, and returns what others want of what they make."""
    given = inputs_of(lines)
    results = [name for line in lines for name in line.writes if name in wanted]
    return _Called(generated(lines, given, results, scope).call, given, results)
