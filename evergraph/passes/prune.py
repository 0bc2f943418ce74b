"""Keeps the nodes that the fetches need, in the order they run."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable

from evergraph.graph.node import Operation, Tensor

Dependencies = Callable[[Operation, Collection[Tensor]], list[Operation]]

_PLACEHOLDERS = frozenset({"Placeholder", "PlaceholderV2"})


def prune(fetches: Iterable[Tensor | Operation], feeds: Collection[Tensor]) -> list[Operation]:
    """The nodes behind `fetches`, cut at `feeds`: dependencies first, otherwise in the order they were made."""
    return in_order(needed(fetches, feeds), feeds)


def needed(fetches: Iterable[Tensor | Operation], feeds: Collection[Tensor]) -> set[Operation]:
    """The nodes that `fetches` depend on; what produces a fed tensor is not followed for that tensor."""
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


def in_order(
    nodes: set[Operation], feeds: Collection[Tensor], depends: Dependencies | None = None
) -> list[Operation]:
    """`nodes` sorted so that inputs and control inputs come first, ties in the order they were made.

    `depends(node, feeds)` gives the nodes that come before a node, where that is not simply all of its inputs.
    """
    depends = depends or dependencies
    by_age = sorted(nodes, key=lambda n: n.age)
    place = {node: i for i, node in enumerate(by_age)}
    waits = {node: [d for d in depends(node, feeds) if d in nodes] for node in by_age}
    if all(place[d] < i for i, node in enumerate(by_age) for d in waits[node]):
        return by_age
    return _sorted_by_dependency(by_age, place, waits)


def dependencies(node: Operation, feeds: Collection[Tensor]) -> list[Operation]:
    """The nodes that run before `node`."""
    return [standing_for(t).op for t in node._inputs if t not in feeds] + control_dependencies(node, feeds)


def standing_for(tensor: Tensor) -> Tensor:
    """The tensor that has another's value in every run, or that one itself."""
    known = tensor.op.graph.stand_ins
    return known.get(tensor, tensor) if known else tensor


def control_dependencies(node: Operation, feeds: Collection[Tensor]) -> list[Operation]:
    """The control inputs of `node` that have to run: a placeholder that is fed need not."""
    return [c for c in node._control_inputs if not (c.type in _PLACEHOLDERS and c.outputs[0] in feeds)]


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
        stuck = next(n for n in by_age if open_waits[n])
        raise ValueError(f"The graph has a cycle through '{stuck.name}' ({stuck.type})")
    return order
