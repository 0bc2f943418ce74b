"""Lines that use tensor lists, by calls of C code: loops on NumPy keep many lists, and push to all of them at once."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.compile.generated import Call, Line, Lowered, generated
from evergraph.graph.traits import Kind
from evergraph.kernel import recording
from evergraph.kernel.lists.items import at_once

_MOST = 32  # lists of one call
_PUSH = re.compile(r"(?P<made>t\d+_0) = (?P<kernel>k\d+)\((?P<list>[it]\w+), (?P<item>[itv]\w+)\)$")
_ONE = r"[itv]\w+"
_GET = re.compile(rf"(?P<made>t\d+_0) = v if type\(v := k\d+\((?P<given>{_ONE}, {_ONE}, {_ONE})\)\) is ndarray ")
_SET = re.compile(rf"(?P<made>t\d+_0) = k\d+\(check_now, n\d+, (?P<given>{_ONE}, {_ONE}, {_ONE})\)$")
_ADD = re.compile(rf"(?P<made>t\d+_0), = f\d+\((?P<given>{_ONE}, {_ONE}, {_ONE}, {_ONE}, {_ONE})\)$")
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
    backwards = [_element(_pops(group, scope), scope) for group in reversed(pops)]
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


def _element(line: Line, scope: dict[str, Any]) -> Line:
    """The line that calls C code in place of one that uses an element of a list; other lines as they are."""
    kind = line.nodes[0].opdef.kind if len(line.nodes) == 1 else None
    if line.call is not None or kind not in (Kind.LIST_GET, Kind.LIST_SET) or not recording.available():
        return line
    for pattern, make in ((_GET, at_once.getter), (_SET, at_once.setter), (_ADD, at_once.adder)):
        match = pattern.match(line.text)
        if match is not None:
            given = tuple(match["given"].split(", "))
            alone = line.text.replace(match["given"], ", ".join(f"p{n}" for n in range(len(given))))
            otherwise = generated([Line(alone, line.nodes)], [f"p{n}" for n in range(len(given))], f"{match['made']}, ",
                                  scope)
            known = (line.nodes[0].outputs[0]._dtype.np,) if pattern is _GET else ()
            function = make((_only_result(otherwise), *known))
            return _call(otherwise, function, [match["made"]], given, scope, is_tuple=False)
    return line


def _only_result(lowered: Lowered) -> Callable[..., Any]:
    def call(*given: Any) -> Any:
        return lowered.call(*given)[0]
    return call


def _is_push(line: Line) -> bool:
    return line.nodes[0].opdef.kind is Kind.LIST_PUSH and _PUSH.match(line.text) is not None


def _is_pop(line: Line) -> bool:
    node = line.nodes[0]
    return node.opdef.kind is Kind.LIST_POP and node.outputs[1]._dtype is not dtypes.variant \
        and _POP.match(line.text) is not None


def _pushes(group: Sequence[Line], scope: dict[str, Any]) -> Line:
    if not _is_push(group[0]):
        return group[0]
    found = [_matched(_PUSH, line) for line in group]
    alone = [Line(f"{m['made']} = {m['kernel']}(p{2 * n}, p{2 * n + 1})", line.nodes)
             for n, (m, line) in enumerate(zip(found, group, strict=True))]
    made = [m["made"] for m in found]
    otherwise = generated(alone, [f"p{n}" for n in range(2 * len(group))], "".join(f"{each}, " for each in made), scope)
    given = [name for m in found for name in (m["list"], m["item"])]
    return _call(otherwise, at_once.pusher(otherwise.call), made, given, scope)


def _pops(group: Sequence[Line], scope: dict[str, Any]) -> Line:
    if not _is_pop(group[0]):
        return group[0]
    found = [_matched(_POP, line) for line in group]
    alone = [Line(f"{m['made']}= {m['kernel']}(p{n}, {m['shape']}){m['rest']}", line.nodes)
             for n, (m, line) in enumerate(zip(found, group, strict=True))]
    results = "".join(m["made"] for m in found)
    otherwise = generated(alone, [f"p{n}" for n in range(len(group))], results, scope)
    wanted = [line.nodes[0].outputs[1]._dtype.np for line in group]
    function = at_once.popper((otherwise.call, *wanted))
    return _call(otherwise, function, results.rstrip(", ").split(", "), [m["list"] for m in found], scope)


def _matched(pattern: re.Pattern[str], line: Line) -> re.Match[str]:
    match = pattern.match(line.text)
    assert match is not None
    return match


def _call(
    otherwise: Lowered, function: Any, made: Sequence[str], given: Sequence[str], scope: dict[str, Any],
    is_tuple: bool = True
) -> Line:
    """The line that calls a function, which calls another one where lists are not plain; the scope keeps both."""
    name = next(name for name in map("l{}".format, itertools.count()) if name not in scope)
    scope[name], scope[f"{name}_otherwise"] = function, otherwise
    call = Call(name, tuple(given), tuple(made), is_tuple)
    return Line(call.text, tuple(otherwise.nodes), call)
