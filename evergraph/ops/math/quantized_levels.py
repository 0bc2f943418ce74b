"""The arithmetic of quantized numbers: integers that represent equally spaced levels between a minimum and a maximum.

An integer of n bits has 2^n levels, the lowest of which is `low` and the highest `high`. Zero is always a level:
`low` is moved to the nearest multiple of the spacing.
"""
from __future__ import annotations

import numpy as np


def limits(dtype):
    """The lowest and the highest integer of a dtype, as Python numbers."""
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def round_away(xp, x):
    """Rounds to the nearest integer, halves away from zero."""
    return xp.trunc(x + xp.copysign(xp.asarray(0.5, x.dtype), x))


def wide(xp, x):
    """Casts to double precision."""
    return xp.asarray(x).astype(np.float64)


def spacing(xp, low, high, dtype):
    """The distance between two levels."""
    lowest, highest = limits(dtype)
    return (wide(xp, high) - wide(xp, low)) / (highest - lowest)


def level_of(xp, x, low, high, dtype):
    """The level nearest to `x`, as a double, not clipped to the dtype's range."""
    step = spacing(xp, low, high, dtype)
    per_step = xp.where(step == 0, 0.0, 1.0 / xp.where(step == 0, 1.0, step))
    return round_away(xp, wide(xp, x) * per_step) - round_away(xp, wide(xp, low) * per_step) + limits(dtype)[0]


def to_levels(xp, x, low, high, dtype):
    """Quantizes `x` to integers of `dtype`."""
    return xp.clip(level_of(xp, x, low, high, dtype), *limits(dtype)).astype(dtype)


def to_numbers(xp, levels, low, high):
    """Dequantizes integers, in double precision."""
    dtype = np.dtype(levels.dtype)
    step = spacing(xp, low, high, dtype)
    single = step.astype(np.float32)
    safe = xp.where(single == 0, np.float32(1), single)
    start = wide(xp, round_away(xp, xp.asarray(low).astype(np.float32) / safe) * single)
    return xp.where(step == 0, wide(xp, low), start + (wide(xp, levels) - limits(dtype)[0]) * step)


def rescaled(xp, levels, low, high, new_low, new_high, dtype):
    """Requantizes levels to another range and dtype."""
    if np.dtype(levels.dtype) == np.int32 and np.dtype(dtype) == np.uint8:
        return narrowed(xp, levels, low, high, new_low, new_high)
    return to_levels(xp, to_numbers(xp, levels, low, high).astype(np.float32), new_low, new_high, dtype)


def above_zero_level(xp, levels, low, high):
    """Integers relative to the level of zero, as int64."""
    zero = level_of(xp, 0.0, low, high, np.dtype(levels.dtype))
    return levels.astype(np.int64) - zero.astype(np.int64)


def product_range(xp, dtype_a, low_a, high_a, dtype_b, low_b, high_b, dtype):
    """The range (low, high) of integers that are products, or sums of products, of two kinds of levels."""
    def one(kind, low, high):
        lowest, highest = limits(kind)
        return (xp.asarray(high, np.float32) - xp.asarray(low, np.float32)) / np.float32(highest - lowest)
    step = one(dtype_a, low_a, high_a) * one(dtype_b, low_b, high_b)
    lowest, highest = limits(dtype)
    return step * np.float32(lowest), step * np.float32(highest)


_SHIFT = 16


def narrowed(xp, levels, low, high, new_low, new_high):
    """Requantizes 32-bit integers to bytes, in TensorFlow's fixed-point arithmetic with 16 fractional bits."""
    new_range = wide(xp, new_high) - wide(xp, new_low)
    safe = xp.where(new_range == 0, 1.0, new_range)
    middle = (wide(xp, low) + wide(xp, high)) / 2
    scale = xp.trunc(255.0 * (1 << _SHIFT) * (wide(xp, high) - wide(xp, low)) / safe)
    offset = xp.trunc(middle * (255.0 / safe) * (1 << _SHIFT)) - xp.trunc((1 << _SHIFT) * (wide(xp, new_low) * 255.0)
                                                                         / safe)
    scale, offset = (xp.where(new_range == 0, 0.0, each).astype(np.int64) for each in (scale, offset))
    points = ((levels.astype(np.int64) * scale) >> 32) + offset + (1 << (_SHIFT - 1))
    return xp.clip(points >> _SHIFT, 0, 255).astype(np.uint8)


def spread(xp, levels, low, high, new_low, new_high, dtype):
    """Requantizes to a wider range, with an integer number of output levels per input level."""
    first, second = (level_of(xp, to_numbers(xp, np.array(level, levels.dtype), low, high).astype(np.float32), new_low,
                              new_high, dtype) for level in (0, 1))
    return xp.clip(first + levels.astype(np.float64) * (second - first), *limits(dtype)).astype(np.int64)
