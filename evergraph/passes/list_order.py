"""Finds elements that are read from a tensor list before another element is written to it.

The gradient of a write reads an element of a list and then replaces it by zeros. XLA updates the buffer of the list in
place only if it can tell that every read comes first. Otherwise a loop copies the whole buffer in every iteration.
"""

from __future__ import annotations

from collections.abc import Sequence

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind


def reads_before_writes(nodes: Sequence[Operation]) -> dict[Operation, tuple[Tensor, ...]]:
    """The nodes that write to a list, each with the elements that nodes before it read from the same list."""
    read: dict[Tensor, list[Tensor]] = {}
    found: dict[Operation, tuple[Tensor, ...]] = {}
    for node in nodes:
        if node.opdef.kind is Kind.LIST_GET:
            read.setdefault(node._inputs[0], []).append(node.outputs[0])
        elif node.opdef.kind is Kind.LIST_SET and node._inputs[0] in read:
            found[node] = tuple(read[node._inputs[0]])
    return found
