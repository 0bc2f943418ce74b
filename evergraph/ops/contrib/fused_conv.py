"""FusedConv2DBiasActivation: a convolution, a side input, a bias and an activation, of floats or of int8."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import UnimplementedError
from evergraph.graph.opdef import op
from evergraph.graph.shaping import merge_size, require_equal, require_rank, with_rank
from evergraph.ops.nn.conv import convolve, convolved_shape


def _shape(conv_input, filter, bias, strides, padding, data_format, filter_format, dilations):
    require_rank(bias, 1)
    if "VECT" in data_format or "VECT" in filter_format:
        return (None,) * 5
    images, kernel = with_rank(conv_input, 4), with_rank(filter, 4)
    if filter_format == "OIHW":
        kernel = (kernel[2], kernel[3], kernel[1], kernel[0])
    require_equal(images[1 if data_format == "NCHW" else 3], kernel[2], "the input and the filter differ in channels")
    channels = merge_size(kernel[3], bias[0] if bias else None)
    return convolved_shape(images, kernel, channels, strides, padding, data_format, dilations)


@op("FusedConv2DBiasActivation(conv_input: T, filter: T, bias: Tbias, side_input: T, conv_input_scale: float, "
    "side_input_scale: float, *, T: {float, half, qint8}, Tbias: {float, half}, strides: list(int), "
    "padding: {'SAME', 'VALID'}, data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC', "
    "filter_format: {'HWIO', 'OIHW', 'OIHW_VECT_I'} = 'HWIO', activation_mode: {'Relu', 'None'} = 'Relu', "
    "dilations: list(int) = [1, 1, 1, 1]) -> output: T", shape=_shape)
def fused_conv2d_bias_activation(xp, lax, conv_input, filter, bias, side_input, conv_input_scale, side_input_scale, T,
                                 strides, padding, data_format, filter_format, activation_mode, dilations):
    """The activation of a scaled convolution, plus a scaled side input, plus a bias; int8 results saturate."""
    if "VECT" in data_format or "VECT" in filter_format:
        raise UnimplementedError(None, None, f"FusedConv2DBiasActivation: data_format {data_format} and filter_format "
                                 f"{filter_format} are layouts of GPUs; NHWC and NCHW, HWIO and OIHW are here")
    is_int = np.dtype(T).itemsize == 1
    number = np.float32 if is_int else np.dtype(T)
    kernel = filter.astype(number)
    if filter_format == "OIHW":
        kernel = kernel.transpose(2, 3, 1, 0)
    made = convolve(lax, conv_input.astype(number), kernel, strides, padding, data_format, dilations)
    made = made * conv_input_scale
    if side_input.size:
        made = made + side_input_scale * side_input.astype(number)
    made = made + bias.astype(number).reshape((-1, 1, 1) if data_format == "NCHW" else (-1,))
    if activation_mode == "Relu":
        made = xp.maximum(made, 0)
    return xp.clip(xp.round(made), -128, 127).astype(T) if is_int else made.astype(T)
