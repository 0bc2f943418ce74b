"""Finds the inputs of device stages that may be padded, so that one compiled program serves every number of entries.

The ids of sparse features come from the host, and their number changes from step to step: that of all ids, and that of
the distinct ones, which are rows of a table. Ops such as SparseSegmentMean leave out ids that are out of range, so an
id may be padding: the largest integer. This pass follows padded ids and the rows that they stand for to their last use.
Where some use would notice the padding, the ids that lead there stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evergraph.base import dtypes
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind, Memory
from evergraph.kernel.values import is_host_dtype

_IDS = (dtypes.int32, dtypes.int64)
Length = tuple[Tensor, ...]  # inputs that together have as many rows


@dataclass(frozen=True)
class Padding:
    """What is padded in a run.

    Attributes:
        nodes: nodes with padded inputs, which run their fixed-size kernels; those declared for the host among them.
        rooms: each padded tensor, with the tensor that is never shorter, or itself.
        counted: tensors of segment ids, which ascend; the last one tells how many segments there are.
        limits: tensors of row numbers, and the number of rows that there are.
        alike: tensors that must have the same length.
        derived: tensors that a device node computes from padded ones, and whose rows are padded as well.
    """

    nodes: frozenset[Operation] = frozenset()
    rooms: Mapping[Tensor, Tensor] = field(default_factory=dict)
    counted: frozenset[Tensor] = frozenset()
    limits: Mapping[Tensor, int] = field(default_factory=dict)
    alike: tuple[tuple[Tensor, ...], ...] = ()
    derived: frozenset[Tensor] = frozenset()

    def of(self, inputs: Iterable[Tensor]) -> Padding:
        """The part that concerns a stage with these inputs."""
        own = set(inputs)
        return Padding(
            rooms={t: room if room in own else t for t, room in self.rooms.items() if t in own},
            counted=self.counted & own,
            limits={t: limit for t, limit in self.limits.items() if t in own},
            alike=tuple(found for group in self.alike if len(found := tuple(t for t in group if t in own)) > 1))


def padding(
    nodes: Sequence[Operation], on_hosts: Collection[Operation], fetches: Iterable[Tensor | Operation],
    fed: Collection[Tensor], fixed: Collection[Operation], host_nodes: Collection[Operation] = (),
) -> Padding:
    """What may be padded in a run.

    Of its nodes, `on_hosts` run on the host, and `host_nodes` have to; the outputs of `fixed` are padded anyway.
    """
    movable = [n for n in nodes
               if n.opdef.padding is not None and n.opdef.on == "host" and n in on_hosts and n not in host_nodes]
    if not movable:
        return Padding()
    return _Search(nodes, on_hosts, fetches, fed, fixed).result(movable)


class _Search:
    """What does not change from one try to the next."""

    def __init__(
        self, nodes: Sequence[Operation], on_hosts: Collection[Operation], fetches: Iterable[Tensor | Operation],
        fed: Collection[Tensor], fixed: Collection[Operation],
    ) -> None:
        self.nodes, self.on_hosts, self.fed, self.fixed = nodes, on_hosts, fed, fixed
        self.running = set(nodes)
        self.fetched = {f for f in fetches if isinstance(f, Tensor)}

    def result(self, movable: Sequence[Operation]) -> Padding:
        """Leaves out what some use would notice until nothing is left to leave out."""
        moved = {node for node in movable if self._can_move(node)}
        refused: set[Tensor] = set()
        while moved:
            found = _Flow(self, moved, refused)
            if not found.noticed:
                return found.padding()
            refused |= found.noticed
            moved -= {node for node in moved if any(t in refused for t in found.lengths_of(node))}
        return Padding()

    def is_given(self, tensor: Tensor) -> bool:
        """Whether a device stage gets the tensor from a feed or from the host."""
        return tensor in self.fed or tensor.op in self.on_hosts

    def is_constant(self, tensor: Tensor) -> bool:
        """Whether the value is known at trace time, because it follows from constants."""
        node = tensor.op
        if tensor in self.fed or node in self.on_hosts:
            return False
        return node.opdef.kind is Kind.CONSTANT or bool(node._inputs) and node.opdef.is_foldable \
            and node.opdef.on == "device" and all(map(self.is_constant, node._inputs))

    def _can_move(self, node: Operation) -> bool:
        """Whether a host op on segments of rows can join the device nodes that compute or use the rows."""
        rule = node.opdef.padding
        assert rule is not None
        named = {arg.name: t for arg, t in zip(node.opdef.plan.inputs, node._inputs, strict=True)}
        rows = node._inputs[0]
        ids = [named[name] for name in rule.alike if named[name] is not rows]
        return not self.is_given(rows) and not any(map(is_host_dtype, (t._dtype for t in node._inputs))) \
            and all(self.is_given(t) or self.is_constant(t) for t in ids)


class _Flow:
    """Follows padded tensors through the device nodes.

    Attributes:
        noticed: the padded inputs whose padding some node would notice.
    """

    def __init__(self, search: _Search, moved: set[Operation], refused: set[Tensor]) -> None:
        self._search, self._moved, self._refused = search, moved, refused
        self._length: dict[Tensor, Length] = {}  # of a padded tensor
        self._size: dict[Tensor, Length] = {}  # of a number computed from the shape of padded tensors
        self._alike: list[tuple[Tensor, ...]] = []
        self._padded_nodes: set[Operation] = set(moved)
        self._counted: set[Tensor] = set()
        self._limits: dict[Tensor, int] = {}
        self.noticed: set[Tensor] = set()
        present = [node for node in search.nodes if node not in search.on_hosts or node in moved]
        for node in present:
            self._length.update((t, (t,)) for t in node._inputs if self._may_pad(t, node))
        for node in present:
            self._follow(node)
        for known in (self._length, self._size):
            self.noticed.update(*(known[t] for t in search.fetched if t in known))

    def lengths_of(self, node: Operation) -> list[Tensor]:
        return [given for t in node._inputs for given in self._length.get(t, (t,))]

    def padding(self) -> Padding:
        given = {each for length in self._length.values() for each in length}
        rooms = {t: _bound(t) for t in given}
        return Padding(frozenset(self._padded_nodes), rooms, frozenset(self._counted), self._limits, tuple(self._alike),
                       frozenset(t for t in self._length if t not in given))

    def _follow(self, node: Operation) -> None:
        padded = [t for t in node._inputs if t in self._length]
        sizes = [t for t in node._inputs if t in self._size]
        if node in self._moved:
            self._count(node)
            self._limit(node)
        if not padded and not sizes:
            return
        if not self._passes_on(node, padded, sizes):
            self.noticed.update(*(self._length[t] for t in padded), *(self._size[t] for t in sizes))

    def _may_pad(self, tensor: Tensor, node: Operation) -> bool:
        return tensor not in self._refused and node.opdef.padding is not None and tensor._dtype in _IDS \
            and tensor._shape == (None,) and self._search.is_given(tensor)

    def _count(self, node: Operation) -> None:
        rule = node.opdef.padding
        if rule is not None and rule.counts is not None:
            ids = _named(node, rule.counts)
            if self._search.is_given(ids):
                self._counted.add(ids)

    def _passes_on(self, node: Operation, padded: list[Tensor], sizes: list[Tensor]) -> bool:
        """Notes which outputs are padded in turn; whether the node leaves padding out or passes it on."""
        opdef = node.opdef
        if opdef.padding is not None:
            return self._by_rule(node, padded, sizes)
        if node in self._search.fixed:
            return self._keep(node, self._length[padded[0]])
        if opdef.updates_rows is not None:
            return not sizes
        if opdef.kind is Kind.SHAPE:
            return self._sized(node, [self._length[t] for t in padded])
        if opdef.kind is Kind.CONCAT and padded:
            return self._joined(node, padded)
        if padded:
            return self._row_by_row(node, padded, sizes)
        return opdef.is_foldable and opdef.on == "device" and self._sized(node, [self._size[t] for t in sizes])

    def _by_rule(self, node: Operation, padded: list[Tensor], sizes: list[Tensor]) -> bool:
        rule = node.opdef.padding
        assert rule is not None
        taken = [_named(node, name) for name in rule.inputs]
        like = None if rule.like is None else _named(node, rule.like)
        if any(t not in taken for t in padded) or any(t is not like for t in sizes):
            return False
        lengths = [self._length[t] for name in rule.alike if (t := _named(node, name)) in self._length]
        if len({self._length.get(_named(node, name)) is None for name in rule.alike}) > 1:
            return False  # one of them would be longer than the others
        if len(set(lengths)) > 1:
            if any(len(length) > 1 for length in lengths):
                return False
            self._alike.append(tuple(length[0] for length in lengths))
        self._padded_nodes.add(node)
        self._limit(node)
        if like is None:
            return True
        length = self._size.get(like, self._length.get(like))
        return length is None or _is_open_in_rows(node.outputs[0]) and self._keep(node, length)

    def _limit(self, node: Operation) -> None:
        """Notes how many rows there are where an input of the stage has row numbers."""
        rule = node.opdef.padding
        if rule is None or rule.below is None:
            return
        ids, rows = (_named(node, name) for name in rule.below)
        if self._search.is_given(ids) and rows._shape and rows._shape[0] is not None:
            self._limits[ids] = min(rows._shape[0], self._limits.get(ids, rows._shape[0]))

    def _row_by_row(self, node: Operation, padded: list[Tensor], sizes: list[Tensor]) -> bool:
        length = self._length[padded[0]]
        if any(self._length[t] != length for t in padded) or any(self._size[t] != length for t in sizes):
            return False
        if node.opdef.by_row and not sizes:
            rank = len(padded[0]._shape or ())
            others = [t for t in node._inputs if t not in self._length]
            return all(t._shape is not None and (len(t._shape) < rank or t._shape[0] == 1) for t in others) \
                and self._keep(node, length)
        is_view = node.opdef.memory is Memory.VIEW and node._inputs[0] is padded[0] and len(node.outputs) == 1
        # A number of rows that the host has computed is that without padding.
        return is_view and _has_same_rows(padded[0], node.outputs[0]) and self._keep(node, length) \
            and all(t in self._size or self._search.is_constant(t) for t in node._inputs[1:])

    def _joined(self, node: Operation, padded: list[Tensor]) -> bool:
        """Rows of several tensors, all of them padded, one after the other."""
        *parts, axis = node._inputs
        is_first = axis.op.opdef.kind is Kind.CONSTANT and axis.op.attrs["value"].tolist() == 0
        return is_first and parts == padded and self._keep(node, sum((self._length[t] for t in parts), ()))

    def _keep(self, node: Operation, length: Length) -> bool:
        for tensor in node.outputs:
            self._length[tensor] = length
        return not self._leaves(node)

    def _sized(self, node: Operation, lengths: list[Length]) -> bool:
        if len(set(lengths)) > 1:
            return False
        for tensor in node.outputs:
            self._size[tensor] = lengths[0]
        return not self._leaves(node)

    def _leaves(self, node: Operation) -> bool:
        """Whether a host node uses an output."""
        search = self._search
        return any(user in search.on_hosts and user not in self._moved
                   for t in node.outputs for user in t._consumers if user in search.running)


def _named(node: Operation, name: str) -> Tensor:
    places = [arg.name for arg in node.opdef.plan.inputs]
    return node._inputs[places.index(name)]


def _is_open_in_rows(tensor: Tensor) -> bool:
    """Whether the number of rows is all that is not known about the shape."""
    shape = tensor._shape
    return shape is not None and shape[:1] == (None,) and None not in shape[1:]


def _has_same_rows(before: Tensor, after: Tensor) -> bool:
    """Whether a view keeps rows as they are: sizes beside the first are known and equal, and the first is open."""
    a, b = before._shape, after._shape
    return a is not None and b is not None and len(a) == len(b) > 0 and a[1:] == b[1:] and None not in a[1:] \
        and b[0] is None


def _bound(tensor: Tensor) -> Tensor:
    """A tensor that is never shorter: distinct elements are at most as many as all of them."""
    opdef = tensor.op.opdef
    is_unique = opdef.fixed_size_kernel is not None and opdef.padding is None  # (distinct elements, their places)
    return tensor.op.outputs[1] if is_unique and tensor.value_index == 0 else tensor
