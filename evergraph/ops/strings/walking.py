"""Arrays of strings, and how kernels walk them: arrays of bytes objects, by C code where there is some.

A function of C takes the strings, the place to begin at, what else it needs, and the array for its results. It returns
the place of the first string that it declines, such as an invalid number, or the number of strings. The function of
Python that does the same work for one string is given to `each` beside it, and does what C declines: it knows all forms
and raises the errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def flat(strings: Any) -> list[Any]:
    """The elements of a string tensor as a list."""
    return np.asarray(strings, object).reshape(-1).tolist()


def vector(strings: Any) -> Array:
    """The elements of a string tensor as a contiguous vector, which C can walk."""
    return np.asarray(strings, object, order="C").reshape(-1)


def objects(values: Sequence[Any], shape: Any) -> Array:
    """A string tensor of this shape."""
    array: Array = np.empty(shape, object)
    if array.ndim:
        array.reshape(-1)[:] = values
    else:
        array[()], = values
    return array


def each(function: Callable[[Any], Any], strings: Any, module: Any = None, name: str = "", *given: Any,
         dtype: Any = object) -> Array:
    """Applies a function to every element of a string tensor.

    Args:
        function: takes and returns one element.
        strings: the tensor.
        module: of C, or None where there is none.
        name: of its function.
        *given: what C needs to know beside the strings.
        dtype: of the results.
    """
    shape = np.shape(strings)
    if module is None:
        results = [function(string) for string in flat(strings)]
        return objects(results, shape) if dtype is object else np.array(results, dtype).reshape(shape)
    items, out = vector(strings), np.empty(shape, dtype)
    walk(getattr(module, name), lambda place: function(items[place]), items, *given, out=out.reshape(-1))
    return out


def walk(quick: Callable[..., int], function: Callable[[int], Any], items: Any, *given: Any, out: Array) -> None:
    """Fills `out` by a function of C; one of Python, which takes a place, does what that declines."""
    place = quick(items, 0, *given, out)
    while place < len(out):
        out[place] = function(place)
        place = quick(items, place + 1, *given, out)
