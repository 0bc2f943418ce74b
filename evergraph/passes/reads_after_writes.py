"""Decides which value of a variable a node sees, when the same step updates the variable.

In TensorFlow that was often a race. Here there is one answer, the one that TensorFlow mostly came to: a node sees an
update when it depends on it, through data or control dependencies; otherwise it sees the value from before.

For ref variables `w/read` is a single node, made with the variable, which stands for the variable's own memory: what
depends on an update reads the variable anew. For resource variables every use has a read of its own: those that depend
on nothing move in front of the updates.
"""
from __future__ import annotations

from collections.abc import Collection, Sequence

from evergraph.base import dtypes
from evergraph.graph.node import Operation, Tensor
from evergraph.passes.prune import dependencies
from evergraph.passes.state import is_handle, touched

Fresh = dict[Operation, dict[int, Tensor]]
"""Node -> position of an input -> the variable to read in its place, when the node runs."""


def fresh_reads(nodes: Sequence[Operation], feeds: Collection[Tensor]) -> Fresh:
    """The inputs of `nodes`, which are in order, that have to be read anew."""
    if not any(t._dtype.is_ref for node in nodes for t in node.outputs):
        return {}
    bits: dict[Tensor, int] = {}
    written: dict[Operation, int] = {}  # the variables that were written before or by each node
    found: Fresh = {}
    for node in nodes:
        before = 0
        for dependency in dependencies(node, feeds):
            before |= written.get(dependency, 0)
        if before:
            late = {i: v for i, t in enumerate(node._inputs) if (v := _snapshot_of(t, feeds)) is not None
                    and before & bits.get(v, 0)}
            if late:
                found[node] = late
        for storage, writes in touched(node):
            if writes and storage not in feeds:
                before |= bits.setdefault(storage, 1 << len(bits))
        written[node] = before
    return found


def _snapshot_of(tensor: Tensor, feeds: Collection[Tensor]) -> Tensor | None:
    """The variable that the tensor stands for; None when it is a value of its own, or one read at a time it chose."""
    node = tensor.op
    if node.type != "Identity" or node._control_inputs or tensor in feeds:
        return None
    source = node._inputs[0]
    return source if source._dtype.is_ref and is_handle(source.op) and source not in feeds else None


def with_early_reads(nodes: Sequence[Operation]) -> Sequence[Operation]:
    """`nodes` with reads of resource variables that wait for nothing in front of the first update they came after.

    They stay behind plain assignments, so that a step can initialize variables and use them.
    """
    updated: dict[Tensor, Operation] = {}
    moved: dict[Operation, list[Operation]] = {}
    for node in nodes:
        if node.type == "ReadVariableOp" and not node._control_inputs:
            first = updated.get(node._inputs[0])
            if first is not None:
                moved.setdefault(first, []).append(node)
            continue
        for storage, writes in touched(node):
            if not writes or storage._dtype is not dtypes.resource:
                continue
            if node.type == "AssignVariableOp":
                updated.pop(storage, None)
            else:
                updated.setdefault(storage, node)
    if not moved:
        return nodes
    early = {node for group in moved.values() for node in group}
    return [n for node in nodes if node not in early for n in (*moved.get(node, ()), node)]
