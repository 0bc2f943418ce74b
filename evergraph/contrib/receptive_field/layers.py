"""The sizes of kernels, strides and paddings of the nodes of a GraphDef."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evergraph.frontend.array import make_ndarray

_SPREADING = frozenset({"Conv2D", "DepthwiseConv2dNative", "MaxPool", "AvgPool"})
_PADDING = frozenset({"Pad", "PadV2", "MirrorPad"})
_POINTWISE = frozenset({
    "Relu", "Relu6", "Elu", "Selu", "Sigmoid", "Tanh", "Softplus", "BiasAdd", "FusedBatchNorm", "FusedBatchNormV2",
    "FusedBatchNormV3", "Add", "AddV2", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "Rsqrt", "Square", "Sqrt",
    "Neg", "Abs", "Pow", "Floor", "Exp", "Log", "Cast", "Identity", "ConcatV2", "Concat", "Pack", "AddN",
    "Placeholder", "Const", "VariableV2", "VarHandleOp", "ReadVariableOp", "Sum", "Mean", "Prod", "Shape",
    "StridedSlice", "Slice", "Reshape", "GreaterEqual", "LessEqual", "RandomUniform", "TruncatedNormal",
    "RandomStandardNormal", "Assert", "Equal", "Less", "Greater", "All", "NoOp", "LeakyRelu", "Squeeze",
    "DepthToSpace", "StopGradient", "Fill", "ExpandDims", "Softmax"})


def spatial(data_format: str) -> tuple[int, int]:
    """The axes of width and height."""
    return (3, 2) if data_format == "NCHW" else (2, 1)


def _format(node: Any) -> str:
    return node.attr["data_format"].s.decode() or "NHWC"


def padded_total(size: int, kernel: int, stride: int) -> int:
    """What SAME adds at both sides together."""
    return max((-(-size // stride) - 1) * stride + kernel - size, 0)


def _padding(node: Any, axis: int, kernel: int, stride: int, size: int | None) -> tuple[int | None, int | None]:
    """(before, at both sides)."""
    if node.attr["padding"].s == b"VALID":
        return 0, 0
    if kernel == 1:
        return 0, 0
    if node.attr["padding"].s != b"SAME":
        raise ValueError(f"The padding {node.attr['padding'].s.decode()!r} of {node.name} is not known")
    if size is None:
        # With stride 1 the size does not matter.
        return ((kernel - 1) // 2, kernel - 1) if stride == 1 else (None, None)
    total = padded_total(size, kernel, stride)
    return total // 2, total


def layer_params(node: Any, name_to_node: Mapping[str, Any], input_resolution: Sequence[int] | None = None,
                 force: bool = False) -> tuple[Any, ...]:
    """(kernel x, kernel y, stride x, stride y, padding x, padding y, total padding x, total padding y) of a node.

    Args:
        node: a NodeDef.
        name_to_node: the nodes by name.
        input_resolution: [height, width] of what comes in, which paddings depend on; None where it is not known.
        force: whether kinds of nodes that are not known count as elementwise.

    Raises:
        ValueError: the kind of the node is not known.
    """
    if node.op in _PADDING:
        return _pad_params(node, name_to_node)
    if node.op not in _SPREADING:
        if node.op in _POINTWISE or force:
            return (1, 1, 1, 1, 0, 0, 0, 0)
        raise ValueError(f"What part of its input the op {node.op} of {node.name} depends on is not known")
    across, down = spatial(_format(node))
    strides = list(node.attr["strides"].list.i)
    if "ksize" in node.attr:
        sizes = [node.attr["ksize"].list.i[axis] for axis in (across, down)]
    else:
        height, width = _filter_sizes(node, name_to_node)
        dilations = list(node.attr["dilations"].list.i) or [1, 1, 1, 1]
        sizes = [(width - 1) * dilations[across] + 1, (height - 1) * dilations[down] + 1]
    height, width = (None, None) if input_resolution is None else input_resolution
    pads = [_padding(node, axis, kernel, strides[axis], size)
            for axis, kernel, size in ((across, sizes[0], width), (down, sizes[1], height))]
    return (*sizes, strides[across], strides[down], pads[0][0], pads[1][0], pads[0][1], pads[1][1])


def _pad_params(node: Any, name_to_node: Mapping[str, Any]) -> tuple[Any, ...]:
    source = name_to_node[base_name(node.input[1])]
    if source.op != "Const" or (table := _constant(source)).shape != (4, 2):
        raise ValueError(f"The paddings of {node.name} must be constant, for four axes")
    down, across = table[2:] if not table[1].any() and table[3].any() else table[1:3]  # NCHW or NHWC
    return (1, 1, 1, 1, int(across[0]), int(down[0]), int(across.sum()), int(down.sum()))


def _constant(node: Any) -> np.ndarray:
    return make_ndarray(node.attr["value"].tensor)


def base_name(name: str) -> str:
    """The name of the node that an input comes from."""
    return name.removeprefix("^").split(":")[0]


def _filter_sizes(node: Any, name_to_node: Mapping[str, Any]) -> tuple[int, int]:
    """Height and width of a convolution's filter: those of the variable or constant that it comes from."""
    at = name_to_node[base_name(node.input[1])]
    while at.op in ("Identity", "ReadVariableOp", "Mul", "Cast") and at.input:
        at = name_to_node[base_name(at.input[0])]
    if "shape" in at.attr:
        sizes: Any = [dim.size for dim in at.attr["shape"].shape.dim]
    else:
        sizes = np.shape(_constant(at)) if at.op == "Const" else ()
    if len(sizes) < 2:
        raise ValueError(f"The size of the filter of {node.name} is not known")
    return int(sizes[0]), int(sizes[1])
