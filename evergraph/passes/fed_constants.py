"""Lets conditionals and loops see what is fed for constants of which their functions have copies.

A function copies the small constants that it uses, so that their values are static in it (`FuncGraph.capture`). In
TensorFlow 1 a conditional uses the constant itself, and a step that feeds the constant sees what is fed. Such a step
has a graph of its own here, in which the constant is an argument of the functions that had copies of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evergraph.base import errors
from evergraph.graph.codec import NameAttrList
from evergraph.graph.function import CopiedConstants, FuncGraph, functions_of
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import CALLS, Kind
from evergraph.passes.dead_code import Copier, Element, Live, add_feed, body_like, library_of
from evergraph.passes.prune import needed


def with_fed_constants(
    fetches: Sequence[Element], feeds: Sequence[Tensor], originals: Sequence[Tensor]
) -> tuple[Sequence[Element], Sequence[Tensor]]:
    """The fetches and feeds in a graph whose functions take the fed constants that they had copies of.

    Args:
        fetches: tensors and operations of one graph.
        feeds: the tensors whose values are given.
        originals: the same tensors in the user's graph, if the graph is a copy of that.

    Returns:
        The arguments themselves when no function that is called has such copies.

    Raises:
        UnimplementedError: a function that has one is called by another op than a conditional, a loop or a call.
    """
    pairs = zip(originals, feeds, strict=True)
    fed = {original: tensor for original, tensor in pairs if original in original.graph.memo(CopiedConstants)}
    if not fetches or not fed:
        return fetches, feeds
    graph = fetches[0].graph
    copier = _Copier(library_of(graph), needed(fetches, feeds), feeds, _copies(graph, fed))
    if not copier.live.calls:
        return fetches, feeds
    copier.copy_all()
    return [copier.element(fetch) for fetch in fetches], [copier.values[tensor] for tensor in feeds]


def _copies(graph: Graph, fed: Mapping[Tensor, Tensor]) -> dict[Tensor, Tensor]:
    """The copies of constants, and copies of these in functions of functions -> the tensor that is fed."""
    made = [(outer, inner) for function in graph.library.values() if isinstance(function, FuncGraph)
            for outer, inner in function.constants.items()]
    found = dict(fed)
    while more := {inner: found[outer] for outer, inner in made if outer in found and inner not in found}:
        found.update(more)
    return {copy: tensor for copy, tensor in found.items() if copy not in fed}


def _taken(node: Operation, copies: Mapping[Tensor, Tensor]) -> list[Tensor]:
    """The fed constants of which the functions that a node calls have copies, at any depth."""
    found: dict[Tensor, None] = {}
    for function in functions_of(node):
        for each in function._nodes:
            found.update(dict.fromkeys([copies[t] for t in each.outputs if t in copies] + _taken(each, copies)))
    return list(found)


class _Copier(Copier):
    """Copies nodes. Those that call functions get a further input for each fed constant that these have copies of."""

    def __init__(
        self, graph: Graph, nodes: set[Operation], feeds: Sequence[Tensor], copies: Mapping[Tensor, Tensor]
    ) -> None:
        calls = {node: _taken(node, copies) for node in nodes}
        self.taken = {node: tensors for node, tensors in calls.items() if tensors}
        self.copies = copies
        super().__init__(graph, Live(nodes, calls={node: set() for node in self.taken}), feeds)

    def _copy_call(self, node: Operation) -> None:
        more = self.taken[node]
        if node.opdef.kind not in CALLS:
            raise errors.UnimplementedError(
                None, more[0].op, f"{more[0].name} is fed, but it is a constant, and functions of {node.name} "
                f"({node.type}) have copies of it. tf.placeholder_with_default gives a tensor that has a value and can "
                "be fed")
        attrs = {name: self._with_more(node, name, value, more) for name, value in node.attrs.items()}
        self._add(node, [*node._inputs, *more], attrs, [*node.outputs, *(more if _returns_all(node) else ())])

    def _with_more(self, node: Operation, name: str, value: Any, more: Sequence[Tensor]) -> Any:
        """An attr of a node that gets further inputs."""
        if isinstance(value, NameAttrList):
            return self._function(node.graph.function(value.name), more, _returns_all(node) and name == "body")
        if isinstance(value, list) and value and isinstance(value[0], NameAttrList):
            return [self._function(node.graph.function(each.name), more, False) for each in value]
        if name == "output_shapes" and value and _returns_all(node):
            return [*value, *(tensor._shape for tensor in more)]
        if any(arg.list_attr == name for arg in node.opdef.signature.inputs):
            return [*value, *(tensor._dtype for tensor in more)]
        return value

    def _function(self, function: FuncGraph, more: Sequence[Tensor], returns_all: bool) -> NameAttrList:
        """A function with further arguments in place of its copies of constants."""
        body = body_like(function, self.graph, is_new=True)
        given = {copy: tensor for copy, tensor in self.copies.items() if copy.graph is function}
        inputs = [*function.inputs, *more]
        nodes = set(function._nodes).difference(t.op for t in (*function.inputs, *given))
        inner = _Copier(body, nodes, inputs, self.copies)
        inner.values = {tensor: add_feed(body, tensor) for tensor in inputs}
        inner.values.update({copy: inner.values[tensor] for copy, tensor in given.items()})
        inner.copy_all()
        body.outputs = [inner.value(t) for t in (*function.outputs, *(more if returns_all else ()))]
        body.control_outputs = [inner.done[node] for node in function.control_outputs]
        return self.graph.add_function(body)


def _returns_all(node: Operation) -> bool:
    """Whether the node returns all that it takes: a loop does."""
    return node.opdef.kind is Kind.WHILE
