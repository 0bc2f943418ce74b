"""Finds out how often a loop can run, from the part of its condition whose values are known beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.compile.lower import lower
from evergraph.graph.function import FuncGraph
from evergraph.graph.kernel import runs_on_numpy
from evergraph.graph.node import Operation, Tensor
from evergraph.passes.prune import in_order

_MOST = 100_000  # iterations that are tried


def trip_bound(cond: FuncGraph, body: FuncGraph, values: Sequence[Any]) -> tuple[int | None, bool]:
    """(a number of iterations that the loop never exceeds, or None; whether it is the exact number).

    Each part of a condition `a and b and ...` ends the loop by itself. A part whose operands are known at the start, and
    change from iteration to iteration in a way that depends on nothing else, is simply tried out.
    """
    parts = _conjuncts(cond.outputs[0])
    known = [n for n in (_tried(part, cond, body, values) for part in parts) if n is not None]
    return (min(known), len(known) == len(parts)) if known else (None, False)


def _conjuncts(tensor: Tensor) -> list[Tensor]:
    if tensor.op.type == "LogicalAnd":
        return [part for t in tensor.op._inputs for part in _conjuncts(t)]
    return _conjuncts(tensor.op._inputs[0]) if tensor.op.type == "Identity" else [tensor]


def _tried(part: Tensor, cond: FuncGraph, body: FuncGraph, values: Sequence[Any]) -> int | None:
    """How often this part of the condition holds before it fails, None when that cannot be told."""
    used = _inputs_behind([part], cond)
    wanted = used
    while wanted is not None:
        more = _inputs_behind([body.outputs[i] for i in wanted], body)
        if more is None or more <= wanted:
            used = None if more is None else wanted
            break
        wanted = wanted | more
    else:
        used = None
    if used is None or not all(isinstance(values[i], (np.ndarray, np.generic)) for i in used):
        return None
    places = sorted(used)
    test, step = _slice([part], cond, places), _slice([body.outputs[i] for i in places], body, places)
    return _count(test, step, [values[i] for i in places])


def _count(test: Any, step: Any, values: list[Any]) -> int | None:
    environment = _Numpy()
    try:
        for trips in range(_MOST):
            if not np.all(test.call(environment, *values)[0]):
                return trips
            values = list(step.call(environment, *values))
    except (errors.OpError, ValueError, TypeError, ArithmeticError):
        pass  # whatever is wrong shows when the loop itself runs
    return None


def _inputs_behind(tensors: Sequence[Tensor], graph: FuncGraph) -> set[int] | None:
    """The arguments that these tensors depend on; None when they depend on state or on anything heavy."""
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
        elif tensor._shape not in ((), (1,)) and tensor.op.type != "Const" or not _is_plain(tensor.op):
            return None
        else:
            stack += tensor.op._inputs
    return found


def _is_plain(node: Operation) -> bool:
    return node.type == "Const" or runs_on_numpy(node.opdef) and node.opdef.on == "device"


def _slice(tensors: Sequence[Tensor], graph: FuncGraph, places: Sequence[int]) -> Any:
    """The nodes behind `tensors`, lowered to a function of the arguments at `places`."""
    inputs = [graph.inputs[i] for i in places]
    stack, nodes = [t.op for t in tensors if t not in inputs], set()
    while stack:
        node = stack.pop()
        if node not in nodes:
            nodes.add(node)
            stack += [t.op for t in node._inputs if t not in inputs]
    return lower(in_order(nodes, inputs), inputs, tensors)


class _Numpy:
    """Just enough of an environment for pure kernels."""

    def __init__(self) -> None:
        self.tools = (lambda *_: np, _settled, _settled_all, lambda value, tensor: value)

    def check(self, node: Operation) -> Any:
        return _check


def _settled(value: Any, dtype: np.dtype[Any]) -> Any:
    return np.asarray(value, dtype)


def _settled_all(values: list[Any], wanted: list[Any]) -> list[Any]:
    return [np.asarray(v, d) for v, d in zip(values, wanted, strict=True)]


def _check(ok: Any, message: str, *data: Any) -> None:
    if not np.all(ok):
        raise ValueError(message)
