"""Sums over the iterations of a loop that runs on NumPy: the terms of many iterations are computed at once.

The gradient of a weight that a loop uses is a sum of products, one in each iteration: of a few rows of what the weight
multiplied with a few rows of a gradient. A product of all rows is the same sum, takes a third of the time, and nothing
is added up on the way. So the body hands out the rows, and the loop variable stays as it is until there are enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evergraph.compile.generated import Lowered
from evergraph.compile.lower import lower_for_numpy, lower_function, needed_of
from evergraph.compile.repeated import Several, several
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.passes.dead_code import live_arguments
from evergraph.passes.prune import prune
from evergraph.passes.reads_after_writes import late_reads
from evergraph.passes.shortcuts import Shortcuts, shortcuts

_MOST_ITERATIONS = 64  # until Python looks at signals, the time, and how long the loop is
_ENOUGH_ROWS = 256  # for one product; more of them would have left the near caches


@dataclass(frozen=True)
class LoopSum:
    """A loop variable to which each iteration adds a term.

    Attributes:
        position: the loop variable.
        rows: the inputs of the term that have its rows, by their places among all rows that the body hands out.
        term: computes the term of these inputs.
    """

    position: int
    rows: tuple[int, ...]
    term: Lowered


@dataclass(frozen=True)
class LoopBody:
    """The body of a loop, lowered for NumPy.

    Attributes:
        lowered: takes the loop variables; returns their next values, and behind them the rows for the sums.
        variables: how many loop variables there are.
        sums: those that are added up outside of it.
        several: runs several iterations in C code, if that is possible.
    """

    lowered: Lowered
    variables: int
    sums: Sequence[LoopSum]
    several: Several | None


class _Bodies(dict[tuple[tuple[Tensor, ...], FuncGraph], LoopBody]):
    """The lowered bodies of a loop's function, by its outputs and the condition of the loop."""


def lower_body(body: FuncGraph, cond: FuncGraph) -> LoopBody:
    """Lowers the body of a loop for NumPy."""
    key = (tuple(body.outputs), cond)
    found = body.cache(_Bodies).get(key)
    if found is None:
        found = body.cache(_Bodies)[key] = _lowered(body, cond)
    return found


def _lowered(body: FuncGraph, cond: FuncGraph) -> LoopBody:
    fetches, inputs = needed_of(body)
    count = len(body.outputs)
    outputs: list[Any] = list(fetches[:count])
    found = _sums(prune(fetches, inputs), inputs, outputs, live_arguments(cond, {0}))
    rows = list(dict.fromkeys(t for terms in found.values() for term in terms for t in _rows_of(term)))
    for position in found:
        outputs[position] = inputs[position]
    nodes = prune([*outputs, *rows, *fetches[count:]], inputs)
    late = late_reads(nodes, inputs)
    steady = {x for x, y in zip(inputs, outputs, strict=True) if behind_identities(y) is x}.difference(
        inputs[position] for position in found)
    results = [*outputs, *rows]
    lowered = lower_for_numpy(nodes, inputs, results, shortcuts(nodes, results, late), late=late, steady=steady)
    sums = [LoopSum(position, tuple(map(rows.index, _rows_of(term))), _lowered_term(term))
            for position, terms in found.items() for term in terms]
    return LoopBody(lowered, count, sums, several(lower_function(cond, on_numpy=True), lowered, count))


def _sums(
    nodes: Sequence[Operation], inputs: Sequence[Tensor], outputs: Sequence[Tensor], tested: Collection[int]
) -> dict[int, list[Operation]]:
    """The loop variables that the body only adds to, by their positions, with the nodes that compute what it adds.

    Args:
        nodes: the nodes of the body.
        inputs: the loop variables.
        outputs: their next values.
        tested: the positions of those that the condition of the loop looks at.
    """
    uses = Counter(behind_identities(t) for node in nodes if not _is_plain_identity(node) for t in node._inputs)
    uses.update(map(behind_identities, outputs))
    result = {}
    for position, (variable, output) in enumerate(zip(inputs, outputs, strict=True)):
        total = behind_identities(output)
        sides = [behind_identities(t) for t in total.op._inputs] if total.op.opdef.is_sum else []
        terms = [t for t in sides if t is not variable]
        if position not in tested and len(terms) == len(sides) - 1 and uses[variable] == 1 == uses[total] \
                and all(uses[t] == 1 and _is_term(t, total) for t in terms):
            result[position] = [t.op for t in terms]
    return result


def behind_identities(tensor: Tensor) -> Tensor:
    """The tensor that nodes which only hand it on have got."""
    while _is_plain_identity(tensor.op):
        tensor = tensor.op._inputs[0]
    return tensor


def _is_plain_identity(node: Operation) -> bool:
    return node.opdef.kind is Kind.IDENTITY and not node._control_inputs


def _is_term(tensor: Tensor, total: Tensor) -> bool:
    """Whether a tensor of the shape of the total is a sum over rows that the body has computed."""
    node = tensor.op
    if node.opdef.sums_rows is None or not node.opdef.sums_rows(node) or node._control_inputs:
        return False
    others = set(range(len(node._inputs))).difference(node.opdef.sums_rows(node))
    return all(node._inputs[i].op.opdef.kind is Kind.CONSTANT for i in others) and tensor._dtype.is_floating \
        and (not total.op.opdef.broadcasts or tensor.shape.is_fully_defined() and tensor._shape == total._shape)


def _rows_of(term: Operation) -> list[Tensor]:
    assert term.opdef.sums_rows is not None
    return [term._inputs[i] for i in term.opdef.sums_rows(term)]


def _lowered_term(term: Operation) -> Lowered:
    rows = _rows_of(term)
    constants = [t.op for t in term._inputs if t not in rows]
    return lower_for_numpy([*constants, term], rows, term.outputs, Shortcuts())


class Sums:
    """Adds up what the iterations of a loop hand out.

    Args:
        body: the body of the loop.
        context: what its kernels run in.

    Attributes:
        waiting: the rows of iterations that are not added up yet.
    """

    def __init__(self, body: LoopBody, context: Any) -> None:
        self._body, self._context = body, context
        self._most = 1  # iterations whose rows wait
        self.waiting: list[Sequence[Any]] = []

    @property
    def room(self) -> int:
        """How many iterations there may be until `added` is to be called."""
        return self._most - len(self.waiting) if self._body.sums else _MOST_ITERATIONS

    def added(self, values: Sequence[Any]) -> Sequence[Any]:
        """The loop variables, with the sums of the rows that wait if there are enough."""
        if not self.waiting:
            return values
        rows = max(1, *map(len, self.waiting[-1]))
        self._most = min(_MOST_ITERATIONS, -(-_ENOUGH_ROWS // rows))
        return self.settled(values) if len(self.waiting) >= self._most else values

    def settled(self, values: Sequence[Any]) -> Sequence[Any]:
        """The loop variables with the sums of all rows that wait."""
        if not self.waiting:
            return values
        result = list(values)
        rows = [parts[0] if len(parts) == 1 else np.concatenate(parts) for parts in zip(*self.waiting, strict=True)]
        self.waiting.clear()
        for each in self._body.sums:
            (term,) = each.term.call(self._context, *(rows[place] for place in each.rows))
            result[each.position] = result[each.position] + term
        return result
