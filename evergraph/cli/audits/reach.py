"""What each source of a code base reaches through imports: sets, as the bits of integers."""

from __future__ import annotations

from collections.abc import Sequence


def closures(edges: Sequence[Sequence[int]], own: Sequence[int]) -> list[int]:
    """For each node the union of its own bits and of those of all nodes that it reaches.

    Args:
        edges: for each node, the nodes that it imports.
        own: for each node, its bits.
    """
    found = [0] * len(edges)
    for group in components(edges):
        bits = 0
        for node in group:
            bits |= own[node]
            for target in edges[node]:
                bits |= found[target]
        for node in group:
            found[node] = bits
    return found


def components(edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """The groups of nodes that reach each other, those that a group reaches before it (Tarjan, 1972)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(edges)):
        if root in order:
            continue
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        waiting = [(root, iter(edges[root]))]
        while waiting:
            node, targets = waiting[-1]
            for target in targets:
                if target not in order:
                    order[target] = low[target] = len(order)
                    stack.append(target)
                    on_stack.add(target)
                    waiting.append((target, iter(edges[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], order[target])
            else:
                waiting.pop()
                if waiting:
                    low[waiting[-1][0]] = min(low[waiting[-1][0]], low[node])
                if low[node] == order[node]:
                    found.append(_popped(stack, on_stack, node))
    return found


def _popped(stack: list[int], on_stack: set[int], root: int) -> list[int]:
    group = []
    while not group or group[-1] != root:
        group.append(stack.pop())
        on_stack.discard(group[-1])
    return group


def members(bits: int) -> list[int]:
    """The numbers of the bits that are set."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


