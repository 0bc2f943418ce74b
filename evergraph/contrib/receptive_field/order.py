"""The nodes of a GraphDef in the order of computation, with the sizes of their images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from evergraph.base.export import export
from evergraph.contrib.receptive_field.layers import base_name, layer_params, spatial

_WINDOWED = frozenset({"Conv2D", "DepthwiseConv2dNative", "MaxPool", "AvgPool"})
_PADDING = frozenset({"Pad", "PadV2", "MirrorPad"})


class NodeInfo(NamedTuple):
    """A node, its place in the order, and [height, width] of what comes in and of what goes out, or None."""

    order: int
    node: Any
    input_size: list[int] | None
    output_size: list[int] | None


def parse_graph_nodes(graph_def: Any) -> dict[str, Any]:
    """The nodes of a GraphDef by name."""
    return {node.name: node for node in graph_def.node}


def _sorted(name_to_node: dict[str, Any]) -> list[Any]:
    """The nodes, each after those that it takes inputs from."""
    done: dict[str, Any] = {}
    for first in name_to_node:
        waiting = [first]
        while waiting:
            name = waiting[-1]
            before = [base_name(each) for each in name_to_node[name].input]
            missing = [each for each in before if each in name_to_node and each not in done and each not in waiting]
            if missing and name not in done:
                waiting += missing
            else:
                done.setdefault(name, name_to_node[name])
                waiting.pop()
    return list(done.values())


def _output_size(node: Any, size: list[int], name_to_node: dict[str, Any]) -> list[int] | None:
    if node.op not in _WINDOWED | _PADDING:
        return size
    kernel_x, kernel_y, stride_x, stride_y, _, _, total_x, total_y = layer_params(node, name_to_node, size)
    if node.op in _PADDING:
        return [size[0] + total_y, size[1] + total_x]
    return [(size[0] + total_y - kernel_y) // stride_y + 1, (size[1] + total_x - kernel_x) // stride_x + 1]


def _static_size(node: Any) -> list[int] | None:
    """The size of a placeholder's images, where it is known."""
    dims = node.attr["shape"].shape.dim if "shape" in node.attr else ()
    if len(dims) != 4:
        return None
    size = [dims[axis].size for axis in reversed(spatial("NHWC"))]
    return size if min(size) > 0 else None


@export("contrib.receptive_field.get_compute_order", "contrib.receptive_field.receptive_field_api.get_compute_order")
def get_compute_order(graph_def: Any, input_node_name: str = "",
                      input_node_size: Sequence[int] | None = None) -> tuple[dict[str, NodeInfo], dict[str, Any]]:
    """The nodes of a graph in the order of computation.

    Args:
        graph_def: a GraphDef.
        input_node_name: the node with the images.
        input_node_size: their [height, width]; None for what the node says, if it does.

    Returns:
        (name -> (order, node, input_size, output_size), name -> node). Sizes are [height, width] or None.
    """
    name_to_node = parse_graph_nodes(graph_def)
    found: dict[str, NodeInfo] = {}
    for order, node in enumerate(_sorted(name_to_node)):
        if node.name == input_node_name:
            size = list(input_node_size) if input_node_size is not None else _static_size(node)
            found[node.name] = NodeInfo(order, node, None, size)
            continue
        sizes = [found[base_name(each)].output_size for each in node.input
                 if not each.startswith("^") and base_name(each) in found]
        incoming = next((each for each in sizes if each is not None), None)
        outgoing = None if incoming is None else _output_size(node, incoming, name_to_node)
        found[node.name] = NodeInfo(order, node, incoming, outgoing)
    return found, name_to_node
