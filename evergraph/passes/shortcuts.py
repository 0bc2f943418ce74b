"""Finds what a stage of Python code need not compute: equal nodes twice, what nobody uses; in every step, constants and
sizes."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evergraph.base import dtypes
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.shaping import product
from evergraph.graph.traits import Fusion, Kind, Memory
from evergraph.kernel import calling
from evergraph.kernel.quiet import quietly
from evergraph.kernel.values import is_host_dtype
from evergraph.passes.description import plain

_SMALL = 16  # elements: the shape of a sparse tensor, and numbers computed from it
_SMALL_CONSTANT = 1024  # bytes
_MOST_FOLDED = 1 << 14  # elements: what follows from constants, such as the gradient of a mean


@dataclass(frozen=True)
class Group:
    """Nodes whose results follow from a few small integers or shapes, which are the same in many steps.

    Attributes:
        nodes: in order, with the constants that they use.
        sources: the integers, and tensors whose shapes matter.
        shapes: those of the sources of which the shape alone matters.
        results: what other nodes need.
    """

    nodes: tuple[Operation, ...]
    sources: tuple[Tensor, ...]
    shapes: frozenset[Tensor]
    results: tuple[Tensor, ...]


@dataclass(frozen=True)
class Shortcuts:
    """What a stage need not compute.

    Attributes:
        same: tensors that equal another one, which comes before.
        folded: the values of tensors that follow from constants.
        groups: the group of each node whose results are remembered.
        fused: nodes whose kernels one function replaces; the function stands with the node that it runs in place of.
        skipped: the other nodes that such functions replace, those whose results nobody uses then, and those that other
            nodes only wait for although they change nothing. TensorFlow leaves these out, too. The gradient with
            respect to fed images is such a node, because optimizers wait for all gradients of an op together.
    """

    same: Mapping[Tensor, Tensor] = field(default_factory=dict)
    folded: Mapping[Tensor, Any] = field(default_factory=dict)
    groups: Mapping[Operation, Group] = field(default_factory=dict)
    fused: Mapping[Operation, Fusion] = field(default_factory=dict)
    skipped: frozenset[Operation] = frozenset()


def shortcuts(
    nodes: Sequence[Operation], outputs: Collection[Tensor], late: Collection[Operation] = (),
    asked: Collection[Operation] = (), inputs: Collection[Tensor] = (),
) -> Shortcuts:
    """The shortcuts of a stage.

    Args:
        nodes: its nodes. Constants that are fed are none of them.
        outputs: what it hands on.
        late: the nodes that read a variable when they run, so that equal ones may compute something else.
        asked: the nodes that run even if nobody needs what they compute, and that may fail.
        inputs: what it takes: also values that are fed in place of what its nodes compute.
    """
    fed = {t.op for t in inputs}.intersection(nodes)
    late = fed.union(late)
    handed_on = {*outputs, *(t for node in fed for t in node.outputs)}
    same = _equal_tensors([node for node in nodes if node not in late], handed_on)
    wanted = handed_on.union(same.get(t, t) for node in asked for t in node.outputs)
    search = _Search(nodes, wanted, late, same)
    fused = search.fused()
    replaced = search.replaced(fused)
    left = [node for node in nodes if node not in replaced and node not in late]
    folded = search.folded(left)
    return Shortcuts(same, folded, search.groups(left, folded), fused, frozenset(replaced - fused.keys()))


def without_idle(
    nodes: Sequence[Operation], outputs: Collection[Tensor], late: Collection[Operation] = (),
    asked: Collection[Operation] = (),
) -> list[Operation]:
    """The nodes but for those that others only wait for, or that only such nodes use, as in a stage with shortcuts."""
    idle = _Search(nodes, {*outputs, *(t for node in asked for t in node.outputs)}, late, {}).replaced({})
    return [node for node in nodes if node not in idle]


class _Search:
    """Looks for the shortcuts of a stage.

    Args:
        nodes: its nodes.
        wanted: the tensors that have to be there in the end.
        late: the nodes that read a variable when they run.
        same: tensors that equal another one, which comes before.
    """

    def __init__(
        self, nodes: Sequence[Operation], wanted: set[Tensor], late: Collection[Operation],
        same: Mapping[Tensor, Tensor],
    ) -> None:
        self.nodes, self.wanted, self.late, self.same = nodes, wanted, late, same
        self.users: dict[Tensor, set[Operation]] = {}  # those of nodes that have no equal one before them
        for node in nodes:
            if not (node.outputs and node.outputs[0] in same):
                for tensor in node._inputs:
                    self.users.setdefault(self.standing(tensor), set()).add(node)

    def standing(self, tensor: Tensor) -> Tensor:
        """The tensor that stands for an equal one."""
        return self.same.get(tensor, tensor)

    def fused(self) -> dict[Operation, Fusion]:
        """The chains that one function computes, where nobody else needs what they compute on the way."""
        present, users = set(self.nodes), self.users
        found: dict[Operation, Fusion] = {}
        for node in self.nodes:
            if node.opdef.fusion is not None:
                fusion = node.opdef.fusion(node, self.standing, lambda t: list(users.get(t, ())))
                if fusion is not None and present.issuperset(fusion.nodes):
                    found[node] = fusion
        while True:  # chains may share nodes, as long as all of them are replaced
            replaced = self.replaced(found)
            needed = self.wanted.union(*(fusion.inputs for fusion in found.values()))
            refused = [(node, fusion) for node, fusion in found.items() if any(
                t in needed or not users.get(t, set()) <= replaced
                for each in fusion.nodes for t in each.outputs if t not in fusion.results)]
            if not refused:
                spared = {node for fusion in found.values() for node in fusion.spared}
                unused = {node for node in spared & found.keys() if all(
                    t not in needed and users.get(t, set()) <= replaced for t in found[node].results)}
                return _longest({node: found[node] for node in found if node not in unused})
            for node, fusion in refused:
                if fusion.otherwise is None:
                    del found[node]
                else:
                    found[node] = fusion.otherwise

    def replaced(self, fused: Mapping[Operation, Fusion]) -> set[Operation]:
        """The nodes that functions replace, those whose results only such nodes use, and those waited for in vain."""
        found = {node for fusion in fused.values() for node in fusion.nodes}
        needed = self.wanted.union(*(fusion.inputs for fusion in fused.values()))
        spared = {node for fusion in fused.values() for node in fusion.spared}
        spared |= {other for node in self.nodes for other in node._control_inputs if _leaves_no_trace(other)}
        freed: set[Tensor] = set()
        for node in reversed(self.nodes) if fused or spared else ():
            if node in found or node.outputs and node.outputs[0] in self.same:
                continue
            is_idle = node in spared or not freed.isdisjoint(node.outputs) and _leaves_no_trace(node) \
                or (bool(fused) or not freed.isdisjoint(node.outputs)) and _may_compute_once(node)
            if is_idle and needed.isdisjoint(node.outputs) and node not in self.late:
                found.add(node)
                freed.update(self.standing(t) for t in node._inputs)
            else:
                needed.update(self.standing(t) for t in node._inputs)
        return found

    def folded(self, nodes: Sequence[Operation]) -> dict[Tensor, Any]:
        """The values of nodes that follow from constants, unless they are large. Nodes that fail do so in the step."""
        known: dict[Tensor, Any] = {n.outputs[0]: n.attrs["value"] for n in nodes if n.opdef.kind is Kind.CONSTANT}
        constants = frozenset(known)
        for node in nodes:
            inputs = [self.standing(t) for t in node._inputs]
            if not inputs or not known.keys() >= set(inputs) or not _may_compute_once(node) \
                    or not node.opdef.bounded and not all(_has_at_most(t, _MOST_FOLDED) for t in node.outputs):
                continue
            try:
                values = quietly(calling.evaluate, node, [known[t] for t in inputs])
                known.update(zip(node.outputs, values, strict=True))
            except Exception:
                continue
        return {tensor: value for tensor, value in known.items() if tensor not in constants}

    def groups(self, nodes: Sequence[Operation], folded: Mapping[Tensor, Any]) -> dict[Operation, Group]:
        """Groups nodes by what they follow from, constants aside. The first of a group uses all of its sources."""
        sources_of: dict[Operation, frozenset[Tensor]] = {}
        members: dict[frozenset[Tensor], list[Operation]] = {}
        constants = {node for node in nodes if node.opdef.kind is Kind.CONSTANT}.union(t.op for t in folded)
        for node in nodes:
            if not node.outputs or node.outputs[0] in self.same or node in constants or not _may_compute_once(node):
                continue
            inputs = {t for t in (self.standing(t) for t in node._inputs) if t.op not in constants}
            found = _sources(inputs, sources_of)
            if inputs and (_looks_at_shapes(node) or _is_small_arithmetic(node, inputs & found)):
                sources_of[node] = found
                members.setdefault(found, []).append(node)
        result: dict[Operation, Group] = {}
        for sources, group in members.items():
            if len(group) > 1 or _looks_at_shapes(group[0]):
                result.update(dict.fromkeys(group, self._group(group, sources, constants)))
        return result

    def _group(self, group: Sequence[Operation], sources: frozenset[Tensor], constants: Collection[Operation]) -> Group:
        own = set(group)
        used = dict.fromkeys(t.op for n in group for t in (self.standing(t) for t in n._inputs) if t.op in constants)
        results = [t for n in group for t in n.outputs if t in self.wanted or not self.users.get(t, set()) <= own]
        ordered = sorted(sources, key=lambda t: (t.op.age, t.value_index))
        read = {self.standing(t) for n in group if not _looks_at_shapes(n) for t in n._inputs}
        return Group((*used, *group), tuple(ordered), sources - read, tuple(results))


def _longest(found: Mapping[Operation, Fusion]) -> dict[Operation, Fusion]:
    """The chains that are no part of another one."""
    return {node: fusion for node, fusion in found.items()
            if not any(fusion.nodes < other.nodes for other in found.values() if node in other.nodes)}


def _equal_tensors(nodes: Sequence[Operation], outputs: set[Tensor]) -> dict[Tensor, Tensor]:
    """Outputs of identities and of nodes that do what an earlier one does; each output of the stage is made anew."""
    same: dict[Tensor, Tensor] = {}
    known: dict[Hashable, Operation] = {}
    for node in nodes:
        if not outputs.isdisjoint(node.outputs) or not node.outputs or not node.opdef.is_pure:
            continue  # a pure node computes the same at any time, so that control inputs make no difference
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


def _sources(inputs: set[Tensor], sources_of: Mapping[Operation, frozenset[Tensor]]) -> frozenset[Tensor]:
    """The sources of the group that a node with these inputs joins, which has its other inputs; else the inputs."""
    groups = {sources_of[t.op] for t in inputs if t.op in sources_of}
    if len(groups) == 1:
        (sources,) = groups
        if all(t in sources or sources_of.get(t.op) == sources for t in inputs):
            return sources
    return frozenset(inputs)


def _may_compute_once(node: Operation) -> bool:
    """Whether the results of a node follow from its inputs, and belong to all steps that have the same inputs."""
    opdef = node.opdef
    return opdef.is_foldable and opdef.kind is not Kind.CONSTANT and opdef.on == "device" \
        and not any(is_host_dtype(t._dtype) or t._dtype.is_ref for t in (*node._inputs, *node.outputs))


def _leaves_no_trace(node: Operation) -> bool:
    """Whether nobody could tell that the node has run, except by its outputs."""
    opdef = node.opdef
    return opdef.is_pure and opdef.kind is None and opdef.on == "device" and "check" not in opdef.wants \
        and not any(is_host_dtype(t._dtype) or t._dtype.is_ref for t in node.outputs) \
        and not any(is_host_dtype(t._dtype) or t._dtype.is_ref and t.op.opdef.kind is Kind.VARIABLE
                    for t in node._inputs)  # it may have no value


def _looks_at_shapes(node: Operation) -> bool:
    return node.opdef.kind is Kind.SHAPE


def _is_small_arithmetic(node: Operation, sources: Collection[Tensor]) -> bool:
    """Whether a node with these sources among its inputs makes a small result of small integers, or a view of one."""
    if not all(map(_is_small_integer, sources)):
        return False
    is_view = node.opdef.memory is Memory.VIEW and all(_has_at_most(t, _SMALL) for t in node._inputs)
    return is_view or all(_has_at_most(t, _SMALL) for t in node.outputs)


def _is_small_integer(tensor: Tensor) -> bool:
    return tensor._dtype.np.kind in "iub" and _has_at_most(tensor, _SMALL)


def _has_at_most(tensor: Tensor, count: int) -> bool:
    size = product((None,) if tensor._shape is None else tensor._shape)
    return size is not None and size <= count
