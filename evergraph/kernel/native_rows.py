"""Rows of float32 matrices in compiled programs on CPUs: their order, places in sorted rows, running sums.

The kernels are in native/rows.c. XLA sorts with a comparison that it calls for each pair of elements, and adds up a row
by windows: both take three times as long as TensorFlow. `takes` says where the kernels are used.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from evergraph.kernel.foreign import available, call
from evergraph.kernel.values import is_traced

_ORDER, _PLACES, _SUMS = "rows.order", "rows.places", "rows.running_sums"


def takes(*arrays: Any) -> bool:
    """Whether the kernels take these arrays: traced, float32, with elements."""
    return (any(map(is_traced, arrays)) and all(np.dtype(x.dtype) == np.float32 and x.size for x in arrays)
            and all(map(available, (_ORDER, _PLACES, _SUMS))))


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
    return _running_sums()(x)


@functools.cache
def _running_sums() -> Any:
    import jax

    size = lambda x: [x.size // x.shape[-1], x.shape[-1], x.shape[-1], 0]
    sums = jax.custom_vjp(lambda x: call(_SUMS, x.shape, np.float32, [x], size(x)))
    flip = lambda x: jax.numpy.flip(x, -1)
    sums.defvjp(lambda x: (sums(x), None), lambda _, dy: (flip(sums(flip(dy))),))
    return sums
