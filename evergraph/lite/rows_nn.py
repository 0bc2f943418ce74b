"""Rows of the table: convolutions, pools, normalizations, images."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.kernel import calling
from evergraph.lite.model import Quantization, Value
from evergraph.lite.site import Site, Unmapped, row
from evergraph.ops.image import boxes, resize
from evergraph.ops.math import quantize
from evergraph.ops.nn import activations, conv, depthwise, normalize, pool

_SAME, _VALID = 0, 1


# ---- layouts

_LAST, _FIRST = (0, 3, 1, 2), (0, 2, 3, 1)  # the axes of NHWC in NCHW's order, and the other way round


def _spatial(site: Site, name: str) -> tuple[int, int]:
    """Height and width of an attr with one number for each axis; the others must be 1."""
    return _of_axes(site, [int(each) for each in site.attr(name)], name)


def _of_axes(site: Site, numbers: list[int], name: str) -> tuple[int, int]:
    batch, channel, *rest = [numbers[axis] for axis in ((0, 1, 2, 3) if _is_first(site) else (0, 3, 1, 2))]
    if batch != 1 or channel != 1:
        raise Unmapped(f"its {name} {numbers} act on batch or channels")
    return rest[0], rest[1]


def _is_first(site: Site) -> bool:
    return bool(site.node.attrs.get("data_format", "NHWC") == "NCHW")


def _channels_last(site: Site, value: Value) -> Value:
    return site.transposed(value, _FIRST) if _is_first(site) else value


def _finish(site: Site, code: str, inputs: list[Value | None], **options: Any) -> None:
    """Adds the step; its result goes back to NCHW where the node has that."""
    if not _is_first(site):
        site.give(code, inputs, **options)
        return
    shape = site.outputs[0].shape
    last = None if shape is None else tuple(shape[axis] for axis in _FIRST)
    result = site.make(code, inputs, last, site.outputs[0].dtype, **options)
    site.give("TRANSPOSE", [result, site.integers(_LAST, "perm")])


def _padded(site: Site, value: Value) -> tuple[Value, int]:
    """The input and the padding of the operator; explicit paddings are an operator of their own."""
    padding = site.attr("padding")
    if padding != "EXPLICIT":
        return value, (_SAME if padding == "SAME" else _VALID)
    pairs = np.reshape(site.attr("explicit_paddings"), (-1, 2))
    if _is_first(site):
        pairs = pairs[list(_FIRST)]
    shape = None
    if value.shape is not None:
        shape = tuple(None if size is None else size + int(sum(pair)) for size, pair in zip(value.shape, pairs))
    amounts = site.constant(pairs.astype(np.int32), "paddings")
    return site.make("PAD", [value, amounts], shape), _VALID


# ---- convolutions


@row(conv.conv2d, "CONV_2D")
def conv2d(site: Site) -> None:
    value, padding = _padded(site, _channels_last(site, site.inputs[0]))
    height, width = _spatial(site, "strides")
    down, right = _spatial(site, "dilations")
    weights = site.transposed(site.inputs[1], (3, 0, 1, 2))
    _finish(site, "CONV_2D", [value, weights, _no_bias(site, weights)], padding=padding, strideH=height, strideW=width,
            dilationHFactor=down, dilationWFactor=right, fusedActivationFunction=0)


@row(depthwise.depthwise_conv2d_native, "DEPTHWISE_CONV_2D")
def depthwise_conv2d(site: Site) -> None:
    value, padding = _padded(site, _channels_last(site, site.inputs[0]))
    height, width = _spatial(site, "strides")
    down, right = _spatial(site, "dilations")
    filters = site.known(1)
    rows, columns, channels, multiplier = filters.shape
    weights = site.constant(filters.reshape(1, rows, columns, channels * multiplier), "weights")
    weights.quantization = site.inputs[1].quantization
    _finish(site, "DEPTHWISE_CONV_2D", [value, weights, _no_bias(site, weights, -1)], padding=padding, strideH=height,
            strideW=width, depthMultiplier=multiplier, dilationHFactor=down, dilationWFactor=right,
            fusedActivationFunction=0)  # fmt: skip


def _no_bias(site: Site, weights: Value, axis: int = 0) -> Value:
    size = (weights.shape or (None,))[axis]
    if size is None:
        raise Unmapped("the number of its channels is unknown")
    zeros = np.zeros(size, np.float32)
    return Value(site.names.unique(f"{site.node.name}_bias"), weights.dtype, (size,), zeros)


@row(conv.conv2d_backprop_input, "TRANSPOSE_CONV")
def transpose_conv(site: Site) -> None:
    """The sizes of the result are a run-time input, as in TensorFlow."""
    if _is_first(site) or site.attr("padding") == "EXPLICIT" or set(site.attr("dilations")) != {1}:
        raise Unmapped("only NHWC without dilations and explicit paddings is converted")
    height, width = _spatial(site, "strides")
    weights = site.transposed(site.inputs[1], (2, 0, 1, 3))
    site.give("TRANSPOSE_CONV", [site.as_int32(0), weights, site.inputs[2]],
              padding=_SAME if site.attr("padding") == "SAME" else _VALID, strideH=height, strideW=width,
              fusedActivationFunction=0)  # fmt: skip


def _volume(site: Site) -> dict[str, Any]:
    if site.attr("data_format") != "NDHWC" or site.attr("padding") not in ("SAME", "VALID"):
        raise Unmapped("only NDHWC is converted")
    strides, dilations = site.attr("strides"), site.attr("dilations")
    return {"padding": _SAME if site.attr("padding") == "SAME" else _VALID,
            "strideD": strides[1], "strideH": strides[2], "strideW": strides[3], "dilationDFactor": dilations[1],
            "dilationHFactor": dilations[2], "dilationWFactor": dilations[3], "fusedActivationFunction": 0}  # fmt: skip


@row(conv.conv3d, "CONV_3D")
def conv3d(site: Site) -> None:
    site.give("CONV_3D", [*site.inputs, None], **_volume(site))


@row(conv.conv3d_backprop_input_v2, "CONV_3D_TRANSPOSE")
def conv3d_transpose(site: Site) -> None:
    site.give("CONV_3D_TRANSPOSE", [site.as_int32(0), site.inputs[1], site.inputs[2], None], **_volume(site))


# ---- pools


def _pool(site: Site, code: str, window: tuple[int, int], strides: tuple[int, int]) -> None:
    value, padding = _padded(site, _channels_last(site, site.inputs[0]))
    _finish(site, code, [value], padding=padding, filterHeight=window[0], filterWidth=window[1], strideH=strides[0],
            strideW=strides[1], fusedActivationFunction=0)  # fmt: skip


@row(pool.avg_pool, "AVERAGE_POOL_2D")
def avg_pool(site: Site) -> None:
    _pool(site, "AVERAGE_POOL_2D", _spatial(site, "ksize"), _spatial(site, "strides"))


@row(pool.max_pool, "MAX_POOL_2D")
def max_pool(site: Site) -> None:
    _pool(site, "MAX_POOL_2D", _spatial(site, "ksize"), _spatial(site, "strides"))


@row(pool.max_pool_v2, "MAX_POOL_2D")
def max_pool_v2(site: Site) -> None:
    window, strides = ([int(each) for each in site.known(place)] for place in (1, 2))
    _pool(site, "MAX_POOL_2D", _of_axes(site, window, "ksize"), _of_axes(site, strides, "strides"))


# ---- activations with numbers


@row(activations.leaky_relu, "LEAKY_RELU")
def leaky_relu(site: Site) -> None:
    site.give("LEAKY_RELU", site.inputs, alpha=float(site.attr("alpha")))


@row(activations.softmax, "SOFTMAX")
def softmax(site: Site) -> None:
    site.give("SOFTMAX", site.inputs, beta=1.0)


@row(activations.log_softmax, "LOG_SOFTMAX")
def log_softmax(site: Site) -> None:
    site.give("LOG_SOFTMAX", site.inputs)


@row(normalize.lrn, "LOCAL_RESPONSE_NORMALIZATION")
def lrn(site: Site) -> None:
    site.give("LOCAL_RESPONSE_NORMALIZATION", site.inputs, radius=int(site.attr("depth_radius")),
              **{name: float(site.attr(name)) for name in ("bias", "alpha", "beta")})


# ---- batch normalization: a product and a sum, which fusing.py folds into a convolution before it


def _normalized(site: Site, x: Value, scale: Any, offset: Any, mean: Any, variance: Any, epsilon: float) -> None:
    factor = scale / np.sqrt(variance.astype(np.float64) + epsilon)
    shift = offset - mean * factor
    shape = [-1, 1, 1] if _is_first(site) else [-1]
    product = site.make("MUL", [x, site.constant(np.reshape(factor, shape), "scale", np.float32)], x.shape)
    site.give("ADD", [product, site.constant(np.reshape(shift, shape), "offset", np.float32)])


@row(normalize.fused_batch_norm, "MUL", "ADD")
@row(normalize.fused_batch_norm_v2, "MUL", "ADD")
@row(normalize.fused_batch_norm_v3, "MUL", "ADD")
def fused_batch_norm(site: Site) -> None:
    if site.attr("is_training"):
        raise Unmapped("it normalizes by the statistics of the batch: build the graph for inference")
    rest = site.outputs[1:]
    site.outputs = site.outputs[:1]
    scale, offset, mean, variance = (site.known(place) for place in (1, 2, 3, 4))
    _normalized(site, site.inputs[0], scale, offset, mean, variance, float(site.attr("epsilon")))
    site.outputs += rest


@row(normalize.batch_norm_with_global_normalization, "MUL", "ADD")
def batch_norm_with_global_normalization(site: Site) -> None:
    mean, variance, offset, scale = (site.known(place) for place in (1, 2, 3, 4))
    used = scale if site.attr("scale_after_normalization") else np.ones_like(scale)
    _normalized(site, site.inputs[0], used, offset, mean, variance, float(site.attr("variance_epsilon")))


# ---- images


def _resize(code: str) -> Any:
    def convert(site: Site) -> None:
        site.give(code, [site.inputs[0], site.as_int32(1)], alignCorners=bool(site.attr("align_corners")),
                  halfPixelCenters=bool(site.attr("half_pixel_centers")))

    return convert


row(resize.resize_bilinear, "RESIZE_BILINEAR")(_resize("RESIZE_BILINEAR"))
row(resize.resize_nearest_neighbor, "RESIZE_NEAREST_NEIGHBOR")(_resize("RESIZE_NEAREST_NEIGHBOR"))


@row(boxes.non_max_suppression_v4, "NON_MAX_SUPPRESSION_V4")
def non_max_suppression_v4(site: Site) -> None:
    _suppression(site, "NON_MAX_SUPPRESSION_V4")


@row(boxes.non_max_suppression_v5, "NON_MAX_SUPPRESSION_V5")
def non_max_suppression_v5(site: Site) -> None:
    _suppression(site, "NON_MAX_SUPPRESSION_V5")


def _suppression(site: Site, code: str) -> None:
    if not site.attr("pad_to_max_output_size"):
        raise Unmapped("the operator pads to max_output_size, which the node does not ask for")
    site.give(code, site.inputs)


# ---- ranges of quantized training


@row(quantize.fake_quant_with_min_max_args, "FAKE_QUANT")
def fake_quant_args(site: Site) -> None:
    _fake_quant(site, float(site.attr("min")), float(site.attr("max")))


@row(quantize.fake_quant_with_min_max_vars, "FAKE_QUANT")
def fake_quant_vars(site: Site) -> None:
    _fake_quant(site, float(site.known(1)), float(site.known(2)))


def _fake_quant(site: Site, low: float, high: float) -> None:
    """Constants are quantized now, and remember their range."""
    if all(value.data is not None for value in site.inputs):
        data, = calling.evaluate(site.node, [value.data for value in site.inputs])  # type: ignore[misc]
        held = site.outputs[0]
        held.data, held.shape, held.quantization = data, data.shape, Quantization.of_range(low, high)
        return
    site.give("FAKE_QUANT", site.inputs[:1], min=low, max=high, numBits=int(site.attr("num_bits")),
              narrowRange=bool(site.attr("narrow_range")))
