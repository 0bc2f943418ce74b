"""Gives imported loops a gradient: a While in the same graph that stands for the frame.

Walking backwards through a frame is another matter than through a While, whose body is a function. So tf.gradients adds
a While for every frame on its way, and notes in the graph what has the value of what (`Graph.stand_ins`). From then on
the walk, and every run, takes the While's outputs for those of the frame: the loop runs once, and draws its random
numbers once. The imported nodes stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from evergraph.base import errors
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor, share_handle_data
from evergraph.passes.imported import arrays_to_lists
from evergraph.passes.imported.arrays import MAKES, READS, Lists, find_lists
from evergraph.passes.imported.branches import Unit, is_switched, resolved
from evergraph.passes.imported.frames import ENTERS, EXITS, find_frames
from evergraph.passes.imported.functionalize import Builder, region_of, without_back_edges
from evergraph.passes.prune import in_order, needed


def with_loops(ys: Sequence[Tensor], xs: Sequence[Tensor]) -> None:
    """Adds a While for each frame between some tensors of one graph, and lists for the tensor arrays.

    A loop of another form than tf.while_loop's gets none, and so has no gradient.
    """
    if not ys or isinstance(ys[0].graph, FuncGraph):
        return
    graph = ys[0].graph
    nodes = needed(ys, ())
    if not any(node.type in ENTERS or node.type == MAKES for node in nodes):
        return
    whole = find_frames(in_order(nodes, (), without_back_edges), ())
    builder = _Outer(graph, find_lists(whole, (), ()), set(whole.nodes))
    region, reached = region_of(whole, ()), _reached(xs, nodes)
    with _unscoped(graph):
        for unit in region.units:
            if builder.wants(unit, reached):
                builder.add_unit(unit)
    graph.stand_ins.update(builder.made())


def _reached(xs: Sequence[Tensor], nodes: set[Operation]) -> set[Operation]:
    """The nodes that depend on some of the tensors."""
    users: dict[Operation, list[Operation]] = {}
    for node in nodes:
        for tensor in node._inputs:
            users.setdefault(tensor.op, []).append(node)
    found: set[Operation] = set()
    stack = [x.op for x in xs]
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            stack += users.get(node, ())
    return found


@contextmanager
def _unscoped(graph: Graph) -> Iterator[None]:
    """Nodes that are added wait for nothing but what they use, and have places of their own in the order of nodes."""
    first, before = len(graph._nodes), graph.scopes.control
    graph.scopes.control = ()
    try:
        yield
    finally:
        graph.scopes.control = before
        graph.place_last(first)


class _Inner(Builder):
    """Builds a function whose variables are arguments: gradients leave it that way.

    So are the outputs of a Switch around the loop: gradients of what one side does belong to that side.
    """

    def value(self, tensor: Tensor) -> Tensor:
        if tensor not in self.values and is_switched(tensor) and tensor.op in self._outer.outside:
            assert self.parent is not None
            self.values[tensor] = self.graph.capture(self.parent.value(tensor))
        return super().value(tensor)

    @property
    def _outer(self) -> _Outer:
        builder = self.parent
        while not isinstance(builder, _Outer):
            assert builder is not None
            builder = builder.parent
        return builder

    def _repeats(self, node: Operation) -> bool:
        return node.type == "Const"


class _Outer(Builder):
    """Builds beside the originals, in their own graph: what is neither a loop nor an array is there already.

    Attributes:
        outside: the nodes in no loop.
    """

    def __init__(self, graph: Graph, lists: Lists, outside: set[Operation]) -> None:
        home = graph.home
        super().__init__(graph, None, graph, (), {}, lists)
        graph.home = home
        self.inner, self.outside = _Inner, outside

    def value(self, tensor: Tensor) -> Tensor:
        if tensor in self.values:
            return self.values[tensor]
        if arrays_to_lists.has_no_value(self.lists, tensor) or tensor in self.lists.flows:
            raise errors.UnimplementedError(None, tensor.op, f"the gradient of a loop that uses '{tensor.name}'")
        share_handle_data(resolved(tensor), tensor)
        return tensor

    def waits(self, nodes: Sequence[Operation]) -> list[Operation]:  # type: ignore[override]
        return list(dict.fromkeys(self.done.get(node, node) for node in nodes))

    def wants(self, unit: Unit, reached: set[Operation]) -> bool:
        """Whether the unit is a loop between xs and ys, or has to do with arrays, which such a loop may use."""
        if unit.loop is None:
            return arrays_to_lists.is_listed(self.lists, unit.node)
        return any(t in self.lists.flows for t in unit.makes) or not reached.isdisjoint(unit.nodes)

    def add_unit(self, unit: Unit) -> None:
        """Adds what stands for a unit, if anything can."""
        try:
            if unit.loop is not None:
                self._add_loop(unit)
            else:
                arrays_to_lists.add(self, unit.node, unit.waits)
        except errors.UnimplementedError:
            pass  # the walk says that there is no gradient, if it comes here

    def made(self) -> dict[Tensor, Tensor]:
        """What stands for the results of loops and arrays."""
        given = {tensor: new for tensor, new in self.values.items() if tensor not in self.lists.flows}
        return {tensor: new for tensor, new in given.items() if tensor.op.type in EXITS or tensor.op.type in READS}
