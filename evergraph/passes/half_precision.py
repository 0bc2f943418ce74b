"""Chooses the nodes that compute in half precision: automatic mixed precision.

A compiled program casts what goes into these nodes, and what leaves them for others. The graph stays as it is, and so
do variables, feeds and fetches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evergraph.base import dtypes
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.signature import Arg
from evergraph.graph.traits import Half
from evergraph.kernel.calling import count_of

_TYPES = ("T", "Tparams")  # attrs with the dtype of what an op computes on


@dataclass(frozen=True, eq=False)
class MixedPrecision:
    """How a session computes in mixed precision.

    Attributes:
        dtype: bfloat16 or float16.
        lists: op type -> the list that it is in.
    """

    dtype: dtypes.DType
    lists: Mapping[str, Half]

    def type_attr(self, node: Operation) -> str | None:
        """The attr that half precision changes: the node computes in float32, and its op exists in half precision."""
        half = self.lists.get(node.type)
        if half is None or half is Half.CLEAR and any(t._dtype.is_ref for t in node._inputs):
            return None  # a read of a variable gives its exact value
        name = next((name for name in _TYPES if node.attrs.get(name) is dtypes.float32), None)
        if name is None:
            return None
        allowed = node.opdef.signature.attr[name].allowed
        return name if not allowed or self.dtype in allowed else None

    def inputs(self, node: Operation) -> set[int]:
        """The places of the inputs that a node takes in half precision if it computes so."""
        return _places(node, node.opdef.plan.inputs, self.type_attr(node))

    def outputs(self, node: Operation) -> set[int]:
        """The places of the outputs that it then returns in half precision."""
        return _places(node, node.opdef.plan.outputs, self.type_attr(node))


def _places(node: Operation, args: Iterable[Arg], type_attr: str | None) -> set[int]:
    if type_attr is None:
        return set()
    found: set[int] = set()
    start = 0
    for arg in args:
        count = count_of(arg, node.attrs)
        if arg.type_attr == type_attr:
            found.update(range(start, start + count))
        start += count
    return found


def in_half_precision(
    nodes: Sequence[Operation], outputs: Collection[Tensor], mixed: MixedPrecision
) -> frozenset[Operation]:
    """The nodes that compute in half precision.

    Products do (`Half.ALLOW`). Sums, activations and the like do between such nodes (`INFER`), unless a value reaches
    them from a node that has to be exact (`DENY`), such as an exponential. Nodes that only move numbers (`CLEAR`) do as
    the nodes beside them, but never round a value that a node in float32 needs too. Outputs leave the program in
    float32.
    """
    return _Painter(nodes, outputs, mixed).painted()


class _Painter:
    """The float32 edges between the nodes, and which of the nodes compute in half precision so far."""

    def __init__(self, nodes: Sequence[Operation], outputs: Collection[Tensor], mixed: MixedPrecision) -> None:
        self._nodes, self._mixed = nodes, mixed
        known = set(nodes)
        self._lists = {n: mixed.lists[n.type] for n in nodes if self._is_listed(n)}
        self._before: dict[Operation, list[Operation]] = {}
        self._after: dict[Operation, list[Operation]] = {n: [] for n in nodes}
        self._has_other_uses = {t.op for t in outputs}
        for node in nodes:
            wanted = mixed.inputs(node) if node in self._lists else set()
            self._before[node] = []
            for place, tensor in enumerate(node._inputs):
                producer = tensor.op
                if producer not in known or tensor._dtype is not dtypes.float32 or not self._may_be_half(tensor):
                    continue
                if place in wanted or self._lists.get(node) is Half.DENY:
                    self._before[node].append(producer)
                    self._after[producer].append(node)
                else:
                    self._has_other_uses.add(producer)

    def _is_listed(self, node: Operation) -> bool:
        half = self._mixed.lists.get(node.type)
        return half is Half.DENY or half is not None and self._mixed.type_attr(node) is not None

    def _may_be_half(self, tensor: Tensor) -> bool:
        """Whether half precision changes the dtype of an output, or exactness is about all of them."""
        half = self._lists.get(tensor.op)
        return half in (None, Half.DENY) or tensor.value_index in self._mixed.outputs(tensor.op)

    def painted(self) -> frozenset[Operation]:
        exact = self._exact()
        passing = {n for n, half in self._lists.items() if half in (Half.CLEAR, Half.INFER) and n not in exact}
        half = {n for n, each in self._lists.items() if each is Half.ALLOW}
        if not half:
            return frozenset()
        half |= _reached(self._nodes, half, self._before, passing) \
            & _reached(reversed(self._nodes), half, self._after, passing)
        clear = {n for n in passing if self._lists[n] is Half.CLEAR}
        return frozenset(self._with_clear(half, clear))

    def _exact(self) -> set[Operation]:
        """The nodes that stay in float32: those denied, those that infer it from these, and moves between them."""
        denied = {n for n, half in self._lists.items() if half is Half.DENY}
        passing = {n for n, half in self._lists.items() if half in (Half.CLEAR, Half.INFER)}
        reached = _reached(self._nodes, denied, self._before, passing)
        exact = denied | {n for n in reached if self._lists[n] is Half.INFER}
        return exact | _reached(reversed(self._nodes), exact, self._after, reached - exact)

    def _with_clear(self, half: set[Operation], clear: set[Operation]) -> set[Operation]:
        """With the nodes that only move what is in half precision, or what nodes in half precision alone need."""
        while True:
            found = half | _reached(self._nodes, half, self._before, clear)
            for node in reversed(self._nodes):
                users = self._after[node]
                if node in clear and users and node not in self._has_other_uses and found.issuperset(users):
                    found.add(node)
            if len(found) == len(half):
                return found
            half = found


def _reached(
    nodes: Iterable[Operation], start: Collection[Operation], edges: Mapping[Operation, Sequence[Operation]],
    through: Collection[Operation],
) -> set[Operation]:
    """The nodes of `through` that paths through others of these reach; `edges` lead back along the order of nodes."""
    found: set[Operation] = set()
    for node in nodes:
        if node in through and any(other in start or other in found for other in edges[node]):
            found.add(node)
    return found
