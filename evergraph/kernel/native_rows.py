"""Rows of matrices in compiled programs on CPUs: their order, single elements of it, and places in sorted rows.

The kernels are in native/rows.h, a module for each dtype. XLA sorts with a comparison that it calls for each pair of
elements, which takes three times as long as TensorFlow. `takes` says where the kernels are used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.kernel.foreign import available, available_now, call, call_now
from evergraph.kernel.values import is_traced

_MODULES = {"float32": "rows", "float64": "rows64", "int32": "rows_int", "int64": "rows_int64"}


def takes(*arrays: Any) -> bool:
    """Whether the kernels take these arrays: traced, of one dtype that they are for, with elements."""
    return (any(map(is_traced, arrays)) and np.dtype(arrays[0].dtype).name in _MODULES
            and all(x.dtype == arrays[0].dtype and x.size for x in arrays) and available(_kernel("order", arrays[0])))


def takes_now(rows: Any) -> bool:
    """Whether the kernels take rows on NumPy."""
    return isinstance(rows, np.ndarray) and rows.dtype.name in _MODULES and rows.size > 0 \
        and available_now(_kernel("ranks", rows))


def _kernel(name: str, rows: Any) -> str:
    """The kernel of this name for the dtype of the rows."""
    return f"{_MODULES[np.dtype(rows.dtype).name]}.{name}"


def descending(x: Any, count: int) -> Any:
    """The indices of the `count` largest elements of each row, in order; equal ones by index, NaN above all."""
    import jax

    size = x.shape[-1]
    numbers = [x.size // size, size, count, 0]
    return call(_kernel("order", x), (*x.shape[:-1], count), np.int32, [jax.lax.stop_gradient(x)], numbers)


def insertions(rows: Any, values: Any, on_right: bool) -> Any:
    """The index at which each value would stand in its sorted row, on the left or right of equal elements."""
    import jax

    operands = [jax.lax.stop_gradient(rows), jax.lax.stop_gradient(values)]
    numbers = [*rows.shape, values.shape[1], int(on_right)]
    return call(_kernel("places", rows), values.shape, np.int32, operands, numbers)


def nth(x: Any, number: Any) -> Any:
    """The index in each row of the element that comes at this number in descending order; NaN above all."""
    import jax

    operands = [jax.lax.stop_gradient(x), jax.numpy.asarray(number, np.int32)]
    return call(_kernel("nth", x), x.shape[:-1], np.int32, operands, [x.size // x.shape[-1], x.shape[-1], 1, 0])


def ranks(rows: Any, places: Any) -> Any:
    """How many elements of each row are larger than that at its place: the largest int32 if one is not finite."""
    numbers = [*rows.shape, 1, np.iinfo(np.int32).max]
    if not is_traced(rows) and not is_traced(places):
        packed = np.array(numbers, np.int64).tobytes()
        return call_now(_kernel("ranks", rows), [places.shape], [rows, places], packed, rows.size, np.int32)[0]
    import jax

    operands = [jax.lax.stop_gradient(rows), places]
    return call(_kernel("ranks", rows), places.shape, np.int32, operands, numbers)
