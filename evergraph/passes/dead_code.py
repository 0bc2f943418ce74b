"""Removes what conditionals, loops and calls compute although the step does not need it, and what only that needs.

A node that calls functions takes all that they capture and gives all of their outputs, but TensorFlow 1's conditionals
and loops are plain dataflow: an output that nothing reads is not computed, and what only it reads (a placeholder, an
assignment, a random number) does not run. Where a step has such outputs, its nodes are copied with smaller functions;
the graph itself stays as it is. A copy keeps its variables and random streams under the name of its original.

Functions that come from a FunctionDef or a decorator are not dataflow: their stateful nodes run whenever they are
called, so that only functions without such nodes are cut down.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evergraph.base import dtypes
from evergraph.graph.codec import NameAttrList
from evergraph.graph.function import FuncGraph, functions_of, has_effect
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor, share_handle_data
from evergraph.graph.primitives import PLACEHOLDER
from evergraph.graph.traits import CALLS, Kind
from evergraph.passes.prune import NodeSearch, control_dependencies, in_order, standing_for
from evergraph.passes.state import with_inner

Element = Tensor | Operation


def without_dead_code(
    fetches: Sequence[Element], feeds: Sequence[Tensor], shares_updates: bool = False
) -> tuple[Sequence[Element], Sequence[Tensor]]:
    """The fetches and feeds in a graph that computes the same, and in its functions only what they need.

    Args:
        fetches: tensors and operations of one graph.
        feeds: the tensors whose values are given; the arguments, if the graph is a function.
        shares_updates: the copy may be one that was made for other fetches with the same updates, so that both can
            share a step (passes/share.py). It may compute more than these fetches need, nothing that anyone could tell.

    Returns:
        The arguments themselves when there is no dead code.
    """
    if not fetches:
        return fetches, feeds
    graph = fetches[0].graph
    if not graph.memo(_Calls).finds(graph, lambda node: node.opdef.kind in CALLS):
        return fetches, feeds
    live = find_live(fetches, feeds)
    if not any(live.leaves_out_inputs(node) for node in live.calls):
        return fetches, feeds
    if not shares_updates:
        copier = _copied(graph, live, feeds)
    else:
        copies = graph.memo(_Copies)
        with copies.lock:
            copier = copies.serving(graph, fetches, feeds, live) or copies.kept(graph, _copied(graph, live, feeds))
    return [copier.element(fetch) for fetch in fetches], [copier.values[tensor] for tensor in feeds]


def _copied(graph: Graph, live: Live, feeds: Sequence[Tensor]) -> Copier:
    copier = Copier(library_of(graph), live, feeds)
    copier.copy_all()
    return copier


class _Calls(NodeSearch):
    """Whether a node of a graph calls a function."""


# ---------------------------------------------------------------- liveness


@dataclass
class Live:
    """What some fetches need.

    Attributes:
        nodes: the nodes that run.
        calls: those that call functions which can be cut down -> the positions of their live outputs.
        arguments: such a node -> the positions of its live inputs.
        fed: the feeds that something reads.
    """

    nodes: set[Operation] = field(default_factory=set)
    calls: dict[Operation, set[int]] = field(default_factory=dict)
    arguments: dict[Operation, set[int]] = field(default_factory=dict)
    fed: set[Tensor] = field(default_factory=set)

    def leaves_out_inputs(self, node: Operation) -> bool:
        return len(self.arguments[node]) < len(node._inputs)

    def agrees_with(self, other: Live) -> bool:
        """Whether the calls that both have are cut down in the same way."""
        return all(self.calls[node] == other.calls[node] for node in self.calls.keys() & other.calls.keys())

    def add(self, other: Live) -> None:
        """Adds what other fetches need."""
        self.nodes |= other.nodes
        self.calls.update(other.calls)
        self.arguments.update(other.arguments)
        self.fed |= other.fed


def find_live(
    fetches: Iterable[Element], feeds: Collection[Tensor], kept: Mapping[Operation, set[int]] | None = None
) -> Live:
    """The nodes behind `fetches`, cut at `feeds`, with the live outputs and inputs of those that call functions.

    `kept` has nodes that call functions, with the positions of outputs that are live whenever the node is.
    """
    live, fed = Live(), set(feeds)
    stack: list[Element] = list(fetches)
    waited: list[Operation] = []
    while stack or waited:
        if not stack:  # what waits for a quiet node waits for those of its outputs that are needed, if there are any
            stack += [node for node in waited if node not in live.nodes]
            waited = []
            continue
        element = stack.pop()
        if element in fed:
            live.fed.add(element)  # type: ignore[arg-type]
            continue
        tensor = standing_for(element) if isinstance(element, Tensor) else None
        node = tensor.op if tensor is not None else element
        assert isinstance(node, Operation)
        if node not in live.nodes:
            live.nodes.add(node)
            for before in control_dependencies(node, fed):
                (waited if _is_quiet(before) else stack).append(before)
            if can_be_cut(node):
                live.calls[node], live.arguments[node] = set(), set()
                stack += _more_arguments(live, node, kept[node]) if kept and node in kept else []
            else:
                stack += node._inputs
        if node in live.calls:
            # Who waits for the node waits for all that it does.
            outputs = {tensor.value_index} if tensor is not None else set(range(len(node.outputs)))
            stack += _more_arguments(live, node, outputs)
    return live


def _more_arguments(live: Live, node: Operation, outputs: set[int]) -> list[Tensor]:
    """The inputs of a node that become live with these outputs."""
    if outputs <= live.calls[node] and live.arguments[node]:
        return []
    live.calls[node] |= outputs
    if node.opdef.kind is Kind.WHILE:
        positions = _carried(node, live.calls[node])
        live.calls[node] = set(positions)
    else:
        first = len(node._inputs) - len(functions_of(node)[0].inputs)
        used = set().union(*(live_arguments(f, live.calls[node]) for f in functions_of(node)))
        positions = {*range(first), *(first + i for i in used)}
    more = positions - live.arguments[node]
    live.arguments[node] = positions
    return [node._inputs[i] for i in sorted(more)]


def _carried(node: Operation, outputs: set[int]) -> set[int]:
    """The loop variables that these loop variables, and whether the loop goes on, depend on."""
    cond, body = (node.graph.function(node.attrs[name].name) for name in ("cond", "body"))
    found = outputs | live_arguments(cond, {0})
    while True:
        more = found | live_arguments(body, found)
        if more == found:
            return found
        found = more


class _LiveArguments(dict[tuple[tuple[Tensor, ...], frozenset[int]], set[int]]):
    """The live arguments of a function by its outputs and the positions of those that are live."""


def live_arguments(function: FuncGraph, outputs: Collection[int]) -> set[int]:
    """The positions of the arguments that some outputs of a function depend on."""
    known = function.cache(_LiveArguments)
    key = (tuple(function.outputs), frozenset(outputs))
    if key not in known:
        wanted = [function.outputs[i] for i in outputs]
        live = find_live(wanted, function.inputs)
        known[key] = {i for i, t in enumerate(function.inputs) if t in live.fed}
    return known[key]


def can_be_cut(node: Operation) -> bool:
    """Whether the node calls functions of which only what their live outputs need has to run."""
    return node.opdef.kind in CALLS and all(f.is_dataflow or _is_stateless(f) for f in functions_of(node))


def _is_quiet(node: Operation) -> bool:
    """Whether the node calls functions that compute and do nothing else: no check of the program's, no state."""
    return can_be_cut(node) and all(map(_is_stateless, functions_of(node)))


def _is_stateless(function: FuncGraph) -> bool:
    return not any(has_effect(node) for node in with_inner(function._nodes))


# ---------------------------------------------------------------- copying


def library_of(graph: Graph) -> Graph:
    """An empty graph that knows the same functions; a function's is a function too."""
    library = Graph()
    library._functions = dict(graph.library)
    library.home = graph.home or graph
    return body_like(graph, library) if isinstance(graph, FuncGraph) else library


def body_like(function: FuncGraph, outer: Graph, is_new: bool = False) -> FuncGraph:
    """An empty function that keeps its variables and random streams where another one does."""
    copy = FuncGraph(function.name, outer, is_new)
    copy.home, copy.is_dataflow = function.home or function, function.is_dataflow
    return copy


def add_feed(graph: Graph, tensor: Tensor) -> Tensor:
    """Adds the placeholder of a tensor that is fed, or the argument of a function."""
    if isinstance(graph, FuncGraph):
        new = graph.add_input(tensor._dtype, tensor._shape, tensor.op.name)
    else:
        attrs = {"dtype": tensor._dtype.base_dtype, "shape": tensor._shape}
        name = graph.unique_name(tensor.op.name)
        new = graph.add_node(PLACEHOLDER.opdef, name, [], attrs, infer_shapes=False).outputs[0]
        new._shape = tensor._shape
    share_handle_data(tensor, new)
    new.op.take_place_of(tensor.op)
    return new


class Copier:
    """Copies live nodes into an empty graph.

    Attributes:
        graph: where copies go.
        live: what is copied.
        feeds: the tensors that are fed, or the arguments of a function that has them.
        values: original tensor -> its copy.
        done: original node -> its copy.
    """

    def __init__(self, graph: Graph, live: Live, feeds: Sequence[Tensor]) -> None:
        self.graph, self.live, self.feeds = graph, live, tuple(feeds)
        self.values: dict[Tensor, Tensor] = {}
        self.done: dict[Operation, Operation] = {}

    def copy_all(self) -> None:
        """Copies every feed and live node that has no copy yet, dependencies first."""
        for tensor in self.feeds:
            if tensor not in self.values:
                self.values[tensor] = add_feed(self.graph, tensor)
        for node in in_order(self.live.nodes - self.done.keys(), self.feeds):
            if node in self.live.calls:
                self._copy_call(node)
            else:
                self._add(node, node._inputs, node.attrs, node.outputs)

    @property
    def lacks_outputs(self) -> bool:
        """Whether some node has got outputs since it was copied, as gradients give them to conditionals."""
        return any(len(copy.outputs) < len(node.outputs) for node, copy in self.done.items()
                   if node not in self.live.calls)

    def element(self, fetch: Element) -> Element:
        return self.value(fetch) if isinstance(fetch, Tensor) else self.done[fetch]

    def value(self, tensor: Tensor) -> Tensor:
        """The copy of a tensor, or the argument that stands for one."""
        found = self.values.get(tensor)
        return self.values[standing_for(tensor)] if found is None else found

    def _add(
        self, node: Operation, inputs: Sequence[Tensor], attrs: Mapping[str, Any], outputs: Sequence[Tensor]
    ) -> None:
        copy = self.done[node] = self.graph.add_copy(node, [self.value(t) for t in inputs], attrs, outputs)
        for old, new in zip(outputs, copy.outputs, strict=True):
            self.values.setdefault(old, new)
        copy._control_inputs = [self.done[c] for c in node._control_inputs if c in self.done]

    def _copy_call(self, node: Operation) -> None:
        """Copies a node with its live inputs and outputs, and with functions of those."""
        outputs, arguments = sorted(self.live.calls[node]), sorted(self.live.arguments[node])
        first = 0 if node.opdef.kind is Kind.WHILE else len(node._inputs) - len(functions_of(node)[0].inputs)
        taken = [i - first for i in arguments if i >= first]
        attrs = {name: self._cut_attr(node, name, value, outputs, taken) for name, value in node.attrs.items()}
        inputs = [node._inputs[i] for i in arguments]
        self._add(node, inputs, attrs, [node.outputs[i] for i in outputs])

    def _cut_attr(self, node: Operation, name: str, value: Any, outputs: list[int], taken: list[int]) -> Any:
        signature = node.opdef.signature
        if isinstance(value, NameAttrList):
            # The condition of a loop has one output of its own.
            made = [0] if node.opdef.kind is Kind.WHILE and name == "cond" else outputs
            return self._cut(node.graph.function(value.name), made, taken)
        if isinstance(value, list) and value and isinstance(value[0], NameAttrList):
            return [self._cut(node.graph.function(each.name), outputs, taken) for each in value]
        if name == "output_shapes" and value or any(arg.list_attr == name for arg in signature.outputs):
            return [value[i] for i in outputs]
        if any(arg.list_attr == name for arg in signature.inputs):
            return [value[i] for i in taken]
        return value

    def _cut(self, function: FuncGraph, outputs: Sequence[int], arguments: Sequence[int]) -> NameAttrList:
        """A function of some arguments and outputs of another one, as the value of an attr."""
        wanted = [function.outputs[i] for i in outputs]
        effects = [] if function.is_dataflow else function.control_outputs
        body = body_like(function, self.graph, is_new=True)
        inner = Copier(body, find_live([*wanted, *effects], function.inputs), [function.inputs[i] for i in arguments])
        inner.copy_all()
        body.outputs = [inner.value(t) for t in wanted]
        body.control_outputs = [inner.done[n] for n in effects]
        return self.graph.add_function(body)


# ---------------------------------------------------------------- copies that serve again


class _Copies:
    """The copies of a graph that plans hold, each with its copier, while the graph is wired as it was."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._rewirings = 0
        self._copies: weakref.WeakSet[Graph] = weakref.WeakSet()

    def kept(self, graph: Graph, copier: Copier) -> Copier:
        """Keeps a copier as long as its graph."""
        if self._rewirings != graph._rewirings:
            self._rewirings, self._copies = graph._rewirings, weakref.WeakSet()
        copier.graph.memo(_Origin).copier = copier
        self._copies.add(copier.graph)
        return copier

    def serving(self, graph: Graph, fetches: Sequence[Element], feeds: Sequence[Tensor], live: Live) -> Copier | None:
        """A copier whose copy makes the same updates, and that has copied what else these fetches need; or None."""
        updates = _updates(live)
        if not updates or self._rewirings != graph._rewirings:
            return None
        for copy in list(self._copies):
            copier = copy.memo(_Origin).copier
            assert copier is not None
            if copier.feeds != tuple(feeds) or _updates(copier.live) != updates or copier.lacks_outputs:
                continue
            wider = find_live(fetches, feeds, copier.live.calls)
            if _is_the_same_to_anyone(live, wider) and copier.live.agrees_with(wider):
                copier.live.add(wider)
                copier.copy_all()
                return copier
        return None


class _Origin:
    """The copier that made a graph."""

    copier: Copier | None = None


def _updates(live: Live) -> set[Operation]:
    return {node for node in live.nodes if has_effect(node)}


def _is_the_same_to_anyone(live: Live, wider: Live) -> bool:
    """Whether nobody could tell that what `wider` has beside `live` runs: it has no state and cannot fail."""
    beside = wider.nodes - live.nodes
    if not all(node in wider.calls or _cannot_be_told(node) for node in beside):
        return False
    return all(_is_the_same_to_anyone(_live_in(function, live.calls.get(node, set())), _live_in(function, outputs))
               for node, outputs in wider.calls.items() if outputs != live.calls.get(node)
               for function in _results_of(node))


def _cannot_be_told(node: Operation) -> bool:
    """Whether the node has no state, and cannot fail: a loop writes to lists of its results where it counts."""
    may_fail = "check" in node.opdef.wants and not any(t._dtype is dtypes.variant for t in node.outputs)
    return node.opdef.is_pure and node.opdef.kind is not Kind.PLACEHOLDER and not may_fail


def _results_of(node: Operation) -> list[FuncGraph]:
    """The functions of a node whose outputs are the node's; the condition of a loop has one of its own."""
    return [node.graph.function(node.attrs["body"].name)] if node.opdef.kind is Kind.WHILE else functions_of(node)


def _live_in(function: FuncGraph, outputs: Collection[int]) -> Live:
    return find_live([function.outputs[i] for i in outputs], function.inputs)
