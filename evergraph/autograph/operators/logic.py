"""Logical operators and comparisons, staged if an operand is a tensor."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from evergraph.autograph.operators.conditional import choose
from evergraph.autograph.operators.staging import as_tensor, is_staged, is_tensor
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.ops.math import elementwise

Later = Callable[[], Any]


def and_(first: Any, *rest: Later) -> Any:
    """`first and rest[0]() and ...`: what follows a false operand is not computed."""
    value = first
    for number, later in enumerate(rest):
        if is_staged(value):
            more = lambda: as_tensor(and_(later(), *rest[number + 1:]))  # noqa: B023, E731
            return choose(value, more, lambda: constant(False))
        if not value:
            return value
        value = later()
    return value


def or_(first: Any, *rest: Later) -> Any:
    """`first or rest[0]() or ...`: what follows a true operand is not computed."""
    value = first
    for number, later in enumerate(rest):
        if is_staged(value):
            more = lambda: as_tensor(or_(later(), *rest[number + 1:]))  # noqa: B023, E731
            return choose(value, lambda: constant(True), more)
        if value:
            return value
        value = later()
    return value


def not_(value: Any) -> Any:
    """`not value`."""
    return elementwise.logical_not(convert_to_tensor(value)) if is_tensor(value) else not value


def eq(a: Any, b: Any) -> Any:
    """`a == b`, element by element if one of them is a tensor."""
    return _compared(elementwise.equal, operator.eq, a, b)


def not_eq(a: Any, b: Any) -> Any:
    """`a != b`, element by element if one of them is a tensor."""
    return _compared(elementwise.not_equal, operator.ne, a, b)


def _compared(staged: Callable[..., Any], plain: Callable[..., Any], a: Any, b: Any) -> Any:
    first = a if is_tensor(a) else b
    if not is_tensor(first):
        return plain(a, b)
    try:
        a, b = (as_tensor(each, first) for each in (a, b))
    except (TypeError, ValueError):  # such as None, which is equal to no tensor
        return plain(a, b)
    return staged(a, b)


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": eq, "!=": not_eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not,
    "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}


def compare(first: Any, *rest: Any) -> Any:
    """A chain such as `a < b <= c`, as `compare(a, "<", lambda: b, "<=", lambda: c)`; each operand is computed once."""
    sign, later, *more = rest
    second = later()
    result = _COMPARISONS[sign](first, second)
    return and_(result, lambda: compare(second, *more)) if more else result
