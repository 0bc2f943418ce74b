"""Sums and softmax along the last axis of float32 arrays on NumPy, in C: see native/lines.c."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph import native
from evergraph.kernel import recording
from evergraph.kernel.foreign import call_now
from evergraph.kernel.recording import ARRAYS

_FEW_LINES = 8  # which NumPy's loops go through as fast
_MANY, _PART = 1 << 14, np.int64(1 << 10)  # numbers whose squares NumPy takes longer for, and those of a part
_PRODUCTS, _EXPONENTIAL = 4, 16  # products that take as long as a number, and as one of a softmax


def takes(x: Any) -> bool:
    """Whether the kernels take an array: there are several lines of float32 numbers, one behind the other."""
    return type(x) in ARRAYS and x.dtype == np.float32 and native.lines is not None and x.ndim > 0 \
        and x.size >= _FEW_LINES * x.shape[-1] > 0 and x.flags.c_contiguous


def sums(x: Any, keeps: bool) -> Any:
    """The sum of each line, as NumPy adds it up; with `keeps` the axis stays, with size 1."""
    return _called("lines.sums", x, (*x.shape[:-1], 1) if keeps else x.shape[:-1])


def takes_all(x: Any) -> bool:
    """Whether `sum_of_squares` takes an array: there are many float32 numbers, one behind the other."""
    return type(x) in ARRAYS and x.dtype == np.float32 and native.lines is not None \
        and x.size >= _MANY and x.flags.c_contiguous


def sum_of_squares(x: Any) -> Any:
    """The sum of the squares of all numbers, added up by pairs as NumPy does."""
    found, = call_now("lines.squares", ((-(-x.size // _PART),),), (x,), _PART.tobytes(), _PRODUCTS * x.size)
    return found.sum()


def shifted(x: Any) -> Any:
    """The numbers less the maximum of their line."""
    return _called("lines.shifted", x, x.shape)


def scaled(x: Any) -> Any:
    """The numbers over the sum of their line."""
    return _called("lines.scaled", x, x.shape)


def softmax(x: Any) -> Any:
    """The exponentials of the numbers over the sum of these of their line."""
    exponential = recording.loop_of(np.exp, (x.dtype, x.dtype))
    if exponential is None:
        return scaled(np.exp(shifted(x)))
    return _called("lines.softmax", x, x.shape, *exponential, weight=_EXPONENTIAL)


def softmax_gradient(slopes: Any, y: Any) -> Any:
    """The gradient by the logits of a softmax `y`, from that by `y`, which has its shape."""
    numbers = np.int64(y.shape[-1]).tobytes()
    found, = call_now("lines.softmax_gradient", (y.shape,), (slopes, y), numbers, 2 * _PRODUCTS * y.size)
    return found


def _called(kernel: str, x: Any, shape: tuple[int, ...], *loop: int, weight: int = _PRODUCTS) -> Any:
    numbers = np.array([x.shape[-1], *loop], np.int64).tobytes()
    found, = call_now(kernel, (shape,), (x,), numbers, weight * x.size)
    return found
