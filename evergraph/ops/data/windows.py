"""Datasets of windows: of datasets that hold consecutive elements."""

from __future__ import annotations

from typing import Any

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.ops.data.pipeline import INFINITE, TYPES, UNKNOWN, Element, Iterator, Transformed, dataset_op, number
from evergraph.ops.data.sources import Rows


class Window(Transformed):
    """For each component a dataset of its values in a window.

    Args:
        size: how many elements a window has.
        shift: how many elements after a window the next one begins.
        stride: every which element of the source is in a window.
        drops: whether a last window of fewer elements is left out.
    """

    def __init__(self, node: Any, source: Any, size: int, shift: int, stride: int, drops: bool) -> None:
        super().__init__(node, source)
        for name, value in (("size", size), ("shift", shift), ("stride", stride)):
            if value <= 0:
                raise invalid(f"Window {name} must be greater than zero.")
        self.size, self.shift, self.stride, self.drops = size, shift, stride, drops

    def iterate(self, scope: Any) -> Iterator:
        return _WindowIterator(self, self.source.iterate(scope))

    def packed(self, window: list[Element]) -> Element:
        """The element that a window becomes."""
        types, shapes = self.source.types, self.source.shapes
        return [Rows([t], [s], [[value] for value in column])
                for t, s, column in zip(types, shapes, zip(*window, strict=True), strict=True)]

    def cardinality(self) -> int:
        count = self.source.cardinality()
        if count in (INFINITE, UNKNOWN):
            return count
        if self.drops:
            return max(0, (count - (self.size - 1) * self.stride - 1) // self.shift + 1)
        return -(-count // self.shift)


class _WindowIterator(Iterator):
    """Keeps the elements from the start of the next window on, and errors that came in place of elements.

    `_skips` says how many come before that.
    """

    kept = ("_elements", "_skips", "_is_over")

    def __init__(self, dataset: Window, source: Iterator) -> None:
        super().__init__(source)
        self._dataset = dataset
        self._elements: list[Any] = []
        self._skips, self._is_over = 0, False

    def get(self) -> Element | None:
        dataset = self._dataset
        reach = (dataset.size - 1) * dataset.stride + 1
        while not self._is_over and (self._skips or len(self._elements) < reach):
            self._draw()
        window = self._elements[:reach:dataset.stride]
        if not window or dataset.drops and len(window) < dataset.size:
            return None
        self._skips = max(0, dataset.shift - len(self._elements))
        self._elements = self._elements[dataset.shift:]
        for element in window:
            if isinstance(element, Exception):
                raise element
        return dataset.packed(window)

    def _draw(self) -> None:
        try:
            element: Any = self.source.get()
        except errors.CancelledError:
            raise
        except Exception as error:  # a window that has the element gets it
            element = error
        if element is None:
            self._is_over = True
        elif self._skips:
            self._skips -= 1
        else:
            self._elements.append(element)


@dataset_op("WindowDataset(input_dataset: variant, size: int64, shift: int64, stride: int64, drop_remainder: bool, *, "
            f"{TYPES})")
def window_dataset(node, input_dataset, size, shift, stride, drop_remainder):
    """A dataset of windows, each of which is a dataset for each component."""
    sizes = number(size), number(shift), number(stride)
    return Window(node, input_dataset, *sizes, bool(drop_remainder))
