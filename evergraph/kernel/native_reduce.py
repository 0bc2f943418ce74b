"""Reductions of float32 tensors in compiled programs on CPUs: products, positions of maxima, running sums and products,
and rows by segments.

The kernels are in native/reduce.c. XLA multiplies one number at a time, carries a position with every number that it
compares, and adds up by windows, all of which takes two to four times as long as TensorFlow. `takes` says where the
kernels are used. On NumPy arrays positions are found by the same kernel, which is recorded as NumPy's function is not.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base.recent import Computed
from evergraph.kernel.foreign import available, available_now, call, call_now, with_gradient_of
from evergraph.kernel.values import is_traced

_PRODUCTS, _POSITIONS, _RUNNING, _SEGMENTS = _KERNELS = (
    "reduce.products", "reduce.positions", "reduce.running", "reduce.segments")
_MULTIPLIES, _EXCLUSIVE, _REVERSE = 1, 2, 4  # options of running sums
_WAYS: dict[Any, int] = {np.add: 0, np.multiply: 1, np.minimum: 2, np.maximum: 3}  # options of segments
_MANY = 4096  # elements; a call costs more than it saves below that


def takes(x: Any, axes: Sequence[int]) -> bool:
    """Whether the kernels reduce a tensor along these axes: traced, float32, large, and the axes are neighbours."""
    return (is_traced(x) and np.dtype(x.dtype) == np.float32 and x.size >= _MANY and bool(axes)
            and max(axes) - min(axes) == len(axes) - 1 and all(map(available, _KERNELS)))


def products(x: Any, axes: Sequence[int]) -> Any:
    """The products along the axes."""
    import jax

    slow = functools.partial(jax.numpy.prod, axis=tuple(axes))
    return with_gradient_of(slow, lambda x: _reduced(_PRODUCTS, np.float32, x, axes, 0))(x)


def positions(x: Any, axis: int, of_minima: bool) -> Any:
    """The position of the first maximum or minimum along an axis: int32. NaN counts as the far end of the range."""
    import jax

    return _reduced(_POSITIONS, np.int32, jax.lax.stop_gradient(x), (axis,), int(of_minima))


def positions_now(axis: int, of_minima: bool) -> Callable[[Any], Any] | None:
    """The same as a function of NumPy arrays of float32; None without the kernel."""
    if not available_now(_POSITIONS):
        return None

    def forms(shape: tuple[int, ...]) -> tuple[list[tuple[int, ...]], bytes]:
        at, option = axis % len(shape), int(of_minima)
        sizes = math.prod(shape[:at]), shape[at], math.prod(shape[at + 1:])
        return [(*shape[:at], *shape[at + 1:])], np.array([*sizes, option], np.int64).tobytes()
    known = Computed(forms)

    def positions(x: Any) -> Any:
        shapes, numbers = known[x.shape]
        return call_now(_POSITIONS, shapes, (x,), numbers, x.size, np.int32)[0]
    return positions


def running(x: Any, axis: int, multiplies: bool, exclusive: bool, reverse: bool, slow: Any) -> Any:
    """The sum or product of each element and those before it along the axis, or after it; without itself if exclusive.

    Where a function is differentiated as a whole, the gradient is that of `slow(xp, x, axis, exclusive, reverse)`.
    """
    import jax

    option = _MULTIPLIES * multiplies | _EXCLUSIVE * exclusive | _REVERSE * reverse
    # XLA reduces a result whose last axis has one element ten times as slowly as one without that axis.
    shape = [size for size in x.shape if size > 1]
    numbers = [*_sizes(x, [axis]), option]
    kernel = lambda x: call(_RUNNING, shape, np.float32, [x.reshape(shape)], numbers).reshape(x.shape)
    return with_gradient_of(lambda x: slow(jax.numpy, x, axis, exclusive, reverse), kernel)(x)


def takes_rows(rows: Any, count: int) -> bool:
    """Whether the kernel reduces these rows by so many segments."""
    return is_traced(rows) and np.dtype(rows.dtype) == np.float32 and rows.size > 0 and count > 0 \
        and available(_SEGMENTS)


def segments(ufunc: np.ufunc, rows: Any, ids: Any, count: int, slow: Any) -> Any:
    """Rows reduced by ids that ascend, those from `count` on being padding; 0 for an empty segment, 1 for a product.

    Where a function is differentiated as a whole, the gradient is that of `slow(rows)`.
    """
    from jax import numpy

    given = numpy.minimum(ids, count).astype(np.int32)
    numbers = [count, rows.shape[0], rows.size // rows.shape[0], _WAYS[ufunc]]
    kernel = lambda rows: call(_SEGMENTS, (count, *rows.shape[1:]), np.float32, [rows, given], numbers)
    return with_gradient_of(slow, kernel)(rows)


def _reduced(kernel: str, dtype: Any, x: Any, axes: Sequence[int], option: int) -> Any:
    shape = (*x.shape[:min(axes)], *x.shape[max(axes) + 1:])
    return call(kernel, shape, dtype, [x], [*_sizes(x, axes), option])


def _sizes(x: Any, axes: Sequence[int]) -> list[int]:
    """How many elements there are before the axes, along them, and after them."""
    first, after = min(axes), max(axes) + 1
    return [math.prod(part) for part in (x.shape[:first], x.shape[first:after], x.shape[after:])]
