"""Isolates nodes whose shapes depend on a run-time length, such as the length of a decoder's outputs.

The length of a tensor list becomes a size of the tensors made from it, and XLA compiles for static shapes. The loop
that fills the list and the gradient of that loop have no such shapes: they use buffers that are long enough. With the
nodes between the two loops in a stage of their own, both loops are compiled once for all lengths.
"""

from __future__ import annotations

from collections.abc import Sequence

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.passes.state import touched


def dynamic_length_nodes(target: Tensor, nodes: Sequence[Operation]) -> tuple[set[Operation], list[Tensor]]:
    """The nodes between a tensor list and the lists of gradients of its elements.

    Args:
        target: the list.
        nodes: the nodes of the program, in order.

    Returns:
        (the nodes whose shapes may depend on its length, the lists of gradients, which have the same length).
    """
    stacks = [n for n in nodes if n.opdef.kind is Kind.LIST_STACK and n._inputs[0] is target]
    element_shapes = {n._inputs[1] for n in stacks}  # the gradient of a stack takes the same element shape
    sized, gradients = set(stacks), []
    for node in nodes:
        if not any(t.op in sized for t in node._inputs) or any(writes for _, writes in touched(node)):
            continue
        if node.opdef.kind is Kind.LIST_UNSTACK and node._inputs[1] in element_shapes:
            gradients.append(node.outputs[0])
        else:
            sized.add(node)
    return sized, gradients


def only_sets_lengths(tensor: Tensor, nodes: Sequence[Operation]) -> bool:
    """Whether the tensor is the length of tensor lists, and no other node may need its value to be compiled."""
    users = [n for n in nodes if tensor in n._inputs and n.opdef.static]
    return bool(users) and all(n.opdef.kind is Kind.LIST_RESERVE for n in users)
