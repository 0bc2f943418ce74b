"""Datasets of groups of elements that have one key: group_by_reducer, group_by_window."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base.errors import invalid
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, UNKNOWN, Captured, Element, Iterator, Transformed, as_dataset
from evergraph.ops.data.sources import Rows


def _signature(name: str, *functions: str) -> str:
    arguments = ", ".join(f"{each}_other_arguments: T{each}_other_arguments" for each in functions)
    attrs = [*(f"{each}: func" for each in functions),
             *(f"T{each}_other_arguments: list(type) >= 0" for each in functions)]
    return f"{name}(input_dataset: variant, {arguments}, *, {', '.join(attrs)}, {TYPES})"


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
    """

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
        element = self.source.get()
        if element is None:
            self._is_over = True
            return
        key = _whole_number(self._key(*element), "key_func")
        if key not in self._sizes:
            self._sizes[key] = self._size_of(key)
        group = self._groups.setdefault(key, [])
        group.append(element)
        if len(group) == self._sizes[key]:
            self._enter(key)

    def _size_of(self, key: int) -> int:
        size = _whole_number(self._size(np.int64(key)), "window_size_func")
        if size <= 0:
            raise invalid(f"Window size must be greater than zero, but got {size}.")
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
        return groups, dict(self._sizes), self._window, self._is_over, inner, self.source.state()

    def restore(self, state: Any) -> None:
        groups, sizes, self._window, self._is_over, inner, source = state
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
