"""Rows of float32 matrices in compiled programs on CPUs: their order, places in sorted rows, running sums
and products.

The kernels are in native/rows.c. XLA sorts with a comparison that it calls for each pair of elements, and adds up a row
by windows: both take three times as long as TensorFlow. `takes` says where the kernels are used.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from evergraph.kernel.foreign import available, call
from evergraph.kernel.values import is_traced

_ORDER, _PLACES, _SUMS, _PRODUCTS = "rows.order", "rows.places", "rows.running_sums", "rows.running_products"


def takes(*arrays: Any) -> bool:
    """Whether the kernels take these arrays: traced, float32, with elements."""
    return (any(map(is_traced, arrays)) and all(np.dtype(x.dtype) == np.float32 and x.size for x in arrays)
            and all(map(available, (_ORDER, _PLACES, _SUMS, _PRODUCTS))))


def descending(x: Any, count: int) -> Any:
    """The indices of the `count` largest elements of each row, in order; equal ones by index, NaN above all."""
    import jax

    size = x.shape[-1]
    return call(_ORDER, (*x.shape[:-1], count), np.int32, [jax.lax.stop_gradient(x)], [x.size // size, size, count, 0])


def insertions(rows: Any, values: Any, on_right: bool) -> Any:
    """The index at which each value would stand in its sorted row, on the left or right of equal elements."""
    import jax

    operands = [jax.lax.stop_gradient(rows), jax.lax.stop_gradient(values)]
    return call(_PLACES, values.shape, np.int32, operands, [*rows.shape, values.shape[1], int(on_right)])


def running_sums(x: Any) -> Any:
    """The sum of each element of a row and those before it."""
    return _running(_SUMS)(x)


def running_products(x: Any) -> Any:
    """The product of each element of a row and those before it."""
    return _running(_PRODUCTS)(x)


@functools.cache
def _running(kernel: str) -> Any:
    """The kernel; where a function is differentiated as a whole, its gradient is that of JAX's own operation."""
    import jax

    slow = functools.partial(jax.numpy.cumsum if kernel == _SUMS else jax.numpy.cumprod, axis=-1, dtype=np.float32)
    size = lambda x: [x.size // x.shape[-1], x.shape[-1], x.shape[-1], 0]
    fast = jax.custom_vjp(lambda x: call(kernel, x.shape, np.float32, [x], size(x)))
    fast.defvjp(lambda x: (fast(x), x), lambda x, dy: jax.vjp(slow, x)[1](dy))
    return fast
