"""Moves tensor lists between compiled programs and the host, and makes JAX know them."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from evergraph.kernel.lists.elements import TensorList, is_list
from evergraph.kernel.lists.items import Items
from evergraph.kernel.lists.stacked import Single, Stacked
from evergraph.kernel.values import Hole


def host_list(value: TensorList) -> Items:
    """The list with separate elements, as NumPy arrays."""
    if isinstance(value, Items):
        return Items((_host_element(i) for i in value.items), value.element_dtype, value.element_shape, value.most)
    stacked = value.stacked() if isinstance(value, Single) else value
    assert isinstance(stacked, Stacked)
    if stacked.leaves and stacked.form is None:
        return Items.of_rows(np.asarray(stacked.leaves[0])[: int(stacked.length)], value.element_dtype,
                             value.element_shape)
    return Items(_host_elements(stacked), value.element_dtype, value.element_shape)


def keeps_objects(value: Any) -> bool:
    """Whether a list, or a list in it, has an element that no array of a program can hold, such as a string."""
    if not isinstance(value, Items) or not np.dtype(value.element_dtype).hasobject:
        return False
    present = [item for item in value.items if item is not None and not isinstance(item, Hole)]
    return any(keeps_objects(item) if is_list(item) else np.asarray(item).dtype.kind in "OSU" for item in present)


def _host_element(item: Any) -> Any:
    if item is None or isinstance(item, Hole):
        return item
    return host_list(item) if is_list(item) else np.asarray(item)


def _host_elements(value: Stacked) -> list[Any]:
    count = int(value.length)
    if value.is_blank:
        return [None] * count
    if value.same is not None:
        return [value.same.value] * count
    leaves = [np.asarray(leaf) for leaf in value.leaves]
    import jax

    return [host_list(jax.tree_util.tree_unflatten(value.form, [x[i] for x in leaves])) for i in range(count)]


def with_plain_length(value: Any) -> Any:
    """A list that a compiled program returned: its length becomes an int."""
    if not isinstance(value, Stacked) or value.has_static_length:
        return value
    return value._with(length=int(value.length))


def room_for(length: int) -> int:
    """The number of rows that a buffer gets for a list of that length: a power of two."""
    return 1 << max(length - 1, 0).bit_length()


def with_dynamic_length(value: Any, rows: int) -> Any:
    """A list on its way from one program to the next, with a dynamic length, and so many rows if they are enough.

    The program that takes it is then compiled once for all lengths.
    """
    stacked = value.stacked()
    if stacked.is_blank or not stacked.has_static_length:
        return value
    if rows < stacked.length:
        rows = room_for(stacked.length)
    leaves = [_filled(leaf, rows) if _is_elsewhere(leaf) else _with_zero_rows(leaf, rows) for leaf in stacked.leaves]
    return stacked._with(leaves, length=np.int32(stacked.length), whole=True)


def _with_zero_rows(leaf: Any, count: int) -> Any:
    """The buffer on the host, cut or filled up with zeros to `count` rows."""
    rows = np.asarray(leaf)[:count]
    result = np.empty((count, *rows.shape[1:]), rows.dtype)
    result[: len(rows)], result[len(rows) :] = rows, 0
    return result


def _is_elsewhere(leaf: Any) -> bool:
    """Whether a buffer is on an accelerator, from where it would have to come to the host and go back."""
    return not isinstance(leaf, np.ndarray) and all(device.platform != "cpu" for device in leaf.devices())


def _filled(leaf: Any, count: int) -> Any:
    """The buffer where it is, cut or filled up with zeros to `count` rows."""
    return leaf if leaf.shape[0] == count else _program_that_fills()(leaf, count)


@functools.cache
def _program_that_fills() -> Any:
    import jax

    def fill(leaf: Any, count: int) -> Any:
        rows = leaf[:count]
        return jax.numpy.pad(rows, [(0, count - rows.shape[0]), *[(0, 0)] * (leaf.ndim - 1)])

    return jax.jit(fill, static_argnums=1)


def register_lists() -> None:
    """Registers lists as pytrees, once in a process, so that JAX can carry, trace and return them."""
    import jax

    def flat_items(x: Items) -> Any:
        present = tuple(i is not None for i in x.items)
        return [i for i in x.items if i is not None], (present, x.element_dtype, x.element_shape, x.most)

    def items(aux: Any, children: Any) -> Items:
        left = iter(children)
        return Items(tuple(next(left) if p else None for p in aux[0]), *aux[1:])

    def flat_stacked(x: Stacked) -> Any:
        static = x.length if x.has_static_length else None
        kept = (static, len(x.leaves), x.form, x.element_dtype, x.element_shape, x.fixed, x.sure, x.step, x.same,
                x.whole, x.room)
        return [*x.leaves, *(() if x.has_static_length else (x.length,))], kept

    def stacked(aux: Any, children: Any) -> Stacked:
        static, count, form, *rest = aux
        return Stacked(tuple(children[:count]), form, children[count] if static is None else static, *rest)

    def flat_single(x: Single) -> Any:
        return [x.index, x.item], (x.length, x.element_dtype, x.element_shape, x.room)

    jax.tree_util.register_pytree_node(Items, flat_items, items)
    jax.tree_util.register_pytree_node(Stacked, flat_stacked, stacked)
    jax.tree_util.register_pytree_node(Single, flat_single, lambda aux, children: Single(*children, *aux))
