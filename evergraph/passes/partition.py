"""Partitions a pruned graph into stages: each on the host, or on one device."""

from __future__ import annotations

import collections
import functools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from evergraph.base import dtypes
from evergraph.base.devices import Place
from evergraph.graph.function import functions_of
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.values import is_host_dtype
from evergraph.passes.fixed_size_unique import fixed_size_uniques
from evergraph.passes.integers import integers_beside_host
from evergraph.passes.joining_device import joining_device
from evergraph.passes.padding import Padding, padding
from evergraph.passes.parts import parts_for_places
from evergraph.passes.prune import control_dependencies, dependencies
from evergraph.passes.reads_after_writes import LateReads, late_reads
from evergraph.passes.shapes import follow_from_shapes
from evergraph.passes.state import is_handle, owner, touched


@dataclass(frozen=True)
class Stage:
    """Nodes that run together. Two stages with the same nodes, inputs and outputs are equal.

    Attributes:
        on_host: runs as Python; otherwise it can become one XLA program.
        nodes: in order.
        inputs: tensors that come from feeds or earlier stages.
        outputs: tensors that later stages or the caller need.
        static: the inputs whose values the compiled program depends on, and is keyed by.
        donates: no device stage runs after it or beside it, so that its program may update variables in place.
        fixed: nodes whose inputs or outputs are padded; see passes/fixed_size_unique.py and passes/padding.py.
        late: inputs that are read from a variable when the node runs; see passes/reads_after_writes.py.
        lengths: tensors that give lists their lengths at run time; see passes/dynamic_lengths.py.
        padding: which inputs are padded; see passes/padding.py.
        asked: the operations that the caller asked for although they only compute: they run, and may fail.
        place: where it runs, and where the variables live that it uses; for a host stage the first CPU of its task.
        guests: the variables among those that live elsewhere.
        level: stages with the same number, at different places, do not depend on each other; None where there is one
            place.
    """

    on_host: bool
    nodes: tuple[Operation, ...]
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    static: frozenset[Tensor]
    donates: bool
    fixed: frozenset[Operation] = frozenset()
    late: LateReads = field(default_factory=dict, compare=False)
    lengths: frozenset[Tensor] = frozenset()
    padding: Padding = field(default_factory=Padding, compare=False)
    asked: frozenset[Operation] = frozenset()
    place: Place = Place()
    guests: frozenset[Operation] = frozenset()
    level: int | None = field(default=None, compare=False)

    @functools.cached_property
    def static_positions(self) -> tuple[int, ...]:
        """Where among the inputs the static ones are. A static list is none of them: its length is part of its type."""
        return tuple(i for i, t in enumerate(self.inputs) if t in self.static and t._dtype is not dtypes.variant)

    @property
    def label(self) -> str:
        """What lines about the stage call it: its last node. A stage that hands a feed on has none."""
        return self.nodes[-1].name if self.nodes else "without nodes"

    @functools.cached_property
    def dynamic_positions(self) -> tuple[int, ...]:
        """Where among the inputs those are that the compiled program takes as arguments."""
        static = set(self.static_positions)
        return tuple(i for i in range(len(self.inputs)) if i not in static)


def partition(
    nodes: Sequence[Operation], fetches: Iterable[Tensor | Operation], feeds: Collection[Tensor],
    static: Collection[Tensor] = (), host_nodes: Collection[Operation] = (), early: Collection[Operation] = (),
    lengths: Collection[Tensor] = (), most_nodes: int | None = None, pads: bool = True,
    apart: Collection[Operation] = (), best: Place = Place(), places: Mapping[Operation, Place] = MappingProxyType({}),
) -> list[Stage]:
    """The stages of a run.

    Args:
        nodes: the nodes of the program, in order.
        fetches: the tensors and operations that the caller asked for.
        feeds: tensors whose values are given.
        static: tensors that some compiled node needs as static values: an earlier stage computes them.
        host_nodes: nodes for the device that turned out not to compile, and run on the host.
        early: nodes that go to the first stage possible, so that later stages get their outputs as inputs.
        lengths: lengths of tensor lists, which compiled programs take as run-time values.
        most_nodes: the number of nodes that a device stage may have, if there is a limit.
        pads: whether inputs may be padded. What is computed from padded inputs does not leave its stage.
        apart: nodes for the device that share no stage with others; see passes/sized.py.
        best: where nodes are ...
        places: ... that have no place of their own; see passes/place.py.
    """
    fed, wanted_static = set(feeds), set(static)
    fetches = list(fetches)
    late, fixed = late_reads(nodes, fed), fixed_size_uniques(nodes, fetches)
    if places:
        fixed = frozenset(node for node in fixed if _is_alone(node, nodes, places))
    order = _order_of_state(nodes, fed, late)
    level: dict[Operation, int] = {}
    waits: dict[Operation, list[tuple[Operation, int]]] = {}
    on_hosts = {n for n in nodes if not _stands_anywhere(n) and (n in host_nodes or n not in fixed and on_host(n))}
    on_hosts |= _reads_for_host(nodes, fetches, on_hosts)
    on_hosts |= integers_beside_host(nodes, on_hosts, fed, fixed, wanted_static)
    padded = padding(nodes, on_hosts, fetches, fed, fixed, host_nodes) if pads else Padding()
    on_hosts -= padded.nodes
    on_hosts -= joining_device(nodes, on_hosts, fetches, fed, host_nodes)
    if places:
        on_hosts |= parts_for_places(nodes, on_hosts, fed, places, best)
    map_ = _Map(nodes, on_hosts, best, places)
    for node in nodes:
        if _stands_anywhere(node) or node in map_.glue:
            continue
        host = node in on_hosts
        least = 1 if host else 0
        before = dict.fromkeys((*_awaited(node, fed, map_.glue), *order.get(node, ())))
        waits[node] = [(d, 0) for d in before if d in level]
        waits[node] += [(t.op, 2) for t in node._inputs
                        if t in wanted_static and t not in fed and t.op in level and not host]
        if apart and not host:
            waits[node] += [(d, 2) for d, _ in waits[node] if level[d] % 2 == 0 and (d in apart) != (node in apart)]
        if map_.has_several:
            bound = {*(t.op for t in node._inputs), *order.get(node, ())}
            waits[node] += [(d, 2) for d, _ in waits[node] if level[d] % 2 == host
                            and map_.divides(d, node, not host and d not in bound)]
        for dependency, distance in waits[node]:
            least = max(least, _after(level[dependency] + distance, host))
        level[node] = least
    _move_late(nodes, level, waits, {*early, *apart}, _worth_an_overlap(nodes, fed) if map_.has_several else (), map_)
    levels: Mapping[int, int] = {}
    if map_.has_several:
        levels, first = map_.separate(nodes, level), min(level.values(), default=0)
        for node in map_.glue:
            level[node] = max((level[d] for d in _awaited(node, fed, map_.glue) if d in level), default=first)
    if most_nodes is not None and len(nodes) > most_nodes:
        _cut_large(nodes, level, most_nodes)
        levels = {}  # of stages that are cut now
    if any(level[t.op] != level[user] for t in padded.derived for user in t._consumers if user in level):
        return partition(nodes, fetches, feeds, static, host_nodes, early, lengths, most_nodes, False, apart, best,
                         places)
    return _stages(nodes, level, fetches, fed, wanted_static, fixed | padded.nodes, late, frozenset(lengths), padded,
                   map_, levels)


class _Map:
    """Where the nodes of a program are.

    Attributes:
        has_several: whether there are several places for nodes of the same kind, host or device.
        glue: nodes that only wait for others. Where there are several places they run where the last of these does.
    """

    def __init__(
        self, nodes: Sequence[Operation], on_hosts: Collection[Operation], best: Place,
        places: Mapping[Operation, Place],
    ) -> None:
        self._on_hosts, self.best, self._places = on_hosts, best, dict(places)
        self.has_several, self.glue = False, frozenset[Operation]()
        if not places:
            return
        self._join_users(nodes)
        bound = [n for n in nodes if not _stands_anywhere(n) and n.opdef.kind is not Kind.NO_OP]
        devices = {self.at(n) for n in bound if n not in on_hosts}
        self.has_several = len(devices) > 1 or len({self.at(n) for n in bound if n in on_hosts}) > 1
        if self.has_several:
            self.glue = frozenset(n for n in nodes if n.opdef.kind is Kind.NO_OP)
        elif devices:
            (self.best,) = devices

    def at(self, node: Operation) -> Place:
        """The place of the stage that has a node."""
        asked = self.of(node)
        return asked.host if node in self._on_hosts else asked

    def of(self, node: Operation) -> Place:
        """The place of a node, whether or not it runs on the host."""
        return self._places.get(node, self.best)

    def divides(self, first: Operation, second: Operation, is_order_alone: bool) -> bool:
        """Whether a node has to wait for a stage elsewhere. Devices of one task store all of a step or nothing, so that
        nobody can tell the order of nodes which neither exchange values nor use a variable together."""
        before, after = self.at(first), self.at(second)
        return before != after and not (is_order_alone and before.task == after.task)

    def joins(self, node: Operation, level: Collection[Operation]) -> bool:
        """Whether a node for a device takes values that are computed on a device elsewhere."""
        return self.has_several and node not in self._on_hosts and any(
            t.op in level and t.op not in self._on_hosts and self.at(t.op) != self.at(node) for t in node._inputs)

    def place(self, number: int, group: Iterable[Operation]) -> Place:
        """The place of a stage."""
        bound = next((self.at(node) for node in group if node not in self.glue), self.best)
        return bound.host if number % 2 else bound

    def _join_users(self, nodes: Sequence[Operation]) -> None:
        """Moves nodes for the host that are compiled nevertheless to the nodes that use them."""
        running = set(nodes)
        for node in reversed(nodes):
            if node.opdef.on == "host" and node not in self._on_hosts and not _stands_anywhere(node):
                users = [self.of(user) for t in node.outputs for user in t._consumers if user in running]
                self._places[node] = users[0] if users else self.best

    def separate(self, nodes: Sequence[Operation], level: dict[Operation, int]) -> dict[int, int]:
        """Gives stages of different places on one level numbers of their own, in the order of their first nodes.

        Returns:
            The level of each number.
        """
        first: dict[tuple[int, Place], int] = {}
        for position, node in enumerate(nodes):
            if node in level:
                first.setdefault((level[node], self.at(node)), position)
        number, numbers = -1, {}
        for key in sorted(first, key=lambda key: (key[0], first[key])):
            number = numbers[key] = _after(number + 1, bool(key[0] % 2))
        level.update({node: numbers[level[node], self.at(node)] for node in level})
        return {number: key[0] for key, number in numbers.items()}


def _is_alone(node: Operation, nodes: Collection[Operation], places: Mapping[Operation, Place]) -> bool:
    """Whether all nodes that depend on a node through their inputs are at its place."""
    running, seen, left = set(nodes), {node}, [node]
    while left:
        for tensor in left.pop().outputs:
            for user in tensor._consumers:
                if user in running and user not in seen:
                    seen.add(user)
                    left.append(user)
    return len({places.get(each) for each in seen}) == 1


def only_computes(node: Operation) -> bool:
    """Whether an operation has an effect only by its outputs, or by failing."""
    return node.opdef.is_pure and bool(node.outputs)


def _reads_for_host(
    nodes: Sequence[Operation], fetches: Collection[Tensor | Operation], on_hosts: set[Operation]
) -> set[Operation]:
    """Reads of variables that only host nodes use, in runs that do not write the variable: they join these nodes.

    A host stage takes all variables that it reads at one moment, as a checkpoint has to.
    """
    reads = [n for n in nodes if _reads_variable(n) and not n._control_inputs and n.outputs[0] not in fetches]
    if not reads or not on_hosts:
        return set()
    present = set(nodes)
    written = {storage for node in nodes for storage, writes in touched(node) if writes}
    users = {n: [c for c in n.outputs[0]._consumers if c in present] for n in reads}
    return {n for n in reads if users[n] and on_hosts.issuperset(users[n]) and owner(n._inputs[0]) not in written}


def _reads_variable(node: Operation) -> bool:
    """Whether the node is what reads a variable, by a handle or by a reference."""
    return node.opdef.kind is Kind.READ or node.opdef.kind is Kind.IDENTITY and node._inputs[0]._dtype.is_ref \
        and not node.outputs[0]._dtype.is_ref


def _move_late(
    nodes: Sequence[Operation], level: dict[Operation, int], waits: dict[Operation, list[tuple[Operation, int]]],
    early: Collection[Operation], overlapping: Collection[Operation], map_: _Map,
) -> None:
    """Moves device nodes to the last stage that their users allow.

    A node that no host stage needs is then in one program with its users: fewer values cross between stages, variables
    are read in the stage that uses them, and updates are in the last stage, which may donate the variables. But if a
    user also takes values of another place, the nodes before it that are worth it are a stage that runs meanwhile.
    """
    last = max((n for n in level.values() if n % 2 == 0), default=0)
    latest: dict[Operation, int] = {}
    for node in reversed(nodes):
        if node not in level:
            continue
        if level[node] % 2 == 0 and node not in early:
            level[node] = max(level[node], latest.get(node, last))
        joins = map_.joins(node, level)
        for dependency, distance in waits[node]:
            if level[dependency] % 2 == 0:
                limit = level[node] - distance - level[node] % 2
                if joins and dependency in overlapping and level[dependency] < limit == level[node]:
                    limit -= 2
                latest[dependency] = min(latest.get(dependency, last), limit)


def _worth_an_overlap(nodes: Sequence[Operation], fed: Collection[Tensor]) -> set[Operation]:
    """The nodes that depend on feeds or on the host. What follows from variables alone is little, or can wait."""
    found: set[Operation] = set()
    for node in nodes:
        if node.opdef.on == "host" or any(t in fed or t.op in found for t in node._inputs):
            found.add(node)
    return found


def _cut_large(nodes: Sequence[Operation], level: dict[Operation, int], most_nodes: int) -> None:
    """Cuts device stages of too many nodes into several of about the same size.

    XLA's compile time grows faster than the size of a program: four small programs compile in a fraction of the time of
    a program four times as large. Consecutive nodes stay together, so that the order of reads and writes does too.
    """
    placed = [node for node in nodes if node in level]
    totals = collections.Counter(level[node] for node in placed)
    parts = {number: 1 if number % 2 else -(-total // most_nodes) for number, total in totals.items()}
    first = {number: number + 2 * sum(parts[n] - 1 for n in parts if n < number) for number in parts}
    seen: collections.Counter[int] = collections.Counter()
    for node in placed:
        number = level[node]
        level[node] = first[number] + 2 * (seen[number] * parts[number] // totals[number])
        seen[number] += 1


def on_host(node: Operation) -> bool:
    """Whether the node runs as Python: its op does, it takes or gives strings or objects, or its functions do."""
    opdef = node.opdef
    if opdef.on == "host":
        return True
    if opdef.on == "anywhere":
        return any(is_host_dtype(t._dtype) and t.op.opdef.kind is not Kind.CONSTANT for t in node._inputs)
    if any(_only_python(t) for t in node._inputs) or any(_only_python(t) for t in node.outputs):
        return True
    if opdef.kind is Kind.IDENTITY and node._inputs[0]._dtype is dtypes.variant:  # perhaps a list of strings
        return on_host(node._inputs[0].op)
    # A string constant in a function, such as the message of a check, does not run on the host by itself.
    inside = (inner for function in functions_of(node) for inner in function._nodes)
    return any(on_host(inner) for inner in inside if not _stands_anywhere(inner))


def _only_python(tensor: Tensor) -> bool:
    dtype = tensor._dtype.base_dtype
    is_object = dtype is dtypes.resource and owner(tensor).op.opdef.kind not in (Kind.VARIABLE, Kind.PLACEHOLDER)
    return dtype is dtypes.string or is_object


def _awaited(node: Operation, fed: set[Tensor], glue: Collection[Operation] = ()) -> dict[Operation, None]:
    """The nodes that run before the node. Of constants and `glue`, which have no stage of their own, those before."""
    found: dict[Operation, None] = {}
    left = dependencies(node, fed)
    while left:
        each = left.pop()
        if each in found:
            continue
        found[each] = None
        if _stands_anywhere(each) or each in glue:
            left += control_dependencies(each, fed)
    return found


def _stands_anywhere(node: Operation) -> bool:
    """Whether each stage that uses the node has a copy of it, as of constants and handles."""
    return node.opdef.kind is Kind.CONSTANT or not node._inputs and (is_handle(node) or _names_object(node))


def _names_object(node: Operation) -> bool:
    """Whether a node without inputs only finds an object of the session, by a reference, which cannot cross stages."""
    return "shared" in node.opdef.wants and bool(node.outputs) and node.outputs[0]._dtype.is_ref


def _after(level: int, host: bool) -> int:
    """The first level from `level` on that is for the host (odd) or for the device (even)."""
    return level if level % 2 == host else level + 1


def _order_of_state(nodes: Sequence[Operation], fed: set[Tensor], late: LateReads) -> dict[Operation, list[Operation]]:
    """The nodes that run before each node so that reads and writes of a variable keep the order of `nodes`."""
    last_write: dict[Tensor, Operation] = {}
    reads: dict[Tensor, list[Operation]] = {}
    waits: dict[Operation, list[Operation]] = {}
    for node in nodes:
        for storage, writes in (*touched(node), *((v, False) for v in late.get(node, {}).values())):
            if storage in fed:
                continue
            if storage in last_write and last_write[storage] is not node:
                waits.setdefault(node, []).append(last_write[storage])
            if writes:
                waits.setdefault(node, []).extend(r for r in reads.pop(storage, ()) if r is not node)
                last_write[storage] = node
            else:
                reads.setdefault(storage, []).append(node)
    return waits


def _stages(
    nodes: Sequence[Operation], level: dict[Operation, int], fetches: Iterable[Tensor | Operation], fed: set[Tensor],
    static: set[Tensor], fixed: frozenset[Operation], late: LateReads, lengths: frozenset[Tensor], padded: Padding,
    map_: _Map, levels: Mapping[int, int],
) -> list[Stage]:
    groups: dict[int, list[Operation]] = {}
    for node in nodes:
        if node in level:
            groups.setdefault(level[node], []).append(node)
    wanted = [f for f in fetches if isinstance(f, Tensor) and f not in fed]
    asked = [f for f in fetches if isinstance(f, Operation) and only_computes(f)]
    copied = [f.op for f in wanted if f.op not in level]
    places = {number: map_.place(number, group) for number, group in groups.items()}
    homes = _homes(copied, groups, places, map_)
    order = sorted(groups)
    members = {n: set(groups[n]) for n in order}
    used_by: dict[Tensor, set[int]] = {}
    for number in order:
        for node in groups[number]:
            for tensor in _taken(node, late):
                used_by.setdefault(tensor, set()).add(number)
    stages = []
    last_device = max((number for number in order if number % 2 == 0), default=0)
    is_alone = list(levels.values()).count(levels.get(last_device, -1)) <= 1
    by_shapes: dict[Operation, bool] = {}
    for number in order:
        own, place = members[number], places[number]
        fetched = [node for node, home in homes.items() if home == number]
        extra = _copied(groups[number], fed, own, fetched, late)
        inputs: dict[Tensor, None] = {}
        for node in groups[number]:
            for tensor in _taken(node, late):
                source = owner(tensor) if tensor._dtype.is_ref and tensor.op not in own else tensor
                if tensor in fed or source.op not in own and source.op not in extra:
                    inputs[tensor] = None
        outputs = [
            t
            for node in groups[number]
            for t in node.outputs
            if t not in fed and (used_by.get(t, set()) - {number} and not t._dtype.is_ref or t in wanted)
        ]
        outputs += [t for t in wanted if t.op in fetched]
        stages.append(
            Stage(
                bool(number % 2),
                tuple(extra) + tuple(groups[number]),
                tuple(inputs),
                tuple(dict.fromkeys(outputs)),
                frozenset(t for t in inputs if t in static or number % 2 == 0 and t not in fed and t not in lengths
                          and follow_from_shapes(t, by_shapes)),
                number >= last_device and is_alone,
                fixed & own,
                {node: reads for node, reads in late.items() if node in own},
                lengths.intersection(t for node in groups[number] for t in node._inputs),
                Padding() if number % 2 else padded.of(inputs),
                asked=frozenset(own.intersection(asked)),
                place=place,
                guests=frozenset(n for n in extra if is_handle(n) and map_.of(n) != place)
                if map_.has_several and number % 2 == 0 else frozenset(),
                level=levels.get(number),
            )
        )
    return stages


def _homes(
    copied: Sequence[Operation], groups: dict[int, list[Operation]], places: dict[int, Place], map_: _Map
) -> dict[Operation, int]:
    """The stages that return fetched constants and variables: the last one, or another behind it where these live."""
    if groups and not copied:
        return {}
    home = max(groups, default=0)
    home += any(on_host(n) for n in copied) and home % 2 == 0
    if home not in groups:
        groups[home], places[home] = [], map_.best.host if home % 2 else map_.best
    homes, found = {places[home]: home}, {}
    for node in copied:
        lives = map_.of(node) if map_.has_several and home % 2 == 0 and is_handle(node) else places[home]
        if lives not in homes:
            homes[lives] = number = max(groups) + 2
            groups[number], places[number] = [], lives
        found[node] = homes[lives]
    return found


def _taken(node: Operation, late: LateReads) -> list[Tensor]:
    """The inputs of a node, with variables in place of late reads."""
    reads = late.get(node)
    return node._inputs if reads is None else [reads.get(i, t) for i, t in enumerate(node._inputs)]


def _copied(
    group: Sequence[Operation], fed: set[Tensor], own: set[Operation], fetched: Iterable[Operation], late: LateReads
) -> dict[Operation, None]:
    """The constants and handles that a stage has copies of, handles behind references included."""
    found: dict[Operation, None] = dict.fromkeys(fetched)
    for node in group:
        for tensor in _taken(node, late):
            if tensor in fed:
                continue
            source = owner(tensor) if tensor.op not in own and tensor._dtype.is_ref else tensor
            if _stands_anywhere(source.op):
                found[source.op] = None
    return found
