"""tf.graph_util: GraphDef messages cut down, frozen and read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes, errors, logging
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.graph import codec, importer
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation

# Here rather than in graph/, because this room knows where every op is declared.
import_graph_def = export("import_graph_def", "graph_util.import_graph_def")(importer.import_graph_def)

_VARIABLES = ("Variable", "VariableV2", "Assign", "AssignAdd", "AssignSub")
_READS = {"ReadVariableOp": "Identity", "ResourceGather": "GatherV2"}  # of a handle -> of the constant in its place


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
    decides = {"Const": "dtype", "Cast": "SrcT", "DynamicStitch": "T", "ParallelDynamicStitch": "T"}.get(message.op)
    if decides is None:
        return False
    dtype = message.attr[decides].type
    return dtype == dtypes.int32.enum or message.op == "Const" and dtype == dtypes.string.enum


# ---------------------------------------------------------------- cutting down


def _source(text: str) -> str:
    """The node that an input names."""
    return text.removeprefix("^").partition(":")[0]


@export("graph_util.extract_sub_graph")
def extract_sub_graph(graph_def: Any, dest_nodes: Iterable[str]) -> Any:
    """The part of a GraphDef that some nodes depend on, in the order of the message, with all its functions.

    Raises:
        TypeError: an argument is of the wrong kind.
        AssertionError: a node is not in the message.
    """
    if not isinstance(graph_def, proto.graph_pb2.GraphDef):
        raise TypeError(f"graph_def must be a graph_pb2.GraphDef proto, but got type {type(graph_def)}.")
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
        stack += [_source(text) for text in by_name[name].input]
    return kept


@export("graph_util.remove_training_nodes")
def remove_training_nodes(input_graph: Any, protected_nodes: Iterable[str] | None = None) -> Any:
    """A GraphDef without the nodes that only training needs: CheckNumerics, and Identity where nothing waits for it.

    What used such a node uses the node's input instead.

    Args:
        input_graph: the GraphDef.
        protected_nodes: names of nodes to keep in any case.
    """
    protected = set(protected_nodes or ())
    waited_for = {text[1:] for node in input_graph.node for text in node.input if text.startswith("^")}
    instead: dict[str, str] = {}
    for node in input_graph.node:
        plain = not any(text.startswith("^") for text in node.input) and node.name not in waited_for
        if node.op in ("Identity", "CheckNumerics") and plain and node.name not in protected:
            instead[node.name] = node.input[0]
    result = proto.graph_pb2.GraphDef(library=input_graph.library, versions=input_graph.versions)
    for node in input_graph.node:
        if node.name not in instead:
            copy = result.node.add()
            copy.CopyFrom(node)
            copy.input[:] = [_followed(text, instead) for text in node.input]
    return result


def _followed(text: str, instead: dict[str, str]) -> str:
    seen: set[str] = set()
    while _source(text) in instead and not text.startswith("^") and text not in seen:
        seen.add(text)  # nodes of a damaged message may stand for one another
        text = instead[_source(text)]
    return text


# ---------------------------------------------------------------- freezing


@export("graph_util.convert_variables_to_constants")
def convert_variables_to_constants(
    sess: Any,
    input_graph_def: Any,
    output_node_names: Iterable[str],
    variable_names_whitelist: Iterable[str] | None = None,
    variable_names_blacklist: Iterable[str] | None = None,
) -> Any:
    """A GraphDef in which variables are constants that hold the values they have in a session: a frozen graph.

    Args:
        sess: the session.
        input_graph_def: the GraphDef of the session's graph, or a part of it.
        output_node_names: only what these nodes need is kept.
        variable_names_whitelist: the variables to convert; all by default.
        variable_names_blacklist: variables to leave as they are.

    Raises:
        AssertionError: an output is not in the message.
        FailedPreconditionError: a variable has no value.
        UnimplementedError: something other than a read uses the handle of a variable.
    """
    part = extract_sub_graph(input_graph_def, output_node_names)
    asked = None if variable_names_whitelist is None else set(variable_names_whitelist)
    left = set(variable_names_blacklist or ())
    chosen = [node for node in part.node if node.op in ("Variable", "VariableV2", "VarHandleOp")
              and node.name not in left and (asked is None or node.name in asked)]  # fmt: skip
    values = dict(zip([n.name for n in chosen], sess.run([_readable(sess.graph, n) for n in chosen]) if chosen else ()))
    handles = {node.name for node in chosen if node.op == "VarHandleOp"}
    result = proto.graph_pb2.GraphDef(library=part.library, versions=part.versions)
    for node in part.node:
        _convert(node, values, _with_aliases(part, handles), result.node.add)
    logging.info(f"Converted {len(chosen)} variables to const ops.")
    return result


def _readable(graph: Graph, node: Any) -> Any:
    """The tensor to fetch for a variable's value."""
    variable = graph.get_operation_by_name(node.name).outputs[0]
    if node.op != "VarHandleOp":
        return variable
    for reader in variable.consumers():
        if reader.type == "ReadVariableOp":
            return reader.outputs[0]
    raise errors.UnimplementedError(None, None, f"Nothing in the graph reads the variable '{node.name}'")


def _with_aliases(part: Any, handles: set[str]) -> set[str]:
    """The variables' handles, and the nodes that hand them on."""
    found = set(handles)
    grown = True
    while grown:
        more = {n.name for n in part.node if n.op == "Identity" and _source(n.input[0]) in found} - found
        found |= more
        grown = bool(more)
    return found


def _convert(node: Any, values: dict[str, Any], handles: set[str], add: Callable[[], Any]) -> None:
    """Adds what stands for one node of the unfrozen graph."""
    if node.name in values:
        dtype = dtypes.as_dtype(node.attr["dtype"].type)
        _fill_const(add(), node.name, np.asarray(values[node.name]), dtype)
        return
    uses = [text for text in node.input if not text.startswith("^") and _source(text) in handles]
    if uses and node.op == "ResourceGather":
        batch_dims = node.attr["batch_dims"].i if "batch_dims" in node.attr else 0
        _fill_const(add(), f"{node.name}/axis", np.array(batch_dims, np.int32), dtypes.int32)
    copy = add()
    copy.CopyFrom(node)
    if not uses:
        return
    if node.op == "Identity":
        copy.attr["T"].type = _dtype_behind(node, values)
        return
    if node.op not in _READS:
        variable = _source(uses[0])
        raise errors.UnimplementedError(
            None, None, f"Node '{node.name}' ({node.op}) uses the handle of '{variable}': only reads can be frozen"
        )
    _fill_read(copy, node)


def _dtype_behind(node: Any, values: dict[str, Any]) -> int:
    name = _source(node.input[0])
    return dtypes.as_dtype(np.asarray(values[name]).dtype).enum if name in values else node.attr["T"].type


def _fill_const(node: Any, name: str, value: np.ndarray[Any, Any], dtype: dtypes.DType) -> None:
    node.name, node.op = name, "Const"
    node.attr["dtype"].type = dtype.enum
    node.attr["value"].tensor.CopyFrom(codec.tensor_to_proto(value, dtype))


def _fill_read(copy: Any, node: Any) -> None:
    """Makes a node that read a variable read the constant in its place."""
    copy.op = _READS[node.op]
    copy.attr.clear()
    if node.op == "ReadVariableOp":
        copy.attr["T"].CopyFrom(node.attr["dtype"])
        return
    data = [text for text in node.input if not text.startswith("^")]
    copy.input[:] = [*data, f"{node.name}/axis", *(text for text in node.input if text.startswith("^"))]
    copy.attr["Tparams"].CopyFrom(node.attr["dtype"])
    copy.attr["Tindices"].CopyFrom(node.attr["Tindices"])
    copy.attr["Taxis"].type = dtypes.int32.enum
    if "batch_dims" in node.attr:
        copy.attr["batch_dims"].CopyFrom(node.attr["batch_dims"])
