"""The values that kernels take and return: NumPy arrays, JAX's arrays and tracers, and host objects."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph import native
from evergraph.base import dtypes, errors
from evergraph.kernel.reasons import Uncompilable


class Hole:
    """Stands for a value that does not exist, such as an output of the branch that was not taken.

    It has the shape of a scalar, by which code may look up what it has computed for other values.
    """

    shape = ()

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype

    def __getattr__(self, name: str) -> Any:
        """Raises Uncompilable where a kernel is traced that computes with the value.

        A loop is traced before its first run, when a list that only later iterations fill tells no shape yet.
        """
        if name == "aval" or name.startswith("__") and name != "__jax_array__":
            raise AttributeError(name)
        raise Uncompilable("a kernel uses a value whose shape is not known yet")

    def zeros_like(self) -> Hole:
        """The zeros of a list that does not exist do not exist either."""
        return self


def is_traced(value: Any) -> bool:
    """Whether JAX owns the value: a tracer at trace time, or an array on a device.

    Everything else is concrete: NumPy arrays and scalars, Python numbers, host objects. JAX gives an abstract value to
    its arrays alone, so looking for one neither imports JAX nor walks class hierarchies.
    """
    return hasattr(value, "aval")


def copied(array: np.ndarray[Any, Any], dtype: Any = None) -> np.ndarray[Any, Any]:
    """A copy for the program.

    Raises:
        ResourceExhaustedError: there is no memory for it, as for a view that repeats a few elements.
    """
    try:
        return np.array(array, dtype)
    except MemoryError as error:
        raise errors.ResourceExhaustedError(None, None, f"out of memory: {error}") from None


def array_module(*values: Any) -> Any:
    """numpy if every value is concrete, else jax.numpy."""
    for value in values:
        if hasattr(value, "aval"):
            import jax.numpy

            return jax.numpy
    return np


def settled(value: Any, dtype: np.dtype[Any]) -> Any:
    """A concrete result of a kernel as a NumPy array of exactly `dtype`; a hole stays a hole."""
    if type(value) is np.ndarray and value.dtype == dtype or isinstance(value, Hole):
        return value
    return as_objects(value) if dtype.hasobject else np.asarray(value, dtype)


def references(values: Sequence[Any]) -> list[int]:
    """How many references each value has, some of them from this call."""
    return list(map(sys.getrefcount, values))


def is_whole(array: np.ndarray[Any, Any]) -> bool:
    """Whether the array has memory of its own that programs may write to."""
    flags = array.flags
    return flags.owndata and flags.writeable


def are_bytes(array: np.ndarray[Any, Any]) -> bool:
    """Whether all elements of an array of objects are bytes."""
    if native.strings is None:
        return set(map(type, array.reshape(-1).tolist())) <= {bytes}
    return native.strings.are_bytes(np.ascontiguousarray(array))


def as_objects(value: Any) -> np.ndarray[Any, Any]:
    """Strings, or other host values, as an object array; text is encoded."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        return value
    if isinstance(value, (np.ndarray, list, tuple)) and (not isinstance(value, np.ndarray) or value.dtype.kind in "SU"):
        array = np.array(value, dtype=object)
        flat = array.reshape(-1)  # a view: the array was just made
        elements = flat.tolist()
        if set(map(type, elements)) != {bytes}:
            flat[:] = [_as_bytes(each) for each in elements]
        return array
    return boxed(_as_bytes(value))


def boxed(value: Any) -> np.ndarray[Any, Any]:
    """An object as a scalar object array."""
    array: np.ndarray[Any, Any] = np.empty((), object)
    array[()] = value
    return array


def _as_bytes(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


def is_host_dtype(dtype: dtypes.DType) -> bool:
    """Whether values of this dtype exist only as Python objects."""
    return dtype.np.hasobject


def is_padding(ids: Any) -> Any:
    """Which ids or row numbers are there for a fixed size only: the largest integer; see passes/padding.py."""
    return ids == np.iinfo(ids.dtype).max
