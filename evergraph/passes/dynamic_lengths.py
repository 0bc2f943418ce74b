"""Isolates nodes whose shapes depend on a run-time length, such as the length of a decoder's outputs.

The length of a tensor list becomes a size of the tensors made from it, and XLA compiles for static shapes. The loop
that fills the list and the gradient of that loop have no such shapes: they use buffers that are long enough. With the
nodes between the two loops in a stage of their own, both loops are compiled once for all lengths.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.passes.shapes import follow_from_shapes
from evergraph.passes.state import is_handle, touched


def dynamic_length_nodes(target: Tensor, nodes: Sequence[Operation]) -> tuple[set[Operation], list[Tensor]]:
    """The nodes of a program between a tensor list and the lists of gradients of its elements.

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


@dataclass(frozen=True)
class OverTime:
    """What loops over a size that is fed are made of, such as those over the steps of sequences.

    Attributes:
        lists: the tensor lists that the loops read, one element for each step.
        lengths: numbers that follow from the shapes of what the lists are made of, and so may be that of the steps.
        before: the nodes that compute lists and lengths, which have that size in their shapes.
        stacked: the tensor lists that the loops make, and of which tensors of that size are made.
    """

    lists: tuple[Tensor, ...] = ()
    lengths: tuple[Tensor, ...] = ()
    before: frozenset[Operation] = frozenset()
    stacked: tuple[Tensor, ...] = ()


def over_time(nodes: Sequence[Operation], given: Collection[Tensor]) -> OverTime:
    """The loops among the nodes that read the rows of a tensor of unknown length, one in each iteration.

    There are none if they also take tensors that may have that length: their programs are for one length anyway. The
    values of `given` are fed, or come from earlier stages.
    """
    looped = _behind_loops(nodes, given)
    read = {t for n in looped if n.opdef.kind is Kind.WHILE for t in n._inputs}
    lists = [n.outputs[0] for n in nodes if n.opdef.kind is Kind.LIST_UNSTACK and n.outputs[0] in read
             and n not in looped and _has_unknown_rows(n._inputs[0])]
    if not lists or any(_may_have_steps(t) for t in read):
        return OverTime()
    before = _ancestors(lists, nodes, given)
    made = {t for n in before for t in n.outputs}.union(t.op._inputs[0] for t in lists)
    lengths = _following_from(made, nodes, looped)
    stacked = [n._inputs[0] for n in nodes if n.opdef.kind is Kind.LIST_STACK and n in looped
               and _has_unknown_rows(n.outputs[0])]
    return OverTime(tuple(lists), tuple(t for t in lengths if t._shape == ()),
                    before.union(t.op for t in lengths), tuple(dict.fromkeys(stacked)))


def _may_have_steps(tensor: Tensor) -> bool:
    """Whether an axis of a tensor that loops take may be that of the steps, as in what attention looks at.

    The first axis is taken to be that of the batch.
    """
    return tensor._shape is None or None in tensor._shape[1:]


def _has_unknown_rows(tensor: Tensor) -> bool:
    return tensor._shape is not None and tensor._shape[:1] == (None,)


def _behind_loops(nodes: Sequence[Operation], given: Collection[Tensor]) -> set[Operation]:
    """The nodes that depend on a loop, and the loops."""
    found: set[Operation] = set()
    for node in nodes:
        if node.opdef.kind is Kind.WHILE or any(t.op in found and t not in given for t in node._inputs):
            found.add(node)
    return found


def _following_from(made: set[Tensor], nodes: Sequence[Operation], looped: set[Operation]) -> list[Tensor]:
    """What follows from shapes alone, one of these tensors' among them."""
    known: dict[Operation, bool] = {}
    found: dict[Tensor, None] = {}
    for node in nodes:
        if node not in looped and (node.opdef.kind is Kind.SHAPE and node._inputs[0] in made
                                   or any(t in found for t in node._inputs)):
            found.update((t, None) for t in node.outputs if follow_from_shapes(t, known))
    return list(found)


def _ancestors(
    tensors: Sequence[Tensor], nodes: Sequence[Operation], given: Collection[Tensor]
) -> frozenset[Operation]:
    running, found = set(nodes), set[Operation]()
    left = [t.op for t in tensors]
    while left:
        node = left.pop()
        if node in running and node not in found and node.opdef.kind is not Kind.CONSTANT and not is_handle(node):
            found.add(node)
            left += [t.op for t in node._inputs if t not in given]
    return frozenset(found)
