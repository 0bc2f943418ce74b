"""Says which stored values (variables, random streams, ...) a node reads and writes."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from evergraph.base import dtypes
from evergraph.graph.codec import NameAttrList
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor

# Ops that take a resource and leave it as it was.
_READERS = frozenset(
    {"ReadVariableOp", "VariableShape", "VarIsInitializedOp", "ResourceGather", "ResourceGatherNd", "Identity", "NoOp"}
)


def cell_key(node: Operation) -> str:
    """The name under which a session keeps this node's storage."""
    name = node.attrs.get("shared_name") or node.name
    container = node.attrs.get("container")
    if isinstance(node.graph, FuncGraph) and not node.attrs.get("shared_name"):
        name = f"{node.graph.name}//{name}"
    return f"{container}//{name}" if container else name


def is_handle(node: Operation) -> bool:
    """Whether the node only names storage, so that it can stand in every stage that uses it."""
    return not node._inputs and "cell" in node.opdef.wants and node.opdef.on != "host"


def functions(node: Operation) -> list[FuncGraph]:
    """The functions that the node's attrs name."""
    return [
        node.graph.function(v.name)
        for value in node.attrs.values()
        for v in (value if isinstance(value, list) else (value,))
        if isinstance(v, NameAttrList)
    ]


def with_inner(nodes: Iterable[Operation]) -> Iterator[Operation]:
    """The nodes, and those of the functions they call, at any depth."""
    for node in nodes:
        yield node
        for function in functions(node) if _may_call(node) else ():
            yield from with_inner(function._nodes)


def _may_call(node: Operation) -> bool:
    return any(a.kind in ("func", "list(func)") for a in node.opdef.plan.attrs)


def owner(tensor: Tensor) -> Tensor:
    """The tensor that a reference or resource handle was first made as."""
    while tensor._dtype.is_ref or tensor._dtype is dtypes.resource:
        node = tensor.op
        source = next((t for t in node._inputs if t._dtype.is_ref or t._dtype is dtypes.resource), None)
        if source is None:
            break
        tensor = source
    return tensor


def touched(node: Operation) -> list[tuple[Tensor, bool]]:
    """(storage, whether it may be written) for each variable the node looks at."""
    result = []
    declared = _declared_refs(node)
    for tensor, by_reference in zip(node._inputs, declared, strict=True):
        if tensor._dtype.is_ref:
            result.append((owner(tensor), by_reference and node.type not in ("Identity", "IsVariableInitialized")))
        elif tensor._dtype is dtypes.resource:
            result.append((owner(tensor), node.type not in _READERS))
    return result


def _declared_refs(node: Operation) -> list[bool]:
    flags: list[bool] = []
    for arg in node.opdef.plan.inputs:
        count = (
            len(node.attrs[arg.list_attr])
            if arg.list_attr is not None
            else node.attrs[arg.number_attr]
            if arg.number_attr is not None
            else 1
        )
        # A list attr may carry references: functions that assign to what they capture.
        flags += [arg.is_ref or arg.list_attr is not None] * count
    return flags


@functools.lru_cache(maxsize=8192)
def _wants_storage(wants: tuple[str, ...]) -> bool:
    return "cell" in wants or "rng" in wants


def has_storage(node: Operation) -> bool:
    """Whether the node keeps something of its own between steps."""
    return _wants_storage(node.opdef.wants)
