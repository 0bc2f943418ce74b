"""Datasets of batches of another kind: dense elements as a sparse tensor, windows of elements that are stacked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.graph.traits import ANY
from evergraph.ops.data.batching import Batch, stacked
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, Element, number, shape_text
from evergraph.ops.data.windows import Window
from evergraph.ops.sparse.serial import as_row


class SparseBatch(Batch):
    """Consecutive elements as the rows of a sparse tensor.

    Args:
        row: the shape of a row; None stands for the largest size in the batch.
    """

    def __init__(self, node: Any, source: Any, size: int, row: Sequence[int | None]) -> None:
        super().__init__(node, source, size, False)
        self.row = tuple(row)
        if len(self.source.types) != 1:
            raise invalid("dense_to_sparse_batch takes elements of one component")

    def joined(self, rows: list[Element]) -> Element:
        values = [np.asarray(row[0]) for row in rows]
        for value in values:
            self._check(value.shape)
        indices = [np.argwhere(np.ones(value.shape, np.bool_)) for value in values]
        numbered = [np.insert(each, 0, place, axis=1) for place, each in enumerate(indices)]
        sizes = [max(found) if size is None else size
                 for size, found in zip(self.row, zip(*(value.shape for value in values)), strict=True)]
        return [as_row([np.concatenate(numbered).astype(np.int64), np.concatenate([value.ravel() for value in values]),
                        np.array([len(rows), *sizes], np.int64)])]

    def _check(self, shape: tuple[int, ...]) -> None:
        if len(shape) != len(self.row):
            raise invalid(f"an element has shape ({shape_text(shape)}), which is incompatible with the row shape "
                          f"({shape_text(self.row)}).")
        if any(size is not None and found > size for found, size in zip(shape, self.row, strict=True)):
            raise errors.DataLossError(None, None, f"an element of shape ({shape_text(shape)}) is larger than the "
                                       f"row shape ({shape_text(self.row)})")


class SlidingWindow(Window):
    """Windows whose elements are stacked; a last one of fewer elements is left out unless `drops` is False."""

    def packed(self, window: list[Element]) -> Element:
        return stacked(window)


@two_names(f"DenseToSparseBatchDataset(input_dataset: variant, batch_size: int64, row_shape: int64, *, {TYPES})", {})
def dense_to_sparse_batch_dataset(node, input_dataset, batch_size, row_shape):
    """A dataset of sparse tensors whose rows are consecutive elements."""
    row = [None if size < 0 else size for size in np.asarray(row_shape).tolist()]
    return SparseBatch(node, input_dataset, number(batch_size), row)


@two_names("SlidingWindowDataset(input_dataset: variant, window_size: int64, window_shift: int64, "
           f"window_stride: int64, *, {TYPES})", {"drop_remainder": ANY})
def sliding_window_dataset(node, input_dataset, window_size, window_shift, window_stride):
    """A dataset of windows of elements, stacked."""
    sizes = number(window_size), number(window_shift), number(window_stride)
    for name, size in zip(("window_size", "window_shift", "window_stride"), sizes, strict=True):
        if size <= 0:
            raise invalid(f"{name} must be greater than zero.")
    drops = node.extra.get("drop_remainder")
    return SlidingWindow(node, input_dataset, *sizes, drops is None or drops.b)
