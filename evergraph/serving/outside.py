"""What nodes of a signature may do besides computing: touch files, run Python, change variables, wait for others."""

from __future__ import annotations

from collections.abc import Iterable

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.passes.prune import needed
from evergraph.passes.state import touched, with_inner

# The files of ops/ with ops that may wait for another step, and those of pipelines.
_WAITING = ("evergraph.ops.data.", *(f"evergraph.ops.state.{name}" for name in (
    "accumulators", "barriers", "batching", "mutex", "queues", "readers", "staging")))  # fmt: skip


def reaching_outside(nodes: Iterable[Operation]) -> list[str]:
    """Those of the nodes that touch files or run Python, as `name (op)`."""
    return [f"{node.name} ({node.opdef.name})" for node in nodes if _is_outside(node)]


def _is_outside(node: Operation) -> bool:
    outside = node.opdef.outside
    return outside if isinstance(outside, bool) else outside(node)


def nodes_of(outputs: Iterable[Tensor], inputs: Iterable[Tensor]) -> list[Operation]:
    """All nodes that a run may compute, those inside of functions that it may call among them."""
    return list(with_inner(needed(list(outputs), list(inputs))))


def changes_state(nodes: Iterable[Operation]) -> bool:
    """Whether a run may change variables, tables or other objects."""
    return any(is_written for node in nodes for _, is_written in touched(node))


def may_wait_or_loop(nodes: Iterable[Operation]) -> bool:
    """Whether the time that nodes take may depend on more than the sizes of their inputs."""
    return any(node.opdef.kind in (Kind.WHILE, Kind.MERGE) or node.opdef.__module__.startswith(_WAITING)
               for node in nodes)  # fmt: skip
