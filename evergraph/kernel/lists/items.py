"""Lists whose elements are separate arrays: those on the host, and those of static length at trace time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from evergraph import native
from evergraph.base import errors
from evergraph.kernel.lists.elements import (
    TensorList,
    absent,
    is_all,
    is_list,
    is_static,
    merged,
    no_rows,
    unchecked,
    unwritten,
    zeros_of,
)
from evergraph.kernel.lists.stacked import Single, Stacked
from evergraph.kernel.reasons import Uncompilable
from evergraph.kernel.values import Hole, is_traced

at_once: Any = native.lists
"""Makes functions that push to many lists at once, or pop from them; None without C code."""


class _PythonPrefix:
    """The first elements of a list that others share, where there is no C code."""

    __slots__ = ("_store", "_rows", "length", "element_dtype", "element_shape", "most")

    _store: list[Any]
    _rows: np.ndarray[Any, Any] | None  # the array that all elements are the rows of
    length: int
    most: int
    element_dtype: Any
    element_shape: Any

    def _prefix(self, length: int) -> Any:
        """The list of the first elements of the backing store."""
        other = object.__new__(type(self))
        other._store, other._rows, other.length, other.most = self._store, None, length, self.most
        other.element_dtype, other.element_shape = self.element_dtype, self.element_shape
        return other


if TYPE_CHECKING or native.lists is None:
    _Prefix = _PythonPrefix
else:
    _Prefix = native.lists.prepare(np.ndarray, np.dtype(np.int32))


class Items(TensorList, _Prefix):
    """A list of separate elements, of static length.

    Lists that are made from one another by pushing and popping share one backing store, of which each list is a
    prefix: a loop that pushes in every iteration copies nothing.

    Attributes:
        items: the elements; None where nothing was written yet.
        length: the number of elements.
        element_dtype: their NumPy dtype; object for lists of lists.
        element_shape: their static shape.
        most: the greatest length that pushes may lead to; below zero for no limit.
    """

    __slots__ = ()

    def __init__(self, items: Iterable[Any], element_dtype: Any, element_shape: Any, most: int = -1) -> None:
        self._store = list(items)
        self._rows = None
        self.length = len(self._store)
        self.element_dtype, self.element_shape, self.most = element_dtype, element_shape, most

    @classmethod
    def of_rows(cls, rows: np.ndarray[Any, Any], element_dtype: Any, element_shape: Any) -> Items:
        """The list of the rows of an array, which is there again when the list is stacked."""
        result = cls(rows, element_dtype, element_shape)
        if result.length and not rows.dtype.hasobject:
            result._rows = rows
        return result

    items = property(lambda self: tuple(self._store[: self.length]))
    _nests = property(lambda self: np.dtype(self.element_dtype).hasobject)

    def _with(self, items: Any) -> Items:
        return Items(items, self.element_dtype, self.element_shape, self.most)

    def push_alike(self, item: Any, check: Any) -> Any:
        return self.push(item, check)

    def push(self, item: Any, check: Any = unchecked) -> Any:
        if 0 <= self.most <= self.length:
            raise errors.InvalidArgumentError(None, None, f"Tried to push item into a full list: it has {self.length} "
                                                          f"elements, max_num_elements is {self.most}")
        store, length = self._store, self.length
        if len(store) > length:  # another list has already pushed its own element here
            return self._with((*self.items, item))
        store.append(item)
        return self._prefix(length + 1)

    def pop_written(self) -> tuple[Any, Any] | None:
        """The list without its last element, and that element; None if there is none, or nothing was written to it."""
        last = self.length - 1
        item = self._store[last] if last >= 0 else None
        return None if item is None else (self._prefix(last), item)

    def pop(self, shape: Any) -> tuple[Any, Any]:
        if not self.length:
            raise errors.InvalidArgumentError(None, None, "Trying to pop from an empty list.")
        return self._prefix(self.length - 1), self._filled(self._store[self.length - 1], shape)

    def written_at(self, place: int) -> Any:
        """One element; None if there is none, or nothing was written to it."""
        return self._store[place] if 0 <= place < self.length else None

    def get(self, index: Any, shape: Any, check: Any) -> Any:
        if is_traced(index):
            return self.stacked().get(index, shape, check)
        place = int(index)
        if not 0 <= place < self.length:
            check(False, f"Trying to access element {place} in a list with {self.length} elements.")
        return self._filled(self._store[place], shape)

    def added_at(self, place: int, item: Any) -> Items:
        """The sum with a list of zeros but for one element."""
        other: Items = self._prefix(self.length)
        store = other._store = self._store[: self.length]
        before = store[place]
        store[place] = item if before is None else before + item
        return other

    def set(self, index: Any, item: Any, check: Any) -> Any:
        if is_traced(index):
            blank = all(i is None for i in self.items) and not is_list(item)
            if blank:
                return Single(index, item, self.length, self.element_dtype, self.element_shape)
            return self.stacked().set(index, item, check)
        place = int(index)
        if not 0 <= place < self.length:
            check(False, f"Trying to modify element {place} in a list with {self.length} elements.")
        other = self._prefix(self.length)
        other._store = self._store[: self.length]
        other._store[place] = item
        return other

    def reaching(self, index: Any, check: Any) -> Any:
        """The list, grown if necessary to have an element at `index`."""
        if is_traced(index):
            return self.stacked().reaching(index, check)
        return self if index < self.length else self.resized(int(index) + 1)

    def elements(self, shape: Any) -> list[Any]:
        """Every element; those not written yet as zeros."""
        known = next((np.shape(i) for i in self.items if i is not None and not isinstance(i, Hole)), None) \
            if not self._nests else None
        items = self._store[: self.length]
        if not any(i is None for i in items):
            return items
        zeros = self._filled(None, shape, known)
        return [zeros if i is None else i for i in items]

    def rows(self, shape: Any) -> Any:
        """All elements as one array."""
        if self._rows is not None:
            return self._rows
        elements = self.elements(shape)
        if not elements:
            return no_rows(merged(self.element_shape, shape), self.element_dtype)
        first = np.shape(elements[0])
        if first and all(type(e) is np.ndarray and e.shape == first for e in elements):
            return np.concatenate(elements).reshape(len(elements), *first)  # np.stack makes a view of each
        shapes = {np.shape(e) for e in elements}
        if len(shapes) > 1:
            raise errors.InvalidArgumentError(None, None, f"Tried to stack list of tensors with different shapes: "
                                                          f"{' and '.join(map(str, sorted(shapes)))}")
        if any(is_traced(e) for e in elements):
            import jax.numpy as jnp

            return jnp.stack([jnp.asarray(e) for e in elements])
        return np.stack(elements)

    def take(self, indices: Any, shape: Any, check: Any) -> Any:
        """The elements at `indices`, as one array."""
        if is_traced(indices):
            return self.stacked().take(indices, shape, check)
        if is_all(indices, self.length):
            return self.rows(shape)
        chosen = self._with(self.items[int(i)] if 0 <= i < len(self.items) else absent(int(i), len(self.items))
                            for i in np.ravel(indices))
        return chosen.rows(shape)

    def resized(self, length: int) -> Any:
        return self._with((*self.items[:length], *(None,) * (length - len(self.items))))

    def zeros_like(self) -> Any:
        if is_static(self.element_shape) and not self._nests:
            return self._with((None,) * self.length)  # which are zeros
        return self._with(i.zeros_like() if is_list(i) else None if i is None or isinstance(i, Hole) else zeros_of(i)
                          for i in self.items)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Items):
            return other + self
        if self.length < other.length:  # a gradient from before an array grew: it has no later elements
            return other + self
        sums = self._prefix(self.length)
        sums._store = self._store[: self.length]
        for place, item in enumerate(other._store[: other.length]):
            if item is not None:  # few are, in the gradients of an iteration
                before = sums._store[place]
                sums._store[place] = item if before is None else before + item
        return sums

    def stacked(self) -> Stacked:
        """The same list with its elements in one buffer; without a buffer if their shape is not known yet.

        Raises:
            Uncompilable: they have different shapes.
        """
        if self._rows is not None:
            return Stacked((self._rows,), None, self.length, self.element_dtype, self.element_shape)
        present = [i for i in self.items if i is not None and not isinstance(i, Hole)]
        if not present and (self._nests or not is_static(self.element_shape)):
            return Stacked((), None, len(self.items), self.element_dtype, self.element_shape)
        if present and is_list(present[0]):
            return self._stacked_lists([i.stacked() for i in present])
        if len({np.shape(i) for i in present}) > 1:
            raise Uncompilable("a list has elements of different shapes")
        rows = self.rows(None) if self.items else np.zeros((0, *self.element_shape), self.element_dtype)
        return Stacked((rows,), None, len(self.items), self.element_dtype, self.element_shape)

    def _stacked_lists(self, present: list[Stacked]) -> Stacked:
        result: Any = Stacked((), None, 0, self.element_dtype, self.element_shape)
        for item in present:
            result = result.push(item)
        return result

    def _filled(self, item: Any, shape: Any, known: Any = None) -> Any:
        if item is not None:
            return item
        return unwritten(merged(known, merged(self.element_shape, shape)), self.element_dtype)

    # ---- what the signature of a compiled stage is made of

    size = property(lambda self: sum(getattr(i, "size", 0) for i in self.items))
    dtype = property(lambda self: (len(self.items), *((np.shape(i), getattr(i, "dtype", None)) for i in self.items)))
