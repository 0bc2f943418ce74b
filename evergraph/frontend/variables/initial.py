"""Initial values that depend on other variables, made safe to compute before those have values."""
from __future__ import annotations

from typing import Any

from evergraph.frontend.collections import global_variables, local_variables
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.ops.control.functional import if_, stateless_if
from evergraph.ops.state.variables import is_variable_initialized, read_variable_op, var_is_initialized_op

# These say something sensible about a variable without a value, or are read after it has one.
_SAFE = (is_variable_initialized, var_is_initialized_op, read_variable_op, if_, stateless_if)


def safe_value(name: str, value: Tensor) -> Tensor:
    """`value`, computed from the initial values of the variables it depends on while those have none of their own.

    Args:
        name: of the variable that starts with it; nodes that have to be copied are named after it.
        value: the initial value as the program wrote it.
    """
    return _safe(value, value.graph, name.replace(":", "_"), {})


def _safe(tensor: Tensor, graph: Graph, suffix: str, done: dict[Operation, Any]) -> Tensor:
    """The tensor itself when no variable is behind it, else the same output of a copy of its node."""
    node = tensor.source
    if node not in done:
        done[node] = node  # while its inputs are visited: a loop leads back here
        done[node] = _safe_node(node, graph, suffix, done)
    found = done[node]
    return found if isinstance(found, Tensor) else found.outputs[tensor.value_index]


def _safe_node(node: Operation, graph: Graph, suffix: str, done: dict[Operation, Any]) -> Any:
    if node.opdef in _SAFE:
        return node
    if node.opdef.kind is Kind.VARIABLE:
        variable = _variable_of(node)
        return node if variable is None else variable.initialized_value()
    inputs = [_safe(t, graph, suffix, done) for t in node.inputs]
    if all(new is old for new, old in zip(inputs, node.inputs, strict=True)):
        return node
    with graph.name_scope(None):
        name = graph.claim_name(f"{node.name}_{suffix}")
    return graph.add_node(node.opdef, name, inputs, dict(node.attrs))


def _variable_of(node: Operation) -> Any:
    """The variable whose storage this node is, when a collection knows it."""
    name = node.outputs[0].name
    return next((v for v in (*global_variables(), *local_variables()) if v.name == name), None)
