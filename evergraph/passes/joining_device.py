"""Finds host nodes that join the device nodes which use them, so that no host stage runs before these in every step.

Some follow from constants, such as the coordinates of a constant mask. At trace time constants are NumPy values, and a
kernel for the host computes with them as any other does; the program knows the sizes of its results. Others have the
trait `may_compile`: in some programs their kernels can be traced, in others they raise Uncompilable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.values import is_host_dtype


def joining_device(
    nodes: Sequence[Operation], on_hosts: Collection[Operation], fetches: Iterable[Tensor | Operation],
    fed: Collection[Tensor], kept: Collection[Operation] = (),
) -> set[Operation]:
    """Those of the nodes `on_hosts`, but for `kept`, that can be traced, and that nobody but device nodes uses."""
    known = _following_from_constants(nodes, fed) if on_hosts else set()
    running, wanted = set(nodes), set(fetches)
    found: set[Operation] = set()
    for node in reversed(nodes):
        can_join = node in on_hosts and node not in kept and (node in known or node.opdef.may_compile)
        if can_join and wanted.isdisjoint((node, *node.outputs)):
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
