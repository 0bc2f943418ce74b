"""Functions of tensors that distributions are made of: stable logarithms, moved and padded axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import where
from evergraph.frontend.math import abs as absolute
from evergraph.frontend.math import cast, sign, sqrt, square
from evergraph.frontend.math import range as numbers
from evergraph.frontend.reduce import reduce_logsumexp, reduce_max, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.basic import stop_gradient
from evergraph.ops.math.elementwise import exp, expm1, is_finite, log


@export("contrib.distributions.reduce_weighted_logsumexp")
def reduce_weighted_logsumexp(logx: Any, w: Any = None, axis: Any = None, keep_dims: bool = False,
                              return_sign: bool = False, name: str | None = None) -> Any:
    """log(abs(sum(w * exp(logx)))), without overflow.

    Args:
        logx: logarithms.
        w: weights, which may be negative; ones by default.
        axis: the axes of the sum; all by default.
        keep_dims: whether these axes are kept, with the size 1.
        return_sign: whether to return (the logarithm, the sign of the sum).
        name: a name for the operations.
    """
    with name_scope(name, "reduce_weighted_logsumexp", [logx, w]):
        logx = convert_to_tensor(logx, name="logx")
        if w is None:
            found = reduce_logsumexp(logx, axis, keepdims=keep_dims)
            return (found, array.ones_like(found)) if return_sign else found
        w = convert_to_tensor(w, logx.dtype.base_dtype, name="w")
        logs = logx + log(absolute(w))
        largest = reduce_max(logs, axis, keepdims=True)
        largest = stop_gradient(where(is_finite(largest), largest, array.zeros_like(largest)))
        total = reduce_sum(sign(w) * exp(logs - largest), axis, keepdims=keep_dims)
        found = log(absolute(total)) + (largest if keep_dims else array.reshape(largest, array.shape(total)))
        return (found, sign(total)) if return_sign else found


@export("contrib.distributions.softplus_inverse")
def softplus_inverse(x: Any, name: str | None = None) -> Any:
    """The inverse of softplus: log(exp(x) - 1), also for large and small x."""
    with name_scope(name, "softplus_inverse", [x]):
        x = convert_to_tensor(x, name="x")
        return log(-expm1(-x)) + x


def mixture_stddev(mixture_weight_vector: Any, mean_vector: Any, stddev_vector: Any) -> Any:
    """The standard deviation of mixtures, [batch, components] -> [batch]."""
    weights, means, deviations = map(convert_to_tensor, (mixture_weight_vector, mean_vector, stddev_vector))
    mean = reduce_sum(weights * means, -1, keepdims=True)
    return sqrt(reduce_sum(weights * (square(deviations) + square(means - mean)), -1))


def pad_mixture_dimensions(x: Any, mixture_distribution: Any, categorical_distribution: Any, event_ndims: int) -> Any:
    """x with axes of size 1 at its end for the events of a mixture, and before these for its batch if the categorical
    distribution has none."""
    with name_scope("pad_mix_dims", values=[x]):
        def rank(distribution: Any) -> Any:
            known = distribution.batch_shape.ndims
            return array.size(distribution.batch_shape_tensor()) if known is None else known

        missing = rank(mixture_distribution) - rank(categorical_distribution)
        if categorical_distribution.batch_shape.ndims not in (0, None) or (isinstance(missing, int) and missing < 0):
            missing = 0
        sizes = array.shape(x)
        ones = [array.ones([missing], dtypes.int32), sizes[-1:], array.ones([event_ndims], dtypes.int32)]
        return array.reshape(x, array.concat([sizes[:-1], *ones], 0))


def pad(x: Any, axis: Any, front: bool = False, back: bool = False, value: Any = 0, count: Any = 1,
        name: str | None = None) -> Any:
    """x with `count` more elements of a value before or behind an axis, or both.

    Raises:
        ValueError: neither is asked for.
    """
    if not (front or back):
        raise ValueError("padding is before the axis, behind it, or both")
    with name_scope(name, "pad", [x, value, count]):
        x = convert_to_tensor(x, name="x")
        value = convert_to_tensor(value, x.dtype.base_dtype, name="value")
        count = convert_to_tensor(count, name="count")
        rank = array.rank(x) if x.shape.ndims is None else x.shape.ndims
        at = axis + rank if isinstance(axis, int) and axis < 0 else axis
        zero = array.zeros([], dtypes.int32)
        paddings = array.stack([count if front else zero, count if back else zero])[None]
        around = [array.zeros([at, 2], dtypes.int32), paddings, array.zeros([rank - at - 1, 2], dtypes.int32)]
        padded = array.pad(x, array.concat(around, 0), constant_values=value)
        known = array.get_static_value(count)
        if known is not None and isinstance(at, int) and x.shape.ndims is not None:
            sizes = x.shape.as_list()
            sizes[at] = None if sizes[at] is None else sizes[at] + int(known) * (front + back)
            padded.set_shape(sizes)
        return padded


def move_dimension(x: Any, source_idx: Any, dest_idx: Any) -> Any:
    """x with one of its axes at another place."""
    x = convert_to_tensor(x)
    if x.shape.ndims is not None and isinstance(source_idx, (int, np.integer)) and isinstance(dest_idx,
                                                                                              (int, np.integer)):
        order = list(range(x.shape.ndims))
        moved = order.pop(source_idx)
        order.insert(dest_idx % x.shape.ndims, moved)
        return array.transpose(x, order)
    rank = array.rank(x)
    source, target = source_idx % rank, dest_idx % rank
    others = numbers(rank - 1)
    others = others + cast(others >= source, dtypes.int32)
    return array.transpose(x, array.concat([others[:target], source[None], others[target:]], 0))


def rotate_transpose(x: Any, shift: Any, name: str = "rotate_transpose") -> Any:
    """x with its axes rotated: the last `shift` become the first ones."""
    with name_scope(name, values=[x, shift]):
        x = convert_to_tensor(x, name="x")
        rank = array.rank(x)
        return array.transpose(x, (numbers(rank) - shift) % rank)
