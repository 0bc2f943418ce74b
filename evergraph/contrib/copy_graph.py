"""tf.contrib.copy_graph: variables and operations of a graph, made again in another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.variables.base import Variable as AnyVariable
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.run.session import Session


def _named(name: str, scope: str) -> str:
    return f"{scope}/{name}" if scope else name


@export("contrib.copy_graph.copy_variable_to_graph")
def copy_variable_to_graph(org_instance: Any, to_graph: Graph, scope: str = "") -> Any:
    """A new variable in another graph, which starts with the value that a variable starts with.

    Args:
        org_instance: the variable.
        to_graph: the other graph.
        scope: the scope of the new one's name.

    Raises:
        TypeError: it is no variable.
    """
    if not isinstance(org_instance, AnyVariable):
        raise TypeError(f"{org_instance!r} is no variable")
    with org_instance.graph.as_default(), Session() as session:
        session.run(org_instance.initializer)
        value = session.run(org_instance)
    graph = org_instance.graph
    names = [name for name in graph.get_all_collection_keys()
             if any(each is org_instance for each in graph.get_collection(name))]
    collections = [_named(name, scope) if name not in _KINDS and scope else name for name in names]
    with to_graph.as_default():
        return Variable(value, trainable=GraphKeys.TRAINABLE_VARIABLES in names,
                        name=_named(org_instance.op.name, scope), collections=collections, validate_shape=True)


_KINDS = frozenset({GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES, GraphKeys.LOCAL_VARIABLES})


@export("contrib.copy_graph.get_copied_op")
def get_copied_op(org_instance: Any, graph: Graph, scope: str = "") -> Any:
    """The tensor or operation of a graph that is the copy of one.

    Args:
        org_instance: the original: an operation or a tensor.
        graph: where the copy is.
        scope: the scope it was copied to.
    """
    return graph.as_graph_element(_named(org_instance.name, scope), allow_tensor=True, allow_operation=True)


@export("contrib.copy_graph.copy_op_to_graph")
def copy_op_to_graph(org_instance: Any, to_graph: Graph, variables: Sequence[Any], scope: str = "") -> Any:
    """A copy of an operation or a tensor in another graph, with all that it is computed from.

    Args:
        org_instance: an operation, a tensor or a variable that was copied.
        to_graph: the other graph.
        variables: the variables in it, which `copy_variable_to_graph` made; they stand for the original ones.
        scope: the scope of the new names.

    Raises:
        TypeError: it is no tensor and no operation.
    """
    known = {variable.op.name: variable for variable in variables}
    if isinstance(org_instance, AnyVariable):
        return known.get(_named(org_instance.op.name, scope)) or get_copied_op(org_instance, to_graph, scope)
    if isinstance(org_instance, Tensor):
        made = copy_op_to_graph(org_instance.op, to_graph, variables, scope)
        return made.outputs[org_instance.value_index] if isinstance(made, Operation) else made
    if not isinstance(org_instance, Operation):
        raise TypeError(f"{org_instance!r} is no operation and no tensor")
    name = _named(org_instance.name, scope)
    if name in known:
        return known[name].op
    if name in {each.name for each in to_graph.get_operations()}:
        return to_graph.get_operation_by_name(name)
    inputs = [copy_op_to_graph(each, to_graph, variables, scope) for each in org_instance.inputs]
    controls = [copy_op_to_graph(each, to_graph, variables, scope) for each in org_instance.control_inputs]
    with to_graph.as_default(), to_graph.control_dependencies(controls), to_graph.device(org_instance.device or None):
        made = to_graph.create_op(org_instance.type, inputs, [each.dtype for each in org_instance.outputs],
                                  name=f"{name}/", attrs=dict(org_instance.node_def.attr), op_def=None)
    for old, new in zip(org_instance.outputs, made.outputs):
        new.set_shape(old.shape)
    return made
