"""tf.graph_util: GraphDef messages cut down to what is needed. `importer.py` reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evergraph import proto
from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation
from evergraph.ops.arrays import basic, gather
from evergraph.ops.state import variables

_VARIABLES = {op.name for op in (variables.variable, variables.variable_v2, variables.assign, variables.assign_add,
                                 variables.assign_sub)}  # fmt: skip
_DECIDES = {basic.const.name: "dtype", basic.cast.name: "SrcT", gather.dynamic_stitch.name: "T",
            gather.parallel_dynamic_stitch.name: "T"}  # fmt: skip
"""Op -> the attr with the type that decides whether there is a kernel for other devices."""


@export("graph_util.tensor_shape_from_node_def_name")
def tensor_shape_from_node_def_name(graph: Graph, input_name: str) -> TensorShape:
    """The static shape of a tensor that a NodeDef of `graph` names: "a" is "a:0"."""
    return graph.get_tensor_by_name(input_name if ":" in input_name else f"{input_name}:0").get_shape()


@export("graph_util.must_run_on_cpu")
def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Whether TensorFlow has no other than a CPU kernel for a node (an Operation or NodeDef).

    Args:
        node: the node.
        pin_variables_on_cpu: also say so for variables and what assigns to them.
    """
    message = node.node_def if isinstance(node, Operation) else node
    if not isinstance(message, proto.node_def_pb2.NodeDef):
        raise AssertionError(f"node must be an Operation or a NodeDef, not {type(node).__name__}")
    if message.op in _VARIABLES:
        return pin_variables_on_cpu
    decides = _DECIDES.get(message.op)
    if decides is None:
        return False
    dtype = message.attr[decides].type
    return dtype == dtypes.int32.enum or message.op == basic.const.name and dtype == dtypes.string.enum


# ---------------------------------------------------------------- cutting down


def source_of(text: str) -> str:
    """The node that an input names."""
    return text.removeprefix("^").partition(":")[0]


@export("graph_util.extract_sub_graph")
def extract_sub_graph(graph_def: Any, dest_nodes: Iterable[str]) -> Any:
    """The part of a GraphDef that some nodes depend on, in the order of the message, with all its functions.

    Raises:
        TypeError: an argument is of the wrong kind.
        AssertionError: a node is not in the message.

    Args:
        graph_def: the graph.
        dest_nodes: the names of the nodes.
    """
    if not isinstance(graph_def, proto.graph_pb2.GraphDef):
        raise TypeError(f"graph_def must be a tf.GraphDef, not {type(graph_def)}.")
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list, not a string.")
    by_name = {node.name: node for node in graph_def.node}
    kept = _behind(by_name, list(dest_nodes))
    result = proto.graph_pb2.GraphDef(library=graph_def.library, versions=graph_def.versions)
    result.node.extend(node for node in graph_def.node if node.name in kept)
    return result


def _behind(by_name: dict[str, Any], names: list[str]) -> set[str]:
    for name in names:
        if name not in by_name:
            raise AssertionError(f"{name} is not in graph")
    kept: set[str] = set()
    stack = names
    while stack:
        name = stack.pop()
        if name in kept or name not in by_name:
            continue
        kept.add(name)
        stack += [source_of(text) for text in by_name[name].input]
    return kept


@export("graph_util.remove_training_nodes")
def remove_training_nodes(input_graph: Any, protected_nodes: Iterable[str] | None = None) -> Any:
    """A GraphDef without the nodes that only training needs: CheckNumerics, and Identity that orders nothing.

    What used such a node uses the node's input instead.

    Args:
        input_graph: the GraphDef.
        protected_nodes: names of nodes to keep in any case.
    """
    protected = set(protected_nodes or ())
    checks = {n.name: n.input[0] for n in input_graph.node
              if n.op == basic.check_numerics.name and n.name not in protected}  # fmt: skip
    inputs = {n.name: _without_checks(n.input, checks) for n in input_graph.node}
    waited_for = {text[1:] for texts in inputs.values() for text in texts if text.startswith("^")}
    instead = dict(checks)
    for node in input_graph.node:
        plain = not any(text.startswith("^") for text in inputs[node.name]) and node.name not in waited_for
        if node.op == basic.identity.name and plain and node.name not in protected:
            instead[node.name] = inputs[node.name][0]
    result = proto.graph_pb2.GraphDef()
    if input_graph.library.function:
        result.library.CopyFrom(input_graph.library)
    for node in input_graph.node:
        if node.name not in instead:
            copy = result.node.add()
            copy.CopyFrom(node)
            copy.input[:] = [_followed(text, instead) for text in inputs[node.name]]
    return result


def _without_checks(inputs: Iterable[str], checks: dict[str, str]) -> list[str]:
    """The inputs of a node when nothing waits for a check any more."""
    return [text for text in inputs if not (text.startswith("^") and text[1:] in checks)]


def _followed(text: str, instead: dict[str, str]) -> str:
    seen: set[str] = set()
    while source_of(text) in instead and not text.startswith("^") and text not in seen:
        seen.add(text)  # nodes of a damaged message may stand for one another
        text = instead[source_of(text)]
    return text
