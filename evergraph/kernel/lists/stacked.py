"""Lists whose elements are rows of one buffer: the form in which compiled loops carry lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.kernel.lists.elements import (
    TensorList,
    is_all,
    is_inside,
    is_list,
    is_static,
    merged,
    no_rows,
    unchecked,
    unwritten,
    zeros_of,
)
from evergraph.kernel.reasons import CAPACITY_EXCEEDED, Uncompilable
from evergraph.kernel.values import Hole


class Stacked(TensorList):
    """A list whose elements are the rows of a buffer; the buffer may have more rows than the list has elements.

    Attributes:
        leaves: one buffer per array of an element; none as long as the shape of the elements is not known (blank).
        form: the tree structure of an element that is itself a list; None for elements that are one array.
        length: an int, or an int32 tracer (a dynamic length).
        element_dtype: the NumPy dtype of the elements; object for lists of lists.
        element_shape: their static shape.
        fixed: whether the buffer must keep its capacity because a loop carries it.
        sure: whether pushes are known to fit into the buffer, so that they need no check.
        step: how many elements each iteration of the loop that carries the list adds, if that is static.
        same: the static value that all elements have, if they have no buffer; loops of imported graphs push shapes.
        whole: whether the buffer is known to have a row for every element, although the length is dynamic.
        room: how many rows a blank list of dynamic length gets, which are enough; None if that is not known.
    """

    __slots__ = ("leaves", "form", "length", "element_dtype", "element_shape", "fixed", "sure", "step", "same", "whole",
                 "room")

    def __init__(
        self, leaves: tuple[Any, ...], form: Any, length: Any, element_dtype: Any, element_shape: Any,
        fixed: bool = False, sure: bool = False, step: int | None = None, same: StaticArray | None = None,
        whole: bool = False, room: int | None = None,
    ) -> None:  # fmt: skip
        self.leaves, self.form, self.length = leaves, form, length
        self.element_dtype, self.element_shape, self.fixed, self.sure = element_dtype, element_shape, fixed, sure
        self.step, self.same, self.whole, self.room = step, same, whole, room

    def _with(self, leaves: Any = None, **changes: Any) -> Stacked:
        kept = {name: getattr(self, name) for name in Stacked.__slots__}
        if leaves is not None:
            changes["leaves"] = tuple(leaves)
        return Stacked(**{**kept, **changes})

    is_blank = property(lambda self: not self.leaves and self.same is None)
    capacity = property(lambda self: self.leaves[0].shape[0] if self.leaves else 0)
    has_static_length = property(lambda self: isinstance(self.length, int))
    _is_empty = property(lambda self: self.has_static_length and self.length == 0)

    # ---- elements

    def push_alike(self, item: Any, check: Any) -> Any:
        """A push by the only node that pushes to this list: a static element is then the same in every iteration."""
        if StaticArray.fits(item) and (self._is_empty or self.same == StaticArray(item)):
            return self._with((), same=StaticArray(item), length=self.length + 1)
        return self.push(item, check)

    def _apart(self) -> Stacked:
        """The same list, with a buffer, so that elements may differ."""
        if self.same is None:
            return self
        if not self.has_static_length:
            raise Uncompilable("a list of equal elements gets another one")
        rows = np.broadcast_to(self.same.value, (self.length, *self.same.value.shape))
        return self._with([rows], same=None)

    def push(self, item: Any, check: Any = unchecked) -> Any:
        if self.same is not None:
            return self._apart().push(item, check)
        if isinstance(item, Hole):
            if self.is_blank:
                return self._with(length=self.length + 1)
            item = self._row(0, None)
        parts, form = _parts(item)
        base = self._of_form(parts, form)
        if base.fixed and not base.has_static_length:
            if not base.sure:
                check(base.length < base.capacity, CAPACITY_EXCEEDED)
        elif not base.has_static_length or base.length >= base.capacity:
            base = base.with_room(base.capacity + 1)
        return base._with(_updated(base.leaves, base.length, parts), length=base.length + 1, whole=False)

    def pop(self, shape: Any) -> tuple[Any, Any]:
        if self.has_static_length and self.length == 0:
            raise errors.InvalidArgumentError(None, None, "Trying to pop from an empty list.")
        last = self.length - 1
        return self._with(length=last), self._row(last, shape)

    def get(self, index: Any, shape: Any, check: Any) -> Any:
        check(is_inside(index, self.length), "Trying to access element {} in a list with {} elements.", index,
              self.length)
        return self._row(index, shape)

    def set(self, index: Any, item: Any, check: Any) -> Any:
        check(is_inside(index, self.length), "Trying to modify element {} in a list with {} elements.", index,
              self.length)
        parts, form = _parts(item)
        base = self._of_form(parts, form)
        if base.has_static_length:
            base = base.with_room(base.length)
        elif base.fixed and not base.whole:
            check(index < base.capacity, CAPACITY_EXCEEDED)
        elif not base.whole:  # the loop that carries it sees it grow by one element an iteration
            base = base.with_room(base.capacity + 1)
        return base._with(_updated(base.leaves, index, parts))

    def reaching(self, index: Any, check: Any) -> Any:
        import jax.numpy as jnp

        longer = jnp.maximum(jnp.asarray(self.length, np.int32), jnp.asarray(index, np.int32) + 1)
        if self.fixed and not self.sure:
            check(longer <= self.capacity, CAPACITY_EXCEEDED)
        elif not self.fixed:  # the loop that carries it sees it grow by one element an iteration
            blank = self._with(length=longer, whole=False)
            return blank if self.is_blank else blank.with_room(self.capacity + 1)
        return self._with(length=longer, whole=False)

    def add_at(self, index: Any, item: Any) -> Stacked:
        import jax.numpy as jnp

        base = self._of_form((item,), None)
        base = base.with_room(base.length) if base.has_static_length else base
        return base._with([jnp.asarray(base.leaves[0]).at[index].add(item)])

    def set_rows(self, indices: Any, rows: Any) -> Stacked:
        """The list with `rows` at `indices`."""
        import jax.numpy as jnp

        base = self._of_form((rows[0],), None)
        base = base.with_room(base.length) if base.has_static_length else base
        return base._with([jnp.asarray(base.leaves[0]).at[indices].set(rows)])

    def rows(self, shape: Any) -> Any:
        if not self.has_static_length:
            raise Uncompilable("the length of a list that is stacked is only known when the program runs")
        if self.form is not None:
            raise Uncompilable("a list of lists is stacked")
        if self.is_blank:
            return self._unwritten_rows(merged(self.element_shape, shape))
        base = self._apart()
        return base.with_room(base.length).leaves[0][: base.length]

    def _unwritten_rows(self, shape: Any) -> Any:
        if not self.length:
            return no_rows(shape, self.element_dtype)
        return np.stack([unwritten(shape, self.element_dtype)] * self.length)

    def elements(self, shape: Any) -> list[Any]:
        if not self.has_static_length:
            raise Uncompilable("the length of a list that is taken apart is only known when the program runs")
        return [self._row(i, shape) for i in range(self.length)]

    def take(self, indices: Any, shape: Any, check: Any) -> Any:
        import jax.numpy as jnp

        check(is_inside(indices, self.length), "Trying to gather elements {} from a list with {} elements.", indices,
              self.length)
        if is_all(indices, self.length):
            return self.rows(shape)
        if self.is_blank:
            return jnp.stack([self._row(0, shape)] * np.size(indices))
        base = self._apart()
        base = base.with_room(base.length) if base.has_static_length else base
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
            unknown = self.form is not None or not is_static(known) or np.dtype(self.element_dtype).hasobject
            return Hole(self.element_dtype) if unknown else np.zeros(known, self.element_dtype)
        leaves = [jax.lax.dynamic_index_in_dim(jax.numpy.asarray(leaf), index, 0, keepdims=False)
                  for leaf in (self.with_room(1).leaves)]
        return leaves[0] if self.form is None else jax.tree_util.tree_unflatten(self.form, leaves)

    # ---- lists as a whole

    def zeros_like(self) -> Any:
        base = self._apart()
        return base._with([zeros_of(leaf) for leaf in base.leaves])

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
            return self._formed([(np.shape(p), p.dtype) for p in parts], form)
        if form != self.form or any(np.shape(p) != leaf.shape[1:] for p, leaf in zip(parts, self.leaves, strict=True)):
            raise Uncompilable("a list has elements of different shapes")
        return self

    def _formed(self, kinds: Any, form: Any) -> Stacked:
        """A blank list with buffers for elements made of parts of these shapes and dtypes."""
        import jax.numpy as jnp

        rows = max(self.length if self.has_static_length else self.room or 0, 1)
        whole = self.whole or not self.has_static_length and self.room is not None
        return self._with([jnp.zeros((rows, *shape), dtype) for shape, dtype in kinds], form=form, whole=whole)

    # ---- entering and leaving compiled loops and branches

    def zeros(self) -> Stacked:
        """A list of zeros with the structure of this one, which may have ShapeDtypeStructs for arrays."""
        import jax.numpy as jnp

        length = self.length if self.has_static_length else jnp.zeros((), np.int32)
        return self._with([jnp.zeros(leaf.shape, leaf.dtype) for leaf in self.leaves], length=length)

    def joined(self, other: Stacked, what: str) -> Stacked:
        """The structure that both lists fit into; both may have ShapeDtypeStructs for arrays.

        Raises:
            Uncompilable: there is none.
        """
        import jax

        if self.is_blank or other.is_blank:
            base = other if self.is_blank else self
            room = max(base.capacity, *(x.length for x in (self, other) if x.has_static_length), 0)
        else:
            base, room = self, max(self.capacity, other.capacity)
            if self.same != other.same:
                raise Uncompilable(f"{what} is a list of static values that depend on the branch")
            if self.form != other.form or any(a.shape[1:] != b.shape[1:] for a, b in zip(self.leaves, other.leaves)):
                raise Uncompilable(f"{what} is a list of elements whose shape depends on the branch")
        same = self.has_static_length and other.has_static_length and self.length == other.length
        length = self.length if same else jax.ShapeDtypeStruct((), np.int32)
        leaves = [jax.ShapeDtypeStruct((room, *leaf.shape[1:]), leaf.dtype) for leaf in base.leaves]
        return base._with(leaves, length=length, whole=self.whole and other.whole)

    def fitted(self, form: Stacked) -> Stacked:
        """The same list in the given structure: a larger buffer, a dynamic length."""
        import jax.numpy as jnp

        length = self.length if form.has_static_length else jnp.asarray(self.length, np.int32)
        if self.is_blank and not form.is_blank:
            return form.zeros()._with(length=length)
        if self.same != form.same or self.form != form.form \
                or [x.shape[1:] for x in self.leaves] != [x.shape[1:] for x in form.leaves] \
                or self.capacity > form.capacity or (form.has_static_length and self.length != form.length):
            raise Uncompilable("a list changes its form inside a loop")
        room = self.with_room(form.capacity)
        return form._with([jnp.asarray(leaf) for leaf in room.leaves], length=length)

    def growing_to(self, after: Stacked, trips: Any, what: str) -> Stacked:
        """The list to enter a loop with whose body turns this one into `after`; itself if its structure is kept.

        Args:
            after: the list that the body returns.
            trips: returns (iterations to make room for, whether there are never more).
            what: what errors call the list.
        """
        import jax.numpy as jnp

        if self.whole and not after.whole:
            return self._with(whole=False)
        if self._is_empty and self.same is None and after.same is not None:
            return self._with((), same=after.same)
        if self.is_blank and not after.is_blank:
            formed = self._formed([(x.shape[1:], x.dtype) for x in after.leaves], after.form)
            pushed = self.has_static_length and after.has_static_length and after.length > self.length
            return formed.growing_to(after, trips, what) if pushed else formed
        if self.same != after.same:
            raise Uncompilable(f"{what} is a list of static values that differ")
        if not self.is_blank and not after.is_blank and self.form != after.form:
            raise Uncompilable(f"{what} is a list of lists that change their form")
        both_static = self.has_static_length and after.has_static_length
        if self.has_static_length and not both_static:
            # A branch of the body pushes or pops. By a dynamic length the next trace sees how many rows it may need.
            return self._with(length=jnp.asarray(self.length, np.int32))
        if self.fixed or both_static and self.length == after.length and self.capacity == after.capacity:
            return self
        grows = after.length - self.length if both_static else after.capacity - self.capacity
        count, sure = trips() if grows > 0 else (0, True)
        start = self.length if both_static else self.capacity
        room = self.with_room(max(start + grows * count, self.capacity, 1) if grows > 0 else self.capacity)
        length = self.length if both_static and not grows else jnp.asarray(self.length, np.int32)
        return room._with(length=length, fixed=True, sure=sure, step=grows if both_static else None)

    def is_filled_by_pushes(self, start: TensorList) -> bool:
        """Whether a loop that was entered with `start` has written every element of this list, which it carries."""
        return isinstance(start, Stacked) and start._is_empty and bool(self.step)

    def with_leaves(self, leaves: Any) -> Stacked:
        """The same list in other buffers."""
        return self._with(leaves)

    def leaving(self, start: Stacked, trips: int | None) -> Stacked:
        """The list after a loop that was entered with `start`; `trips` is its trip count, if that is static."""
        known = trips is not None and self.step is not None and start.has_static_length
        length = start.length + self.step * trips if known else self.length  # type: ignore[operator]
        return self._with(length=length, fixed=False, sure=False, step=None)

    # ---- what the signature of a compiled stage is made of

    size = property(lambda self: sum(leaf.size for leaf in self.leaves))
    dtype = property(lambda self: (self.length if self.has_static_length else None, self.form, self.same,
                                   *((x.shape, x.dtype) for x in self.leaves)))


class Single(TensorList):
    """A list of zeros but for one element, whose index is a tracer: the gradient of reading an element."""

    __slots__ = ("index", "item", "length", "element_dtype", "element_shape", "room")

    def __init__(
        self, index: Any, item: Any, length: int, element_dtype: Any, element_shape: Any, room: int | None = None
    ) -> None:
        self.index, self.item, self.length = index, item, length
        self.element_dtype, self.element_shape, self.room = element_dtype, element_shape, room

    def stacked(self) -> Stacked:
        blank = Stacked((), None, self.length, self.element_dtype, self.element_shape, room=self.room)
        return blank.set(self.index, self.item, unchecked)

    def __add__(self, other: Any) -> Any:
        return other.stacked().add_at(self.index, self.item)

    def __getattr__(self, name: str) -> Any:
        """All else that lists do, the list does with its elements in one buffer."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.stacked(), name)

    # ---- what the signature of a compiled stage is made of

    size = property(lambda self: np.size(self.item))
    dtype = property(lambda self: (self.length, np.shape(self.item), self.item.dtype))


class StaticArray:
    """A small integer array that is static, such as a shape; compares by value."""

    __slots__ = ("value", "_key")

    def __init__(self, value: Any) -> None:
        self.value = np.asarray(value)
        self._key = (self.value.dtype, self.value.shape, self.value.tobytes())

    @staticmethod
    def fits(item: Any) -> bool:
        return isinstance(item, (np.ndarray, np.generic)) and item.dtype.kind in "iub" and item.size <= 32

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StaticArray) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


# ---- buffers


def rooms(values: Iterable[Any]) -> list[int]:
    """The numbers of rows that the lists among these have whose length is a run-time value."""
    return [value.capacity for value in values if isinstance(value, Stacked) and not value.has_static_length]


def _is_summed(leaf: Any) -> bool:
    """Whether adding lists adds these arrays: lengths of nested lists are equal in both and stay."""
    return leaf.dtype.kind not in "iub"


def _parts(item: Any) -> tuple[tuple[Any, ...], Any]:
    """An element as (its arrays, its tree structure)."""
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


def _only_first(leaf: Any, length: Any) -> Any:
    """The buffer with zeros in the rows after the list's elements."""
    import jax.numpy as jnp

    inside = (jnp.arange(leaf.shape[0]) < length).reshape(-1, *(1,) * (leaf.ndim - 1))
    return jnp.where(inside, leaf, jnp.zeros((), leaf.dtype))
