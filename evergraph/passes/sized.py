"""Isolates the nodes whose sizes follow from what a host op has found out, such as the entries of a mask.

XLA compiles for static shapes, and the number of true entries differs from step to step. Of a training step with
`boolean_mask` in its loss, few nodes have that number in their shapes: those between the gather of the chosen rows and
the sum that puts the gradients of these rows back in their places. With these nodes in a stage of their own, the
network before them and its gradient behind them are compiled once for every number.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.passes.state import touched, with_inner

MOST_SIZED = 0.5  # of the nodes of a stage, above which there is little left to compile once


def sized_nodes(tensors: Collection[Tensor], nodes: Sequence[Operation]) -> frozenset[Operation]:
    """The nodes whose shapes, or numbers made of shapes, follow from the sizes of these tensors.

    There are none if they are most of the nodes, if one of them writes, which has to be in the last stage, or if there
    are loops among them, which are worth compiling.

    Args:
        tensors: tensors whose sizes differ from step to step.
        nodes: the nodes of a stage, in order.
    """
    sized, found = set(tensors), set[Operation]()
    for node in nodes:
        if not any(t in sized for t in node._inputs):
            continue
        if any(n.opdef.kind is Kind.WHILE for n in with_inner([node])):
            return frozenset()
        found.add(node)
        sized.update(t for t in node.outputs if _is_sized(t, sized))
    found |= _between(found, nodes)
    counted = sum(1 for node in nodes if node.opdef.kind is not Kind.CONSTANT)
    is_writing = any(writes for node in found for _, writes in touched(node))
    return frozenset(found) if not is_writing and len(found) <= MOST_SIZED * counted else frozenset()


def _between(found: Collection[Operation], nodes: Sequence[Operation]) -> set[Operation]:
    """The nodes that depend on one of those found and that another one depends on."""
    behind, before = set(found), set(found)
    for node in nodes:
        if any(t.op in behind for t in node._inputs):
            behind.add(node)
    for node in reversed(nodes):
        if node in before:
            before.update(t.op for t in node._inputs)
    return behind & before


def _is_sized(tensor: Tensor, sized: Collection[Tensor]) -> bool:
    """Whether a result of a node with sized inputs has such a size, or tells it."""
    node = tensor.op
    if node.opdef.kind is Kind.SEGMENT_SUM:
        return node._inputs[2] in sized
    if tensor._shape is None or None in tensor._shape:
        return True
    return tensor._dtype.np.kind in "iu" or node.opdef.kind is Kind.SHAPE
