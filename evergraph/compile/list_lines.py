"""Lines that use tensor lists, by calls of C code: loops on NumPy keep many lists, and push to all of them at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.compile.generated import Call, Line, Local, generated, new_name
from evergraph.graph.traits import Kind
from evergraph.kernel import recording
from evergraph.kernel.lists.items import at_once

_MOST = 32  # lists of one call


def with_lists_together(lines: Sequence[Line], scope: dict[str, Any]) -> list[Line]:
    """The lines of a function with one line for lists that are pushed to, or popped from, at about the same time.

    Neither changes anything that others see. Lists are popped from a little earlier, and pushed to a little later, but
    on the same side of all checks and effects. The globals `scope` get the functions that the new lines call.
    """
    if at_once is None:
        return list(lines)
    pops = _gathered(lines, _is_pop, lambda line: line.names, lambda line: line.writes)
    backwards = [_element(_pops(group, scope), scope) for group in reversed(pops)]
    pushes = _gathered(backwards, _is_push, lambda line: line.writes, lambda line: line.names)
    return [_pushes(group[::-1], scope) for group in reversed(pushes)]


def _gathered(
    lines: Iterable[Line], belongs: Callable[[Line], bool], needs: Callable[[Line], Iterable[str]],
    blocks: Callable[[Line], Iterable[str]]
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
        passed.update(blocks(line))
    return groups


def _is_push(line: Line) -> bool:
    return line.nodes[0].opdef.kind is Kind.LIST_PUSH and len(_names(line)) == 2


def _is_pop(line: Line) -> bool:
    node = line.nodes[0]
    return node.opdef.kind is Kind.LIST_POP and node.outputs[1]._dtype is not dtypes.variant \
        and len(_names(line)) == 2 and not isinstance(_names(line)[1], Local)


def _pushes(group: Sequence[Line], scope: dict[str, Any]) -> Line:
    return _in_c(group, slice(0, 2), at_once.pusher, scope) if _is_push(group[0]) else group[0]


def _pops(group: Sequence[Line], scope: dict[str, Any]) -> Line:
    if not _is_pop(group[0]):
        return group[0]
    wanted = [line.nodes[0].outputs[1]._dtype.np for line in group]
    return _in_c(group, slice(0, 1), lambda otherwise: at_once.popper((otherwise, *wanted)), scope)


def _element(line: Line, scope: dict[str, Any]) -> Line:
    """The line that calls C code in place of one that uses an element of a list; other lines as they are."""
    kind = line.nodes[0].opdef.kind if len(line.nodes) == 1 else None
    if line.in_c or kind not in (Kind.LIST_GET, Kind.LIST_SET) or not recording.available():
        return line
    wanted: tuple[Any, ...] = ()
    if kind is Kind.LIST_GET:
        make, places, wanted = at_once.getter, slice(0, 3), (line.nodes[0].outputs[0]._dtype.np,)
    elif line.unpacks:  # an element is added to what the list has: a fusion
        make, places = at_once.adder, slice(0, 5)
    else:  # the kernel takes a check and the node before the values
        make, places = at_once.setter, slice(2, 5)
    if len(_names(line)) != places.stop:
        return line
    return _in_c([line], places, lambda otherwise: make((lambda *given: otherwise(*given)[0], *wanted)), scope, False)


def _names(line: Line) -> tuple[str, ...]:
    """The arguments of the call that a line is, if all of them are names."""
    parts = line.value.parts if isinstance(line.value, Call) else ()
    names = tuple(part for part in parts if isinstance(part, str))
    return names if len(names) == len(parts) else ()


def _in_c(
    lines: Sequence[Line], places: slice, make: Callable[[Any], Any], scope: dict[str, Any], unpacks: bool = True
) -> Line:
    """The line that calls a function of C code in place of lines.

    Args:
        lines: the lines.
        places: the arguments of the call of each that the function takes.
        make: makes the function, of another one that runs the lines, for lists that are not plain.
        scope: the globals.
        unpacks: whether the function returns a tuple.
    """
    given: list[str] = []
    alone: list[Line] = []
    for line in lines:
        assert isinstance(line.value, Call)
        parts = list(_names(line))
        given += parts[places]
        parts[places] = [f"p{n}" for n in range(len(given) - len(parts[places]), len(given))]
        alone.append(dataclasses.replace(line, value=Call(line.value.function, tuple(parts))))
    writes = tuple(name for line in lines for name in line.writes)
    otherwise = generated(alone, [f"p{n}" for n in range(len(given))], writes, scope)
    name = new_name("l", scope)
    scope[name], scope[f"{name}_otherwise"] = make(otherwise.call), otherwise  # kept for the nodes of its lines
    return Line(tuple(otherwise.nodes), writes, Call(name, ("context", *given)), unpacks, in_c=True)
