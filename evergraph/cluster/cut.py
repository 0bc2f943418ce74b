"""Cuts a step into parts, each of one task, which run one after another or side by side.

A part is what one call of a task does: it takes values, and gives values. A node is in the first part of its task that
its inputs allow, or, if it only computes or uses variables, in the last that its users allow, so that a step has few
parts: of a parameter server mostly one that reads and one that writes. Constants and handles are copied into each part
that uses them. Reads and writes of a variable keep the order that they have in one process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from evergraph.base import dtypes, errors
from evergraph.graph.function import has_effect
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.passes.prune import control_dependencies, dependencies, standing_for
from evergraph.passes.reads_after_writes import LateReads, late_reads
from evergraph.passes.state import is_handle, owner, touched

Task = str | None
"""The address of a task of another process; None for all tasks of this one."""


@dataclass(eq=False)
class Part:
    """What one task does at once.

    Attributes:
        task: where.
        nodes: in order; constants and handles that they use are not among them.
        inputs: what it takes from feeds and other parts: tensor as its nodes know it -> tensor whose value that is.
        outputs: tensors that other parts or the caller need.
        needs: the parts that run before it.
        late: see passes/reads_after_writes.py.
    """

    task: Task
    nodes: list[Operation] = field(default_factory=list)
    inputs: dict[Tensor, Tensor] = field(default_factory=dict)
    outputs: dict[Tensor, None] = field(default_factory=dict)
    needs: set[Part] = field(default_factory=set)
    late: LateReads = field(default_factory=dict)


def cut(
    nodes: Sequence[Operation], fetches: Sequence[Tensor | Operation], feeds: Collection[Tensor],
    task_of: Callable[[Operation], Task],
) -> list[Part]:
    """The parts of a step, in an order in which they may run.

    Args:
        nodes: the nodes of the step, in order.
        fetches: what the caller asked for.
        feeds: tensors whose values are given.
        task_of: node -> its task.

    Raises:
        UnimplementedError: a task would need an object of another one.
    """
    return _Cut(nodes, fetches, feeds, task_of).parts()


def stands_anywhere(node: Operation) -> bool:
    """Whether each part that uses the node has a copy of it, as of constants and handles."""
    if node.opdef.kind is Kind.CONSTANT or not node._inputs and is_handle(node):
        return True
    return not node._inputs and bool(node.outputs) and "shared" in node.opdef.wants and is_name(node.outputs[0])


def is_name(tensor: Tensor) -> bool:
    """Whether a tensor stands for a variable or an object, by a reference or a handle."""
    return tensor._dtype.is_ref or tensor._dtype is dtypes.resource


class _Cut:
    def __init__(self, nodes: Sequence[Operation], fetches: Sequence[Tensor | Operation], feeds: Collection[Tensor],
                 task_of: Callable[[Operation], Task]) -> None:
        self._fed, self._fetches = set(feeds), fetches
        self._running = set(nodes)
        self._nodes = [n for n in nodes if not stands_anywhere(n) and not self._is_glue(n)]
        self._late = late_reads(nodes, self._fed)
        self._task = {node: task_of(node) for node in nodes}
        waits = _order_of_state(self._nodes, self._fed, self._late)
        self._waits = {n: [*self._awaited(n), *waits.get(n, ())] for n in self._nodes}
        self._level = self._levels()
        self._parts: dict[tuple[int, Task], Part] = {}
        self._part: dict[Operation, Part] = {}

    def _is_glue(self, node: Operation) -> bool:
        """Whether a node only waits for others, and for nobody's value."""
        return node.opdef.kind is Kind.NO_OP

    def _awaited(self, node: Operation) -> list[Operation]:
        """The nodes that run before a node; of constants, handles and glue, those before them."""
        found, left = [], dependencies(node, self._fed)
        while left:
            each = left.pop()
            if each not in self._running:
                continue
            if stands_anywhere(each) or self._is_glue(each):
                left += control_dependencies(each, self._fed)
            else:
                found.append(each)
        return found

    # ---- levels

    def _levels(self) -> dict[Operation, int]:
        level: dict[Operation, int] = {}
        for node in self._nodes:
            level[node] = max((level[d] + self._is_far(d, node) for d in self._waits[node] if d in level), default=0)
        latest: dict[Operation, int] = {}
        for node in reversed(self._nodes):
            if node in latest and _may_wait(node):
                level[node] = max(level[node], latest[node])
            for before in self._waits[node]:
                limit = level[node] - self._is_far(before, node)
                latest[before] = min(latest.get(before, limit), limit)
        return level

    def _is_far(self, one: Operation, other: Operation) -> bool:
        return self._task[one] != self._task[other]

    # ---- parts

    def parts(self) -> list[Part]:
        for node in self._nodes:
            part = self._part_at(self._level[node], self._task[node])
            part.nodes.append(node)
            self._part[node] = part
        for node in self._nodes:
            part = self._part[node]
            part.needs.update(self._part[d] for d in self._waits[node] if self._part[d] is not part)
            for position, tensor in enumerate(node._inputs):
                self._take(part, node, position, standing_for(tensor))
        for fetch in self._fetches:
            if isinstance(fetch, Tensor) and fetch not in self._fed:
                self._source_part(standing_for(fetch)).outputs[standing_for(fetch)] = None
        return [self._parts[key] for key in sorted(self._parts, key=lambda key: (key[0], str(key[1])))]

    def _part_at(self, level: int, task: Task) -> Part:
        return self._parts.setdefault((level, task), Part(task))

    def _take(self, part: Part, node: Operation, position: int, tensor: Tensor) -> None:
        """Has a part get an input of one of its nodes."""
        if tensor in self._fed:
            part.inputs[tensor] = tensor
            return
        variable = self._late.get(node, {}).get(position)
        if variable is not None:
            part.late.setdefault(node, {})[position] = variable
            if self._task[variable.op] != part.task:
                part.inputs[variable] = variable
                self._last_part(variable.op, before=part).outputs[variable] = None
            return
        if stands_anywhere(tensor.op):
            if is_name(tensor) and self._task.get(tensor.op, part.task) != part.task:
                raise _stuck(node, tensor)
            return
        source = self._part[tensor.op]
        if source is part:
            return
        if is_name(tensor) and source.task == part.task and stands_anywhere(owner(tensor).op):
            return  # it is the variable itself, by another name
        if tensor._dtype.base_dtype in (dtypes.resource, dtypes.variant):
            raise _stuck(node, tensor)
        part.inputs[tensor] = tensor
        source.outputs[tensor] = None

    def _source_part(self, tensor: Tensor) -> Part:
        """The part that gives the value of a fetch: that of a variable at the end of the step."""
        if tensor.op in self._part:
            return self._part[tensor.op]
        if not is_name(tensor):  # a constant is fetched from its task, as TensorFlow does, though others have copies
            task = self._task[tensor.op]
            return self._part_at(min((level for level, where in self._parts if where == task), default=0), task)
        part = self._last_part(tensor.op)
        users = [node for node in self._nodes if any(storage is tensor for storage, _ in touched(node))]
        part.needs.update(self._part[node] for node in users if self._part[node] is not part)
        return part

    def _last_part(self, variable: Operation, before: Part | None = None) -> Part:
        """The last part that uses the task of a variable, up to another part; a new one if there is none."""
        task = self._task[variable]
        levels = [level for level, where in self._parts if where == task
                  and (before is None or self._parts[level, where] in before.needs)]
        return self._part_at(max(levels, default=0), task)


def _may_wait(node: Operation) -> bool:
    """Whether a node may run later than it could: it only computes, or reads and writes variables."""
    used = touched(node)
    return not has_effect(node) or bool(used) and all(s.op.opdef.kind is Kind.VARIABLE for s, _ in used)


def _order_of_state(
    nodes: Sequence[Operation], fed: Collection[Tensor], late: LateReads
) -> Mapping[Operation, list[Operation]]:
    """The nodes that run before each node so that reads and writes of a variable keep the order of `nodes`."""
    last_write: dict[Tensor, Operation] = {}
    reads: dict[Tensor, list[Operation]] = {}
    waits: dict[Operation, list[Operation]] = {}
    for node in nodes:
        for storage, writes in (*touched(node), *((v, False) for v in late.get(node, {}).values())):
            if storage in fed or storage.op.opdef.kind is not Kind.VARIABLE:
                continue
            if storage in last_write and last_write[storage] is not node:
                waits.setdefault(node, []).append(last_write[storage])
            if writes:
                waits.setdefault(node, []).extend(r for r in reads.pop(storage, ()) if r is not node)
                last_write[storage] = node
            else:
                reads.setdefault(storage, []).append(node)
    return waits


def _stuck(node: Operation, tensor: Tensor) -> errors.UnimplementedError:
    return errors.UnimplementedError(
        None, node, f"{node.name} on {node.device or 'the device of the session'} uses {tensor.name}, which is an "
        f"object of {tensor.op.device or 'the device of the session'}: only numbers and strings go from task to task "
        f"({node.where})")
