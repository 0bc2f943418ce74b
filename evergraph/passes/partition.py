"""Partitions a pruned graph into stages that alternate between host and device."""

from __future__ import annotations

import collections
import functools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from evergraph.base import dtypes
from evergraph.graph.function import functions_of
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.values import is_host_dtype
from evergraph.passes.fixed_size_unique import fixed_size_uniques
from evergraph.passes.integers import integers_beside_host
from evergraph.passes.joining_device import joining_device
from evergraph.passes.padding import Padding, padding
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
        donates: no device stage runs after it, so that its program may update variables in place.
        fixed: nodes whose inputs or outputs are padded; see passes/fixed_size_unique.py and passes/padding.py.
        late: inputs that are read from a variable when the node runs; see passes/reads_after_writes.py.
        lengths: tensors that give lists their lengths at run time; see passes/dynamic_lengths.py.
        padding: which inputs are padded; see passes/padding.py.
        asked: the operations that the caller asked for although they only compute: they run, and may fail.
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

    @functools.cached_property
    def static_positions(self) -> tuple[int, ...]:
        """Where among the inputs the static ones are. A static list is none of them: its length is part of its type."""
        return tuple(i for i, t in enumerate(self.inputs) if t in self.static and t._dtype is not dtypes.variant)

    @functools.cached_property
    def dynamic_positions(self) -> tuple[int, ...]:
        """Where among the inputs those are that the compiled program takes as arguments."""
        static = set(self.static_positions)
        return tuple(i for i in range(len(self.inputs)) if i not in static)


def partition(
    nodes: Sequence[Operation],
    fetches: Iterable[Tensor | Operation],
    feeds: Collection[Tensor],
    static: Collection[Tensor] = (),
    host_nodes: Collection[Operation] = (),
    early: Collection[Operation] = (),
    lengths: Collection[Tensor] = (),
    most_nodes: int | None = None,
    pads: bool = True,
    apart: Collection[Operation] = (),
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
    """
    fed, wanted_static = set(feeds), set(static)
    fetches = list(fetches)
    late, fixed = late_reads(nodes, fed), fixed_size_uniques(nodes, fetches)
    order = _order_of_state(nodes, fed, late)
    level: dict[Operation, int] = {}
    waits: dict[Operation, list[tuple[Operation, int]]] = {}
    on_hosts = {n for n in nodes if not _stands_anywhere(n) and (n in host_nodes or n not in fixed and on_host(n))}
    on_hosts |= _reads_for_host(nodes, fetches, on_hosts)
    on_hosts |= integers_beside_host(nodes, on_hosts, fed, fixed, wanted_static)
    padded = padding(nodes, on_hosts, fetches, fed, fixed, host_nodes) if pads else Padding()
    on_hosts -= padded.nodes
    on_hosts -= joining_device(nodes, on_hosts, fetches, fed, host_nodes)
    for node in nodes:
        if _stands_anywhere(node):
            continue
        host = node in on_hosts
        least = 1 if host else 0
        waits[node] = [(d, 0) for d in (*_awaited(node, fed), *order.get(node, ())) if d in level]
        waits[node] += [(t.op, 2) for t in node._inputs
                        if t in wanted_static and t not in fed and t.op in level and not host]
        if apart and not host:
            waits[node] += [(d, 2) for d, _ in waits[node] if level[d] % 2 == 0 and (d in apart) != (node in apart)]
        for dependency, distance in waits[node]:
            least = max(least, _after(level[dependency] + distance, host))
        level[node] = least
    _move_late(nodes, level, waits, {*early, *apart})
    if most_nodes is not None and len(nodes) > most_nodes:
        _cut_large(nodes, level, most_nodes)
    if any(level[t.op] != level[user] for t in padded.derived for user in t._consumers if user in level):
        return partition(nodes, fetches, feeds, static, host_nodes, early, lengths, most_nodes, False, apart)
    return _stages(nodes, level, fetches, fed, wanted_static, fixed | padded.nodes, late, frozenset(lengths), padded)


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
    nodes: Sequence[Operation],
    level: dict[Operation, int],
    waits: dict[Operation, list[tuple[Operation, int]]],
    early: Collection[Operation],
) -> None:
    """Moves device nodes to the last stage that their users allow.

    A node that no host stage needs is then in one program with its users: fewer values cross between stages, variables
    are read in the stage that uses them, and updates are in the last stage, which may donate the variables.
    """
    last = max((n for n in level.values() if n % 2 == 0), default=0)
    latest: dict[Operation, int] = {}
    for node in reversed(nodes):
        if node not in level:
            continue
        if level[node] % 2 == 0 and node not in early:
            level[node] = max(level[node], latest.get(node, last))
        for dependency, distance in waits[node]:
            if level[dependency] % 2 == 0:
                limit = level[node] - distance - level[node] % 2
                latest[dependency] = min(latest.get(dependency, last), limit)


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
    return dtype is dtypes.string or dtype is dtypes.resource and not _names_variable(tensor)


def _names_variable(tensor: Tensor) -> bool:
    return owner(tensor).op.opdef.kind in (Kind.VARIABLE, Kind.PLACEHOLDER)


def _awaited(node: Operation, fed: set[Tensor]) -> list[Operation]:
    """The nodes that run before the node. A constant has no stage of its own: its users get its control inputs."""
    found, left = [], dependencies(node, fed)
    while left:
        each = left.pop()
        found.append(each)
        if _stands_anywhere(each):
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
    nodes: Sequence[Operation],
    level: dict[Operation, int],
    fetches: Iterable[Tensor | Operation],
    fed: set[Tensor],
    static: set[Tensor],
    fixed: frozenset[Operation],
    late: LateReads,
    lengths: frozenset[Tensor],
    padded: Padding,
) -> list[Stage]:
    groups: dict[int, list[Operation]] = {}
    for node in nodes:
        if node in level:
            groups.setdefault(level[node], []).append(node)
    wanted = [f for f in fetches if isinstance(f, Tensor) and f not in fed]
    asked = [f for f in fetches if isinstance(f, Operation) and only_computes(f)]
    copied = [f.op for f in wanted if f.op not in level]
    if copied or not groups:  # fetched constants and variables
        home = max(groups, default=0)
        home += any(on_host(n) for n in copied) and home % 2 == 0
        groups.setdefault(home, [])
    order = sorted(groups)
    members = {n: set(groups[n]) for n in order}
    used_by: dict[Tensor, set[int]] = {}
    for number in order:
        for node in groups[number]:
            for tensor in _taken(node, late):
                used_by.setdefault(tensor, set()).add(number)
    stages = []
    last_device = max((number for number in order if number % 2 == 0), default=0)
    by_shapes: dict[Operation, bool] = {}
    for number in order:
        own, is_last = members[number], number == order[-1]
        extra = _copied(groups[number], fed, own, copied if is_last else (), late)
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
        outputs += [t for t in wanted if t.op in extra and is_last and t.op not in level]
        stages.append(
            Stage(
                bool(number % 2),
                tuple(extra) + tuple(groups[number]),
                tuple(inputs),
                tuple(dict.fromkeys(outputs)),
                frozenset(t for t in inputs if t in static or number % 2 == 0 and t not in fed and t not in lengths
                          and follow_from_shapes(t, by_shapes)),
                number >= last_device,
                fixed & own,
                {node: reads for node, reads in late.items() if node in own},
                lengths.intersection(t for node in groups[number] for t in node._inputs),
                Padding() if number % 2 else padded.of(inputs),
                asked=frozenset(own.intersection(asked)),
            )
        )
    return stages


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
