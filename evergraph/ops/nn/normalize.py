"""Normalization of images: fused batch normalization, and local response normalization."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.differentiate import differentiate
from evergraph.graph.opdef import op
from evergraph.graph.shaping import merge, merge_size, with_rank
from evergraph.ops.arrays.basic import cast, stop_gradient, zeros_like
from evergraph.ops.arrays.reshape import reshape, transpose
from evergraph.ops.math.elementwise import add_v2, mul, reciprocal, rsqrt, squared_difference
from evergraph.ops.math.elementwise import sub as subtract
from evergraph.ops.math.reduce import mean as mean_of
from evergraph.ops.math.reduce import sum_
from evergraph.ops.nn import norms
from evergraph.ops.nn.outline import outlined

# ---- batch normalization

_SETTINGS = "epsilon: float = 1e-04, data_format: {'NHWC', 'NCHW'} = 'NHWC', is_training: bool = True"
_HALF = "T: {half, bfloat16, float}, U: {float}"


def _around(data_format):
    """The axes of an image batch other than the channels."""
    return (0, 2, 3) if data_format == "NCHW" else (0, 1, 2)


def _per_channel(values, data_format):
    """One number per channel, in a shape that broadcasts with images."""
    return values.reshape((1, -1, 1, 1)) if data_format == "NCHW" else values


@outlined
def _normalized(xp, x, scale, offset, mean, variance, epsilon, data_format, is_training):
    """(y, running mean, running variance, batch mean, batch variance).

    Training reads no mean and variance: TensorFlow 1 gives empty ones, graphs of TensorFlow 2 the moving averages.
    """
    if x.ndim != 4:
        raise invalid("input must be 4-dimensional")
    for what, values in (("scale", scale), ("offset", offset)):
        if values.shape != (x.shape[1 if data_format == "NCHW" else 3],):
            raise invalid(f"{what} must have one number a channel: x is {list(x.shape)}, {what} {list(values.shape)}")
    kind, x = x.dtype, x.astype(np.float32)
    unbiased = variance
    if is_training:
        axes = _around(data_format)
        count = int(np.prod([x.shape[axis] for axis in axes]))
        if xp is np and data_format == "NHWC" and norms.takes(x):
            y, mean, variance = norms.normalized(x, scale, offset, epsilon)
            return y.astype(kind), mean, variance * np.float32(count / max(count - 1, 1)), mean, variance
        mean = x.sum(axes) / np.float32(count)  # of no element: NaN, without a warning
        variance = xp.square(x - _per_channel(mean, data_format)).sum(axes) / np.float32(count)
        unbiased = variance * np.float32(count / max(count - 1, 1))
    factor = scale / xp.sqrt(variance + np.float32(epsilon))
    shift = offset - mean * factor
    y = x * _per_channel(factor, data_format) + _per_channel(shift, data_format)
    return y.astype(kind), mean, unbiased, mean, variance


def _normalized_shape(x, scale, offset, mean, variance, data_format, is_training):
    x = with_rank(x, 4)
    channel = 1 if data_format == "NCHW" else 3
    channels = x[channel]
    for each in (scale, offset) if is_training else (scale, offset, mean, variance):
        channels = merge_size(channels, with_rank(each, 1)[0])
    whole = (*x[:channel], channels, *x[channel + 1 :])
    return [whole] + [(channels,)] * 4


def _normalized_shape_v3(x, scale, offset, mean, variance, data_format, is_training):
    return [*_normalized_shape(x, scale, offset, mean, variance, data_format, is_training), ()]


@op(
    f"FusedBatchNorm(x: T, scale: T, offset: T, mean: T, variance: T, *, T: {{float}}, {_SETTINGS}) -> y: T, "
    "batch_mean: T, batch_variance: T, reserve_space_1: T, reserve_space_2: T",
    shape=_normalized_shape,
    later={"exponential_avg_factor": 1.0},
)
def fused_batch_norm(xp, x, scale, offset, mean, variance, epsilon, data_format, is_training):
    """Batch normalization (Ioffe and Szegedy, 2015): scale * (x - mean) / sqrt(variance + epsilon) + offset.

    In training, mean and variance are the batch's, and `batch_variance` is the unbiased estimate; otherwise they are
    the inputs. The last two outputs are for the gradient.
    """
    return _normalized(xp, x, scale, offset, mean, variance, epsilon, data_format, is_training)


fused_batch_norm_v2 = op(
    f"FusedBatchNormV2(x: T, scale: U, offset: U, mean: U, variance: U, *, {_HALF}, {_SETTINGS}) -> y: T, "
    "batch_mean: U, batch_variance: U, reserve_space_1: U, reserve_space_2: U",
    shape=_normalized_shape,
    later={"exponential_avg_factor": 1.0},
)(fused_batch_norm.kernel)


@op(
    f"FusedBatchNormV3(x: T, scale: U, offset: U, mean: U, variance: U, *, {_HALF}, {_SETTINGS}) -> y: T, "
    "batch_mean: U, batch_variance: U, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U",
    shape=_normalized_shape_v3,
    later={"exponential_avg_factor": 1.0},
)
def fused_batch_norm_v3(xp, x, scale, offset, mean, variance, epsilon, data_format, is_training):
    """FusedBatchNormV2 with an output that only TensorFlow's GPU kernels use: it is 0."""
    results = _normalized(xp, x, scale, offset, mean, variance, epsilon, data_format, is_training)
    return *results, np.zeros((), np.float32)


@outlined
def _backward(xp, y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon, data_format, is_training):
    """The gradients of x, scale and offset in closed form: a third of the work of automatic differentiation."""
    kind, x, dy = x.dtype, x.astype(np.float32), y_backprop.astype(np.float32)
    axes = _around(data_format)
    nothing = np.zeros(0, np.float32)
    if xp is np and is_training and data_format == "NHWC" and norms.takes(dy, x):
        dx, by_scale, by_offset = norms.gradients(dy, x, scale, reserve_space_1, reserve_space_2, epsilon)
        return dx.astype(kind), by_scale, by_offset, nothing, nothing
    mean, variance = reserve_space_1, reserve_space_2 + np.float32(epsilon)
    inverse = 1 / xp.sqrt(variance)
    centered = x - _per_channel(mean, data_format)
    by_offset = dy.sum(axes)
    product = (dy * centered).sum(axes)
    dx = dy
    if is_training:
        count = np.float32(np.prod([x.shape[axis] for axis in axes]))
        dx = dy - _per_channel(by_offset / count, data_format)
        dx = dx - centered * _per_channel(product / (count * variance), data_format)
    dx = dx * _per_channel(scale * inverse, data_format)
    return dx.astype(kind), product * inverse, by_offset, nothing, nothing


def _backward_shape(y_backprop, x, scale, reserve_space_1, reserve_space_2, data_format):
    whole = merge(with_rank(y_backprop, 4), with_rank(x, 4))
    channels = whole[1 if data_format == "NCHW" else 3]
    for each in (scale, reserve_space_1, reserve_space_2):
        channels = merge_size(channels, with_rank(each, 1)[0])
    return [whole, (channels,), (channels,), (0,), (0,)]


@op(
    "FusedBatchNormGrad(y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T, *, T: {float}, "
    f"{_SETTINGS}) -> x_backprop: T, scale_backprop: T, offset_backprop: T, reserve_space_3: T, reserve_space_4: T",
    shape=_backward_shape,
)
def fused_batch_norm_grad(
    xp, y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon, data_format, is_training
):
    """The gradients of FusedBatchNorm."""
    return _backward(xp, y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon, data_format, is_training)


fused_batch_norm_grad_v2 = op(
    "FusedBatchNormGradV2(y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U, *, "
    f"{_HALF}, {_SETTINGS}) -> x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_3: U, "
    "reserve_space_4: U",
    shape=_backward_shape,
)(fused_batch_norm_grad.kernel)
fused_batch_norm_grad_v3 = op(
    "FusedBatchNormGradV3(y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U, "
    f"reserve_space_3: U, *, {_HALF}, {_SETTINGS}) -> x_backprop: T, scale_backprop: U, offset_backprop: U, "
    "reserve_space_4: U, reserve_space_5: U",
    shape=_backward_shape,
)(fused_batch_norm_grad.kernel)


def _rule(backward, reserved):
    """The gradient of a forward op; `reserved` is the number of its outputs that the backward op takes."""

    def rule(op, dy, *unused):
        settings = {name: op.attrs[name] for name in ("epsilon", "data_format", "is_training")}
        x, scale, _, mean, variance = op.inputs
        saved = list(op.outputs[3 : 3 + reserved])
        if settings["is_training"]:
            return [*backward(dy, x, scale, *saved, **settings)[:3], None, None]
        turned = settings["data_format"] == "NCHW"
        if turned:
            x, dy = transpose(x, [0, 2, 3, 1]), transpose(dy, [0, 2, 3, 1])
        settings["data_format"] = "NHWC"
        dx, dscale, doffset, *_ = backward(dy, x, scale, mean, variance, *saved[2:], **settings)
        return [transpose(dx, [0, 3, 1, 2]) if turned else dx, dscale, doffset, None, None]

    return rule


fused_batch_norm.grad(_rule(fused_batch_norm_grad, 2))
fused_batch_norm_v2.grad(_rule(fused_batch_norm_grad_v2, 2))
fused_batch_norm_v3.grad(_rule(fused_batch_norm_grad_v3, 3))


def _second(op, *dys):
    """The second derivative: the formulas in small ops, which are differentiated."""
    dy, x, scale, mean, variance = op.inputs[:5]
    results = _small_steps(dy, x, scale, mean, variance, op.attrs)
    given = [None if g is None or g.source.type == "ZerosLike" else g for g in dys[:3]]
    pairs = [(result, g) for result, g in zip(results, given) if g is not None]
    if not pairs:
        return [None] * len(op.inputs)
    by = [dy, x, scale]
    slopes = differentiate([result for result, _ in pairs], by, [g for _, g in pairs], stop_gradients=by)
    found = [zeros_like(x) if slope is None else slope for slope, x in zip(slopes, by)]
    return [*found, *[None] * (len(op.inputs) - 3)]


def _small_steps(dy, x, scale, mean, variance, attrs):
    """The gradients of x, scale and offset, built from ops."""
    kind, dy, x = x.dtype.base_dtype, cast(dy, "float32"), cast(x, "float32")
    axes = list(_around(attrs["data_format"]))
    wide = (lambda t: reshape(t, [1, -1, 1, 1])) if attrs["data_format"] == "NCHW" else (lambda t: t)
    if attrs["is_training"]:
        mean = mean_of(x, axes, keep_dims=True)
        variance = mean_of(squared_difference(x, stop_gradient(mean)), axes, keep_dims=True)
    else:
        mean, variance = wide(mean), wide(variance)
    centered, shifted = subtract(x, mean), add_v2(variance, np.float32(attrs["epsilon"]))
    inverse = rsqrt(shifted)
    if attrs["is_training"]:
        spread = mean_of(mul(dy, centered), axes, keep_dims=True)
        across = mul(mul(reciprocal(shifted), spread), centered)
        inner = subtract(subtract(dy, mean_of(dy, axes, keep_dims=True)), across)
    else:
        inner = dy
    dx = mul(mul(wide(scale), inverse), inner)
    return cast(dx, kind), sum_(mul(dy, mul(centered, inverse)), axes), sum_(dy, axes)


for each in (fused_batch_norm_grad, fused_batch_norm_grad_v2, fused_batch_norm_grad_v3):
    each.grad(_second)


# ---- the original form of batch normalization


@op(
    "BatchNormWithGlobalNormalization(t: T, m: T, v: T, beta: T, gamma: T, *, T: number, variance_epsilon: float, "
    "scale_after_normalization: bool) -> result: T",
    shape=lambda t: with_rank(t, 4),
)
def batch_norm_with_global_normalization(xp, t, m, v, beta, gamma, variance_epsilon, scale_after_normalization):
    """(t - m) / sqrt(v + variance_epsilon) * gamma + beta, along the last axis; `gamma` only if requested."""
    factor = 1 / xp.sqrt(v + t.dtype.type(variance_epsilon))
    return (t - m) * (factor * gamma if scale_after_normalization else factor) + beta


@op(
    "BatchNormWithGlobalNormalizationGrad(t: T, m: T, v: T, gamma: T, backprop: T, *, T: number, "
    "variance_epsilon: float, scale_after_normalization: bool) -> dx: T, dm: T, dv: T, db: T, dg: T",
    shape=lambda t, m: [with_rank(t, 4)] + [with_rank(m, 1)] * 4,
)
def batch_norm_with_global_normalization_grad(
    xp, t, m, v, gamma, backprop, variance_epsilon, scale_after_normalization
):
    """The gradients of BatchNormWithGlobalNormalization."""
    inverse = 1 / xp.sqrt(v + t.dtype.type(variance_epsilon))
    factor = inverse * gamma if scale_after_normalization else inverse
    by_offset, product = backprop.sum((0, 1, 2)), (backprop * (t - m)).sum((0, 1, 2))
    by_scale = product * inverse if scale_after_normalization else xp.zeros_like(v)
    by_variance = product * factor * inverse**2 * t.dtype.type(-0.5)
    return backprop * factor, -by_offset * factor, by_variance, by_offset, by_scale


@batch_norm_with_global_normalization.grad
def _(op, dy):
    t, m, v, _, gamma = op.inputs
    settings = {name: op.attrs[name] for name in ("variance_epsilon", "scale_after_normalization")}
    return batch_norm_with_global_normalization_grad(t, m, v, gamma, dy, **settings)


# ---- local response normalization

_RESPONSE = (
    "depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5, "
    "T: {half, bfloat16, float} = float"
)


def _neighbours(xp, x, radius):
    """The sum over channels at most `radius` away."""
    if radius < 0:
        raise invalid(f"depth_radius is a number of channels on either side, got {radius}")
    depth = x.shape[-1]
    distance = np.abs(np.subtract.outer(np.arange(depth), np.arange(depth)))
    near = (distance <= radius).astype(np.float32)
    return xp.matmul(x, near) if xp is np else xp.matmul(x, near, precision="highest")


def _lowered(xp, norm, beta):
    """`norm ** -beta` of positive numbers; XLA's own power takes ten times as long."""
    if beta == 1:
        return 1 / norm
    root = xp.sqrt(norm)
    if beta in (0.5, 0.75):
        return 1 / root if beta == 0.5 else 1 / (root * xp.sqrt(root))
    return xp.exp(np.float32(-beta) * xp.log(norm))


@op(f"LRN(input: T, *, {_RESPONSE}) -> output: T", shape=lambda input: with_rank(input, 4))
def lrn(xp, input, depth_radius, bias, alpha, beta):
    """Local response normalization: input / (bias + alpha * sum of squares over neighbouring channels) ** beta."""
    if input.ndim != 4:
        raise invalid("in must be 4-dimensional")
    x = input.astype(np.float32)
    norm = np.float32(bias) + np.float32(alpha) * _neighbours(xp, x * x, depth_radius)
    return x * _lowered(xp, norm, beta)


@lrn.grad
def _(op, dy):
    settings = {name: op.attrs[name] for name in ("depth_radius", "bias", "alpha", "beta")}
    return lrn_grad(dy, op.inputs[0], op.outputs[0], **settings)


@op(
    f"LRNGrad(input_grads: T, input_image: T, output_image: T, *, {_RESPONSE}) -> output: T",
    shape=lambda input_grads, input_image, output_image: merge(with_rank(input_grads, 4),
                                                               merge(input_image, output_image)),
)
def lrn_grad(xp, input_grads, input_image, output_image, depth_radius, bias, alpha, beta):
    """The gradient of LRN."""
    dy, x, y = (each.astype(np.float32) for each in (input_grads, input_image, output_image))
    norm = np.float32(bias) + np.float32(alpha) * _neighbours(xp, x * x, depth_radius)
    across = _neighbours(xp, dy * y / norm, depth_radius)
    return dy * _lowered(xp, norm, beta) - np.float32(2 * alpha * beta) * x * across
