"""tf.nn's statistics and normalizations: moments, batch normalization, unit length."""
from __future__ import annotations

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.reduce import either, reduce_mean, reduce_prod, reduce_sum
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.ops.nn import normalize as ops

LEAST_EPSILON = 1.001e-5  # cuDNN takes no smaller one


# ---- moments

@export("nn.sufficient_statistics")
def sufficient_statistics(x, axes, shift=None, keep_dims=None, name=None, keepdims=None):
    """What the mean and variance along axes can be worked out from: see `tf.nn.normalize_moments`.

    Args:
        x: numbers.
        axes: the axes.
        shift: a number near the mean, which makes the sums more exact; None for 0.
        keep_dims: the older name of `keepdims`.
        name: a name for the operations.
        keepdims: whether the axes stay, with size 1.

    Returns:
        (number of elements, sum of the shifted elements, sum of their squares, shift).
    """
    axes = list(set(np.ravel(axes).tolist()))
    keepdims = bool(either("keepdims", keepdims, "keep_dims", keep_dims))
    with name_scope(name, "sufficient_statistics", [x, shift]):
        x = convert_to_tensor(x, name="x")
        count = _count(x, axes)
        if shift is None:
            deviation, squares = x, elementwise.square(x)
        else:
            shift = convert_to_tensor(shift, name="shift")
            deviation, squares = elementwise.sub(x, shift), elementwise.squared_difference(x, shift)
        total = reduce_sum(deviation, axes, keepdims=keepdims, name="mean_ss")
        return count, total, reduce_sum(squares, axes, keepdims=keepdims, name="var_ss"), shift


def _count(x, axes):
    """The number of elements along axes, in the dtype of `x`."""
    kind = x.dtype.base_dtype
    if x.shape.rank is not None and all(x.shape.as_list()[axis] is not None for axis in axes):
        return constant(int(np.prod([x.shape.as_list()[axis] for axis in axes])), kind)
    return reduce_prod(indexing.gather(math.cast(array.shape(x), kind), axes), name="count")


@export("nn.normalize_moments")
def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    """The mean and variance that follow from `tf.nn.sufficient_statistics`.

    Args:
        counts: the number of elements.
        mean_ss: the sum of the shifted elements.
        variance_ss: the sum of the squares of the shifted elements.
        shift: the shift, or None.
        name: a name for the operations.
    """
    with name_scope(name, "normalize", [counts, mean_ss, variance_ss, shift]):
        divisor = elementwise.reciprocal(counts, name="divisor")
        if shift is None:
            mean = shifted = elementwise.mul(mean_ss, divisor, name="mean")
        else:
            shifted = elementwise.mul(mean_ss, divisor, name="shifted_mean")
            mean = elementwise.add(shifted, shift, name="mean")
        squares = elementwise.mul(variance_ss, divisor)
        return mean, elementwise.sub(squares, elementwise.square(shifted), name="variance")


@export("nn.moments")
def moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None):
    """Computes the mean and the (biased) variance of a tensor along axes.

    Args:
        x: numbers; half precision is averaged in single.
        axes: a list of axes.
        shift: has no meaning any more.
        name: a name for the operations.
        keep_dims: the older name of `keepdims`.
        keepdims: whether the axes stay, with size 1.

    >>> mean, variance = tf.nn.moments(tf.constant([1.0, 3.0]), axes=[0])
    >>> tf.Session().run([mean, variance])
    [2.0, 1.0]
    """
    keepdims = either("keepdims", keepdims, "keep_dims", keep_dims)
    with name_scope(name, "moments", [x, axes]):
        x = convert_to_tensor(x)
        kind = x.dtype.base_dtype
        y = math.cast(x, dtypes.float32) if kind is dtypes.float16 else x
        mean = reduce_mean(y, axes, keepdims=True, name="mean")
        squares = elementwise.squared_difference(y, basic.stop_gradient(mean))
        variance = reduce_mean(squares, axes, keepdims=True, name="variance")
        if not keepdims:
            mean, variance = array.squeeze(mean, axes), array.squeeze(variance, axes)
        return math.cast(mean, kind), math.cast(variance, kind)


@export("nn.weighted_moments")
def weighted_moments(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None):
    """The mean and the variance along axes of elements that count as often as their weights say.

    Args:
        x: numbers.
        axes: a list of axes.
        frequency_weights: weights, which broadcast with `x`.
        name: a name for the operations.
        keep_dims: the older name of `keepdims`.
        keepdims: whether the axes stay, with size 1.
    """
    keepdims = either("keepdims", keepdims, "keep_dims", keep_dims)
    with name_scope(name, "weighted_moments", [x, frequency_weights, axes]):
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        kind = x.dtype.base_dtype
        x = math.cast(x, dtypes.float32) if kind is dtypes.float16 else x
        weights = math.cast(weights, x.dtype.base_dtype)
        total = reduce_sum(weights * x, axes, keepdims=True, name="weighted_input_sum")
        each = weights + array.zeros_like(x)
        divisor = elementwise.reciprocal(reduce_sum(each, axes, keepdims=True, name="sum_of_weights"),
                                         name="inv_weight_sum")
        mean = elementwise.mul(total, divisor)
        squares = weights * elementwise.squared_difference(x, mean)
        variance = elementwise.mul(reduce_sum(squares, axes, keepdims=True, name="weighted_distsq"), divisor)
        if not keepdims:
            mean, variance = array.squeeze(mean, axes), array.squeeze(variance, axes)
        return math.cast(mean, kind), math.cast(variance, kind)


# ---- unit length

@export("nn.l2_normalize", "math.l2_normalize", "linalg.l2_normalize")
def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    """Scales a tensor to unit L2 norm along axes: x / sqrt(max(sum(x**2), epsilon)).

    Args:
        x: numbers.
        axis: an axis or a list of them; None for all.
        epsilon: the least that a squared length counts as.
        name: a name for the operation.
        dim: the older name of `axis`.
    """
    axis = either("axis", axis, "dim", dim)
    with name_scope(name, "l2_normalize", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            squares = elementwise.square(math.real(x)) + elementwise.square(math.imag(x))
            inverse = _inverse_length(math.real(reduce_sum(squares, axis, keepdims=True)), epsilon)
            real, imag = elementwise.mul(math.real(x), inverse), elementwise.mul(math.imag(x), inverse)
            return math.complex(real, imag, name=scope)
        inverse = _inverse_length(reduce_sum(elementwise.square(x), axis, keepdims=True), epsilon)
        return elementwise.mul(x, inverse, name=scope)


def _inverse_length(squares, epsilon):
    return elementwise.rsqrt(elementwise.maximum(squares, epsilon))


# ---- batches

@export("nn.batch_normalization")
def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    """Applies batch normalization (Ioffe and Szegedy, 2015) with given moments.

    The result is scale * (x - mean) / sqrt(variance + variance_epsilon) + offset.

    Args:
        x: numbers; all other tensors broadcast with it.
        mean: the mean.
        variance: the variance.
        offset: what is added in the end, or None.
        scale: the factor, or None.
        variance_epsilon: a small number that keeps the division from zero.
        name: a name for the operations.
    """
    with name_scope(name, "batchnorm", [x, mean, variance, scale, offset]):
        factor = elementwise.rsqrt(variance + variance_epsilon)
        if scale is not None:
            factor = factor * scale
        x = convert_to_tensor(x)
        kind = x.dtype.base_dtype
        scaled = x * math.cast(factor, kind)
        shift = -mean * factor if offset is None else offset - mean * factor
        return scaled + math.cast(shift, kind)


@export("nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(t=None, m=None, v=None, beta=None, gamma=None, variance_epsilon=None,
                                         scale_after_normalization=None, name=None, input=None, mean=None,
                                         variance=None):
    """The older form of `tf.nn.batch_normalization`, for images.

    Args:
        t: the older name of `input`.
        m: the older name of `mean`.
        v: the older name of `variance`.
        beta: the offset of each channel.
        gamma: the factor of each channel.
        variance_epsilon: a small number that keeps the division from zero.
        scale_after_normalization: whether `gamma` is used.
        name: a name for the operations.
        input: images, channels last.
        mean: the mean of each channel.
        variance: the variance of each channel.
    """
    return batch_normalization(either("input", input, "t", t), either("mean", mean, "m", m),
                               either("variance", variance, "v", v), beta,
                               gamma if scale_after_normalization else None, variance_epsilon, name)


@export("nn.fused_batch_norm")
def fused_batch_norm(x, scale, offset, mean=None, variance=None, epsilon=0.001, data_format="NHWC", is_training=True,
                     name=None):
    """Applies batch normalization (Ioffe and Szegedy, 2015) to images in one operation.

    Args:
        x: [batch, height, width, channels], or with the channels second.
        scale: the factor of each channel.
        offset: what is added to each channel.
        mean: the mean of each channel; only when not training.
        variance: the variance of each channel; only when not training.
        epsilon: a small number that keeps the division from zero; at least 1.001e-5 is used.
        data_format: "NHWC" or "NCHW".
        is_training: whether mean and variance are those of the batch.
        name: a name for the operation.

    Returns:
        (the normalized images, the mean used, the variance used; when training the unbiased estimate of it).

    Raises:
        ValueError: mean or variance is given for training.
    """
    x = convert_to_tensor(x, name="input")
    scale, offset = convert_to_tensor(scale, name="scale"), convert_to_tensor(offset, name="offset")
    if is_training and (mean is not None or variance is not None):
        raise ValueError("training computes 'mean' and 'variance': give them only with is_training=False")
    mean, variance = (constant([]) if each is None else each for each in (mean, variance))
    y, batch_mean, batch_variance, *_ = ops.fused_batch_norm_v3(
        x, scale, offset, mean, variance, epsilon=max(epsilon, LEAST_EPSILON), data_format=data_format,
        is_training=is_training, name=name)
    return y, batch_mean, batch_variance


# ---- neighbouring channels

@export("nn.local_response_normalization", "nn.lrn")
def local_response_normalization(input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None):
    """Applies local response normalization (Krizhevsky et al., 2012) across channels.

    The result is x / (bias + alpha * s)**beta, where s is the sum of x**2 over the neighbouring channels.

    Args:
        input: [batch, height, width, channels].
        depth_radius: how far away a channel may be to count.
        bias: keeps the division from zero.
        alpha: the weight of the neighbours.
        beta: the exponent.
        name: a name for the operation.
    """
    return ops.lrn(input, depth_radius=depth_radius, bias=bias, alpha=alpha, beta=beta, name=name)
