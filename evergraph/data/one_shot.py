"""Datasets as functions, which one-shot iterators are made of."""

from __future__ import annotations

from evergraph.base import dtypes
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind


def factory_of(dataset: Tensor) -> FuncGraph:
    """A function without arguments that computes a dataset: the nodes that the dataset needs, copied.

    Raises:
        ValueError: the dataset depends on something that a copy would not have: a placeholder, a variable, a table.
    """
    graph = FuncGraph("make_dataset", dataset.graph)
    made: dict[Operation, Operation] = {}

    def copy_of(tensor: Tensor) -> Tensor:
        return made[tensor.op].outputs[tensor.value_index]

    waiting = [dataset.op]
    while waiting:
        node = waiting[-1]
        _check(node)
        later = [each.op for each in node._inputs if each.op not in made]
        if later:
            waiting += reversed(later)
            continue
        waiting.pop()
        if node not in made:
            inputs = [copy_of(each) for each in node._inputs]
            new = made[node] = graph.add_node(node.opdef, node.name, inputs, dict(node.attrs), infer_shapes=False)
            for old, output in zip(node.outputs, new.outputs, strict=True):
                output._shape, output._dtype = old._shape, old._dtype
    graph.outputs = [copy_of(dataset)]
    return graph


def _check(node: Operation) -> None:
    if node.opdef.kind is Kind.PLACEHOLDER:
        raise ValueError(f"Cannot capture a placeholder, here {node.name!r} ({node.type}): its value is fed in each "
                         "step.")
    gives_dataset = any(t._dtype is dtypes.variant for t in node.outputs)
    if node.opdef.kind is Kind.VARIABLE or node.opdef.stateful and not gives_dataset:
        raise ValueError(f"Cannot capture a stateful node, here {node.name!r} ({node.type}): a copy would have "
                         "another state.")
