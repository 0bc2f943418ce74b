"""Decides which value of a variable a node reads, when the same step also writes the variable.

In TensorFlow that was often a race. Here there is one answer, which was TensorFlow's in most runs: a node reads the
value after a write when it depends on the write, through data or control dependencies; otherwise the value before it.

A ref variable has one read node, `w/read`, made with the variable and used by everyone, also through further Identity
nodes. A node that depends on a write reads the variable itself instead, when it runs: a late read. A resource variable
has a read node for every use. Those without dependencies move before the writes: early reads.
"""
from __future__ import annotations

from collections.abc import Collection, Sequence

from evergraph.base import dtypes
from evergraph.graph.function import variable_read
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.passes.prune import dependencies
from evergraph.passes.state import touched

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
            late = {i: v for i, t in enumerate(node._inputs) if not t._dtype.is_ref
                    and (v := variable_read(t)) is not None and before & bits.get(v, 0) and not _is_fed(t, feeds)}
            if late:
                found[node] = late
        for storage, writes in touched(node):
            if writes and _is_variable(storage, feeds):
                before |= bits.setdefault(storage, 1 << len(bits))
        written[node] = before
    return found


def _is_variable(storage: Tensor, feeds: Collection[Tensor]) -> bool:
    """Whether a tensor names a variable: that of a node, unless the tensor is fed, or the argument of a function."""
    return storage not in feeds or storage.op.opdef.kind is Kind.PLACEHOLDER


def _is_fed(tensor: Tensor, feeds: Collection[Tensor]) -> bool:
    """Whether a plain read of a variable has a fed value."""
    while not tensor._dtype.is_ref:
        if tensor in feeds:
            return True
        tensor = tensor.op._inputs[0]
    return False


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
