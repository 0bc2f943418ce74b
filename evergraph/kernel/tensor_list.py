"""Tensor lists as values: what a variant tensor made by the TensorList ops holds.

There are three forms with one interface. `Items` keeps its elements apart and has a plain length: the form on NumPy,
and of short lists while a step is traced. `Stacked` keeps them as rows of one buffer: the form that compiled loops
carry, whose length may be known only when the program runs. `Single` is a list of zeros but for one element: the
gradient of reading it. All are immutable: every method that changes a list returns a new one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.kernel.calling import Hole
from evergraph.kernel.reasons import CAPACITY_EXCEEDED, Uncompilable


def is_list(value: Any) -> bool:
    return isinstance(value, (Items, Stacked, Single))


def with_plain_length(value: Any) -> Any:
    """A list that has left a compiled program: its length becomes a plain number."""
    if not isinstance(value, Stacked) or value.is_plain:
        return value
    return value._with(length=int(value.length))


def with_dynamic_length(value: Any, like: Any) -> Any:
    """A list between two programs, in a buffer as large as that of another one of this length.

    A program that takes it is then the same for all lengths.
    """
    stacked = value.stacked()
    if stacked.is_blank or not stacked.is_plain:
        return value
    rows = like.capacity if isinstance(like, Stacked) else 0
    if rows < stacked.length:
        rows = 1 << max(stacked.length - 1, 0).bit_length()
    leaves = [_with_zero_rows(leaf, rows) for leaf in stacked.leaves]
    return stacked._with(leaves, length=np.int32(stacked.length))


def _no_check(ok: Any, message: str, *data: Any) -> None:
    """For uses that are right by construction."""


class Items:
    """A list of separate elements.

    Lists that come from one another by pushing and popping share one store, of which each sees the beginning: a loop
    that pushes in every iteration copies nothing.

    Attributes:
        items: the elements; None where nothing was written yet.
        length: how many.
        element_dtype: their NumPy dtype; object for lists of lists.
        element_shape: what is known of their shape.
        most: the greatest length that pushes may lead to; below zero when there is none.
    """

    __slots__ = ("_store", "length", "element_dtype", "element_shape", "most")

    def __init__(self, items: Iterable[Any], element_dtype: Any, element_shape: Any, most: int = -1) -> None:
        self._store = list(items)
        self.length = len(self._store)
        self.element_dtype, self.element_shape, self.most = element_dtype, element_shape, most

    items = property(lambda self: tuple(self._store[: self.length]))
    _nests = property(lambda self: np.dtype(self.element_dtype).hasobject)

    def _with(self, items: Any) -> Items:
        return Items(items, self.element_dtype, self.element_shape, self.most)

    def _beginning(self, length: int) -> Items:
        """The first elements of the store, as a list."""
        other = Items((), self.element_dtype, self.element_shape, self.most)
        other._store, other.length = self._store, length
        return other

    def push_alike(self, item: Any, check: Any) -> Any:
        return self.push(item, check)

    def push(self, item: Any, check: Any = _no_check) -> Any:
        if 0 <= self.most <= self.length:
            raise errors.InvalidArgumentError(None, None, f"Tried to push item into a full list. list size: "
                                                          f"{self.length} max_num_elements: {self.most}")
        if len(self._store) > self.length:  # another list has pushed something else here
            return self._with((*self.items, item))
        self._store.append(item)
        return self._beginning(self.length + 1)

    def pop(self, shape: Any) -> tuple[Any, Any]:
        if not self.length:
            raise errors.InvalidArgumentError(None, None, "Trying to pop from an empty list.")
        return self._beginning(self.length - 1), self._filled(self._store[self.length - 1], shape)

    def get(self, index: Any, shape: Any, check: Any) -> Any:
        if _is_traced(index):
            return self.stacked().get(index, shape, check)
        check(0 <= index < self.length, f"Trying to access element {int(index)} in a list with {self.length} elements.")
        return self._filled(self._store[int(index)], shape)

    def set(self, index: Any, item: Any, check: Any) -> Any:
        if _is_traced(index):
            blank = all(i is None for i in self.items) and not is_list(item)
            if blank:
                return Single(index, item, self.length, self.element_dtype, self.element_shape)
            return self.stacked().set(index, item, check)
        check(0 <= index < self.length, f"Trying to modify element {int(index)} in a list with {self.length} elements.")
        other = self._with(self._store[: self.length])
        other._store[int(index)] = item
        return other

    def reaching(self, index: Any, check: Any) -> Any:
        """The list, made longer if need be to have an element at `index`."""
        if _is_traced(index):
            return self.stacked().reaching(index, check)
        return self if index < self.length else self.resized(int(index) + 1)

    def elements(self, shape: Any) -> list[Any]:
        """Every element; those not written yet as zeros."""
        known = next((np.shape(i) for i in self.items if i is not None and not isinstance(i, Hole)), None) \
            if not self._nests else None
        return [self._filled(i, shape, known) for i in self.items]

    def rows(self, shape: Any) -> Any:
        """All elements as one array."""
        elements = self.elements(shape)
        if not elements:
            wanted = merged(self.element_shape, shape)
            if wanted is None or None in wanted:
                raise errors.InvalidArgumentError(None, None, "Tried to stack elements of an empty list with non-fully-"
                                                              f"defined element_shape: {_text(wanted)}")
            return np.zeros((0, *wanted), self.element_dtype)
        shapes = {np.shape(e) for e in elements}
        if len(shapes) > 1:
            raise errors.InvalidArgumentError(None, None, f"Tried to stack list of tensors with different shapes: "
                                                          f"{' and '.join(map(str, sorted(shapes)))}")
        if any(_is_traced(e) for e in elements):
            import jax.numpy as jnp

            return jnp.stack([jnp.asarray(e) for e in elements])
        return np.stack(elements)

    def take(self, indices: Any, shape: Any, check: Any) -> Any:
        """The elements at `indices`, as one array."""
        if _is_traced(indices):
            return self.stacked().take(indices, shape, check)
        if is_all(indices, self.length):
            return self.rows(shape)
        chosen = self._with(self.items[int(i)] if 0 <= i < len(self.items) else _absent(int(i), len(self.items))
                            for i in np.ravel(indices))
        return chosen.rows(shape)

    def resized(self, length: int) -> Any:
        return self._with((*self.items[:length], *(None,) * (length - len(self.items))))

    def zeros_like(self) -> Any:
        return self._with(i.zeros_like() if is_list(i) else None if i is None or isinstance(i, Hole) else _zeros_of(i)
                          for i in self.items)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Items):
            return other + self
        if len(self.items) != len(other.items):
            raise errors.InvalidArgumentError(None, None, "Trying to add two lists of tensors with different lengths")
        return self._with(b if a is None else a if b is None else a + b for a, b in zip(self.items, other.items))

    def stacked(self) -> Stacked:
        """The same list with its elements in one buffer; an empty buffer when their shape is not known yet.

        Raises:
            Uncompilable: they have different shapes.
        """
        present = [i for i in self.items if i is not None and not isinstance(i, Hole)]
        if not present and (self._nests or self.element_shape is None or None in self.element_shape):
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
        wanted = merged(known, merged(self.element_shape, shape))
        if wanted is None or None in wanted:
            raise errors.InvalidArgumentError(None, None, "Trying to read an uninitialized tensor but element_shape is "
                                                          f"not fully defined: {_text(wanted)}")
        return np.zeros(wanted, self.element_dtype)

    # ---- what a stage asks of an argument

    shape = property(lambda self: ())
    size = property(lambda self: sum(getattr(i, "size", 0) for i in self.items))
    dtype = property(lambda self: (len(self.items), *((np.shape(i), getattr(i, "dtype", None)) for i in self.items)))

    def on_host(self) -> Items:
        return self._with(_on_host(i) for i in self.items)


class Stacked:
    """A list whose elements are the rows of a buffer.

    Attributes:
        leaves: one array per part of an element, with a row per element; none when the elements' form is not known yet.
        form: how the parts make an element; None for an element that is one array.
        length: a plain number, or an int32 that the program computes.
        fixed: whether the buffer must keep its size because a loop carries it.
        sure: whether pushes are known to fit into the buffer.
        step: how many elements each iteration of the loop that carries the list adds, when that is known.
        same: the plain value that every element has; there is no buffer then. Loops of imported graphs keep shapes.
    """

    __slots__ = ("leaves", "form", "length", "element_dtype", "element_shape", "fixed", "sure", "step", "same")

    def __init__(self, leaves: tuple[Any, ...], form: Any, length: Any, element_dtype: Any, element_shape: Any,
                 fixed: bool = False, sure: bool = False, step: int | None = None, same: Plain | None = None) -> None:
        self.leaves, self.form, self.length = leaves, form, length
        self.element_dtype, self.element_shape, self.fixed, self.sure = element_dtype, element_shape, fixed, sure
        self.step, self.same = step, same

    def _with(self, leaves: Any = None, **changes: Any) -> Stacked:
        kept = {name: getattr(self, name) for name in Stacked.__slots__}
        if leaves is not None:
            changes["leaves"] = tuple(leaves)
        return Stacked(**{**kept, **changes})

    is_blank = property(lambda self: not self.leaves and self.same is None)
    capacity = property(lambda self: self.leaves[0].shape[0] if self.leaves else 0)
    is_plain = property(lambda self: isinstance(self.length, int))
    _is_empty = property(lambda self: self.is_plain and self.length == 0)

    # ---- elements

    def push_alike(self, item: Any, check: Any) -> Any:
        """A push in the one place where things are pushed: what is plain there is the same in every iteration."""
        if Plain.fits(item) and (self._is_empty or self.same == Plain(item)):
            return self._with((), same=Plain(item), length=self.length + 1)
        return self.push(item, check)

    def _apart(self) -> Stacked:
        """The same list, with a buffer for elements that differ."""
        if self.same is None:
            return self
        if not self.is_plain:
            raise Uncompilable("a list of equal elements gets another one")
        rows = np.broadcast_to(self.same.value, (self.length, *self.same.value.shape))
        return self._with([rows], same=None)

    def push(self, item: Any, check: Any = _no_check) -> Any:
        if self.same is not None:
            return self._apart().push(item, check)
        if isinstance(item, Hole):
            if self.is_blank:
                return self._with(length=self.length + 1)
            item = self._row(0, None)
        parts, form = _parts(item)
        base = self._of_form(parts, form)
        if base.fixed and not base.is_plain:
            if not base.sure:
                check(base.length < base.capacity, CAPACITY_EXCEEDED)
        elif not base.is_plain or base.length >= base.capacity:
            base = base.with_room(base.capacity + 1)
        return base._with(_updated(base.leaves, base.length, parts), length=base.length + 1)

    def pop(self, shape: Any) -> tuple[Any, Any]:
        if self.is_plain and self.length == 0:
            raise errors.InvalidArgumentError(None, None, "Trying to pop from an empty list.")
        last = self.length - 1
        return self._with(length=last), self._row(last, shape)

    def get(self, index: Any, shape: Any, check: Any) -> Any:
        check(_inside(index, self.length), "Trying to access element {} in a list with {} elements.", index,
              self.length)
        return self._row(index, shape)

    def set(self, index: Any, item: Any, check: Any) -> Any:
        check(_inside(index, self.length), "Trying to modify element {} in a list with {} elements.", index,
              self.length)
        parts, form = _parts(item)
        base = self._of_form(parts, form)
        if base.is_plain:
            base = base.with_room(base.length)
        elif base.fixed:
            check(index < base.capacity, CAPACITY_EXCEEDED)
        else:  # one more element in each iteration of a loop is what it gets room for
            base = base.with_room(base.capacity + 1)
        return base._with(_updated(base.leaves, index, parts))

    def reaching(self, index: Any, check: Any) -> Any:
        import jax.numpy as jnp

        longer = jnp.maximum(jnp.asarray(self.length, np.int32), jnp.asarray(index, np.int32) + 1)
        if self.fixed and not self.sure:
            check(longer <= self.capacity, CAPACITY_EXCEEDED)
        elif not self.fixed:  # one more element in each iteration of a loop is what it gets room for
            blank = self._with(length=longer)
            return blank if self.is_blank else blank.with_room(self.capacity + 1)
        return self._with(length=longer)

    def add_at(self, index: Any, item: Any) -> Stacked:
        import jax.numpy as jnp

        base = self._of_form((item,), None)
        base = base.with_room(base.length) if base.is_plain else base
        return base._with([jnp.asarray(base.leaves[0]).at[index].add(item)])

    def set_rows(self, indices: Any, rows: Any) -> Stacked:
        """The list with `rows` at `indices`."""
        import jax.numpy as jnp

        base = self._of_form((rows[0],), None)
        base = base.with_room(base.length) if base.is_plain else base
        return base._with([jnp.asarray(base.leaves[0]).at[indices].set(rows)])

    def rows(self, shape: Any) -> Any:
        if not self.is_plain:
            raise Uncompilable("the length of a list that is stacked is only known when the program runs")
        if self.form is not None:
            raise Uncompilable("a list of lists is stacked")
        if self.is_blank:
            return Items((None,) * self.length, self.element_dtype, self.element_shape).rows(shape)
        base = self._apart()
        return base.with_room(base.length).leaves[0][: base.length]

    def elements(self, shape: Any) -> list[Any]:
        if not self.is_plain:
            raise Uncompilable("the length of a list that is taken apart is only known when the program runs")
        return [self._row(i, shape) for i in range(self.length)]

    def take(self, indices: Any, shape: Any, check: Any) -> Any:
        import jax.numpy as jnp

        check(_inside(indices, self.length), "Trying to gather elements {} from a list with {} elements.", indices,
              self.length)
        if is_all(indices, self.length):
            return self.rows(shape)
        if self.is_blank:
            return jnp.stack([self._row(0, shape)] * np.size(indices))
        base = self._apart()
        base = base.with_room(base.length) if base.is_plain else base
        return jnp.take(jnp.asarray(base.leaves[0]), jnp.asarray(indices), axis=0, mode="clip")

    def resized(self, length: int) -> Any:
        if self.is_blank:
            return self._with(length=length)
        base = self._apart().with_room(length)
        return base._with([_only_first(leaf, self.length) for leaf in base.leaves], length=length)

    def _row(self, index: Any, shape: Any) -> Any:
        import jax

        if self.same is not None:
            return self.same.value
        if self.is_blank:
            known = merged(self.element_shape, shape)
            unknown = self.form is not None or known is None or None in known or np.dtype(self.element_dtype).hasobject
            return Hole(self.element_dtype) if unknown else np.zeros(known, self.element_dtype)
        leaves = [jax.lax.dynamic_index_in_dim(jax.numpy.asarray(leaf), index, 0, keepdims=False)
                  for leaf in (self.with_room(1).leaves)]
        return leaves[0] if self.form is None else jax.tree_util.tree_unflatten(self.form, leaves)

    # ---- lists as a whole

    def zeros_like(self) -> Any:
        base = self._apart()
        return base._with([_zeros_of(leaf) for leaf in base.leaves])

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Single):
            return self.add_at(other.index, other.item)
        other = other.stacked()
        if self.is_blank or other.is_blank:
            return other if self.is_blank else self
        self, other = self._apart(), other._apart()
        if self.form != other.form:
            raise Uncompilable("two lists of lists of different forms are added")
        room = max(self.capacity, other.capacity)
        pairs = zip(self.with_room(room).leaves, other.with_room(room).leaves, strict=True)
        return self._with([a + b if _is_summed(a) else a for a, b in pairs])

    def stacked(self) -> Stacked:
        return self

    def with_room(self, capacity: int) -> Stacked:
        """The same list, in a buffer of at least that many rows."""
        if not self.leaves or self.capacity >= capacity:
            return self
        return self._with([_padded(leaf, capacity) for leaf in self.leaves])

    def _of_form(self, parts: Any, form: Any) -> Stacked:
        """A list that can hold elements made of these parts.

        Raises:
            Uncompilable: it holds others.
        """
        if self.same is not None:
            return self._apart()._of_form(parts, form)
        if self.is_blank:
            rows = max(self.length, 1) if self.is_plain else 1
            import jax.numpy as jnp

            return self._with([jnp.zeros((rows, *np.shape(p)), p.dtype) for p in parts], form=form)
        if form != self.form or any(np.shape(p) != leaf.shape[1:] for p, leaf in zip(parts, self.leaves, strict=True)):
            raise Uncompilable("a list has elements of different shapes")
        return self

    # ---- crossing the border of loops and branches

    def zeros(self) -> Stacked:
        """A list of this form that holds zeros; `self` may have shapes in place of arrays."""
        import jax.numpy as jnp

        length = self.length if self.is_plain else jnp.zeros((), np.int32)
        return self._with([jnp.zeros(leaf.shape, leaf.dtype) for leaf in self.leaves], length=length)

    def joined(self, other: Stacked, what: str) -> Stacked:
        """The form that both lists fit into; both may have shapes in place of arrays.

        Raises:
            Uncompilable: there is none.
        """
        import jax

        if self.is_blank or other.is_blank:
            base = other if self.is_blank else self
            room = max(base.capacity, *(x.length for x in (self, other) if x.is_plain), 0)
        else:
            base, room = self, max(self.capacity, other.capacity)
            if self.same != other.same:
                raise Uncompilable(f"{what} is a list of plain values that depend on the branch")
            if self.form != other.form or any(a.shape[1:] != b.shape[1:] for a, b in zip(self.leaves, other.leaves)):
                raise Uncompilable(f"{what} is a list of elements whose shape depends on the branch")
        same = self.is_plain and other.is_plain and self.length == other.length
        length = self.length if same else jax.ShapeDtypeStruct((), np.int32)
        leaves = [jax.ShapeDtypeStruct((room, *leaf.shape[1:]), leaf.dtype) for leaf in base.leaves]
        return base._with(leaves, length=length)

    def fitted(self, form: Stacked) -> Stacked:
        """The same list in the given form: a larger buffer, a length that the program computes."""
        import jax.numpy as jnp

        length = self.length if form.is_plain else jnp.asarray(self.length, np.int32)
        if self.is_blank and not form.is_blank:
            return form.zeros()._with(length=length)
        if self.same != form.same or self.form != form.form \
                or [x.shape[1:] for x in self.leaves] != [x.shape[1:] for x in form.leaves] \
                or self.capacity > form.capacity or (form.is_plain and self.length != form.length):
            raise Uncompilable("a list changes its form inside a loop")
        room = self.with_room(form.capacity)
        return form._with([jnp.asarray(leaf) for leaf in room.leaves], length=length)

    def growing_to(self, after: Stacked, trips: Any, what: str) -> Stacked:
        """The list to start a loop with whose body turns it into one like `after`; itself when it is that already."""
        import jax.numpy as jnp

        if self._is_empty and self.same is None and after.same is not None:
            return self._with((), same=after.same)
        if self.is_blank and not after.is_blank:
            rows = max(self.length if self.is_plain else 0, 1)
            formed = self._with([jnp.zeros((rows, *x.shape[1:]), x.dtype) for x in after.leaves], form=after.form)
            pushed = self.is_plain and after.is_plain and after.length > self.length
            return formed.growing_to(after, trips, what) if pushed else formed
        if self.same != after.same:
            raise Uncompilable(f"{what} is a list of plain values that differ")
        if not self.is_blank and not after.is_blank and self.form != after.form:
            raise Uncompilable(f"{what} is a list of lists that change their form")
        if self.fixed or self.is_plain and after.is_plain and self.length == after.length \
                and self.capacity == after.capacity:
            return self
        grows = after.length - self.length if self.is_plain and after.is_plain else after.capacity - self.capacity
        count, sure = trips() if grows > 0 else (0, True)
        start = self.length if self.is_plain and after.is_plain else self.capacity
        room = self.with_room(max(start + grows * count, self.capacity, 1) if grows > 0 else self.capacity)
        both_plain = self.is_plain and after.is_plain
        length = self.length if both_plain and not grows else jnp.asarray(self.length, np.int32)
        return room._with(length=length, fixed=True, sure=sure, step=grows if both_plain else None)

    def leaving(self, start: Stacked, trips: int | None) -> Stacked:
        """The list after a loop that began with `start` and made so many iterations, if that is known."""
        known = trips is not None and self.step is not None and start.is_plain
        length = start.length + self.step * trips if known else self.length  # type: ignore[operator]
        return self._with(length=length, fixed=False, sure=False, step=None)

    # ---- what a stage asks of an argument

    shape = property(lambda self: ())
    size = property(lambda self: sum(leaf.size for leaf in self.leaves))
    dtype = property(lambda self: (self.length if self.is_plain else None, self.form, self.same,
                                   *((x.shape, x.dtype) for x in self.leaves)))

    def on_host(self) -> Items:
        count = int(self.length)
        if self.is_blank:
            return Items((None,) * count, self.element_dtype, self.element_shape)
        if self.same is not None:
            return Items((self.same.value,) * count, self.element_dtype, self.element_shape)
        leaves = [np.asarray(leaf) for leaf in self.leaves]
        if self.form is None:
            return Items(tuple(leaves[0][i] for i in range(count)), self.element_dtype, self.element_shape)
        import jax

        inner = [jax.tree_util.tree_unflatten(self.form, [x[i] for x in leaves]).on_host() for i in range(count)]
        return Items(tuple(inner), self.element_dtype, self.element_shape)


class Plain:
    """A small array of integers that is known while a program is made, such as a shape."""

    __slots__ = ("value", "_key")

    def __init__(self, value: Any) -> None:
        self.value = np.asarray(value)
        self._key = (self.value.dtype, self.value.shape, self.value.tobytes())

    @staticmethod
    def fits(item: Any) -> bool:
        return isinstance(item, (np.ndarray, np.generic)) and item.dtype.kind in "iub" and item.size <= 32

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


class Single:
    """A list of zeros but for one element, whose place the program computes."""

    __slots__ = ("index", "item", "length", "element_dtype", "element_shape")

    def __init__(self, index: Any, item: Any, length: int, element_dtype: Any, element_shape: Any) -> None:
        self.index, self.item, self.length = index, item, length
        self.element_dtype, self.element_shape = element_dtype, element_shape

    def stacked(self) -> Stacked:
        blank = Stacked((), None, self.length, self.element_dtype, self.element_shape)
        return blank.set(self.index, self.item, _no_check)

    def __add__(self, other: Any) -> Any:
        return other.stacked().add_at(self.index, self.item)

    def push(self, item: Any, check: Any = _no_check) -> Any:
        return self.stacked().push(item, check)

    def push_alike(self, item: Any, check: Any) -> Any:
        return self.push(item, check)

    def pop(self, shape: Any) -> tuple[Any, Any]:
        return self.stacked().pop(shape)

    def get(self, index: Any, shape: Any, check: Any) -> Any:
        return self.stacked().get(index, shape, check)

    def set(self, index: Any, item: Any, check: Any) -> Any:
        return self.stacked().set(index, item, check)

    def elements(self, shape: Any) -> list[Any]:
        return self.stacked().elements(shape)

    def rows(self, shape: Any) -> Any:
        return self.stacked().rows(shape)

    def reaching(self, index: Any, check: Any) -> Any:
        return self.stacked().reaching(index, check)

    def take(self, indices: Any, shape: Any, check: Any) -> Any:
        return self.stacked().take(indices, shape, check)

    def resized(self, length: int) -> Any:
        return self.stacked().resized(length)

    def zeros_like(self) -> Any:
        return self.stacked().zeros_like()

    # ---- what a stage asks of an argument

    shape = property(lambda self: ())
    size = property(lambda self: np.size(self.item))
    dtype = property(lambda self: (self.length, np.shape(self.item), self.item.dtype))

    def on_host(self) -> Items:
        return self.stacked().on_host()


# ---- helpers


def merged(shape: Any, other: Any) -> Any:
    """What is known when both are right; the first where they contradict each other."""
    if shape is None or other is None:
        return other if shape is None else shape
    if len(shape) != len(other):
        return shape
    return tuple(b if a is None else a for a, b in zip(shape, other))


def _text(shape: Any) -> str:
    return "<unknown>" if shape is None else f"[{','.join('?' if d is None else str(d) for d in shape)}]"


def _absent(index: int, length: int) -> Any:
    raise errors.InvalidArgumentError(None, None, f"Index {index} out o range; list only has {length} elements.")


def _is_traced(value: Any) -> bool:
    return hasattr(value, "aval")


def is_all(indices: Any, length: Any) -> bool:
    """Whether the indices are known to be those of all elements, in order."""
    return isinstance(length, int) and isinstance(indices, np.ndarray) and indices.ndim == 1 \
        and length == len(indices) and bool((indices == np.arange(length)).all())


def _inside(index: Any, length: Any) -> Any:
    inside = (0 <= index) & (index < length)
    return inside if _is_traced(inside) else bool(np.all(inside))


def _zeros_of(value: Any) -> Any:
    if not _is_traced(value):
        return np.zeros_like(value)
    import jax.numpy as jnp

    return jnp.zeros_like(value)


def _is_summed(leaf: Any) -> bool:
    """Numbers are added; the lengths of lists inside a list are the same in both."""
    return leaf.dtype.kind not in "iub"


def _parts(item: Any) -> tuple[tuple[Any, ...], Any]:
    """An element as arrays, and how they make it."""
    if not is_list(item):
        return (item,), None
    import jax

    leaves, form = jax.tree_util.tree_flatten(item.stacked())
    return tuple(leaves), form


def _updated(leaves: tuple[Any, ...], index: Any, parts: Any) -> list[Any]:
    import jax

    return [jax.lax.dynamic_update_index_in_dim(jax.numpy.asarray(leaf), jax.numpy.asarray(part, leaf.dtype), index, 0)
            for leaf, part in zip(leaves, parts, strict=True)]


def _padded(leaf: Any, capacity: int) -> Any:
    import jax.numpy as jnp

    more = jnp.zeros((capacity - leaf.shape[0], *leaf.shape[1:]), leaf.dtype)
    return jnp.concatenate([jnp.asarray(leaf), more])


def _with_zero_rows(leaf: Any, count: int) -> Any:
    """A buffer of so many rows, outside of programs."""
    rows = np.asarray(leaf)
    result = np.zeros((count, *rows.shape[1:]), rows.dtype)
    result[: len(rows)] = rows[:count]
    return result


def _only_first(leaf: Any, length: Any) -> Any:
    """The buffer with zeros behind the elements."""
    import jax.numpy as jnp

    inside = (jnp.arange(leaf.shape[0]) < length).reshape(-1, *(1,) * (leaf.ndim - 1))
    return jnp.where(inside, leaf, jnp.zeros((), leaf.dtype))


def _on_host(item: Any) -> Any:
    if item is None or isinstance(item, Hole):
        return item
    return item.on_host() if is_list(item) else np.asarray(item)


@functools.cache
def register() -> None:
    """Tells JAX how lists are made of arrays."""
    import jax

    def flat_items(x: Items) -> Any:
        present = tuple(i is not None for i in x.items)
        return [i for i in x.items if i is not None], (present, x.element_dtype, x.element_shape, x.most)

    def items(aux: Any, children: Any) -> Items:
        left = iter(children)
        return Items(tuple(next(left) if p else None for p in aux[0]), *aux[1:])

    def flat_stacked(x: Stacked) -> Any:
        plain = x.length if x.is_plain else None
        kept = (plain, len(x.leaves), x.form, x.element_dtype, x.element_shape, x.fixed, x.sure, x.step, x.same)
        return [*x.leaves, *(() if x.is_plain else (x.length,))], kept

    def stacked(aux: Any, children: Any) -> Stacked:
        plain, count, form, *rest = aux
        return Stacked(tuple(children[:count]), form, children[count] if plain is None else plain, *rest)

    def flat_single(x: Single) -> Any:
        return [x.index, x.item], (x.length, x.element_dtype, x.element_shape)

    jax.tree_util.register_pytree_node(Items, flat_items, items)
    jax.tree_util.register_pytree_node(Stacked, flat_stacked, stacked)
    jax.tree_util.register_pytree_node(Single, flat_single, lambda aux, children: Single(*children, *aux))
