"""`tensorflow.python.tools`: GraphDefs stripped to what inference needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph import proto
from evergraph.base import errors
from evergraph.frontend.graph_util import extract_sub_graph, remove_training_nodes, source_of
from evergraph.save.saved_model_loader import parse_saved_model


def strip_unused(input_graph_def: Any, input_node_names: Sequence[str], output_node_names: Sequence[str],
                 placeholder_type_enum: Any) -> Any:
    """The part of a GraphDef between its inputs, which become placeholders, and its outputs.

    Args:
        input_graph_def: the GraphDef.
        input_node_names: the nodes to be fed.
        output_node_names: the nodes to be fetched.
        placeholder_type_enum: the DataType of the placeholders, or one for each.

    Raises:
        KeyError: an input is not in the graph.
    """
    unknown = set(input_node_names) - {node.name for node in input_graph_def.node}
    if unknown:
        raise KeyError(f"the graph has no nodes {sorted(unknown)}")
    several = isinstance(placeholder_type_enum, (list, tuple))
    types = dict(zip(input_node_names, placeholder_type_enum if several
                     else [placeholder_type_enum] * len(input_node_names)))
    replaced = proto.graph_pb2.GraphDef(library=input_graph_def.library, versions=input_graph_def.versions)
    replaced.node.extend(_placeholder(node, types[node.name]) if node.name in types else node
                         for node in input_graph_def.node)
    return extract_sub_graph(replaced, list(output_node_names))


def _placeholder(node: Any, dtype: int) -> Any:
    found = proto.node_def_pb2.NodeDef(op="Placeholder", name=node.name)
    found.attr["dtype"].type = dtype
    for known in ("_output_shapes", "shape"):
        if known in node.attr:
            found.attr[known].CopyFrom(node.attr[known])
    return found


def optimize_for_inference(input_graph_def: Any, input_node_names: Sequence[str], output_node_names: Sequence[str],
                           placeholder_type_enum: Any, toco_compatible: bool = False) -> Any:
    """A GraphDef with nothing but what inference needs: stripped, and without nodes that only training needs.

    TensorFlow also folds batch normalization into convolutions here. The session's compiler fuses the two, so the graph
    keeps them.

    Args:
        input_graph_def: the GraphDef.
        input_node_names: the nodes to be fed.
        output_node_names: the nodes to be fetched.
        placeholder_type_enum: the DataType of the placeholders, or one for each.
        toco_compatible: whether TensorFlow Lite's converter must understand it, which it does.
    """
    for name in input_node_names:
        if name not in {node.name for node in input_graph_def.node}:
            raise KeyError(f"the graph has no node {name}")
    stripped = strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum)
    optimized = remove_training_nodes(stripped, output_node_names)
    dangling = {source_of(text) for node in optimized.node for text in node.input} - {n.name for n in optimized.node}
    if dangling:
        raise errors.InternalError(None, None, f"nodes without which the graph does not run are gone: {dangling}")
    return optimized


def get_meta_graph_def(saved_model_dir: str, tag_set: str) -> Any:
    """The MetaGraphDef of a SavedModel that has exactly these tags.

    Args:
        saved_model_dir: the directory.
        tag_set: the tags, separated by commas.

    Raises:
        RuntimeError: no graph has them.
        OSError: there is no SavedModel.
    """
    wanted = set(tag_set.split(","))
    graphs = parse_saved_model(saved_model_dir).meta_graphs
    for graph in graphs:
        if set(graph.meta_info_def.tags) == wanted:
            return graph
    raise RuntimeError(f"no graph of {saved_model_dir} has the tags {sorted(wanted)}; there are "
                       f"{[sorted(graph.meta_info_def.tags) for graph in graphs]}")
