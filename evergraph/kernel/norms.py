"""Batch normalization of large arrays on NumPy, in C: see native/norms.c."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.kernel.foreign import available_now, call_now
from evergraph.kernel.recording import Recorded

_LARGE = 1 << 13  # numbers, which NumPy's loops take longer for than the call takes
_WIDE = 1 << 12  # channels
_PRODUCTS = 8  # which take as long as a number
_ARRAYS = (np.ndarray, Recorded)


def takes(*arrays: Any) -> bool:
    """Whether the kernels take arrays of one shape: float32, channels last, many numbers."""
    return all(type(x) in _ARRAYS and x.dtype == np.float32 and x.size >= _LARGE and 0 < x.shape[-1] <= _WIDE
               and x.shape == arrays[0].shape for x in arrays) and available_now("norms.normalize")


def normalized(x: Any, scale: Any, offset: Any, epsilon: float) -> Any:
    """(the numbers, normalized, scaled and moved by channel; the mean and the variance that they had)."""
    sizes = x.shape[-1:]
    return call_now("norms.normalize", (x.shape, sizes, sizes), (x, scale, offset), _bits(epsilon), _PRODUCTS * x.size)


def gradients(dy: Any, x: Any, scale: Any, mean: Any, variance: Any, epsilon: float) -> Any:
    """The gradients with respect to x, scale and offset."""
    sizes = x.shape[-1:]
    return call_now("norms.normalize_gradient", (x.shape, sizes, sizes), (dy, x, scale, mean, variance), _bits(epsilon),
                    _PRODUCTS * x.size)


def _bits(epsilon: float) -> bytes:
    return np.array(np.float32(epsilon).view(np.int32), np.int64).tobytes()
