"""tf.contrib.model_pruning.strip_pruning_vars_fn: graphs of trained networks without masks and thresholds."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.frontend.array import make_ndarray, make_tensor_proto
from evergraph.frontend.graph_util import extract_sub_graph
from evergraph.frontend.variables.freeze import convert_variables_to_constants
from evergraph.graph.graph import Graph
from evergraph.ops.arrays.basic import const, identity
from evergraph.ops.math.elementwise import mul
from evergraph.proto import graph_pb2
from evergraph.run.session import Session
from evergraph.save.saver import import_meta_graph
from evergraph.save.state import latest_checkpoint


def node_name(tensor_name: str) -> str:
    """The name of the node that computes a tensor, or that an input of a node means."""
    return tensor_name.removeprefix("^").split(":")[0]


@export("contrib.model_pruning.strip_pruning_vars_fn")
def strip_pruning_vars_fn(input_graph_def: Any, output_node_names: Sequence[str]) -> Any:
    """A graph in which products of a weight and its mask are constants.

    Args:
        input_graph_def: a GraphDef whose variables are constants, see `tf.graph_util.convert_variables_to_constants`.
        output_node_names: the names of the nodes that are needed.

    Returns:
        A GraphDef without masks and thresholds.
    """
    nodes = {node.name: node for node in input_graph_def.node}
    stripped = graph_pb2.GraphDef()
    stripped.CopyFrom(input_graph_def)
    for node in stripped.node:
        if node.op == mul.name and node.name.endswith("masked_weight"):
            factors = [_constant(nodes, each) for each in node.input[:2]]
            if all(factor is not None for factor in factors):
                _become_constant(node, factors[0] * factors[1])
    return extract_sub_graph(stripped, list(output_node_names))


def _constant(nodes: dict[str, Any], name: str) -> np.ndarray | None:
    """The value of a node that is a constant, or the identity of one; None of others."""
    node = nodes[node_name(name)]
    while node.op == identity.name:
        node = nodes[node_name(node.input[0])]
    return make_ndarray(node.attr["value"].tensor) if node.op == const.name else None


def _become_constant(node: Any, value: np.ndarray) -> None:
    dtype = node.attr["T"].type
    node.op = const.name
    del node.input[:]
    node.attr.clear()
    node.attr["dtype"].type = dtype
    node.attr["value"].tensor.CopyFrom(make_tensor_proto(value))


@export("contrib.model_pruning.graph_from_checkpoint")
def graph_from_checkpoint(checkpoint_dir: str, output_node_names: Sequence[str]) -> Any:
    """The GraphDef of the last checkpoint in a folder, with its MetaGraph beside it; variables are constants.

    Args:
        checkpoint_dir: the folder.
        output_node_names: the names of the nodes that are needed.

    Raises:
        ValueError: there is no checkpoint.
    """
    last = latest_checkpoint(checkpoint_dir)
    if last is None:
        raise ValueError(f"there is no checkpoint in {checkpoint_dir}")
    with Graph().as_default() as graph, Session(graph=graph) as session:
        import_meta_graph(f"{last}.meta", clear_devices=True).restore(session, last)
        return convert_variables_to_constants(session, graph.as_graph_def(), list(output_node_names))
