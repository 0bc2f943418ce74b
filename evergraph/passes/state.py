"""Finds the stored values (variables, random streams, ...) that a node reads and writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evergraph.base import dtypes
from evergraph.graph.function import FuncGraph, functions_of, writes
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind


def cell_key(node: Operation) -> str:
    """The name under which a session keeps this node's storage.

    Variables, queues, tables and so on each have names of their own: ops that share objects are those of one module.
    """
    shared, container = node.attrs.get("shared_name"), node.attrs.get("container")
    graph, name = node.graph.home or node.graph, shared or node.name
    if not shared and isinstance(graph, FuncGraph):
        name = f"{graph.name}//{name}"
    if "shared" in node.opdef.wants:
        name = f"{name}//{node.opdef.kernel.__module__.rpartition('.')[2]}"
    return f"{container}//{name}" if container else name


def is_handle(node: Operation) -> bool:
    """Whether the node only names storage, so that every stage that uses it may have a copy."""
    return not node._inputs and "cell" in node.opdef.wants and node.opdef.on != "host"


def with_inner(nodes: Iterable[Operation]) -> Iterator[Operation]:
    """The nodes, and those of the functions they call, at any depth."""
    for node in nodes:
        yield node
        for function in functions_of(node):
            yield from with_inner(function._nodes)


def may_call(node: Operation) -> bool:
    """Whether the op has attrs that name functions."""
    return bool(node.opdef.plan.functions)


def owner(tensor: Tensor) -> Tensor:
    """The tensor that a reference or handle is an alias of: the output of the node that created the storage."""
    while tensor._dtype.is_ref or tensor._dtype is dtypes.resource:
        node = tensor.op
        if not node._inputs:
            break
        handles = [t for t in node._inputs if t._dtype.is_ref or t._dtype is dtypes.resource]
        source = next((t for t in handles if t.op.opdef.kind is not Kind.BACK_EDGE), None)
        if source is None:
            break
        tensor = source
    return tensor


def touched(node: Operation) -> list[tuple[Tensor, bool]]:
    """(storage, whether the node may write it) for each variable that the node takes."""
    return [(owner(tensor), writes(node, position)) for position, tensor in enumerate(node._inputs)
            if tensor._dtype.is_ref or tensor._dtype is dtypes.resource]


def has_storage(node: Operation) -> bool:
    """Whether the node has state of its own between steps."""
    return "cell" in node.opdef.wants or "rng" in node.opdef.wants
