"""`tensorflow.python.tools`: GraphDefs stripped to what inference needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph import proto
from evergraph.base import errors
from evergraph.frontend.graph_util import extract_sub_graph, remove_training_nodes, source_of
from evergraph.proto.text import to_text
from evergraph.save.freezing import read_graph_def, write_graph_def
from evergraph.save.inference_graphs import fold_batch_norms, fuse_resize_and_conv, rebuilt
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


def strip_unused_from_files(input_graph: str, input_binary: bool, output_graph: str, output_binary: bool,
                            input_node_names: str, output_node_names: str, placeholder_type_enum: Any) -> None:
    """Strips the GraphDef of a file, see `strip_unused`, and writes the result to another.

    Args:
        input_graph: the file to read.
        input_binary: has no effect: the format is detected.
        output_graph: the file to write.
        output_binary: whether to write the binary form.
        input_node_names: the nodes to be fed, separated by commas.
        output_node_names: the nodes to be fetched, separated by commas.
        placeholder_type_enum: the DataType of the placeholders, or one for each.

    Raises:
        KeyError: an input is not in the graph.
        ValueError: a name is that of a tensor, or the file holds no GraphDef.
        OSError: a file cannot be read or written.
    """
    inputs, outputs = input_node_names.split(","), output_node_names.split(",")
    for name in (*inputs, *outputs):
        if ":" in name:
            raise ValueError(f"{name} is a tensor, where the name of a node is wanted")
    message = read_graph_def(input_graph)
    stripped = strip_unused(message, inputs, outputs, placeholder_type_enum)
    write_graph_def(output_graph, stripped, None if output_binary else to_text(stripped))


def _placeholder(node: Any, dtype: int) -> Any:
    found = proto.node_def_pb2.NodeDef(op="Placeholder", name=node.name)
    found.attr["dtype"].type = dtype
    for known in ("_output_shapes", "shape"):
        if known in node.attr:
            found.attr[known].CopyFrom(node.attr[known])
    if "shape" not in node.attr:
        found.attr["shape"].shape.unknown_rank = True
    return found


def optimize_for_inference(input_graph_def: Any, input_node_names: Sequence[str], output_node_names: Sequence[str],
                           placeholder_type_enum: Any, toco_compatible: bool = False) -> Any:
    """A GraphDef with nothing but what inference needs: stripped, and without nodes that only training needs.

    Batch normalization is folded into convolutions, and resizes and pads are fused with them.

    Args:
        input_graph_def: the GraphDef.
        input_node_names: the nodes to be fed.
        output_node_names: the nodes to be fetched.
        placeholder_type_enum: the DataType of the placeholders, or one for each.
        toco_compatible: whether to leave out fused nodes, which TensorFlow Lite's converter does not know.
    """
    for name in input_node_names:
        if name not in {node.name for node in input_graph_def.node}:
            raise KeyError(f"the graph has no node {name}")
    stripped = strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum)
    optimized = remove_training_nodes(stripped, output_node_names)
    optimized = fold_batch_norms(optimized)
    if not toco_compatible:
        optimized = fuse_resize_and_conv(optimized, output_node_names)
    needed = {node.name for node in extract_sub_graph(optimized, list(output_node_names)).node}
    optimized = rebuilt(optimized, (node for node in optimized.node if node.name in needed))
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
