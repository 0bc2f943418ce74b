"""Tools for GraphDefs: freeze_graph, optimize_for_inference, strip_unused, transform_graph and others."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from evergraph.base import dtypes
from evergraph.cli.plain import plain
from evergraph.cli.reports.graph import INPUTS, unused
from evergraph.cli.tools.flags import flags, listed, switch, text
from evergraph.formats import tensor_messages
from evergraph.ops.arrays.basic import const
from evergraph.proto.text import to_text
from evergraph.save import freeze_tool, selective_registration, stripping, transforms
from evergraph.save.freezing import read_graph_def, write_graph_def


def freeze_graph(words: list[str]) -> None:
    """Makes the variables of a graph constants."""
    parser = flags("freeze_graph", "Writes a graph whose variables are constants.")
    text(parser, "input_graph", "a GraphDef")
    text(parser, "input_saver", "must be empty")
    text(parser, "input_checkpoint", "the variables of the graph")
    parser.add_argument("--checkpoint_version", type=int, default=2, help="has no effect: both versions are read")
    text(parser, "output_graph", "the file to write")
    switch(parser, "input_binary", "has no effect: the format is detected")
    text(parser, "output_node_names", "the nodes to keep, with what they need")
    text(parser, "restore_op_name", "has no effect", "save/restore_all")
    text(parser, "filename_tensor_name", "has no effect", "save/Const:0")
    switch(parser, "clear_devices", "forget places (true)", True)
    text(parser, "initializer_nodes", "must be empty")
    text(parser, "variable_names_whitelist", "the variables to convert; all by default")
    text(parser, "variable_names_blacklist", "variables not to convert")
    text(parser, "input_meta_graph", "a MetaGraphDef, instead of input_graph")
    text(parser, "input_saved_model_dir", "a SavedModel, instead of a graph and a checkpoint")
    text(parser, "saved_model_tags", "its tags (serve)", "serve")
    given = parser.parse_args(words)
    message = freeze_tool.freeze_graph(**vars(given))
    print(f"{len(message.node)} nodes in the frozen graph")


def optimize_for_inference(words: list[str]) -> None:
    """Leaves in a frozen graph what inference needs."""
    parser = flags("optimize_for_inference", "Strips a frozen graph, and folds batch normalization into its layers.")
    text(parser, "input", "the frozen graph", required=True)
    text(parser, "output", "the file to write", required=True)
    text(parser, "input_names", "the nodes to be fed", required=True)
    text(parser, "output_names", "the nodes to be fetched", required=True)
    switch(parser, "frozen_graph", "false: the file is in text form", True)
    parser.add_argument("--placeholder_type_enum", default=str(dtypes.float32.enum),
                        help="the number of the dtype of each input, or of all (1: float32)")  # fmt: skip
    switch(parser, "toco_compatible", "leave out fused nodes that TensorFlow Lite's converter lacks")
    given = parser.parse_args(words)
    message = stripping.optimize_for_inference(
        read_graph_def(given.input), listed(given.input_names), listed(given.output_names),
        _numbers(given.placeholder_type_enum), given.toco_compatible)
    write_graph_def(given.output, message, None if given.frozen_graph else to_text(message))
    print(f"{len(message.node)} nodes in {plain(given.output)}")


def strip_unused(words: list[str]) -> None:
    """Keeps the part of a graph between inputs and outputs."""
    parser = flags("strip_unused", "Keeps the part of a graph between its inputs and outputs.")
    text(parser, "input_graph", "a GraphDef", required=True)
    switch(parser, "input_binary", "has no effect: the format is detected")
    text(parser, "output_graph", "the file to write", required=True)
    switch(parser, "output_binary", "write the binary form (true)", True)
    text(parser, "input_node_names", "the nodes to be fed", required=True)
    text(parser, "output_node_names", "the nodes to be fetched", required=True)
    parser.add_argument("--placeholder_type_enum", default=str(dtypes.float32.enum),
                        help="the number of the dtype of each input, or of all (1: float32)")  # fmt: skip
    given = parser.parse_args(words)
    stripping.strip_unused_from_files(
        given.input_graph, given.input_binary, given.output_graph, given.output_binary, given.input_node_names,
        given.output_node_names, _numbers(given.placeholder_type_enum))
    print(f"{len(read_graph_def(given.output_graph).node)} nodes in {plain(given.output_graph)}")


def transform_graph(words: list[str]) -> None:
    """Applies named transforms to a graph."""
    known = ", ".join(sorted(transforms.TRANSFORMS))
    parser = flags("transform_graph", f"Applies transforms to a graph, one after another. There are {known}.")
    text(parser, "in_graph", "a GraphDef", required=True)
    text(parser, "out_graph", "the file to write", required=True)
    text(parser, "inputs", "the nodes to be fed")
    text(parser, "outputs", "the nodes to be fetched")
    text(parser, "transforms", "NAME(PARAMETER=VALUE, ...) NAME ...", required=True)
    switch(parser, "output_as_text", "write protobuf's text form")
    given = parser.parse_args(words)
    before = read_graph_def(given.in_graph)
    message = transforms.TransformGraph(before, listed(given.inputs), listed(given.outputs), [given.transforms])
    write_graph_def(given.out_graph, message, to_text(message) if given.output_as_text else None)
    print(f"{len(before.node)} nodes became {len(message.node)} in {plain(given.out_graph)}")


def summarize_graph(words: list[str]) -> None:
    """Says what a graph takes and gives, which ops it has, and how many parameters."""
    parser = flags("summarize_graph", "Says what a graph takes and gives, and what it consists of.")
    text(parser, "in_graph", "a GraphDef", required=True)
    switch(parser, "print_structure", "also print every node")
    given = parser.parse_args(words)
    message = read_graph_def(given.in_graph)
    for node in (node for node in message.node if node.op in INPUTS):
        print(plain(f"input {node.name}: {dtypes.as_dtype(node.attr['dtype'].type).name} "
                    f"{tensor_messages.proto_to_shape(node.attr['shape'].shape)}"))  # fmt: skip
    for node in unused(message):
        print(plain(f"output {node.name}: {node.op}"))
    print(f"{_parameters(message):,} parameters in constants")
    counts = Counter(node.op for nodes in _bodies(message) for node in nodes)
    print(plain(f"ops: {', '.join(f'{op} {count}' for op, count in sorted(counts.items(), key=lambda row: -row[1]))}"))
    for node in message.node if given.print_structure else ():
        print(plain(f"node {node.name}: {node.op} of {', '.join(node.input) or 'nothing'}"))


def print_selective_registration_header(words: list[str]) -> None:
    """Prints the C++ header by which a build of TensorFlow has the ops of some graphs alone."""
    parser = flags("print_selective_registration_header", "Prints a C++ header with the ops that some graphs use.")
    text(parser, "graphs", "files with GraphDefs", required=True)
    text(parser, "proto_fileformat", "rawproto or textproto", "rawproto")
    text(parser, "default_ops", "further ops and kernels, Op:Kernel; or all", "NoOp:NoOp,_Recv:RecvOp,_Send:SendOp")
    given = parser.parse_args(words)
    print(selective_registration.get_header(listed(given.graphs), given.proto_fileformat, given.default_ops))


def _numbers(given: str) -> int | list[int]:
    numbers = [int(word) for word in listed(given)]
    return numbers[0] if len(numbers) == 1 else numbers


def _bodies(message: Any) -> list[Any]:
    return [message.node, *(function.node_def for function in message.library.function)]


def _parameters(message: Any) -> int:
    tensors = [node.attr["value"].tensor for nodes in _bodies(message) for node in nodes if node.op == const.name]
    return sum(math.prod(dim.size for dim in tensor.tensor_shape.dim) for tensor in tensors)
