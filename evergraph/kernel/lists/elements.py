"""What all forms of tensor lists have in common, and the arithmetic of their elements.

A list has one of three forms. `Items` keeps its elements as separate arrays: lists on the host, and lists of static
length at trace time. `Stacked` keeps them as rows of one buffer: lists that compiled loops carry, whose length may be
a tracer. `Single` is a list of zeros but for one element: the gradient of reading one element. All are immutable:
every method that changes a list returns a new one.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from evergraph.base import errors
from evergraph.kernel.values import is_traced


class TensorList:
    """The value of a variant tensor that holds a list; a scalar as far as shapes go."""

    __slots__ = ()

    element_dtype: Any
    element_shape: Any
    length: Any

    shape = property(lambda self: ())


def is_list(value: Any) -> bool:
    return isinstance(value, TensorList)


def unchecked(ok: Any, message: str, *data: Any) -> None:
    """The `check` of uses that are right by construction."""


def merged(shape: Any, other: Any) -> Any:
    """What two descriptions of one shape tell together; the first where they contradict each other."""
    if shape is None or other is None:
        return other if shape is None else shape
    if len(shape) != len(other):
        return shape
    return tuple(b if a is None else a for a, b in zip(shape, other))


def is_static(shape: Any) -> bool:
    """Whether every size is known."""
    return shape is not None and None not in shape


def unwritten(shape: Any, dtype: Any) -> Any:
    """The value of an element that was never written: zeros.

    Raises:
        InvalidArgumentError: its shape is not known.
    """
    _require_static(shape, "Trying to read an uninitialized tensor but element_shape is not fully defined")
    return np.zeros(shape, dtype)


def no_rows(shape: Any, dtype: Any) -> Any:
    """The elements of an empty list as one array; the same error."""
    _require_static(shape, "Tried to stack elements of an empty list with non-fully-defined element_shape")
    return np.zeros((0, *shape), dtype)


def _require_static(shape: Any, message: str) -> None:
    if not is_static(shape):
        text = "<unknown>" if shape is None else f"[{','.join('?' if d is None else str(d) for d in shape)}]"
        raise errors.InvalidArgumentError(None, None, f"{message}: {text}")


def absent(index: int, length: int) -> NoReturn:
    raise errors.InvalidArgumentError(None, None, f"Index {index} out o range; list only has {length} elements.")


def is_all(indices: Any, length: Any) -> bool:
    """Whether the indices are known to be those of all elements, in order."""
    return isinstance(length, int) and isinstance(indices, np.ndarray) and indices.ndim == 1 \
        and length == len(indices) and bool((indices == np.arange(length)).all())


def is_inside(index: Any, length: Any) -> Any:
    """Whether indices lie in a list of that length: a bool when that is known, else a tracer."""
    inside = (0 <= index) & (index < length)
    return inside if is_traced(inside) else bool(np.all(inside))


def zeros_of(value: Any) -> Any:
    """Zeros like an array."""
    if not is_traced(value):
        return np.zeros_like(value)
    import jax.numpy as jnp

    return jnp.zeros_like(value)
