"""Quantized arithmetic: addition, multiplication, matrix multiplication, requantization."""
from __future__ import annotations

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import op
from evergraph.graph.shaping import at_least_rank, broadcast, merge_all, require_equal, with_rank
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.math.quantized_levels import (
    above_zero_level,
    limits,
    product_range,
    rescaled,
    spread,
    to_levels,
    to_numbers,
)

_F = np.float32


def _invalid(message):
    return errors.InvalidArgumentError(None, None, message)


def _scalars(*ends):
    for end in ends:
        with_rank(end, 0)


# ---- requantization

def _requantized_shape(input, input_min, input_max, requested_output_min, requested_output_max):
    _scalars(input_min, input_max, requested_output_min, requested_output_max)
    return [input, (), ()]


@op("Requantize(input: Tinput, input_min: float, input_max: float, requested_output_min: float, "
    "requested_output_max: float, *, Tinput: quantized, out_type: quantized) -> output: out_type, output_min: float, "
    "output_max: float", shape=_requantized_shape)
def requantize(xp, input, input_min, input_max, requested_output_min, requested_output_max, out_type, check):
    """Requantizes to another range and dtype."""
    check(requested_output_min <= 0, "the requested range must hold zero, but requested_output_min is above it")
    check(requested_output_max >= requested_output_min, "the requested range ends before it begins")
    output = rescaled(xp, input, input_min, input_max, requested_output_min, requested_output_max, out_type)
    return output, requested_output_min, requested_output_max


def _used_range(xp, input, low, high):
    """The range of a tensor's values: (min, max), the first at most zero."""
    ends = to_numbers(xp, xp.stack([input.min(), input.max()]), low, high).astype(_F)
    return xp.minimum(ends[0], _F(0)), ends[1]


def _range_shape(input, input_min, input_max):
    _scalars(input_min, input_max)
    return [(), ()]


@op("RequantizationRange(input: Tinput, input_min: float, input_max: float, *, Tinput: quantized) -> "
    "output_min: float, output_max: float", shape=_range_shape)
def requantization_range(xp, input, input_min, input_max):
    """The range of the values that occur in a quantized tensor."""
    return _used_range(xp, input, input_min, input_max)


def _shrunk_shape(input, input_min, input_max):
    _scalars(input_min, input_max)
    return [input, (), ()]


@op("QuantizeDownAndShrinkRange(input: Tinput, input_min: float, input_max: float, *, Tinput: quantized, "
    "out_type: quantized) -> output: out_type, output_min: float, output_max: float", shape=_shrunk_shape)
def quantize_down_and_shrink_range(xp, input, input_min, input_max, out_type):
    """Requantizes to fewer bits, with the range of the values that occur."""
    low, high = _used_range(xp, input, input_min, input_max)
    return rescaled(xp, input, input_min, input_max, low, high, out_type), low, high


# ---- shapes

def _reshaped(tensor, shape_of, input_min, input_max):
    _scalars(input_min, input_max)
    wanted = shape_of("shape")
    if wanted is not None and None in wanted and tensor is not None and None not in tensor and wanted.count(None) == 1:
        known = int(np.prod([size for size in wanted if size is not None], dtype=np.int64))
        whole = int(np.prod(tensor, dtype=np.int64))
        wanted = tuple(whole // known if size is None and known else size for size in wanted)
    return [wanted, (), ()]


@op("QuantizedReshape(tensor: T, shape: Tshape, input_min: float, input_max: float, *, T: type, "
    "Tshape: index = int32) -> output: T, output_min: float, output_max: float", static=("shape",), shape=_reshaped)
def quantized_reshape(xp, tensor, shape, input_min, input_max):
    """Reshapes a quantized tensor."""
    return reshape.kernel(tensor, shape), input_min, input_max


def _concatenated(concat_dim, values, value_of):
    with_rank(concat_dim, 0)
    axis = value_of("concat_dim")
    if any(each is None for each in values) or axis is None:
        known = [each for each in values if each is not None]
        return [(None,) * len(known[0]) if known else None, (), ()]
    axis = int(axis) % len(values[0])
    rest = merge_all([(*each[:axis], *each[axis + 1:]) for each in values])
    sizes = [each[axis] for each in values]
    return [(*rest[:axis], None if None in sizes else sum(sizes), *rest[axis:]), (), ()]


@op("QuantizedConcat(concat_dim: int32, values: N * T, input_mins: N * float, input_maxes: N * float, *, N: int >= 2, "
    "T: type) -> output: T, output_min: float, output_max: float", static=("concat_dim",), shape=_concatenated,
    export=("quantized_concat", "quantization.quantized_concat"))
def quantized_concat(xp, concat_dim, values, input_mins, input_maxes, T):
    """Concatenates quantized tensors along an axis, requantized to a range that contains all of theirs.

    Args:
        concat_dim: the axis.
        values: the tensors.
        input_mins: the number that the lowest value of each stands for.
        input_maxes: those of the highest ones.
    """
    low = xp.minimum(_F(0), xp.stack([xp.asarray(end) for end in input_mins]).min())
    high = xp.stack([xp.asarray(end) for end in input_maxes]).max()
    if limits(T)[0]:  # signed: symmetric about zero
        high = xp.maximum(xp.abs(low), xp.abs(high))
        low = -high
    parts = [xp.where((ends[0] == low) & (ends[1] == high), each, rescaled(xp, each, *ends, low, high, T))
             for each, *ends in zip(values, input_mins, input_maxes)]
    return xp.concatenate(parts, axis=int(concat_dim)), low, high


# ---- addition and multiplication

def _binary_shape(x, y, min_x, max_x, min_y, max_y):
    _scalars(min_x, max_x, min_y, max_y)
    return [broadcast(x, y), (), ()]


def _sum_range(xp, bits, *ends):
    """A range for sums: symmetric about zero, and wider than the numbers by `bits` bits."""
    largest = xp.stack([xp.abs(xp.asarray(end)) for end in ends]).max()
    high = largest * _F(1 << bits)
    return -high, high


@op("QuantizedAdd(x: T1, y: T2, min_x: float, max_x: float, min_y: float, max_y: float, *, T1: quantized, "
    "T2: quantized, Toutput: quantized = qint32) -> z: Toutput, min_z: float, max_z: float", shape=_binary_shape)
def quantized_add(xp, x, y, min_x, max_x, min_y, max_y, Toutput):
    """Quantized elementwise addition."""
    low, high = _sum_range(xp, 14, min_x, max_x, min_y, max_y)
    total = spread(xp, x, min_x, max_x, low, high, Toutput) + spread(xp, y, min_y, max_y, low, high, Toutput)
    return total.astype(Toutput), low, high


@op("QuantizedMul(x: T1, y: T2, min_x: float, max_x: float, min_y: float, max_y: float, *, T1: quantized, "
    "T2: quantized, Toutput: quantized = qint32) -> z: Toutput, min_z: float, max_z: float", shape=_binary_shape)
def quantized_mul(xp, x, y, min_x, max_x, min_y, max_y, T1, T2, Toutput):
    """Quantized elementwise multiplication."""
    product = above_zero_level(xp, x, min_x, max_x) * above_zero_level(xp, y, min_y, max_y)
    return product.astype(Toutput), *product_range(xp, T1, min_x, max_x, T2, min_y, max_y, Toutput)


def _biased(input, bias, min_input, max_input, min_bias, max_bias):
    _scalars(min_input, max_input, min_bias, max_bias)
    bias = with_rank(bias, 1)
    if at_least_rank(input, 1) is not None:
        require_equal(input[-1], bias[0])
    return [input, (), ()]


@op("QuantizedBiasAdd(input: T1, bias: T2, min_input: float, max_input: float, min_bias: float, max_bias: float, *, "
    "T1: quantized, T2: quantized, out_type: quantized) -> output: out_type, min_out: float, max_out: float",
    shape=_biased)
def quantized_bias_add(xp, input, bias, min_input, max_input, min_bias, max_bias, out_type):
    """Adds a quantized bias per channel to a quantized tensor."""
    if input.ndim < 2 or bias.ndim != 1 or bias.shape[0] != input.shape[-1]:
        raise _invalid(f"a bias for each channel of a matrix or more is needed, got {input.shape} and {bias.shape}")
    low, high = _sum_range(xp, 17, min_input, max_input, min_bias, max_bias)
    total = (rescaled(xp, input, min_input, max_input, low, high, out_type).astype(np.int64)
             + rescaled(xp, bias, min_bias, max_bias, low, high, out_type))
    return total.astype(out_type), low, high


def _product_shape(a, b, transpose_a, transpose_b, min_a, max_a, min_b, max_b):
    _scalars(min_a, max_a, min_b, max_b)
    a, b = with_rank(a, 2), with_rank(b, 2)
    rows, inner = reversed(a) if transpose_a else a
    other, columns = reversed(b) if transpose_b else b
    require_equal(inner, other)
    return [(rows, columns), (), ()]


@op("QuantizedMatMul(a: T1, b: T2, min_a: float, max_a: float, min_b: float, max_b: float, *, T1: quantized, "
    "T2: quantized, Toutput: quantized = qint32, transpose_a: bool = False, transpose_b: bool = False, "
    "Tactivation: quantized = quint8) -> out: Toutput, min_out: float, max_out: float", shape=_product_shape)
def quantized_mat_mul(xp, a, b, min_a, max_a, min_b, max_b, T1, T2, Toutput, transpose_a, transpose_b):
    """Quantized matrix multiplication. `Tactivation` has no effect, as in TensorFlow's kernel."""
    left, right = above_zero_level(xp, a, min_a, max_a), above_zero_level(xp, b, min_b, max_b)
    left, right = left.T if transpose_a else left, right.T if transpose_b else right
    if left.shape[1] != right.shape[0]:
        raise _invalid(f"Matrix size-incompatible: In[0]: {a.shape}, In[1]: {b.shape}")
    # Doubles hold such sums exactly, and their products are faster than those of integers.
    total = xp.rint(xp.matmul(left.astype(np.float64), right.astype(np.float64))).astype(np.int64)
    return total.astype(Toutput), *product_range(xp, T1, min_a, max_a, T2, min_b, max_b, Toutput)


# ---- activations

def _activation_shape(features, min_features, max_features):
    _scalars(min_features, max_features)
    return [features, (), ()]


_RELU = "Tinput: quantized, out_type: quantized = quint8) -> activations: out_type, min_activations: float, " \
        "max_activations: float"


@op(f"QuantizedRelu(features: Tinput, min_features: float, max_features: float, *, {_RELU}", shape=_activation_shape)
def quantized_relu(xp, features, min_features, max_features, Tinput, out_type):
    """Quantized rectified linear unit: max(features, 0)."""
    zero = to_levels(xp, _F(0), min_features, max_features, Tinput)
    return xp.maximum(features, zero).astype(out_type), min_features, max_features


def _bounded(xp, features, low, high, top, dtype, out_type):
    zero, most = (to_levels(xp, end, low, high, dtype) for end in (_F(0), top))
    return xp.minimum(xp.maximum(features, zero), most).astype(out_type), low, high


@op(f"QuantizedRelu6(features: Tinput, min_features: float, max_features: float, *, {_RELU}", shape=_activation_shape)
def quantized_relu6(xp, features, min_features, max_features, Tinput, out_type):
    """Quantized ReLU6: features clipped to [0, 6]."""
    return _bounded(xp, features, min_features, max_features, _F(6), Tinput, out_type)


@op(f"QuantizedReluX(features: Tinput, max_value: float, min_features: float, max_features: float, *, {_RELU}",
    shape=_activation_shape, export=("nn.quantized_relu_x",))
def quantized_relu_x(xp, features, max_value, min_features, max_features, Tinput, out_type):
    """Quantized ReLU clipped to [0, max_value]."""
    return _bounded(xp, features, min_features, max_features, xp.asarray(max_value), Tinput, out_type)
