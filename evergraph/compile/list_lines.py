"""Lines that push to tensor lists or pop from them, many with one call of C code: loops on NumPy keep many lists."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.compile.generated import Line, Lowered, generated
from evergraph.graph.traits import Kind
from evergraph.kernel.lists.items import at_once

_MOST = 32  # lists of one call
_PUSH = re.compile(r"(?P<made>t\d+_0) = (?P<kernel>k\d+)\((?P<list>[it]\w+), (?P<item>[itv]\w+)\)$")
_POP = re.compile(r"(?P<made>t\d+_0, t\d+_1, )= (?P<kernel>k\d+)\((?P<list>[it]\w+), (?P<shape>v\w+)\)(?P<rest>;.*)$")


def with_lists_together(lines: Sequence[Line], scope: dict[str, Any]) -> list[Line]:
    """The lines of a function with one line for lists that are pushed to, or popped from, at about the same time.

    Neither changes anything that others see. Lists are popped from a little earlier, and pushed to a little later, but
    on the same side of all checks and effects.

    Args:
        lines: the lines of the function.
        scope: its globals, which get the functions that the new lines call.
    """
    if at_once is None:
        return list(lines)
    pops = _gathered(lines, _is_pop, lambda line: line.names, lambda line: line.made)
    backwards = [_pops(group, scope) for group in reversed(pops)]
    pushes = _gathered(backwards, _is_push, lambda line: line.made, lambda line: line.names)
    return [_pushes(group[::-1], scope) for group in reversed(pushes)]


def _gathered(
    lines: Iterable[Line], belongs: Callable[[Line], bool], needs: Callable[[Line], set[str]],
    blocks: Callable[[Line], set[str]]
) -> list[list[Line]]:
    """The lines in groups: each that belongs to others stands with the first of them that nothing keeps it from."""
    groups: list[list[Line]] = []
    open_group: list[Line] = []
    passed: set[str] = set()
    for line in lines:
        if belongs(line) and 0 < len(open_group) < _MOST and passed.isdisjoint(needs(line)):
            open_group.append(line)
        else:
            groups.append([line])
            if belongs(line):
                open_group, passed = groups[-1], set()
            elif line.is_check or line.has_effect:
                open_group = []
        passed |= blocks(line)
    return groups


def _is_push(line: Line) -> bool:
    return line.nodes[0].opdef.kind is Kind.LIST_PUSH and _PUSH.match(line.text) is not None


def _is_pop(line: Line) -> bool:
    node = line.nodes[0]
    return node.opdef.kind is Kind.LIST_POP and node.outputs[1]._dtype is not dtypes.variant \
        and _POP.match(line.text) is not None


def _pushes(group: Sequence[Line], scope: dict[str, Any]) -> Line:
    if len(group) == 1:
        return group[0]
    found = [_matched(_PUSH, line) for line in group]
    alone = [Line(f"{m['made']} = {m['kernel']}(p{2 * n}, p{2 * n + 1})", line.nodes)
             for n, (m, line) in enumerate(zip(found, group, strict=True))]
    made = "".join(f"{m['made']}, " for m in found)
    otherwise = generated(alone, [f"p{n}" for n in range(2 * len(group))], made, scope)
    given = [name for m in found for name in (m["list"], m["item"])]
    return _call(otherwise, at_once.pusher(otherwise.call), made, given, scope)


def _pops(group: Sequence[Line], scope: dict[str, Any]) -> Line:
    if len(group) == 1:
        return group[0]
    found = [_matched(_POP, line) for line in group]
    alone = [Line(f"{m['made']}= {m['kernel']}(p{n}, {m['shape']}){m['rest']}", line.nodes)
             for n, (m, line) in enumerate(zip(found, group, strict=True))]
    made = "".join(m["made"] for m in found)
    otherwise = generated(alone, [f"p{n}" for n in range(len(group))], made, scope)
    wanted = [line.nodes[0].outputs[1]._dtype.np for line in group]
    function = at_once.popper((otherwise.call, *wanted))
    return _call(otherwise, function, made, [m["list"] for m in found], scope)


def _matched(pattern: re.Pattern[str], line: Line) -> re.Match[str]:
    match = pattern.match(line.text)
    assert match is not None
    return match


def _call(otherwise: Lowered, function: Any, made: str, given: Sequence[str], scope: dict[str, Any]) -> Line:
    """The line that calls a function, which calls another one where lists are not plain; the scope keeps both."""
    name = next(name for name in map("l{}".format, itertools.count()) if name not in scope)
    scope[name], scope[f"{name}_otherwise"] = function, otherwise
    return Line(f"{made}= {name}(context, {', '.join(given)})", tuple(otherwise.nodes))
