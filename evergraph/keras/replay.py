"""Computes tensors of functional models' graph again, with eager execution, by repeating their operations."""
from __future__ import annotations

from typing import Any

from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation
from evergraph.graph.traits import Kind


def repeated(results: list[Any], given: dict[Any, Any]) -> list[Any]:
    """The values of tensors and operations of another graph in the default one.

    Args:
        results: the tensors and operations.
        given: tensor -> what stands for it.

    Raises:
        ValueError: a result follows from a placeholder that is not given.
    """
    made = dict(given)
    done: dict[Operation, Any] = {}
    for result in results:
        _repeat(result if isinstance(result, Operation) else result.op, made, done)
    return [done.get(each) if isinstance(each, Operation) else made[each] for each in results]


def _repeat(wanted: Operation, made: dict[Any, Any], done: dict[Operation, Any]) -> None:
    """Repeats an operation, after those that it depends on."""
    outside = {inner: outer for outer, inner in getattr(wanted.graph, "captures", {}).items()}
    waiting = [wanted]
    while waiting:
        op = waiting[-1]
        if op in done or op.outputs and all(tensor in made for tensor in op.outputs):
            waiting.pop()
            continue
        if op.outputs and op.outputs[0] in outside:
            made[op.outputs[0]] = outside[op.outputs[0]]
            continue
        later = [tensor.op for tensor in op.inputs if tensor not in made] + \
            [each for each in op.control_inputs if each not in done and not _is_given(each, made)]
        if later:
            waiting += later
            continue
        if op.opdef.kind is Kind.PLACEHOLDER and not op.inputs:
            raise ValueError(f"{op.name} has no value: it is a placeholder that is not given")
        graph = default_graph()
        node = graph.add_node(op.opdef, graph.claim_name(op.name.rpartition("/")[2]),
                              [made[tensor] for tensor in op.inputs], dict(op.attrs))
        made.update(zip(op.outputs, node.outputs))
        done[op] = node


def _is_given(op: Operation, made: dict[Any, Any]) -> bool:
    return bool(op.outputs) and all(tensor in made for tensor in op.outputs)
