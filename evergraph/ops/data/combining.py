"""Datasets made of several: zip, concatenate."""

from __future__ import annotations

import dataclasses
from typing import Any

from evergraph.base.errors import invalid
from evergraph.ops.data.blocks import END, Block, drawn
from evergraph.ops.data.counting import Repeat, Skip, Take
from evergraph.ops.data.pipeline import INFINITE, TYPES, UNKNOWN, Dataset, Element, Iterator, as_dataset, dataset_op
from evergraph.ops.data.shuffling import Shuffle
from evergraph.ops.data.sources import Range, Rows, Slices

_NEVER_FAIL = (Range, Rows, Slices)
_FAIL_AS_THEIR_SOURCE = (Repeat, Shuffle, Skip, Take)


class Several(Dataset):
    """A dataset of the elements of several."""

    def __init__(self, node: Any, sources: list[Any]) -> None:
        super().__init__(node.attrs["output_types"], node.attrs["output_shapes"])
        self.sources = [as_dataset(source) for source in sources]


class Zip(Several):
    """The elements of several datasets side by side, up to the end of the shortest."""

    def iterate(self, scope: Any) -> Iterator:
        return _ZipIterator(self, scope)

    def shortest(self) -> int | None:
        """The place of the dataset that ends first, or of the first one if none ends; None if that is not sure."""
        counts = [source.cardinality() for source in self.sources]
        if UNKNOWN in counts or not all(map(_never_fails, self.sources)):
            return None
        return counts.index(self.cardinality())

    def cardinality(self) -> int:
        counts = [source.cardinality() for source in self.sources]
        if UNKNOWN in counts:
            return UNKNOWN
        return min((count for count in counts if count != INFINITE), default=INFINITE)


def _never_fails(dataset: Dataset) -> bool:
    """Whether no element of the dataset is an error."""
    if type(dataset) in _FAIL_AS_THEIR_SOURCE:
        return _never_fails(dataset.source)  # type: ignore[attr-defined]
    return type(dataset) in _NEVER_FAIL


class _ZipIterator(Iterator):
    kept = ("_is_over",)
    _is_over = False

    def __init__(self, dataset: Zip, scope: Any) -> None:
        super().__init__(*(source.iterate(scope) for source in dataset.sources))
        self._shortest = dataset.shortest()

    def get(self) -> Element | None:
        if self._is_over:
            return None
        found: Element = []
        for source in self.sources:
            element = source.get()
            if element is None:
                self._is_over = True
                return None
            found += element
        return found

    def block(self, count: int) -> Block:
        """The others have as many elements as the shortest, and those before it one more, which is drawn in vain."""
        if self._shortest is None:
            return super().block(count)
        if self._is_over:
            return END
        first = drawn(self.sources[self._shortest], count)
        blocks = [first if place == self._shortest else drawn(source, first.count) if first.count else first
                  for place, source in enumerate(self.sources)]
        if first.is_over:
            self._is_over = True
            for source in self.sources[:self._shortest]:
                source.get()
        columns = [column for block in blocks for column in block.columns]
        return Block(columns, first.count, is_over=first.is_over)


class Concatenate(Several):
    """The elements of one dataset, then those of another."""

    def iterate(self, scope: Any) -> Iterator:
        return _ConcatenateIterator(self, scope)

    def cardinality(self) -> int:
        counts = [source.cardinality() for source in self.sources]
        return INFINITE if INFINITE in counts else UNKNOWN if UNKNOWN in counts else sum(counts)


class _ConcatenateIterator(Iterator):
    kept = ("_at",)

    def __init__(self, dataset: Concatenate, scope: Any) -> None:
        super().__init__(dataset.sources[0].iterate(scope))
        self._dataset, self._scope, self._at = dataset, scope, 0

    def get(self) -> Element | None:
        while True:
            element = self.source.get()
            if element is not None or self._at + 1 == len(self._dataset.sources):
                return element
            self._go_to(self._at + 1)

    def block(self, count: int) -> Block:
        while True:
            block = self.source.block(count)
            if self._at + 1 == len(self._dataset.sources):
                return block
            if not block.is_end:
                return dataclasses.replace(block, is_over=False)
            self._go_to(self._at + 1)

    def _go_to(self, place: int) -> None:
        self.source.close()
        self._at = place
        self.sources = [self._dataset.sources[place].iterate(self._scope)]

    def restore(self, state: Any) -> None:
        if state[0][0]:
            self._go_to(state[0][0])
        super().restore(state)


@dataset_op(f"ZipDataset(input_datasets: N * variant, *, {TYPES}, N: int >= 1)")
def zip_dataset(node, input_datasets):
    """A dataset of the elements of several datasets, side by side."""
    return Zip(node, input_datasets)


@dataset_op(f"ConcatenateDataset(input_dataset: variant, another_dataset: variant, *, {TYPES})")
def concatenate_dataset(node, input_dataset, another_dataset):
    """A dataset of the elements of one dataset, then those of another."""
    first, second = as_dataset(input_dataset), as_dataset(another_dataset)
    if first.types != second.types:
        raise invalid(f"cannot concatenate datasets of different types: "
                      f"{[t.name for t in first.types]} and {[t.name for t in second.types]}")
    return Concatenate(node, [first, second])
