"""tf.contrib.fused_conv: a convolution with what usually follows it, in one operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.contrib import fused_conv as ops


@export("contrib.fused_conv.fused_conv2d_bias_activation")
def fused_conv2d_bias_activation(conv_input: Any, filter: Any, bias: Any, strides: Sequence[int] | None = None,
                                 padding: str | None = None, conv_input_scale: float = 1.0,
                                 side_input_scale: float = 0.0, side_input: Any = None, activation_mode: str = "Relu",
                                 data_format: str | None = None, filter_format: str | None = None,
                                 name: str | None = None) -> Tensor:
    """activation(conv_input_scale * conv2d(conv_input, filter) + side_input_scale * side_input + bias).

    Args:
        conv_input: images of float32, float16 or qint8.
        filter: of the same dtype.
        bias: a vector with an element for each channel of the output.
        strides: as for `tf.nn.conv2d`.
        padding: "SAME" or "VALID".
        conv_input_scale: a number.
        side_input_scale: a number; with 0 there is no side input.
        side_input: of the shape of the output.
        activation_mode: "Relu" or "None".
        data_format: "NHWC" or "NCHW".
        filter_format: "HWIO" or "OIHW".
        name: a name for the operation.

    Raises:
        ValueError: shapes do not fit.
    """
    images = convert_to_tensor(conv_input)
    side = array.zeros([0], images.dtype) if side_input is None else side_input
    return ops.fused_conv2d_bias_activation(
        images, filter, bias, side, conv_input_scale, side_input_scale, strides=list(strides or [1, 1, 1, 1]),
        padding=padding, data_format=data_format or "NHWC", filter_format=filter_format or "HWIO",
        activation_mode=activation_mode, name=name)
