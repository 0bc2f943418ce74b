"""Datasets of batches of what a function gives: map_and_batch."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.ops.data.batching import Batch
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, Captured, Element, Iterator, number, shape_text
from evergraph.ops.data.prefetching import AUTOTUNE, Ahead


class MapAndBatch(Batch):
    """Consecutive results of a function, stacked. Unlike those of a map, an error costs the whole batch.

    Args:
        keeps_count: whether a function that raises OutOfRangeError is an error; otherwise it ends the dataset.
    """

    def __init__(self, node: Any, source: Any, function: Captured, size: int, drops: bool, keeps_count: bool) -> None:
        super().__init__(node, source, size, drops)
        self.function, self.keeps_count = function, keeps_count

    def joined(self, rows: list[Element]) -> Element:
        for position, column in enumerate(zip(*rows, strict=True)):
            first = np.shape(column[0])
            for value in column:
                if np.shape(value) != first:
                    raise invalid(f"Cannot add tensor to the batch: number of elements does not match in component "
                                  f"{position}. Shapes are: [tensor]: {shape_text(np.shape(value))}, [batch]: "
                                  f"{shape_text(first)}")
        return super().joined(rows)

    def iterate(self, scope: Any) -> Iterator:
        return _MapAndBatchIterator(self, self.source.iterate(scope), scope.function(self.function))


class _MapAndBatchIterator(Iterator):
    kept = ("_is_over",)

    def __init__(self, dataset: MapAndBatch, source: Iterator, function: Any) -> None:
        super().__init__(source)
        self._dataset, self._function, self._is_over = dataset, function, False

    def get(self) -> Element | None:
        if self._is_over:
            return None
        size = self._dataset.size
        rows = self._results(list(itertools.islice(iter(self.source.get, None), size)))
        self._is_over = len(rows) < size
        if not rows or self._is_over and self._dataset.drops:
            return None
        return self._dataset.joined(rows)

    def _results(self, elements: list[Element]) -> list[Element]:
        """What the function gives of each; it may end the dataset before the last."""
        rows = []
        for element in elements:
            try:
                rows.append(self._function(*element))
            except errors.OutOfRangeError as error:
                if not self._dataset.keeps_count:
                    break
                raise invalid(f"Function invocation produced OutOfRangeError: {error.message}") from error
        return rows


@two_names("MapAndBatchDataset(input_dataset: variant, other_arguments: Targuments, batch_size: int64, "
           "num_parallel_calls: int64, drop_remainder: bool, *, f: func, Targuments: list(type) >= 0, "
           f"{TYPES}, preserve_cardinality: bool = False)")
def map_and_batch_dataset(node, input_dataset, other_arguments, batch_size, num_parallel_calls, drop_remainder, f,
                          preserve_cardinality):
    """A dataset of batches of what a function gives, computed ahead by a thread."""
    size, calls = number(batch_size), number(num_parallel_calls)
    if size <= 0:
        raise invalid("batch_size must be greater than zero.")
    if calls == 0 or calls < AUTOTUNE:
        raise invalid("num_parallel_calls must be greater than zero.")
    batches = MapAndBatch(node, input_dataset, Captured(f, other_arguments), size, bool(drop_remainder),
                          preserve_cardinality)
    return Ahead(node, batches, calls if calls == AUTOTUNE else -(-calls // size))
