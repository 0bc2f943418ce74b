"""Special functions of many numbers in compiled programs on CPUs.

The kernels are in native/special.c. XLA computes sums and continued fractions for all numbers until the last of them
has converged, and the logarithm of float64 gamma functions by a formula of many terms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.kernel.foreign import available, call, with_gradient_of
from evergraph.kernel.values import is_traced

_MANY = 256  # numbers; a call costs more than it saves below that


def takes(function: str, *arrays: Any) -> bool:
    """Whether a kernel computes this function: traced numbers of float32 or float64, many of them."""
    return (any(map(is_traced, arrays)) and np.dtype(arrays[0].dtype) in (np.float32, np.float64)
            and arrays[0].size >= _MANY and available(f"special.{function}"))


def computed(function: str, slow: Callable[..., Any], *arrays: Any) -> Any:
    """The function of arrays of one shape and dtype; where JAX differentiates it, its gradient is that of `slow`."""
    first = arrays[0]
    numbers = [first.size, np.dtype(first.dtype) == np.float64]
    return with_gradient_of(slow, lambda *arrays: call(
        f"special.{function}", first.shape, first.dtype, arrays, numbers))(*arrays)
