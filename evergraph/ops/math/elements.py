"""Arithmetic on the elements of large arrays on NumPy, in C and in threads: see native/elements.h."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph import native
from evergraph.base.recent import Computed
from evergraph.kernel.foreign import call_now
from evergraph.kernel.recording import ARRAYS

LARGE = 1 << 14  # numbers, which NumPy's loops take longer for than the call takes, if one operand is for all rows
_WORTH_THREADS = 1 << 19  # numbers, from which on NumPy is slower at any function of two of them
_NARROW = 8  # columns, for which a row is not worth a loop
_PRODUCTS = 4  # which take as long as a number
_MOST = 7  # arrays that are added up by one call
_MODULES = {np.dtype(np.float32): "elements", np.dtype(np.float64): "elements64"}


@functools.cache
def _name(dtype: np.dtype[Any]) -> str | None:
    """How the names of the kernels for numbers of a dtype begin; None if there are none."""
    module = _MODULES.get(dtype)
    return None if module is None or getattr(native, module) is None else f"{module}."


def combined(function: str, x: Any, y: Any) -> Any:
    """What a function of native/elements.h makes of two arrays that broadcast; None if it does not take them."""
    name = _name(x.dtype)
    if name is None or x.dtype != y.dtype or not (_is_plain(x) and _is_plain(y)):
        return None
    form = _forms[x.shape, y.shape]
    if form is None:
        return None
    shape, numbers, size, is_flat = form
    if is_flat and size < _WORTH_THREADS and function != "squared_difference":
        return None
    return call_now(name + function, (shape,), (x, y), numbers, _PRODUCTS * size, x.dtype)[0]


def total(arrays: Sequence[Any]) -> Any:
    """The sum of large arrays of one shape; None if native/elements.h does not take them."""
    first = arrays[0]
    name = _name(first.dtype)
    if name is None or not 1 < len(arrays) <= _MOST or first.size < LARGE \
            or not all([x.shape == first.shape and x.dtype == first.dtype and _is_plain(x) for x in arrays]):
        return None
    products = _PRODUCTS * len(arrays) * first.size
    return call_now(name + "add_all", (first.shape,), arrays, b"", products, first.dtype)[0]


def chosen(test: Any, yes: Any, no: Any) -> Any:
    """The elements of a large array where a test holds, else of another; None if native/elements.h does not take them.

    NumPy takes ten times as long where a test is as often true as false, as in the gradients of rectified numbers.
    """
    name = _name(yes.dtype)
    if name is None or yes.size < LARGE or yes.dtype != no.dtype or not test.shape == yes.shape == no.shape \
            or not (_is_plain(test) and _is_plain(yes) and _is_plain(no)):
        return None
    return call_now(name + "choose", (yes.shape,), (test, yes, no), b"", _PRODUCTS * yes.size, yes.dtype)[0]


def _is_plain(x: Any) -> bool:
    return type(x) in ARRAYS and x.flags.c_contiguous


def _form(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[tuple[int, ...], bytes, int, bool] | None:
    """The shape of the result, the numbers that the kernels take, the size, and whether all of it is one row."""
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        return None
    size = math.prod(shape)
    if size < LARGE:
        return None
    for columns in (size, shape[-1]):
        left, right = (_steps(given, shape, columns) for given in shapes)
        if columns >= _NARROW and left is not None and right is not None:
            numbers = np.array([size // columns, columns, *left, *right], np.int64)
            return shape, numbers.tobytes(), size, columns == size
    return None


def _steps(given: tuple[int, ...], shape: tuple[int, ...], columns: int) -> tuple[int, int] | None:
    """The numbers of an operand from a row and from a column of the result to the next; None if it has other axes."""
    size, all_of_them = math.prod(given), math.prod(shape)
    if size == 1:
        return 0, 0
    if size == all_of_them:
        return columns, 1
    if size == columns and given[-1] == columns:
        return 0, 1
    if size * columns == all_of_them and given[-1] == 1 and len(given) == len(shape):
        return 1, 0
    return None


_forms = Computed(_form)
