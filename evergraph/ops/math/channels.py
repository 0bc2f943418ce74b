"""Biases, sums over all axes but the last, and rectified numbers on NumPy, in C: see native/channels.h."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from evergraph import native
from evergraph.kernel.foreign import call_now
from evergraph.kernel.recording import ARRAYS

_LARGE = 1 << 13  # numbers, which NumPy's loops take longer for than the call takes
_WIDE = 1 << 10  # channels, for which NumPy's loops are as fast
_PRODUCTS = 4  # which take as long as a number
_NAMES = {np.dtype(np.float32): "channels", np.dtype(np.float64): "channels64"}


@functools.cache
def _is_there(dtype: np.dtype[Any]) -> bool:
    return dtype in _NAMES and getattr(native, _NAMES[dtype]) is not None


def takes(x: Any) -> bool:
    """Whether the kernels take an array: it has many numbers, in order, and not too many channels."""
    return x.size >= _LARGE and type(x) in ARRAYS and _is_there(x.dtype) \
        and 0 < x.shape[-1] <= _WIDE and x.flags.c_contiguous


def biased(x: Any, bias: Any) -> Any:
    """The sum of an array and a bias for each of its channels."""
    return _called("add", x.shape, x, bias)


def rectified(x: Any) -> Any:
    """The numbers that are positive, or NaN, and zero for the others."""
    return _called("rectify", x.shape, x)


def rectified_gradient(gradients: Any, features: Any) -> Any:
    """The gradients times one where features are positive, and zero elsewhere; both have the same shape."""
    return _called("rectify_gradient", gradients.shape, gradients, features)


def sums(x: Any) -> Any:
    """The sum of each channel."""
    return _called("sums", x.shape[-1:], x)


def _called(function: str, shape: tuple[int, ...], *operands: Any) -> Any:
    dtype = operands[0].dtype
    found, = call_now(f"{_NAMES[dtype]}.{function}", (shape,), operands, b"", _PRODUCTS * operands[0].size, dtype)
    return found
