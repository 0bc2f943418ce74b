"""Rows of arrays in compiled programs, by row numbers of which some are padding: see passes/padding.py.

jax.numpy counts negative indices from the end, which takes a comparison and a selection for each access. Row numbers
are never negative, and one that is out of range is left out.
"""

from __future__ import annotations

import numpy as np

from evergraph.kernel.foreign import available, call_for_all
from evergraph.kernel.values import is_traced

_DISTINCT = "ids.distinct"
_NUMBERS = (np.dtype(np.int32), np.dtype(np.int64))


def take_rows(array, numbers):
    """The rows at these numbers; any row for a number that is out of range."""
    from jax import lax

    inner = tuple(range(1, array.ndim))
    dims = lax.GatherDimensionNumbers(offset_dims=inner, collapsed_slice_dims=(0,), start_index_map=(0,))
    return lax.gather(array, numbers[:, None], dims, (1, *array.shape[1:]), mode=lax.GatherScatterMode.CLIP)


def _scattered(array):
    from jax import lax

    inner = tuple(range(1, array.ndim))
    return lax.ScatterDimensionNumbers(
        update_window_dims=inner, inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))


def add_rows(array, numbers, rows):
    """The array with each of `rows` added to the row at its number."""
    from jax import lax

    return lax.scatter_add(array, numbers[:, None], rows, _scattered(array), mode=lax.GatherScatterMode.FILL_OR_DROP)


def put_rows(array, numbers, rows):
    """The array with each of `rows` in the place of the row at its number; the numbers are distinct."""
    from jax import lax

    return lax.scatter(array, numbers[:, None], rows, _scattered(array), mode=lax.GatherScatterMode.FILL_OR_DROP)


def sums_of_rows(rows, numbers, count):
    """An array of so many rows: the sum of those of `rows` that have its number."""
    from jax import numpy

    return add_rows(numpy.zeros((count, *rows.shape[1:]), rows.dtype), numbers, rows)


def distinct(numbers):
    """The distinct ones of a vector of integers, padded with the largest one, and the place of each number among them.

    XLA has to sort for that, which takes twenty times as long as the table of hashes in native/ids.c.
    """
    if is_traced(numbers) and numbers.dtype in _NUMBERS and 0 < numbers.size < 2**31 and available(_DISTINCT):
        results = [(numbers.shape, numbers.dtype), (numbers.shape, np.int32)]
        return call_for_all(_DISTINCT, results, [numbers], [numbers.size, numbers.dtype.itemsize == 8])
    return _distinct_in_order(numbers)


def _distinct_in_order(numbers):
    from jax import numpy

    order = numpy.argsort(numbers)
    ordered = numbers[order]
    is_new = numpy.concatenate([numpy.ones(min(numbers.size, 1), bool), ordered[1:] != ordered[:-1]])
    places = numpy.cumsum(is_new) - 1
    padded = numpy.full(numbers.size, np.iinfo(numbers.dtype).max, numbers.dtype).at[places].set(ordered)
    return padded, numpy.zeros_like(places).at[order].set(places)
