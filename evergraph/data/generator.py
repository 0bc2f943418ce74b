"""Python generators as datasets: the functions that start one, draw from it and let go of it."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.errors import OpError
from evergraph.base.shapes import TensorShape
from evergraph.data import nest, specs
from evergraph.frontend.script import py_func
from evergraph.graph.convert import as_array
from evergraph.graph.node import Tensor
from evergraph.kernel.values import as_objects


class GeneratorFunctions:
    """The functions of a dataset of what a generator yields. A number stands for each generator that runs.

    Args:
        generator: the Python function.
        spec: the structure of its elements.
    """

    def __init__(self, generator: Callable[..., Iterable[Any]], spec: Any) -> None:
        self._generator, self._spec = generator, spec
        self._leaves = nest.flatten(spec)
        self._is_flat = type(spec) is tuple and not any(map(nest.is_nested, spec))
        self._running: dict[int, Any] = {}
        self._numbers, self._lock = itertools.count(), threading.Lock()

    def start(self, arguments: Sequence[Tensor]) -> Tensor:
        """The number of a new generator."""
        number = py_func(self._start, list(arguments), dtypes.int64, stateful=True)
        number.set_shape([])
        return number

    def following(self, number: Tensor) -> Any:
        """What it yields next."""
        flat = py_func(self._next, [number], [leaf.dtype for leaf in self._leaves], stateful=True)
        for tensor, leaf in zip(flat, self._leaves, strict=True):
            tensor.set_shape(leaf.shape)
        return nest.pack_sequence_as(self._spec, flat)

    def finish(self, number: Tensor) -> Tensor:
        """Lets go of a generator."""
        done = py_func(self._finish, [number], dtypes.int64, stateful=True)
        done.set_shape([])
        return done

    def _start(self, *arguments: Any) -> np.int64:
        elements = iter(self._generator(*arguments))
        with self._lock:
            number = next(self._numbers)
            self._running[number] = elements
        return np.int64(number)

    def _next(self, number: Any) -> list[Any]:
        # StopIteration ends the dataset.
        element = next(self._running[int(number)])
        if self._is_flat and type(element) is tuple and len(element) == len(self._leaves):
            return [_as_wanted(value, leaf) for value, leaf in zip(element, self._leaves)]
        try:
            flat = nest.flatten_up_to(self._spec, element)
        except (TypeError, ValueError) as error:
            raise TypeError(f"`generator` yielded {element}, which is nested in another way than `output_types`. The "
                            f"expected structure was {specs.legacy(self._spec)[0]}") from error
        return [_as_wanted(value, leaf) for value, leaf in zip(flat, self._leaves, strict=True)]

    def _finish(self, number: Any) -> np.int64:
        with self._lock:
            elements = self._running.pop(int(number), None)
        if hasattr(elements, "close"):
            elements.close()
        return np.int64(0)


def _as_wanted(value: Any, leaf: Any) -> Any:
    """A yielded value as an array of the declared dtype and shape.

    Raises:
        TypeError: it cannot be converted to the dtype.
        ValueError: it has another shape.
    """
    wanted = leaf.dtype
    if (array := _plain(value, wanted.np)) is not None and array.shape == leaf.shape.tuple:
        return array
    try:
        value = list(value) if isinstance(value, range) else value
        array = as_objects(value) if wanted is dtypes.string else as_array(value, wanted)
        if wanted is dtypes.string and not all(isinstance(each, bytes) for each in array.ravel().tolist()):
            raise TypeError("not all of it is text")
    except (TypeError, ValueError, OverflowError, OpError) as error:
        raise TypeError(f"`generator` yielded {value}, which does not convert. The expected type was "
                        f"{wanted.name}") from error
    if not leaf.shape.is_compatible_with(array.shape):
        raise ValueError(f"`generator` yielded a value of shape {TensorShape(array.shape)}, but an element of shape "
                         f"{leaf.shape} was expected")
    return array


def _plain(value: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any] | None:
    """A value that obviously has the dtype, as an array of its own; None leaves it to the thorough conversion."""
    if type(value) is np.ndarray:
        return np.array(value, order="C") if value.dtype == dtype and not dtype.hasobject else None
    if type(value) is float and dtype.kind == "f" or type(value) is int and dtype == np.int64 and abs(value) < 2**63:
        return np.array(value, dtype)
    return None
