"""Decides which value of a variable a node reads, when the same step also writes the variable.

In TensorFlow that was often a race. Here there is one answer, which was TensorFlow's in most runs: a node reads the
value after a write when it depends on the write, through data or control dependencies; otherwise the value before it.

A ref variable has one read node, `w/read`, made with the variable and used by everyone. A node that depends on a write
reads the variable itself instead, when it runs: a late read. A resource variable has a read node for every use. Those
without dependencies move before the writes: early reads.
"""
from __future__ import annotations

from collections.abc import Collection, Sequence

from evergraph.base import dtypes
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.passes.prune import dependencies
from evergraph.passes.state import is_handle, touched

LateReads = dict[Operation, dict[int, Tensor]]
"""Node -> position of an input -> the ref variable that the node reads in its place, when it runs."""


def late_reads(nodes: Sequence[Operation], feeds: Collection[Tensor]) -> LateReads:
    """The inputs of `nodes`, which are in order, that have to be read after a write."""
    if not any(t._dtype.is_ref for node in nodes for t in node.outputs):
        return {}
    bits: dict[Tensor, int] = {}
    written: dict[Operation, int] = {}  # bits of the variables that the node or one it depends on has written
    found: LateReads = {}
    for node in nodes:
        before = 0
        for dependency in dependencies(node, feeds):
            before |= written.get(dependency, 0)
        if before:
            late = {i: v for i, t in enumerate(node._inputs) if (v := _variable_read(t, feeds)) is not None
                    and before & bits.get(v, 0)}
            if late:
                found[node] = late
        for storage, writes in touched(node):
            if writes and storage not in feeds:
                before |= bits.setdefault(storage, 1 << len(bits))
        written[node] = before
    return found


def _variable_read(tensor: Tensor, feeds: Collection[Tensor]) -> Tensor | None:
    """The ref variable that the tensor is the plain read of; None for other tensors and reads with dependencies."""
    node = tensor.op
    if node.opdef.kind is not Kind.IDENTITY or node._control_inputs or tensor in feeds:
        return None
    source = node._inputs[0]
    return source if source._dtype.is_ref and is_handle(source.op) and source not in feeds else None


def with_early_reads(nodes: Sequence[Operation]) -> Sequence[Operation]:
    """`nodes` with each read of a resource variable that has no dependencies before the first update it followed.

    Plain assignments are no updates: reads stay after them, so that a step can initialize a variable and use it.
    """
    updated: dict[Tensor, Operation] = {}
    moved: dict[Operation, list[Operation]] = {}
    for node in nodes:
        kind = node.opdef.kind
        if kind is Kind.READ and not node._control_inputs:
            first = updated.get(node._inputs[0])
            if first is not None:
                moved.setdefault(first, []).append(node)
            continue
        for storage, writes in touched(node):
            if not writes or storage._dtype is not dtypes.resource:
                continue
            if kind is Kind.ASSIGN:
                updated.pop(storage, None)
            else:
                updated.setdefault(storage, node)
    if not moved:
        return nodes
    early = {node for group in moved.values() for node in group}
    return [n for node in nodes if node not in early for n in (*moved.get(node, ()), node)]
