"""Keeps apart what depends on the length of a list that only the run tells, as that of a decoder's outputs.

Such a length is part of the shapes of what is made of the list, and XLA compiles for fixed shapes. The loop that fills
the list and the gradient of that loop have no such shapes in them: they use buffers that are long enough. So the loops
are compiled once for all lengths, and only what stands between them sees the length.
"""

from __future__ import annotations

from collections.abc import Sequence

from evergraph.graph.node import Operation, Tensor
from evergraph.passes.state import touched


def sized_by(target: Tensor, nodes: Sequence[Operation]) -> tuple[set[Operation], list[Tensor]]:
    """What is made of the elements of a list, up to the lists of their gradients.

    Args:
        target: the list.
        nodes: what runs, in order.

    Returns:
        (the nodes whose shapes may depend on its length, the lists of gradients, which have that length too).
    """
    stacks = [n for n in nodes if n.type == "TensorListStack" and n._inputs[0] is target]
    element_shapes = {n._inputs[1] for n in stacks}  # the gradient of a stack is made with the same one
    sized, gradients = set(stacks), []
    for node in nodes:
        if not any(t.op in sized for t in node._inputs) or any(writes for _, writes in touched(node)):
            continue
        if node.type == "TensorListFromTensor" and node._inputs[1] in element_shapes:
            gradients.append(node.outputs[0])
        else:
            sized.add(node)
    return sized, gradients


def sets_lengths_alone(tensor: Tensor, nodes: Sequence[Operation]) -> bool:
    """Whether lists get their length from the tensor, and nothing else may have to know its value to be compiled."""
    users = [n for n in nodes if tensor in n._inputs and n.opdef.static]
    return bool(users) and all(n.type == "TensorListReserve" for n in users)
