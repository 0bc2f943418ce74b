"""GraphDefs with fewer nodes for inference: batch normalization folded into convolutions, pads and resizes fused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes, logging
from evergraph.formats import tensor_messages
from evergraph.frontend.graph_util import source_of
from evergraph.ops.arrays import basic, pad
from evergraph.ops.image import resize
from evergraph.ops.nn import activations, conv, depthwise, fused_conv, normalize

_CONST, _IDENTITY, _CONV = basic.const.name, basic.identity.name, conv.conv2d.name
_DEPTHWISE = depthwise.depthwise_conv2d_native.name
_OLD_NORM = normalize.batch_norm_with_global_normalization.name
_NEW_NORMS = {op.name for op in (normalize.fused_batch_norm, normalize.fused_batch_norm_v2,
                                 normalize.fused_batch_norm_v3)}  # fmt: skip
_MIRROR_PAD, _RESIZE = pad.mirror_pad.name, resize.resize_bilinear.name


class Nodes:
    """The nodes of a GraphDef by name, and how often each is used."""

    def __init__(self, message: Any, outputs: Iterable[str] = ()) -> None:
        self.by_name = {node.name: node for node in message.node}
        self.uses = Counter(source_of(text) for node in message.node for text in node.input)
        self.uses.update(outputs)

    def behind(self, text: str) -> Any:
        """The node whose first output an input is, or None."""
        if text.startswith("^") or text.partition(":")[2] not in ("", "0"):
            return None
        return self.by_name.get(source_of(text))

    def value(self, text: str) -> np.ndarray[Any, Any] | None:
        """The constant behind an input, also behind Identity."""
        node = self.behind(text)
        while node is not None and node.op == _IDENTITY and node.input:
            node = self.behind(node.input[0])
        return None if node is None or node.op != _CONST else tensor_messages.proto_to_array(node.attr["value"].tensor)

    def is_used_once(self, node: Any) -> bool:
        return self.uses[node.name] == 1


def constant(name: str, value: np.ndarray[Any, Any]) -> Any:
    """A Const node."""
    node = proto.node_def_pb2.NodeDef(name=name, op=_CONST)
    dtype = dtypes.as_dtype(value.dtype)
    node.attr["dtype"].type = dtype.enum
    node.attr["value"].tensor.CopyFrom(tensor_messages.tensor_to_proto(value, dtype))
    return node


def rebuilt(message: Any, nodes: Iterable[Any]) -> Any:
    """A GraphDef with other nodes, and everything else as it was."""
    found = proto.graph_pb2.GraphDef()
    for name in ("library", "versions"):
        if message.HasField(name):
            getattr(found, name).CopyFrom(getattr(message, name))
    found.node.extend(nodes)
    return found


# ---- batch normalization


def fold_batch_norms(input_graph_def: Any) -> Any:
    """A GraphDef whose convolutions have the batch normalization behind them in their weights.

    That needs constant weights and statistics, and a convolution that nothing else uses. The normalization becomes a
    BiasAdd of the same name.

    Args:
        input_graph_def: a frozen GraphDef.
    """
    nodes = Nodes(input_graph_def)
    instead: dict[str, list[Any]] = {}
    for node in input_graph_def.node:
        if node.op == _OLD_NORM or node.op in _NEW_NORMS:
            for name, new in (_folded(nodes, node) or {}).items():
                instead[name] = new
    return rebuilt(input_graph_def, (new for node in input_graph_def.node for new in instead.get(node.name, [node])))


def _folded(nodes: Nodes, node: Any) -> dict[str, list[Any]] | None:
    """The nodes that replace a normalization and the convolution before it, or None if they have to stay."""
    convolution = nodes.behind(node.input[0])
    if convolution is None or convolution.op not in (_CONV, _DEPTHWISE) or not nodes.is_used_once(convolution):
        return None
    weights = nodes.value(convolution.input[1])
    statistics = [nodes.value(text) for text in node.input[1:5]]
    if weights is None or any(value is None for value in statistics) or node.attr["is_training"].b:
        logging.warning("%s cannot be folded: it needs constant weights and statistics", node.name)
        return None
    factor, shift = _factors(node, [np.asarray(value) for value in statistics])
    by_channel = factor if convolution.op == _CONV else factor.reshape(weights.shape[2:])
    scaled = constant(f"{convolution.name}/folded_weights", (weights * by_channel).astype(weights.dtype))
    new = proto.node_def_pb2.NodeDef()
    new.CopyFrom(convolution)
    new.input[1] = scaled.name
    offset = constant(f"{node.name}/folded_offset", shift.astype(weights.dtype))
    bias = proto.node_def_pb2.NodeDef(
        name=node.name, op=activations.bias_add.name, device=node.device, input=[convolution.name, offset.name])
    bias.attr["T"].CopyFrom(convolution.attr["T"])
    if "data_format" in convolution.attr:
        bias.attr["data_format"].CopyFrom(convolution.attr["data_format"])
    return {convolution.name: [scaled, new], node.name: [offset, bias]}


def _factors(node: Any, given: Sequence[np.ndarray[Any, Any]]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """What the channels are multiplied by, and what is added to them then."""
    if node.op == _OLD_NORM:
        mean, variance, beta, gamma = given
        epsilon = node.attr["variance_epsilon"].f
        if not node.attr["scale_after_normalization"].b:
            gamma = np.ones_like(gamma)
    else:
        gamma, beta, mean, variance = given
        epsilon = node.attr["epsilon"].f if "epsilon" in node.attr else 1e-4
    # Rounded as the kernels of the normalization round: what they subtract is large beside what is left.
    factor = (1 / np.sqrt(variance + variance.dtype.type(epsilon)) * gamma).astype(np.float64)
    return factor, beta - mean * factor


# ---- pads and resizes


def fuse_resize_and_conv(input_graph_def: Any, output_node_names: Iterable[str]) -> Any:
    """A GraphDef in which bilinear resizes and mirrored pads before a convolution are one node with it.

    Args:
        input_graph_def: the GraphDef.
        output_node_names: the nodes to be fetched, which stay.
    """
    nodes = Nodes(input_graph_def, output_node_names)
    gone: set[str] = set()
    instead: dict[str, list[Any]] = {}
    for node in input_graph_def.node:
        if node.op == _CONV:
            made, replaced = _fused(nodes, node)
            if made:
                instead[node.name] = made
                gone.update(replaced)
    return rebuilt(input_graph_def, (new for node in input_graph_def.node if node.name not in gone
                                     for new in instead.get(node.name, [node])))  # fmt: skip


def _fused(nodes: Nodes, node: Any) -> tuple[list[Any], list[str]]:
    """The nodes in place of a convolution, and the names of those that it takes in."""
    layout = node.attr["data_format"].s.decode() if "data_format" in node.attr else "NHWC"
    dilations = node.attr["dilations"].list.i if "dilations" in node.attr else ()
    if layout != "NHWC" or any(each != 1 for each in dilations) or node.attr["padding"].s == b"EXPLICIT":
        return [], []
    taken, source = [], node.input[0]
    padding = nodes.behind(source)
    if padding is not None and padding.op == _MIRROR_PAD and nodes.is_used_once(padding):
        taken.append(padding)
        source = padding.input[0]
    else:
        padding = None
    sizing = nodes.behind(source)
    if sizing is not None and sizing.op == _RESIZE and nodes.is_used_once(sizing) and not _is_centred(sizing):
        taken.append(sizing)
    else:
        sizing = None
    if not taken:
        return [], []
    return _joined(node, padding, sizing), [each.name for each in taken]


def _is_centred(node: Any) -> bool:
    return "half_pixel_centers" in node.attr and node.attr["half_pixel_centers"].b


def _joined(node: Any, padding: Any, sizing: Any) -> list[Any]:
    new = proto.node_def_pb2.NodeDef(name=node.name, device=node.device)
    for name in ("T", "strides", "padding"):
        new.attr[name].CopyFrom(node.attr[name])
    made = [new]
    if padding is None:
        amounts = constant(f"{node.name}/no_paddings", np.zeros((4, 2), np.int32))
        made.insert(0, amounts)
        paddings = amounts.name
        new.attr["mode"].s = b"REFLECT"
    else:
        paddings = padding.input[1]
        new.attr["mode"].CopyFrom(padding.attr["mode"])
    if sizing is None:
        new.op = fused_conv.fused_pad_conv2d.name
        new.input[:] = [padding.input[0], paddings, node.input[1]]
    else:
        new.op = fused_conv.fused_resize_and_pad_conv2d.name
        new.attr["resize_align_corners"].CopyFrom(sizing.attr["align_corners"])
        new.input[:] = [sizing.input[0], sizing.input[1], paddings, node.input[1]]
    new.input.extend(dict.fromkeys(text for each in (sizing, padding, node) if each is not None
                                   for text in each.input if text.startswith("^")))  # fmt: skip
    return made
