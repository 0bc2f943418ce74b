"""Quantized convolution, pooling and normalization of images."""
from __future__ import annotations

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import op
from evergraph.graph.shaping import require_equal, with_rank
from evergraph.ops.math.quantized_levels import above_zero_level, limits, product_range, to_levels, to_numbers
from evergraph.ops.nn.conv import convolve, convolved_shape
from evergraph.ops.nn.windows import output_size

_F = np.float32
_IMAGES = "NHWC"


def _scalars(*ends):
    for end in ends:
        with_rank(end, 0)


# ---- convolution

def _convolved(input, filter, min_input, max_input, min_filter, max_filter, strides, padding, dilations):
    _scalars(min_input, max_input, min_filter, max_filter)
    input, filter = with_rank(input, 4), with_rank(filter, 4)
    require_equal(input[3], filter[2])
    return [convolved_shape(input, filter, filter[3], strides, padding, _IMAGES, dilations), (), ()]


@op("QuantizedConv2D(input: Tinput, filter: Tfilter, min_input: float, max_input: float, min_filter: float, "
    "max_filter: float, *, Tinput: quantized, Tfilter: quantized, out_type: quantized = qint32, strides: list(int), "
    "padding: {'SAME', 'VALID'}, dilations: list(int) = [1, 1, 1, 1]) -> output: out_type, min_output: float, "
    "max_output: float", shape=_convolved, export=("nn.quantized_conv2d",))
def quantized_conv2d(xp, lax, input, filter, min_input, max_input, min_filter, max_filter, Tinput, Tfilter, out_type,
                     strides, padding, dilations):
    """Convolves quantized images, to integers of 32 bits and their range.

    Args:
        input: quantized images.
        filter: quantized filters.
        min_input: the number that the lowest value of the images stands for.
        max_input: that of the highest one.
        min_filter: the number that the lowest value of the filters stands for.
        max_filter: that of the highest one.
        strides: how far a window moves, for each of the four axes.
        padding: "SAME" or "VALID".
        out_type: the dtype of the sums.
        dilations: the distance between the elements that a filter sees.
    """
    if any(step != 1 for step in dilations):
        raise errors.InvalidArgumentError(None, None, f"dilations other than 1 are not there: {dilations}")
    images = above_zero_level(xp, input, min_input, max_input).astype(np.float64)
    kernel = above_zero_level(xp, filter, min_filter, max_filter).astype(np.float64)
    # Doubles hold such sums exactly, and their convolution is faster than that of integers.
    total = xp.rint(convolve(lax, images, kernel, strides, padding, _IMAGES, dilations)).astype(np.int64)
    ends = product_range(xp, Tinput, min_input, max_input, Tfilter, min_filter, max_filter, out_type)
    return total.astype(out_type), *ends


# ---- pooling

def _pooled(input, min_input, max_input, ksize, strides, padding):
    _scalars(min_input, max_input)
    return [tuple(output_size(size, window, stride, padding)
                  for size, window, stride in zip(with_rank(input, 4), ksize, strides)), (), ()]


_POOL = "T: quantized, ksize: list(int), strides: list(int), padding: {'SAME', 'VALID'}) -> output: T, " \
        "min_output: float, max_output: float"


def _windows(xp, input, ksize, strides, padding, reduce, start):
    """A window reduction by XLA's reduce-window."""
    import jax
    return jax.lax.reduce_window(input, start, reduce, tuple(ksize), tuple(strides), padding)


@op(f"QuantizedMaxPool(input: T, min_input: float, max_input: float, *, {_POOL}", shape=_pooled,
    export=("nn.quantized_max_pool",))
def quantized_max_pool(xp, lax, input, min_input, max_input, T, ksize, strides, padding):
    """Max-pools quantized images, whose range stays as it is.

    Args:
        input: quantized images.
        min_input: the number that the lowest quantized value stands for.
        max_input: that of the highest one.
        ksize: the size of the window, for each of the four axes.
        strides: how far it moves.
        padding: "SAME" or "VALID".
    """
    lowest = np.array(limits(T)[0], T)
    return _windows(xp, input, ksize, strides, padding, lax.max, lowest), min_input, max_input


@op(f"QuantizedAvgPool(input: T, min_input: float, max_input: float, *, {_POOL}", shape=_pooled,
    export=("nn.quantized_avg_pool",))
def quantized_avg_pool(xp, lax, input, min_input, max_input, T, ksize, strides, padding):
    """Quantized average pooling; means are rounded towards zero.

    Args:
        input: quantized images.
        min_input: the number that the lowest quantized value stands for.
        max_input: that of the highest one.
        ksize: the size of the window, for each of the four axes.
        strides: how far it moves.
        padding: "SAME" or "VALID".
    """
    none = np.array(0, np.int32)
    total = _windows(xp, input.astype(np.int32), ksize, strides, padding, lax.add, none)
    count = _windows(xp, np.ones(input.shape, np.int32), ksize, strides, padding, lax.add, none)
    return lax.div(total, count).astype(T), min_input, max_input


# ---- normalization

def _normalized(t, m, v, beta, gamma):
    t = with_rank(t, 4)
    for each in (m, v, beta, gamma):
        require_equal(t[3], with_rank(each, 1)[0])
    return [t, (), ()]


_NORMALIZED_RANGE = _F(1 << 20)


@op("QuantizedBatchNormWithGlobalNormalization(t: Tinput, t_min: float, t_max: float, m: Tinput, m_min: float, "
    "m_max: float, v: Tinput, v_min: float, v_max: float, beta: Tinput, beta_min: float, beta_max: float, "
    "gamma: Tinput, gamma_min: float, gamma_max: float, *, Tinput: quantized, out_type: quantized, "
    "variance_epsilon: float, scale_after_normalization: bool) -> result: out_type, result_min: float, "
    "result_max: float", shape=_normalized)
def quantized_batch_norm_with_global_normalization(
        xp, t, t_min, t_max, m, m_min, m_max, v, v_min, v_max, beta, beta_min, beta_max, gamma, gamma_min, gamma_max,
        out_type, variance_epsilon, scale_after_normalization):
    """Quantized batch normalization: (t - m) / sqrt(v + epsilon) * gamma + beta per channel."""
    numbers = [to_numbers(xp, *each) for each in ((t, t_min, t_max), (m, m_min, m_max), (v, v_min, v_max),
                                                  (beta, beta_min, beta_max), (gamma, gamma_min, gamma_max))]
    images, mean, variance, shift, scale = numbers
    inverse = 1.0 / xp.sqrt(variance + variance_epsilon)
    result = (images - mean) * (inverse * scale if scale_after_normalization else inverse) + shift
    low, high = -_NORMALIZED_RANGE, _NORMALIZED_RANGE
    return to_levels(xp, result, low, high, out_type), low, high


@op("QuantizedInstanceNorm(x: T, x_min: float, x_max: float, *, T: quantized, output_range_given: bool = False, "
    "given_y_min: float = 0.0, given_y_max: float = 0.0, variance_epsilon: float = 1e-05, "
    "min_separation: float = 0.001) -> y: T, y_min: float, y_max: float", shape=lambda x: [with_rank(x, 4), (), ()])
def quantized_instance_norm(xp, x, x_min, x_max, T, output_range_given, given_y_min, given_y_max, variance_epsilon,
                            min_separation):
    """Quantized instance normalization: each channel of each image minus its mean, over its deviation."""
    if x.ndim != 4:
        raise errors.InvalidArgumentError(None, None, f"input must be 4-D, got shape {x.shape}")
    numbers = to_numbers(xp, x, x_min, x_max)
    mean = numbers.mean(axis=(1, 2), keepdims=True)
    variance = numbers.var(axis=(1, 2), keepdims=True)
    result = ((numbers - mean) / xp.sqrt(variance + variance_epsilon)).astype(_F)
    if output_range_given:
        low, high = _F(given_y_min), _F(given_y_max)
    else:
        low = xp.minimum(result.min(), _F(0))
        high = xp.maximum(result.max(), low + _F(min_separation))
    return to_levels(xp, result, low, high, T), low, high
