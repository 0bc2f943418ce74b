"""Analyses trip counts: simulates the part of a loop that depends on values known at trace time alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.compile.generated import Lowered
from evergraph.compile.lower import lower
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.calling import is_mistake
from evergraph.kernel.context import FoldingContext
from evergraph.passes.prune import in_order


@dataclass(frozen=True)
class Trips:
    """What is known at trace time about the trip count of a loop.

    Attributes:
        most: an upper bound of the trip count, or None.
        exact: whether that bound is the trip count.
        finals: position -> final value, for the loop variables that are known; empty unless exact.
    """

    most: int | None
    exact: bool = False
    finals: dict[int, Any] = field(default_factory=dict)


def trips(cond: FuncGraph, body: FuncGraph, values: Sequence[Any], limit: int) -> Trips:
    """Simulates the scalar loop variables that follow from known values alone.

    Each conjunct of the condition `a and b and ...` ends the loop by itself, so that any known one gives a bound.

    Args:
        cond: the condition.
        body: the body.
        values: the loop variables on entry; those that are known are NumPy values.
        limit: how many iterations to simulate at most.
    """
    known = _known_variables(body, values)
    parts = _conjuncts(cond.outputs[0])
    behind = [_arguments_behind([part], cond) for part in parts]
    certain = [part for part, used in zip(parts, behind, strict=True) if used is not None and used <= known]
    if not certain:
        return Trips(None)
    places = sorted(known)
    test = _slice(certain, cond, places)
    step = _slice([body.outputs[i] for i in places], body, places)
    count, finals = _tried(test, step, [values[i] for i in places], limit)
    if count is None or len(certain) < len(parts):
        return Trips(count)
    return Trips(count, True, dict(zip(places, finals, strict=True)))


def _known_variables(body: FuncGraph, values: Sequence[Any]) -> set[int]:
    """The loop variables whose values in every iteration follow from known values on entry."""
    numbers = {i for i, v in enumerate(values) if isinstance(v, (np.ndarray, np.generic)) and v.size <= 1}
    used = {i: _arguments_behind([body.outputs[i]], body) for i in numbers}
    known = {i for i in numbers if used[i] is not None}
    while True:
        fewer = {i for i in known if (used[i] or set()) <= known}
        if fewer == known:
            return known
        known = fewer


def _conjuncts(tensor: Tensor) -> list[Tensor]:
    kind = tensor.op.opdef.kind
    if kind is Kind.AND:
        return [part for t in tensor.op._inputs for part in _conjuncts(t)]
    return _conjuncts(tensor.op._inputs[0]) if kind is Kind.IDENTITY else [tensor]


def _tried(test: Lowered, step: Lowered, values: list[Any], limit: int) -> tuple[int | None, list[Any]]:
    """(trip count, the values after the last iteration); None when the limit is reached."""
    context = FoldingContext()
    try:
        for count in range(limit + 1):
            if not all(test.call(context, *values)):
                return count, values
            values = list(step.call(context, *values))
    except (errors.OpError, ValueError, ArithmeticError):
        pass  # the loop itself will raise it
    except TypeError as error:
        if is_mistake(error):
            raise
    return None, []


def _arguments_behind(tensors: Sequence[Tensor], graph: FuncGraph) -> set[int] | None:
    """The arguments that these tensors depend on; None if they depend on state or on anything but scalars."""
    place = {t: i for i, t in enumerate(graph.inputs)}
    found: set[int] = set()
    stack = list(tensors)
    seen: set[Tensor] = set()
    while stack:
        tensor = stack.pop()
        if tensor in seen:
            continue
        seen.add(tensor)
        if tensor in place:
            found.add(place[tensor])
        elif tensor.op.opdef.kind is not Kind.CONSTANT and (
            tensor._shape not in ((), (1,)) or not _is_simulated(tensor.op)
        ):
            return None
        else:
            stack += tensor.op._inputs
    return found


def _is_simulated(node: Operation) -> bool:
    return node.opdef.is_foldable and node.opdef.on == "device"


def _slice(tensors: Sequence[Tensor], graph: FuncGraph, places: Sequence[int]) -> Lowered:
    """The nodes behind `tensors`, lowered to a function of the arguments at `places`."""
    inputs = [graph.inputs[i] for i in places]
    stack, nodes = [t.op for t in tensors if t not in inputs], set()
    while stack:
        node = stack.pop()
        if node not in nodes:
            nodes.add(node)
            stack += [t.op for t in node._inputs if t not in inputs]
    return lower(in_order(nodes, inputs), inputs, tensors)
