"""How ops compute many rows at once: the rules that the trait `in_batches` names.

A rule computes what the kernel of one node gives for each of many rows, usually by one call on all of them. It is
`rule(call, node, values, count)`, where `call(*inputs)` calls the kernel in `call.context` and returns its outputs, and
`values` are the node's inputs: `Rows` where they differ from row to row, plain values where they are the same for all.
It returns a value for each output, of either kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Call = Any
Rule = Callable[[Call, Any, Sequence[Any], int], list[Any]]


class Rows:
    """Values of one tensor, one for each row: an array with them along its first axis, or a list if they differ."""

    __slots__ = ("values",)

    def __init__(self, values: Any) -> None:
        self.values = values

    @property
    def is_even(self) -> bool:
        return isinstance(self.values, np.ndarray)

    def at(self, place: int) -> Any:
        return self.values[place, ...] if isinstance(self.values, np.ndarray) else self.values[place]


def one_by_one(call: Call, node: Any, values: Sequence[Any], count: int) -> list[Any]:
    """Calls the kernel once for each row: a rule for every op."""
    results = [call(*(v.at(place) if isinstance(v, Rows) else v for v in values)) for place in range(count)]
    return [Rows(stacked(outputs)) for outputs in zip(*results, strict=True)]


def stacked(values: Sequence[Any]) -> Any:
    """Values as one array if they are arrays of one shape, else as a list."""
    first = values[0]
    if not all(isinstance(v, np.ndarray) and v.shape == first.shape for v in values):
        return list(values)
    result = np.empty((len(values), *first.shape), first.dtype)
    for place, value in enumerate(values):
        result[place] = value if value.ndim else value[()]
    return result


def spread(value: Any, count: int) -> np.ndarray[Any, Any]:
    """A value as an array of rows: one that is the same for all of them is repeated, without a copy."""
    return value.values if isinstance(value, Rows) else np.broadcast_to(value, (count, *np.shape(value)))


def even(rule: Rule) -> Rule:
    """A rule for rows of one shape; others are computed one by one."""
    def checked(call: Call, node: Any, values: Sequence[Any], count: int) -> list[Any]:
        if all(v.is_even for v in values if isinstance(v, Rows)):
            return rule(call, node, values, count)
        return one_by_one(call, node, values, count)
    return checked


def of_first(rule: Rule) -> Rule:
    """A rule for nodes whose first input alone has rows; others are computed one by one."""
    def checked(call: Call, node: Any, values: Sequence[Any], count: int) -> list[Any]:
        if isinstance(values[0], Rows) and values[0].is_even and not any(isinstance(v, Rows) for v in values[1:]):
            return rule(call, node, values, count)
        return one_by_one(call, node, values, count)
    return checked


@even
def elementwise(call: Call, node: Any, values: Sequence[Any], count: int) -> list[Any]:
    """The rule of ops that broadcast: rows of lower rank get axes of size 1 behind that of the rows."""
    rank = max(v.values.ndim - 1 if isinstance(v, Rows) else np.ndim(v) for v in values)
    return [Rows(output) for output in call(*(_aligned(v, rank) for v in values))]


def _aligned(value: Any, rank: int) -> Any:
    if not isinstance(value, Rows):
        return value
    array = value.values
    missing = rank + 1 - array.ndim
    return array.reshape(len(array), *(1,) * missing, *array.shape[1:]) if missing > 0 else array


@of_first
def along_first(call: Call, node: Any, values: Sequence[Any], count: int) -> list[Any]:
    """The rule of ops that treat all elements of the first input alike, whatever its shape."""
    return [Rows(output) for output in call(values[0].values, *values[1:])]


def with_axes(shifted: Callable[[np.ndarray[Any, Any], int], Any]) -> Rule:
    """The rule of ops of a tensor and of axes; `shifted(axes, rank)` are the axes behind that of the rows."""
    @of_first
    def rule(call: Call, node: Any, values: Sequence[Any], count: int) -> list[Any]:
        rows, axes = values[0].values, np.asarray(values[1])
        return [Rows(output) for output in call(rows, np.asarray(shifted(axes, rows.ndim - 1), axes.dtype))]
    return rule


def behind(axes: np.ndarray[Any, Any], rank: int) -> np.ndarray[Any, Any]:
    """Axes of a tensor of this rank, counted behind the axis of the rows; axes that do not exist stay so."""
    return np.where(axes < 0, np.where(axes < -rank, axes - 1, axes), axes + 1)


def nothing_if(holds: Callable[[Any], Any]) -> Rule:
    """The rule of ops that only check their first input: nothing if it holds for all rows, else each row is checked."""
    def rule(call: Call, node: Any, values: Sequence[Any], count: int) -> list[Any]:
        first = values[0].values if isinstance(values[0], Rows) else values[0]
        return [] if isinstance(first, np.ndarray) and holds(first) else one_by_one(call, node, values, count)
    return rule
