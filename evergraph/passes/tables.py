"""Finds the tables of a stage: variables of which it reads and updates single rows, as embeddings are used."""

from __future__ import annotations

from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.passes.partition import Stage
from evergraph.passes.state import cell_key

_SAME = (Kind.IDENTITY, Kind.READ)


def tables(stage: Stage) -> frozenset[str]:
    """The keys of the variables of which nothing in the stage, and nobody after it, needs more than some rows."""
    held: dict[Tensor, str] = {}  # tensors that are a variable, or its value
    whole = set[str]()
    for node in stage.nodes:
        if node.opdef.kind is Kind.VARIABLE:
            held[node.outputs[0]] = cell_key(node)
            continue
        for place, tensor in enumerate(node._inputs):
            key = held.get(tensor)
            if key is None:
                continue
            if not _needs_rows_alone(node, place):
                whole.add(key)
            elif node.outputs and (node.opdef.kind in _SAME or node.outputs[0]._dtype.is_ref):
                held[node.outputs[0]] = key
    whole.update(held[tensor] for tensor in stage.outputs if tensor in held)
    return frozenset(held.values()) - whole


def _needs_rows_alone(node: Operation, place: int) -> bool:
    """Whether a node needs no more than rows of a variable, or hands it on, or asks for its shape."""
    opdef = node.opdef
    if opdef.kind in _SAME or opdef.kind is Kind.SHAPE or opdef.updates_rows is not None:
        return True
    return opdef.reads_rows is not None and opdef.plan.inputs[place].name == opdef.reads_rows
