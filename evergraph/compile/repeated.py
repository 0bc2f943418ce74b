"""Loops on NumPy that C code repeats: the condition and the calls of an iteration, without Python between them.

Most lines of a loop's body call C code: segments, and what uses lists. The lines between them are functions of Python
here, which C code calls too. A body with effects is left to Python, because an iteration that fails is run again there,
so that the traceback of its error tells the node.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from evergraph import native
from evergraph.compile.generated import Line, Lowered, generated, names_in
from evergraph.kernel import recording

Several = Callable[[Any, tuple[Any, ...], list[Any], int], tuple[tuple[Any, ...], int, bool]]
"""Runs iterations: of a context, the loop variables and what is prepared of them, a list for what the body returns
besides, and how many there may be. Returns the variables, how many there were, and whether the loop is over."""

_PLAIN = re.compile(r"[itv]\w+")


def several(cond: Lowered, body: Lowered, variables: int) -> Several | None:
    """The function that runs several iterations of a loop; None if they are left to Python.

    Args:
        cond: the condition.
        body: the body. It may return more than the loop variables.
        variables: how many loop variables there are.
    """
    if native.loops is None or not recording.available() \
            or any(line.has_effect for lowered in (cond, body) for line in lowered.lines):
        return None
    test, steps = _calls(cond), _calls(body)
    if 2 * sum(isinstance(call.function, _C_FUNCTION) for call in steps.calls) < len(steps.calls):
        return None
    taken = variables + len(body.prepared)
    registers = _Registers(taken, [test, steps])
    returned = registers.of(steps, steps.results)
    results = (*returned[:variables], *range(variables, taken), *returned[variables:])
    native.loops.prepare(np.ndarray, np.dtype(bool))
    loop = native.loops.make(taken, registers.count, registers.constants, registers.lines(test),
                             registers.of(test, test.results), registers.lines(steps), results)

    def run(context: Any, values: tuple[Any, ...], more: list[Any], most: int) -> tuple[tuple[Any, ...], int, bool]:
        found: tuple[tuple[Any, ...], int, bool] = native.loops.repeat(loop, context, values, more, most)
        return found

    return run


_C_FUNCTION = type(len)


class _Called(NamedTuple):
    """A call of a function with a context and values."""

    function: Callable[..., Any]
    given: Sequence[str]
    made: Sequence[str]
    is_tuple: bool


class _Calls(NamedTuple):
    """A lowered function as calls.

    Attributes:
        calls: the calls, in order.
        results: the names of what it returns.
        scope: the values of names that are constants.
    """

    calls: Sequence[_Called]
    results: Sequence[str]
    scope: dict[str, Any]


def _calls(lowered: Lowered) -> _Calls:
    scope: dict[str, Any] = lowered.call.__globals__
    texts = [text.strip() for text in lowered.results.split(",") if text.strip()]
    groups = [list(group) for _, group in itertools.groupby(lowered.lines, lambda line: line.call is not None)]
    wanted = set(names_in(lowered.results))
    calls: list[_Called] = []
    for group in reversed(groups):
        if group[0].call is None:
            calls.append(_python_call(group, wanted, scope))
        else:
            calls += [_Called(scope[call.function], call.given, call.made, call.is_tuple)
                      for line in reversed(group) if (call := line.call) is not None]
        wanted.update(name for line in group for name in line.names)
    calls.reverse()
    copied = {text: f"copy{n}" for n, text in enumerate(texts) if not _PLAIN.fullmatch(text)}
    if copied:
        given = list(dict.fromkeys(names_in(", ".join(copied))))
        inner = generated([], given, "".join(f"{text}, " for text in copied), scope)
        calls.append(_Called(inner.call, given, list(copied.values()), is_tuple=True))
    return _Calls(calls, [copied.get(text, text) for text in texts], scope)


def _python_call(lines: Sequence[Line], wanted: set[str], scope: dict[str, Any]) -> _Called:
    """The call of a function of Python that runs lines, and returns what others want of what they make."""
    made = dict.fromkeys(name for line in lines for name in sorted(line.made))
    given = [name for name in dict.fromkeys(name for line in lines for name in names_in(line.text)) if name not in made]
    results = [name for name in made if name in wanted]
    inner = generated(lines, given, "".join(f"{name}, " for name in results), scope)
    return _Called(inner.call, given, results, is_tuple=True)


class _Registers:
    """Where the values of a loop stand: its variables, constants, and what the calls make.

    Args:
        variables: how many variables there are, the inputs of all functions.
        functions: the functions.

    Attributes:
        constants: the values of the constants.
        count: how many registers there are.
    """

    def __init__(self, variables: int, functions: Sequence[_Calls]) -> None:
        names = [(id(each.scope), name) for each in functions
                 for name in (*each.results, *(name for call in each.calls for name in (*call.given, *call.made)))]
        scopes = {id(each.scope): each.scope for each in functions}
        fixed = list(dict.fromkeys(key for key in names if key[1][0] == "v"))
        made = list(dict.fromkeys(key for key in names if key[1][0] not in "iv"))
        self._places = {key: variables + place for place, key in enumerate([*fixed, *made])}
        self.constants = tuple(scopes[scope][name] for scope, name in fixed)
        self.count = variables + len(fixed) + len(made)

    def of(self, function: _Calls, names: Sequence[str]) -> tuple[int, ...]:
        """The registers of some names in a function."""
        return tuple(int(name[1:]) if name[0] == "i" else self._places[id(function.scope), name] for name in names)

    def lines(self, function: _Calls) -> tuple[Any, ...]:
        """The calls of a function, for C code."""
        return tuple((call.function, self.of(function, call.given), self.of(function, call.made), not call.is_tuple)
                     for call in function.calls)
