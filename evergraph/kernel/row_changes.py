"""Changes of some rows of a stored array on NumPy: in its memory where nothing else shows it, otherwise in a copy.

A change is made at the end of the step, or as soon as the array is read again. An interrupt must not come between the
changes of a step, so each is one call of a function in C, and `compile/interpreter.py` makes all of them in one
such call.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from evergraph import native


class RowChange:
    """A deferred change of rows, in the form that `Cell.update` takes.

    Args:
        on: a function from an array to the call of a function in C that changes the array and returns None. The call
            cannot fail: numbers of rows, shapes and dtypes are checked before.
    """

    __slots__ = ("on",)

    def __init__(self, on: Callable[[np.ndarray[Any, Any]], partial[None]]) -> None:
        self.on = on

    def __call__(self, value: Any, wanted: Any) -> Any:
        new = np.array(value, order="C")
        self.on(new)()
        return new


def replaced(rows: Any, numbers: Any) -> RowChange:
    """The change that puts `rows` in the places of the rows with these numbers."""
    return RowChange(lambda whole: partial(operator.setitem, whole, numbers, rows))


def added(rows: Any, numbers: Any) -> RowChange:
    """The change that adds `rows`, contiguous float32 or float64, to those with these numbers, in order."""
    data, ids = np.ascontiguousarray(rows), np.ascontiguousarray(numbers)
    form = data.itemsize == 8, data[0].size, None, False, ids, ids.itemsize == 8
    call = partial(native.sparse.reduce_rows, data, *form)
    return RowChange(lambda whole: partial(call, whole))
