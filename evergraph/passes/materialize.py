"""Chooses the values that a compiled program materializes, so that it computes them once for several readers.

XLA fuses the producers of a node's inputs into the loop that computes the node, once for each reader. For a cheap value
that is right. But in a long chain whose links have two readers each (the state of an unrolled recurrent network,
residual connections, their gradients) the last loop would recompute the whole chain, and the size of the program would
grow with the square of its length. And a value that is computed twice may differ in its last bit, by a multiplication
that is joined with an addition in one of two loops: the gradient of a maximum looks for the value that equals it.
"""
from __future__ import annotations

from collections.abc import Sequence

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Memory

HEAVY = 3  # how many nodes may be recomputed for each reader
_RANDOM = 100  # the cost of a random number in nodes: ten rounds of encryption


def materialized(nodes: Sequence[Operation]) -> frozenset[Tensor]:
    """The outputs of `nodes`, which are in order, with several readers, and expensive to recompute or to be exact."""
    readers = _readers(nodes)
    exact = {t for node in nodes if node.opdef.exact for t in node._inputs if t._dtype.is_floating}
    work: dict[Tensor, int] = {}
    chosen = set()
    for node in nodes:
        amount = _work(node, work)
        for tensor in node.outputs:
            is_worth_it = amount > HEAVY or amount and tensor in exact
            if is_worth_it and readers.get(tensor, 0) > 1 and not tensor._dtype.is_ref and len(node.outputs) == 1:
                chosen.add(tensor)
                work[tensor] = 0
            else:
                work[tensor] = amount
    return frozenset(chosen)


def _work(node: Operation, work: dict[Tensor, int]) -> int:
    """How many nodes have to be computed for the outputs of this one, starting from values in memory."""
    opdef = node.opdef
    memory = opdef.memory
    if memory is Memory.STORED or "cell" in opdef.wants:
        return 0
    if memory is Memory.EXPENSIVE or "rng" in opdef.wants:
        return _RANDOM
    return (memory is not Memory.VIEW) + sum(work.get(t, 0) for t in node._inputs)


def _readers(nodes: Sequence[Operation]) -> dict[Tensor, int]:
    """How many loops read each tensor."""
    readers: dict[Tensor, int] = {}
    for node in reversed(nodes):
        count = 1
        memory = node.opdef.memory
        if memory is Memory.VIEW:
            count = max(sum(readers.get(t, 0) for t in node.outputs), 1)
        elif memory is Memory.REREADS or len(node.outputs) > 1:
            count = 2
        for tensor in node._inputs:
            readers[tensor] = readers.get(tensor, 0) + count
    return readers
