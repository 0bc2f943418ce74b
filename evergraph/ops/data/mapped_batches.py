"""Datasets of batches of what a function gives: map_and_batch."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.ops.data.batching import Batch, stacked_block
from evergraph.ops.data.blocks import Block, block_of, drawn
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, Captured, Element, Iterator, number, shape_text
from evergraph.ops.data.prefetching import AUTOTUNE, Ahead


class MapAndBatch(Batch):
    """Consecutive results of a function, stacked. Unlike those of a map, an error costs the whole batch.

    Args:
        keeps_count: whether a function that raises OutOfRangeError is an error; otherwise it ends the dataset.

    Attributes:
        in_batches: whether the function is called once for a batch.
    """

    in_batches = False

    def __init__(self, node: Any, source: Any, function: Captured, size: int, drops: bool, keeps_count: bool) -> None:
        super().__init__(node, source, size, drops)
        self.function, self.keeps_count = function, keeps_count

    def joined(self, rows: list[Element]) -> Element:
        for position, column in enumerate(zip(*rows, strict=True)):
            first = np.shape(column[0])
            for value in column:
                if np.shape(value) != first:
                    raise invalid(f"component {position}: number of elements does not match, an element has shape "
                                  f"{shape_text(np.shape(value))}, the first of the batch has {shape_text(first)}")
        return super().joined(rows)

    def iterate(self, scope: Any) -> Iterator:
        batched = scope.batched(self.function) if self.in_batches else None
        return _MapAndBatchIterator(self, self.source.iterate(scope), scope.function(self.function), batched)

    def packed(self, block: Block) -> Element:
        return stacked_block(block)


class _MapAndBatchIterator(Iterator):
    kept = ("_is_over",)

    def __init__(self, dataset: MapAndBatch, source: Iterator, function: Any, batched: Any) -> None:
        super().__init__(source)
        self._dataset, self._function, self._batched, self._is_over = dataset, function, batched, False

    def get(self) -> Element | None:
        if self._is_over:
            return None
        size = self._dataset.size
        block = drawn(self.source, size)
        if block.error is not None:
            raise block.error
        mapped = self._mapped(block)
        self._is_over = mapped.count < size
        if not mapped.count or self._is_over and self._dataset.drops:
            return None
        return self._dataset.packed(mapped)

    def _mapped(self, block: Block) -> Block:
        """What the function gives of the elements, by one call if that does not fail."""
        if self._batched is not None and block.count:
            with contextlib.suppress(Exception):  # one by one, the element that is to blame raises it again
                return Block(self._batched(block.count, block.columns), block.count)
        results = block_of(self._results(list(block.rows())))
        self._batched = None  # only together the elements fail
        return results

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
