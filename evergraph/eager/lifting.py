"""Lifts tensors out of functions: copies the operations that compute them into a graph around."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor


def lifted(tensor: Tensor, graph: Graph) -> Tensor:
    """A tensor of `graph` with the value of one of a function inside it, such as the initial value of a variable.

    Raises:
        ValueError: the tensor follows from the function's arguments, which have no value outside of it.
    """
    function = tensor.graph
    if function is graph or not isinstance(function, FuncGraph):
        return tensor
    known = {inner: lifted(outer, graph) for outer, inner in function.captures.items()}
    nodes = needed([tensor], known)
    arguments = [t.name for t in function.inputs if t.op in nodes]
    if arguments:
        raise ValueError(f"{tensor.name} follows from {arguments[0]}, an argument of {function.name}, which has no "
                         f"value outside of the function")
    with graph.as_default():
        for node in (n for n in function._nodes if n in nodes):
            copy = graph.add_node(node.opdef, graph.claim_name(node.name), [known[t] for t in node._inputs],
                                  dict(node.attrs))
            known.update(zip(node.outputs, copy.outputs, strict=True))
    return known[tensor]


def needed(outputs: Iterable[Tensor], known: Collection[Tensor]) -> set[Operation]:
    """The nodes that compute some tensors from known ones."""
    found: set[Operation] = set()
    stack = [t for t in outputs if t not in known]
    while stack:
        node = stack.pop().op
        if node not in found:
            found.add(node)
            stack += [t for t in node._inputs if t not in known]
    return found
