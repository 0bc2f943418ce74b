"""Finds what a stage of Python code need not compute: equal nodes twice, and arithmetic on shapes in every step."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from evergraph.base import dtypes
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.shaping import product
from evergraph.graph.traits import Fusion, Kind
from evergraph.kernel.values import is_host_dtype
from evergraph.passes.description import plain

_SMALL = 16  # elements: the shape of a sparse tensor, and numbers computed from it
_SMALL_CONSTANT = 1024  # bytes


@dataclass(frozen=True)
class Group:
    """Nodes whose results follow from a few small integers, which are the same in most steps.

    Attributes:
        nodes: in order, with the constants that they use.
        sources: the integers; none if all follows from constants.
        results: what other nodes need.
    """

    nodes: tuple[Operation, ...]
    sources: tuple[Tensor, ...]
    results: tuple[Tensor, ...]


@dataclass(frozen=True)
class Shortcuts:
    """What a stage need not compute.

    Attributes:
        same: tensors that equal another one, which comes before.
        groups: the group of each node whose results are remembered.
        fused: nodes whose kernels one function replaces; the function stands with the node that it runs in place of.
        skipped: the other nodes that such functions replace.
    """

    same: Mapping[Tensor, Tensor] = field(default_factory=dict)
    groups: Mapping[Operation, Group] = field(default_factory=dict)
    fused: Mapping[Operation, Fusion] = field(default_factory=dict)
    skipped: frozenset[Operation] = frozenset()


def shortcuts(nodes: Sequence[Operation], outputs: Collection[Tensor]) -> Shortcuts:
    """The shortcuts of a stage with these nodes, which hands on `outputs`. Constants that are fed are none of them."""
    handed_on = set(outputs)
    same = _equal_tensors(nodes, handed_on)
    users = _users(nodes, same)
    fused = _fused(nodes, handed_on, same, users)
    replaced = frozenset(node for fusion in fused.values() for node in fusion.nodes)
    left = [node for node in nodes if node not in replaced]
    return Shortcuts(same, _groups(left, handed_on, same, users), fused, replaced - set(fused))


def _fused(
    nodes: Sequence[Operation],
    outputs: set[Tensor],
    same: Mapping[Tensor, Tensor],
    users: Mapping[Tensor, set[Operation]],
) -> dict[Operation, Fusion]:
    """The chains that one function computes, where nobody else needs what they compute on the way."""
    present = set(nodes)
    found: dict[Operation, Fusion] = {}
    for node in nodes:
        if node.opdef.fusion is not None:
            fusion = node.opdef.fusion(node, lambda t: same.get(t, t), lambda t: list(users.get(t, ())))
            if fusion is not None and present.issuperset(fusion.nodes):
                found[node] = fusion
    while True:  # chains may share nodes, as long as all of them are replaced
        replaced = {node for fusion in found.values() for node in fusion.nodes}
        needed = [node for node, fusion in found.items() if any(
            t in outputs or not users.get(t, set()) <= replaced
            for each in fusion.nodes for t in each.outputs if t not in fusion.results)]
        if not needed:
            return found
        for node in needed:
            del found[node]


def _equal_tensors(nodes: Sequence[Operation], outputs: set[Tensor]) -> dict[Tensor, Tensor]:
    """Outputs of identities and of nodes that do what an earlier one does; each output of the stage is made anew."""
    same: dict[Tensor, Tensor] = {}
    known: dict[Hashable, Operation] = {}
    for node in nodes:
        if not outputs.isdisjoint(node.outputs) or not node.outputs or node._control_inputs or not node.opdef.is_pure:
            continue
        inputs = tuple(same.get(t, t) for t in node._inputs)
        if node.opdef.kind is Kind.IDENTITY and not node._inputs[0]._dtype.is_ref and not node.outputs[0]._dtype.is_ref:
            same[node.outputs[0]] = inputs[0]
            continue
        key = _key(node, inputs)
        first = node if key is None else known.setdefault(key, node)
        if first is not node:
            same.update(zip(node.outputs, first.outputs, strict=True))
    return same


def _key(node: Operation, inputs: tuple[Tensor, ...]) -> Hashable:
    """Equal for nodes that compute the same; None if that is hard to tell."""
    if node.opdef.kind is Kind.CONSTANT:
        value = node.attrs["value"]
        return None if value.nbytes > _SMALL_CONSTANT else (node.opdef, plain(value))
    if any(t._dtype.is_ref or t._dtype in (dtypes.resource, dtypes.variant) for t in (*node._inputs, *node.outputs)):
        return None
    try:
        key = node.opdef, inputs, tuple(sorted((name, plain(value)) for name, value in node.attrs.items()))
        hash(key)
    except TypeError:
        return None
    return key


def _groups(
    nodes: Sequence[Operation],
    outputs: set[Tensor],
    same: Mapping[Tensor, Tensor],
    users: Mapping[Tensor, set[Operation]],
) -> dict[Operation, Group]:
    """Groups nodes by what they follow from, constants aside. The first of a group uses all of its sources itself."""
    sources_of: dict[Operation, frozenset[Tensor]] = {}
    members: dict[frozenset[Tensor], list[Operation]] = {}
    constants = {node for node in nodes if node.opdef.kind is Kind.CONSTANT}
    for node in nodes:
        if not node.outputs or node.outputs[0] in same or not _is_small_arithmetic(node):
            continue
        inputs = {t for t in (same.get(t, t) for t in node._inputs) if t.op not in constants}
        sources_of[node] = found = _sources(inputs, sources_of)
        members.setdefault(found, []).append(node)
    result: dict[Operation, Group] = {}
    for sources, group in members.items():
        if len(group) > 1 or not sources:
            result.update(dict.fromkeys(group, _group(group, sources, constants, users, outputs, same)))
    return result


def _sources(inputs: set[Tensor], sources_of: Mapping[Operation, frozenset[Tensor]]) -> frozenset[Tensor]:
    """The sources of the group that a node with these inputs joins, which has its other inputs; else the inputs."""
    groups = {sources_of[t.op] for t in inputs if t.op in sources_of}
    if len(groups) == 1:
        (sources,) = groups
        if all(t in sources or sources_of.get(t.op) == sources for t in inputs):
            return sources
    return frozenset(inputs)


def _users(nodes: Sequence[Operation], same: Mapping[Tensor, Tensor]) -> dict[Tensor, set[Operation]]:
    """The nodes that use each tensor, those aside that have an equal one before them."""
    users: dict[Tensor, set[Operation]] = {}
    for node in nodes:
        if node.outputs and node.outputs[0] in same:
            continue
        for tensor in node._inputs:
            users.setdefault(same.get(tensor, tensor), set()).add(node)
    return users


def _group(
    group: Sequence[Operation],
    sources: frozenset[Tensor],
    constants: Collection[Operation],
    users: Mapping[Tensor, set[Operation]],
    outputs: set[Tensor],
    same: Mapping[Tensor, Tensor],
) -> Group:
    own = set(group)
    used = dict.fromkeys(t.op for n in group for t in (same.get(t, t) for t in n._inputs) if t.op in constants)
    results = [t for n in group for t in n.outputs if t in outputs or not users.get(t, set()) <= own]
    ordered = sorted(sources, key=lambda t: (t.op.age, t.value_index))
    return Group((*used, *group), tuple(ordered), tuple(results))


def _is_small_arithmetic(node: Operation) -> bool:
    opdef = node.opdef
    return opdef.is_foldable and opdef.kind is not Kind.CONSTANT and opdef.on == "device" and not node._control_inputs \
        and bool(node._inputs) and all(map(_is_small_integer, (*node._inputs, *node.outputs)))


def _is_small_integer(tensor: Tensor) -> bool:
    if is_host_dtype(tensor._dtype) or tensor._dtype.is_ref or tensor._dtype.np.kind not in "iub":
        return False
    size = product((None,) if tensor._shape is None else tensor._shape)
    return size is not None and size <= _SMALL
