"""The ends of the dtypes' ranges, and numbers in the place of NaN."""

import functools

import ml_dtypes
import numpy as np


def lowest(dtype):
    """The smallest value of a dtype: minus infinity for floating point."""
    dtype = np.dtype(dtype)
    return dtype.type(np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf)


def highest(dtype):
    """The largest value of a dtype: infinity for floating point."""
    dtype = np.dtype(dtype)
    return dtype.type(np.iinfo(dtype).max if dtype.kind in "iu" else np.inf)


def floored(xp, x):
    """`x` without NaN and minus infinity: the smallest finite number stands in their place."""
    if not has_nan(x.dtype):
        return x
    least = _finite(x.dtype).min
    return xp.where(x > least, x, least)


def capped(xp, x):
    """`x` without NaN and infinity: the largest finite number stands in their place."""
    if not has_nan(x.dtype):
        return x
    most = _finite(x.dtype).max
    return xp.where(x < most, x, most)


@functools.cache
def _finite(dtype):
    """The range of the finite numbers of a dtype."""
    return ml_dtypes.finfo(np.dtype(dtype))


def without_nan(xp, x, instead):
    """`x` with a number in the place of NaN."""
    return xp.where(x == x, x, instead) if has_nan(x.dtype) else x


def beside_nan(xp, updates, how):
    """Updates of a scatter by "max" or "min" (others stay) without NaN, which TensorFlow lets change nothing."""
    if how not in ("max", "min"):
        return updates
    return without_nan(xp, updates, (lowest if how == "max" else highest)(updates.dtype))


def has_nan(dtype):
    """Whether a number of this dtype can be NaN."""
    return np.dtype(dtype).kind in "fcV"
