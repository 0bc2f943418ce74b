"""Datasets of groups of elements that have one key: group_by_reducer, group_by_window."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from evergraph.base.errors import invalid
from evergraph.ops.data.blocks import Block
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, UNKNOWN, Captured, Element, Iterator, Transformed, as_dataset
from evergraph.ops.data.sources import Rows


def _signature(name: str, *functions: str) -> str:
    arguments = ", ".join(f"{each}_other_arguments: T{each}_other_arguments" for each in functions)
    attrs = [*(f"{each}: func" for each in functions),
             *(f"T{each}_other_arguments: list(type) >= 0" for each in functions)]
    return f"{name}(input_dataset: variant, {arguments}, *, {', '.join(attrs)}, {TYPES})"


_AT_ONCE = 64  # elements that are drawn together


def _own(element: Element) -> Element:
    """An element whose arrays keep no others alive."""
    return [value.copy() if isinstance(value, np.ndarray) and value.base is not None else value for value in element]


def _whole_number(values: list[Any], what: str) -> int:
    """The number that a function returned."""
    if len(values) != 1 or np.ndim(values[0]) or values[0].dtype != np.int64:
        raise invalid(f"`{what}` must return a scalar int64.")
    return int(values[0])


class Reduced(Transformed):
    """One element for each key, in the order of keys: all elements with the key, reduced."""

    def __init__(self, node: Any, source: Any, key: Captured, first: Captured, following: Captured, last: Captured):
        super().__init__(node, source)
        self.functions = key, first, following, last

    def iterate(self, scope: Any) -> Iterator:
        return _ReducedIterator(self.source.iterate(scope), *(scope.function(each) for each in self.functions))

    def cardinality(self) -> int:
        return UNKNOWN


class _ReducedIterator(Iterator):
    """Goes through the whole source before it gives the first element."""

    kept = ("_states", "_is_over")

    def __init__(self, source: Iterator, key: Any, first: Any, following: Any, last: Any) -> None:
        super().__init__(source)
        self._key, self._first, self._following, self._last = key, first, following, last
        self._states: dict[int, list[Any]] = {}
        self._is_over = False

    def get(self) -> Element | None:
        while not self._is_over:
            self._take()
        if not self._states:
            return None
        return self._last(*self._states.pop(min(self._states)))

    def _take(self) -> None:
        element = self.source.get()
        if element is None:
            self._is_over = True
            return
        key = _whole_number(self._key(*element), "key_func")
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = self._first(np.int64(key))
        self._states[key] = self._following(*state, *element)


class Windowed(Transformed):
    """The elements of the datasets that a function makes of windows: of consecutive elements with one key.

    Args:
        key: the key of an element.
        reduce: makes a dataset of a key and a dataset of elements.
        size: how many elements a window of a key has.

    Attributes:
        in_batches: whether elements are drawn, and their keys computed, many at a time.
    """

    in_batches = False

    def __init__(self, node: Any, source: Any, key: Captured, reduce: Captured, size: Captured) -> None:
        super().__init__(node, source)
        self.key, self.reduce, self.size = key, reduce, size

    def iterate(self, scope: Any) -> Iterator:
        return _WindowedIterator(self, scope)

    def cardinality(self) -> int:
        return UNKNOWN


class _WindowedIterator(Iterator):
    """Goes through the dataset of a full window before it collects the next one.

    `_window` is the key and the elements of the window whose dataset it is in: `restore` makes the dataset of it again.
    """

    def __init__(self, dataset: Windowed, scope: Any) -> None:
        super().__init__(dataset.source.iterate(scope))
        self._dataset, self._scope = dataset, scope
        self._key, self._reduce, self._size = (scope.function(f) for f in (dataset.key, dataset.reduce, dataset.size))
        self._keys = scope.batched(dataset.key) if dataset.in_batches else None
        self._drawn: collections.deque[tuple[Element, int | None] | Exception] = collections.deque()
        self._groups: dict[int, list[Element]] = {}
        self._sizes: dict[int, int] = {}
        self._window: tuple[int, list[Element]] | None = None
        self._current: Iterator | None = None
        self._is_over = False

    def get(self) -> Element | None:
        while True:
            if self._current is not None:
                element = self._current.get()
                if element is not None:
                    return element
                self._leave()
            elif not self._is_over:
                self._take()
            elif self._groups:
                self._enter(min(self._groups))
            else:
                return None

    def _take(self) -> None:
        """Takes one more element into the group of its key."""
        element, key = self._next()
        if element is None:
            self._is_over = True
            return
        if key is None:
            key = _whole_number(self._key(*element), "key_func")
        if key not in self._sizes:
            self._sizes[key] = self._size_of(key)
        group = self._groups.setdefault(key, [])
        group.append(element)
        if len(group) == self._sizes[key]:
            self._enter(key)

    def _next(self) -> tuple[Element | None, int | None]:
        """The next element and its key, which is None if it is still to be computed; no element at the end."""
        if self._keys is None and not self._drawn:
            return self.source.get(), None
        while not self._drawn:
            block = self.source.block(_AT_ONCE)
            if block.is_end:
                return None, None
            self._drawn.extend(zip(map(_own, block.rows()), self._keys_of(block), strict=True))
            if block.error is not None:
                self._drawn.append(block.error)
        found = self._drawn.popleft()
        if isinstance(found, Exception):
            raise found
        return found

    def _keys_of(self, block: Block) -> list[int | None]:
        """The keys of elements; none where the function fails, so that the element that fails does so in its turn."""
        try:
            keys, = self._keys(block.count, block.columns) if block.count else [np.empty(0, np.int64)]
        except Exception:
            return [None] * block.count
        is_right = isinstance(keys, np.ndarray) and keys.dtype == np.int64 and keys.ndim == 1
        return keys.tolist() if is_right else [None] * block.count

    def _size_of(self, key: int) -> int:
        size = _whole_number(self._size(np.int64(key)), "window_size_func")
        if size <= 0:
            raise invalid(f"a window's size is greater than zero, but got {size}.")
        return size

    def _enter(self, key: int) -> None:
        """Begins to go through the dataset that the group of a key becomes."""
        self._window = key, self._groups.pop(key)
        self._current = self._made(*self._window)

    def _made(self, key: int, rows: list[Element]) -> Iterator:
        window = Rows(self._dataset.source.types, self._dataset.source.shapes, rows)
        made, = self._reduce(np.int64(key), window)
        return as_dataset(made).iterate(self._scope)

    def _leave(self) -> None:
        current, self._current, self._window = self._current, None, None
        if current is not None:
            current.close()

    def state(self) -> Any:
        groups = {key: list(rows) for key, rows in self._groups.items()}
        inner = None if self._current is None else self._current.state()
        return groups, dict(self._sizes), self._window, self._is_over, list(self._drawn), inner, self.source.state()

    def restore(self, state: Any) -> None:
        groups, sizes, self._window, self._is_over, ahead, inner, source = state
        self._drawn = collections.deque(ahead)
        self._groups, self._sizes = {key: list(rows) for key, rows in groups.items()}, dict(sizes)
        if self._window is not None:
            self._current = self._made(*self._window)
            self._current.restore(inner)
        self.source.restore(source)

    def stop(self) -> None:
        current = self._current
        if current is not None:
            current.stop()
        super().stop()

    def close(self) -> None:
        self._leave()
        super().close()


@two_names(_signature("GroupByReducerDataset", "key_func", "init_func", "reduce_func", "finalize_func"), {},
           stateful=True)
def group_by_reducer_dataset(node, input_dataset, key_func_other_arguments, init_func_other_arguments,
                             reduce_func_other_arguments, finalize_func_other_arguments, key_func, init_func,
                             reduce_func, finalize_func):
    """A dataset of what is left of all elements with one key when they are reduced."""
    return Reduced(node, input_dataset, Captured(key_func, key_func_other_arguments),
                   Captured(init_func, init_func_other_arguments), Captured(reduce_func, reduce_func_other_arguments),
                   Captured(finalize_func, finalize_func_other_arguments))


@two_names(_signature("GroupByWindowDataset", "key_func", "reduce_func", "window_size_func"))
def group_by_window_dataset(node, input_dataset, key_func_other_arguments, reduce_func_other_arguments,
                            window_size_func_other_arguments, key_func, reduce_func, window_size_func):
    """A dataset of the elements of datasets that a function makes of elements with one key."""
    return Windowed(node, input_dataset, Captured(key_func, key_func_other_arguments),
                    Captured(reduce_func, reduce_func_other_arguments),
                    Captured(window_size_func, window_size_func_other_arguments))
