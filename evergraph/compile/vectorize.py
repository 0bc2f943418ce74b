"""Runs a function for many rows at once: each node by the rule of its op, see kernel/rows.py.

Nodes that depend on no argument and draw no random numbers run once for all rows. A branch runs on the rows that take
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.compile.lower import lower_for_numpy, lower_function
from evergraph.graph.function import FuncGraph, functions_of, has_effect
from evergraph.graph.node import Operation
from evergraph.graph.traits import CALLS, Kind
from evergraph.kernel.rows import Rows, elementwise, one_by_one
from evergraph.passes.shortcuts import Shortcuts
from evergraph.passes.state import with_inner

_HANDLES = (dtypes.resource, dtypes.variant)


def can_vectorize(graph: FuncGraph, count: int) -> bool:
    """Whether a function of `count` arguments and captured tensors may run for many rows at once.

    It may if it changes nothing but random streams: these belong to single nodes, so rows draw in their order.
    """
    lowered = lower_function(graph)
    moved = [*lowered.inputs[:count], *lowered.outputs]
    if any(t._dtype.is_ref or t._dtype.base_dtype is dtypes.resource for t in moved):
        return False
    return has_no_effects(graph)


def has_no_effects(graph: FuncGraph) -> bool:
    """Whether a function changes nothing but random streams."""
    return all(_is_safe(node) for node in with_inner(lower_function(graph).nodes))


def may_run_at_once(graph: FuncGraph) -> bool:
    """Whether calls of a function may happen at the same time: it draws nothing and changes no variable.

    What Python functions change is up to them.
    """
    nodes = with_inner(lower_function(graph).nodes)
    return not drawing(graph) and all(_is_safe(node) or node.opdef.worth_threads for node in nodes)


def uses_session(graph: FuncGraph) -> bool:
    """Whether a function reads variables, tables or other objects of the session."""
    types = (t._dtype for node in with_inner(lower_function(graph).nodes) for t in (*node._inputs, *node.outputs))
    return any(dtype.is_ref or dtype.base_dtype is dtypes.resource for dtype in types)


def _is_safe(node: Operation) -> bool:
    opdef = node.opdef
    if _makes_datasets(node):
        return True
    if not has_effect(node) or opdef.kind in (Kind.READ, *CALLS) or opdef.in_batches is not None:
        return True
    return "rng" in opdef.wants


def _makes_datasets(node: Operation) -> bool:
    """Whether a node makes variants of values: the functions in them count, which are those of the node."""
    made = [t._dtype.base_dtype is dtypes.variant for t in node.outputs]
    return bool(made) and all(made) and not any(t._dtype.base_dtype is dtypes.resource for t in node._inputs)


def drawing(graph: FuncGraph) -> list[Operation]:
    """The nodes of a function, at any depth, that draw random numbers."""
    return [node for node in with_inner(lower_function(graph).nodes) if "rng" in node.opdef.wants]


class Vectorized:
    """A function on rows: `run(context, arguments, count)` returns its outputs, `Rows` or plain values."""

    def __init__(self, graph: FuncGraph, varying: Sequence[bool]) -> None:
        """`varying` tells for each argument whether rows have different values."""
        lowered = lower_function(graph)
        self._inputs, self._outputs = lowered.inputs, lowered.outputs
        self._varying = list(varying)
        several = {t for t, varies in zip(lowered.inputs, varying, strict=True) if varies}
        fixed: list[Operation] = []
        self._nodes: list[Operation] = []
        for node in lowered.nodes:
            if _draws(node) or any(t in several for t in node._inputs):
                self._nodes.append(node)
                several.update(node.outputs)
            else:
                fixed.append(node)
        once = [t for t, varies in zip(lowered.inputs, varying, strict=True) if not varies]
        used = {t for node in self._nodes for t in node._inputs} | set(self._outputs)
        self._kept = [t for node in fixed for t in node.outputs if t in used]
        self._fixed = lower_for_numpy(fixed, once, self._kept, Shortcuts())
        self._calls: dict[Operation, tuple[Any, Sequence[int] | None]] = {}
        self._inner: dict[tuple[FuncGraph, tuple[bool, ...]], Vectorized] = {}

    def run(self, context: Any, arguments: Sequence[Any], count: int) -> list[Any]:
        once = [a for a, varies in zip(arguments, self._varying, strict=True) if not varies]
        values = {t: a.value if t._dtype.is_ref else a for t, a in zip(self._inputs, arguments, strict=True)}
        values.update(zip(self._kept, self._fixed.call(context, *once), strict=True))
        for node in self._nodes:
            outputs = self._outputs_of(context, node, [values[t] for t in node._inputs], count)
            values.update(zip(node.outputs, outputs, strict=True))
        return [values[t] for t in self._outputs]

    def _outputs_of(self, context: Any, node: Operation, inputs: list[Any], count: int) -> list[Any]:
        if node not in self._calls:
            self._calls[node] = _lowered_alone(node)
        opdef, call = node.opdef, _Call(context, *self._calls[node])
        if opdef.kind is Kind.CALL:
            return self._called(context, functions_of(node)[0], inputs, count)
        if opdef.kind is Kind.IF and _decides(inputs[0]):
            return self._branched(context, node, inputs, count)
        if not any(isinstance(v, Rows) for v in inputs) and not _draws(node):
            return call(*inputs)
        if opdef.kind is Kind.SHAPE and all(v.is_even for v in inputs):
            return call(*(v.at(0) for v in inputs))
        rule = opdef.in_batches or (elementwise if opdef.by_row or opdef.broadcasts else one_by_one)
        return rule(call, node, inputs, count)

    def _called(self, context: Any, graph: FuncGraph, inputs: Sequence[Any], count: int) -> list[Any]:
        varying = tuple(isinstance(v, Rows) for v in inputs)
        found = self._inner.get((graph, varying))
        if found is None:
            found = self._inner[graph, varying] = Vectorized(graph, varying)
        return found.run(context, inputs, count)

    def _branched(self, context: Any, node: Operation, inputs: Sequence[Any], count: int) -> list[Any]:
        """Each branch on the rows that take it."""
        takes = inputs[0].values
        then_branch, else_branch = (node.graph.function(node.attrs[name].name)
                                    for name in ("then_branch", "else_branch"))
        parts = []
        for graph, rows in ((then_branch, np.flatnonzero(takes)), (else_branch, np.flatnonzero(~takes))):
            if len(rows):
                given = [_chosen(v, rows) for v in inputs[1:]]
                parts.append((rows, self._called(context, graph, given, len(rows))))
        columns = zip(*(outputs for _, outputs in parts), strict=True)
        return [_merged(count, [*zip((rows for rows, _ in parts), column, strict=True)]) for column in columns]


def _decides(value: Any) -> bool:
    """Whether the rows of a value say which branch each takes."""
    return isinstance(value, Rows) and value.is_even and value.values.ndim == 1 and value.values.dtype == np.bool_


def _draws(node: Operation) -> bool:
    return any("rng" in inner.opdef.wants for inner in with_inner([node]))


def _chosen(value: Any, rows: np.ndarray[Any, Any]) -> Any:
    if not isinstance(value, Rows):
        return value
    return Rows(value.values[rows] if value.is_even else [value.values[row] for row in rows.tolist()])


def _merged(count: int, parts: Sequence[tuple[np.ndarray[Any, Any], Any]]) -> Rows:
    """The values of all rows, given those of the rows that took each branch."""
    arrays = [value.values if isinstance(value, Rows) else np.broadcast_to(value, (len(rows), *np.shape(value)))
              for rows, value in parts]
    if all(isinstance(array, np.ndarray) and array.shape[1:] == arrays[0].shape[1:] for array in arrays):
        result = np.empty((count, *arrays[0].shape[1:]), arrays[0].dtype)
        for (rows, _), array in zip(parts, arrays, strict=True):
            result[rows] = array
        return Rows(result)
    values: list[Any] = [None] * count
    for (rows, _), array in zip(parts, arrays, strict=True):
        for place, row in enumerate(rows.tolist()):
            values[row] = array[place, ...] if isinstance(array, np.ndarray) else array[place]
    return Rows(values)


class _Call:
    """Calls the kernel of a node in a context, by the source that it is lowered to."""

    __slots__ = ("context", "_run", "_places")

    def __init__(self, context: Any, run: Any, places: Sequence[int] | None) -> None:
        self.context, self._run, self._places = context, run, places

    def __call__(self, *inputs: Any) -> list[Any]:
        given = inputs if self._places is None else [inputs[place] for place in self._places]
        return list(self._run(self.context, *given))


def _lowered_alone(node: Operation) -> tuple[Any, Sequence[int] | None]:
    """The function that runs one node, and which inputs it takes where the node has some of them twice."""
    distinct = list(dict.fromkeys(node._inputs))
    places = None if len(distinct) == len(node._inputs) else [node._inputs.index(tensor) for tensor in distinct]
    return lower_for_numpy([node], distinct, node.outputs, Shortcuts()).call, places
