"""Keeps the nodes that the fetches depend on, in the order in which they run."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable

from evergraph.base import errors
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind

Dependencies = Callable[[Operation, Collection[Tensor]], list[Operation]]


class NodeSearch:
    """Whether a graph has a node of some kind, and how many were looked at: a memo, with a subclass for each kind."""

    seen = 0
    found = False

    def finds(self, graph: Graph, is_one: Callable[[Operation], bool]) -> bool:
        if not self.found:
            self.found = any(map(is_one, graph._nodes[self.seen:]))
            self.seen = len(graph._nodes)
        return self.found


def prune(fetches: Iterable[Tensor | Operation], feeds: Collection[Tensor]) -> list[Operation]:
    """The nodes that `fetches` depend on, cut at `feeds`: in topological order, otherwise in order of creation."""
    return in_order(needed(fetches, feeds), feeds)


def needed(fetches: Iterable[Tensor | Operation], feeds: Collection[Tensor]) -> set[Operation]:
    """The nodes that `fetches` depend on; a fed tensor does not depend on the node that computes it."""
    fed = set(feeds)
    found: set[Operation] = set()
    stack = [standing_for(f).op if isinstance(f, Tensor) else f for f in fetches if f not in fed]
    while stack:
        node = stack.pop()
        if node in found:
            continue
        found.add(node)
        stack += [standing_for(t).op for t in node._inputs if t not in fed and t.op not in found]
        stack += [c for c in control_dependencies(node, fed) if c not in found]
    return found


def in_order(nodes: set[Operation], feeds: Collection[Tensor], depends: Dependencies | None = None) -> list[Operation]:
    """`nodes` in topological order of data and control dependencies, ties in order of creation.

    Args:
        nodes: the nodes to sort.
        feeds: tensors whose values are given.
        depends: `depends(node, feeds)` gives the nodes that run before a node, where `dependencies` would not.
    """
    depends = depends or dependencies
    by_age = sorted(nodes, key=lambda n: (n.age, n.name))
    place = {node: i for i, node in enumerate(by_age)}
    waits = {node: [d for d in depends(node, feeds) if d in nodes] for node in by_age}
    if all(place[d] < i for i, node in enumerate(by_age) for d in waits[node]):
        return by_age
    return _sorted_by_dependency(by_age, place, waits)


def dependencies(node: Operation, feeds: Collection[Tensor]) -> list[Operation]:
    """The nodes that run before `node`."""
    return [standing_for(t).op for t in node._inputs if t not in feeds] + control_dependencies(node, feeds)


def standing_for(tensor: Tensor) -> Tensor:
    """The tensor that replaces this one in every run (see `Graph.stand_ins`), or this one."""
    known = tensor.op.graph.stand_ins
    return known.get(tensor, tensor) if known else tensor


def control_dependencies(node: Operation, feeds: Collection[Tensor]) -> list[Operation]:
    """The control inputs of `node` that have to run, which a placeholder that is fed need not."""
    return [c for c in node._control_inputs if not (c.opdef.kind is Kind.PLACEHOLDER and c.outputs[0] in feeds)]


def _sorted_by_dependency(
    by_age: list[Operation], place: dict[Operation, int], waits: dict[Operation, list[Operation]]
) -> list[Operation]:
    open_waits = {node: len(set(waits[node])) for node in by_age}
    users: dict[Operation, list[Operation]] = {node: [] for node in by_age}
    for node in by_age:
        for dependency in set(waits[node]):
            users[dependency].append(node)
    ready = [place[n] for n in by_age if not open_waits[n]]
    heapq.heapify(ready)
    order: list[Operation] = []
    while ready:
        node = by_age[heapq.heappop(ready)]
        order.append(node)
        for user in users[node]:
            open_waits[user] -= 1
            if not open_waits[user]:
                heapq.heappush(ready, place[user])
    if len(order) < len(by_age):
        stuck = [node for node in by_age if open_waits[node]]
        raise errors.InvalidArgumentError(
            None, stuck[0], f"Graph is invalid, contains a cycle with {len(stuck)} nodes, such as '{stuck[0].name}'")
    return order
