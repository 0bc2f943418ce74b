"""Makes a graph of its own of each part of a step, which its task can run without the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evergraph.base.devices import DeviceSpec
from evergraph.cluster.cut import Part, Task, is_name, stands_anywhere
from evergraph.graph.function import functions_of
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.passes.dead_code import add_feed, library_of
from evergraph.passes.prune import control_dependencies, standing_for
from evergraph.passes.state import owner


@dataclass(frozen=True)
class Built:
    """A part as a graph.

    Attributes:
        graph: the graph.
        feeds: its placeholders ...
        sources: ... and the tensors of the step whose values they take.
        fetches: what it computes for others ...
        outputs: ... and what these are in the step.
        targets: operations that run although nobody asks for their outputs.
    """

    graph: Graph
    feeds: tuple[Tensor, ...]
    sources: tuple[Tensor, ...]
    fetches: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    targets: tuple[Operation, ...]


def build(part: Part, address_of: Callable[[DeviceSpec], Task]) -> Built:
    """The graph of a part.

    Args:
        part: the part.
        address_of: the task of another process that a device names; None for those of this one, and for none.
    """
    copier = _Copier(part, address_of)
    for tensor in part.inputs:
        copier.values[tensor] = add_feed(copier.graph, tensor)
    feeds = tuple(copier.values[tensor] for tensor in part.inputs)
    for node in part.nodes:
        copier.add(node)
    fetches = tuple(copier.value(tensor) for tensor in part.outputs)
    used = {t.op for node in copier.nodes for t in node._inputs}.union(*(n._control_inputs for n in copier.nodes))
    fetched = {tensor.op for tensor in fetches}
    targets = tuple(node for node in map(copier.done.get, part.nodes) if node not in used and node not in fetched)
    _keep_functions(copier.graph, copier.nodes)
    return Built(copier.graph, feeds, tuple(part.inputs.values()), fetches, tuple(part.outputs), targets)  # type: ignore[arg-type]


class _Copier:
    """Copies the nodes of a part, and the constants and handles that they use, into a graph."""

    def __init__(self, part: Part, address_of: Callable[[DeviceSpec], Task]) -> None:
        origin = part.nodes[0].graph if part.nodes else next(iter(part.outputs)).graph
        self.graph, self.nodes = library_of(origin), []  # type: ignore[var-annotated]
        self.values: dict[Tensor, Tensor] = {}
        self.done: dict[Operation, Operation] = {}
        self._part, self._address_of, self._own = part, address_of, set(part.nodes)

    def add(self, node: Operation) -> Operation:
        late = self._part.late.get(node, {})
        inputs = [self._late(standing_for(t), late[i]) if i in late else self.value(standing_for(t))
                  for i, t in enumerate(node._inputs)]
        copy = self.done[node] = self.graph.add_copy(node, inputs)
        copy.extra.pop("_class", None)  # names nodes of other parts
        copy._set_device(self._device(node))
        self.values.update(zip(node.outputs, copy.outputs, strict=True))
        copy._control_inputs = list(dict.fromkeys(self.done[each] for each in self._awaited(node)))
        self.nodes.append(copy)
        return copy

    def value(self, tensor: Tensor) -> Tensor:
        """The copy of a tensor; constants and handles are copied when they are first used."""
        found = self.values.get(tensor)
        if found is not None:
            return found
        if is_name(tensor) and not stands_anywhere(tensor.op):  # of an earlier part
            return self.value(owner(tensor))
        self.add(tensor.op)
        return self.values[tensor]

    def _late(self, read: Tensor, variable: Tensor) -> Tensor:
        """The read of a variable anew, through as many nodes as the read itself; one elsewhere comes as a value."""
        if read is variable or variable in self._part.inputs:
            return self.value(variable)
        inner = self._late(read.op._inputs[0], variable)
        copy = self.graph.add_copy(read.op, [inner])
        copy._set_device("")
        copy.extra.pop("_class", None)
        self.nodes.append(copy)
        return copy.outputs[0]

    def _awaited(self, node: Operation) -> Iterable[Operation]:
        """The nodes of the part that a node waits for by control inputs, through those that only wait, too."""
        left, seen = control_dependencies(node, self._part.inputs), set()
        while left:
            each = left.pop()
            if each in seen:
                continue
            seen.add(each)
            if each in self.done and each in self._own:
                yield each
            elif each not in self._own and (not each.outputs or stands_anywhere(each)):
                left += control_dependencies(each, self._part.inputs)

    def _device(self, node: Operation) -> str:
        """The device that a copy asks for: in another process without the task, which is the only one there."""
        if not node._device:
            return ""
        asked = DeviceSpec.from_string(node._device)
        if self._address_of(asked) != self._part.task and asked.job is not None:
            return ""
        return node._device if self._part.task is None \
            else asked.replace(job=None, replica=None, task=None).to_string()


def _keep_functions(graph: Graph, nodes: Sequence[Any]) -> None:
    """Leaves a graph those functions alone that its nodes call."""
    found: dict[str, Any] = {}
    left = [function for node in nodes for function in functions_of(node)]
    while left:
        function = left.pop()
        if function.name not in found:
            found[function.name] = function
            left += [inner for node in function._nodes for inner in functions_of(node)]
    graph._functions = {name: each for name, each in graph._functions.items() if name in found}
