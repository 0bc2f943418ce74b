"""The graph of a dumped run: inputs and recipients of nodes, without the nodes that TensorFlow's debugger adds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evergraph import proto
from evergraph.ops import debugging

_COPY, _DEBUG = "__copy_", "__dbg_"


def parse_node_or_tensor_name(name: str) -> tuple[str, int | None]:
    """(node, output) of a tensor's name; the output of a node's name is None."""
    node, separator, slot = name.rpartition(":")
    return (node, int(slot)) if separator and slot.isdigit() else (name, None)


def get_node_name(element_name: str) -> str:
    """The node of a tensor's or node's name."""
    return element_name.split(":")[0]


def get_output_slot(element_name: str) -> int:
    """The output of a tensor's name; 0 for a node's."""
    return parse_node_or_tensor_name(element_name)[1] or 0


def is_copy_node(node_name: str) -> bool:
    """Whether TensorFlow's debugger has added the node, to copy a tensor."""
    return node_name.startswith(_COPY)


def is_debug_node(node_name: str) -> bool:
    """Whether TensorFlow's debugger has added the node, to look at a tensor."""
    return node_name.startswith(_DEBUG)


def parse_debug_node_name(node_name: str) -> tuple[str, int, int, str]:
    """(node, output, number of the debug op, debug op) that a node looks at.

    Raises:
        ValueError: the name is not that of such a node.
    """
    if not is_debug_node(node_name):
        raise ValueError(f"Invalid prefix in debug node name: {node_name!r}")
    tensor, separator, rest = node_name[len(_DEBUG):].rpartition(":")
    slot, *words = rest.split("_")
    if not separator or not slot.isdigit():
        raise ValueError(f"Invalid tensor name in debug node name: {node_name!r}")
    if len(words) != 2 or not words[0].isdigit():
        raise ValueError(f"Invalid debug node name: {node_name!r}")
    return tensor, int(slot), int(words[0]), words[1]


class DebugGraph:
    """The nodes of one device's graph.

    Args:
        debug_graph_def: the GraphDef, with or without the nodes that TensorFlow's debugger adds.
        device_name: the device; by default that of the nodes.
    """

    def __init__(self, debug_graph_def: Any, device_name: str | None = None) -> None:
        self.debug_graph_def = debug_graph_def
        self.device_name = device_name or next((node.device for node in debug_graph_def.node if node.device), "")
        self.non_debug_graph_def = reconstruct_non_debug_graph_def(debug_graph_def)
        self.nodes = {node.name: node for node in self.non_debug_graph_def.node}
        self.inputs = {name: _words(node.input, False) for name, node in self.nodes.items()}
        self.control_inputs = {name: _words(node.input, True) for name, node in self.nodes.items()}
        self.recipients = _turned(self.inputs)
        self.control_recipients = _turned(self.control_inputs)
        self.ref_args = {node.name for node in self.non_debug_graph_def.node if _is_reference(node)}

    def debug_watches(self) -> Iterator[tuple[str, int, str]]:
        """(node, output, debug op) of what TensorFlow's debugger looks at."""
        for node in self.debug_graph_def.node:
            if is_debug_node(node.name):
                watched, slot, _, op = parse_debug_node_name(node.name)
                yield watched, slot, op


def _is_reference(node: Any) -> bool:
    return debugging.is_reference(node.op)


def _words(inputs: Sequence[str], are_control: bool) -> list[str]:
    found = []
    for word in inputs:
        if word.startswith("^") == are_control:
            word = word.lstrip("^")
            name, slot = parse_node_or_tensor_name(word)
            found.append(name if not slot else word)
    return found


def _turned(inputs: dict[str, list[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: [] for name in inputs}
    for name, words in inputs.items():
        for word in words:
            found.setdefault(get_node_name(word), []).append(name)
    return found


def reconstruct_non_debug_graph_def(debug_graph_def: Any) -> Any:
    """A GraphDef without the nodes that TensorFlow's debugger has added."""
    found = proto.graph_pb2.GraphDef()
    copied = {node.name: node.input[0] for node in debug_graph_def.node
              if is_copy_node(node.name) and debugging.is_copy(node.op)}
    for node in debug_graph_def.node:
        if is_copy_node(node.name) or is_debug_node(node.name) or node.op == debugging.FETCHED:
            continue
        kept = found.node.add()
        kept.CopyFrom(node)
        kept.input[:] = [copied.get(get_node_name(word), word) if not word.startswith("^") else word
                         for word in node.input if not is_debug_node(word.lstrip("^"))]
    return found
