"""Takes parts of feeds and of results of the host on the host, where devices compute with different parts.

Each device then gets its rows of a batch rather than the whole batch. On the host a part is a view, and devices that do
the same to parts of the same shape run the same program, because it does not say which part is theirs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from evergraph.base.devices import Place
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind, Memory
from evergraph.passes.integers import is_integer_work
from evergraph.passes.prune import dependencies


def parts_for_places(
    nodes: Sequence[Operation], on_hosts: Collection[Operation], fed: Collection[Tensor],
    places: Mapping[Operation, Place], best: Place,
) -> set[Operation]:
    """The device nodes that pick parts of feeds and of what the host computes, with those that compute which parts.

    Args:
        nodes: the nodes of the program, in order.
        on_hosts: those that run on the host.
        fed: tensors whose values are given.
        places, best: where nodes are.
    """
    views: set[Operation] = set()
    integers: set[Operation] = set()
    for node in nodes:
        if node in on_hosts or not (_is_view(node) or is_integer_work(node)):
            continue
        awaited = [each for each in dependencies(node, fed) if each.opdef.kind is not Kind.CONSTANT]
        if all(each in on_hosts or each in views or each in integers for each in awaited):
            from_host = any(t in fed or t.op in on_hosts or t.op in views for t in node._inputs)
            (views if _is_view(node) and from_host else integers).add(node)
    users = {user for node in views for t in node.outputs for user in t._consumers} - views - integers
    if len({places.get(user, best) for user in users.intersection(nodes)}) < 2:
        return set()
    wanted = set(views)
    for node in reversed(nodes):
        if node in integers and any(user in wanted for t in node.outputs for user in t._consumers):
            wanted.add(node)
    return wanted


def _is_view(node: Operation) -> bool:
    return node.opdef.memory is Memory.VIEW and node.opdef.on == "device" and node.opdef.is_pure
