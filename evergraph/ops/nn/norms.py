"""Batch normalization of large arrays on NumPy, in C: see native/norms.c."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.kernel.foreign import available_now, call_now
from evergraph.ops.math import channels

_PRODUCTS = 8  # which take as long as a number


def takes(*arrays: Any) -> bool:
    """Whether the kernels take arrays of one shape: float32, channels last, many numbers."""
    return all(x.dtype == np.float32 and x.shape == arrays[0].shape and channels.takes(x) for x in arrays) \
        and available_now("norms.normalize")


def normalized(x: Any, scale: Any, offset: Any, epsilon: float) -> tuple[Any, Any, Any]:
    """(the numbers, normalized, scaled and moved by channel; the mean and the variance that they had)."""
    sizes = x.shape[-1:]
    mean = channels.sums(x) / np.float32(x.size // sizes[0])
    y, variance = call_now("norms.normalize", (x.shape, sizes), (x, mean, scale, offset), _bits(epsilon),
                           _PRODUCTS * x.size)
    return y, mean, variance


def gradients(dy: Any, x: Any, scale: Any, mean: Any, variance: Any, epsilon: float) -> Any:
    """The gradients with respect to x, scale and offset."""
    sizes = x.shape[-1:]
    return call_now("norms.normalize_gradient", (x.shape, sizes, sizes), (dy, x, scale, mean, variance), _bits(epsilon),
                    _PRODUCTS * x.size)


def _bits(epsilon: float) -> bytes:
    return np.array(np.float32(epsilon).view(np.int32), np.int64).tobytes()
