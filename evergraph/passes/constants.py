"""Finds host nodes that follow from constants, such as the coordinates of a constant mask: a trace computes them.

At trace time constants are NumPy values, and a kernel for the host computes with them as any other does. The sizes of
its results are then known to the program, and no host stage runs before it in every step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.values import is_host_dtype


def constant_for_device(
    nodes: Sequence[Operation],
    on_hosts: Collection[Operation],
    fetches: Iterable[Tensor | Operation],
    fed: Collection[Tensor],
) -> set[Operation]:
    """Those of the nodes on the host that follow from constants, and that nobody but device nodes uses.

    Args:
        nodes: the nodes of the program, in order.
        on_hosts: those that run on the host.
        fetches: what the caller asked for.
        fed: tensors whose values are given.
    """
    known = _following_from_constants(nodes, fed) if on_hosts else set()
    running, wanted = set(nodes), set(fetches)
    found: set[Operation] = set()
    for node in reversed(nodes):
        if node in on_hosts and node in known and wanted.isdisjoint((node, *node.outputs)):
            users = {user for t in node.outputs for user in t._consumers if user in running}
            if users and all(user in found or user not in on_hosts for user in users):
                found.add(node)
    return found


def _following_from_constants(nodes: Sequence[Operation], fed: Collection[Tensor]) -> set[Operation]:
    known: set[Operation] = set()
    for node in nodes:
        if node._control_inputs or any(t in fed or is_host_dtype(t._dtype) for t in node.outputs):
            continue
        if node.opdef.kind is Kind.CONSTANT or node._inputs and node.opdef.is_foldable \
                and all(t.op in known for t in node._inputs):
            known.add(node)
    return known
