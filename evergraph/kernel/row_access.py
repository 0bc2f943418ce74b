"""Rows of arrays in compiled programs, by row numbers of which some are padding: see passes/padding.py.

jax.numpy counts negative indices from the end, which takes a comparison and a selection for each access. Row numbers
are never negative, and one that is out of range is left out.
"""

from __future__ import annotations


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
