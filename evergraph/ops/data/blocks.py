"""Several elements at a time: a column of values for each component.

A column is an array with the values as rows, or a list where they have different shapes or are host objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(slots=True)  # not frozen: that takes four times as long to make, and each batch makes a few
class Block:
    """What a number of draws gave, in order. It never changes.

    Attributes:
        columns: the values of each component; none where there is no element.
        count: how many elements there are. It may be less than was asked for, even without an error or the end.
        error: what the draw after the last element raised.
        is_over: whether that draw found the end.
    """

    columns: Sequence[Any]
    count: int
    error: Exception | None = None
    is_over: bool = False

    @property
    def is_end(self) -> bool:
        """Whether the first draw found the end already."""
        return self.is_over and not self.count

    def bytes(self) -> int:
        """How much memory the columns take that are arrays."""
        return sum(column.nbytes for column in self.columns if isinstance(column, np.ndarray))

    def row(self, place: int) -> list[Any]:
        """One of the elements."""
        return [value_at(column, place) for column in self.columns]

    def rows(self) -> Iterator[list[Any]]:
        """The elements."""
        return map(self.row, range(self.count))

    def part(self, start: int, stop: int) -> Block:
        """Some of the elements; what came after the last is left out unless that is among them."""
        stop = min(stop, self.count)
        columns = [column[start:stop] for column in self.columns]
        if stop < self.count:
            return Block(columns, stop - start)
        return Block(columns, stop - start, self.error, self.is_over)


END = Block((), 0, is_over=True)


def value_at(column: Any, place: int) -> Any:
    return column[place, ...] if isinstance(column, np.ndarray) else column[place]


def block_of(rows: Sequence[list[Any]], error: Exception | None = None, is_over: bool = False) -> Block:
    """The block of these elements."""
    return Block([column_of(values) for values in zip(*rows, strict=True)], len(rows), error, is_over)


def column_of(values: Sequence[Any]) -> Any:
    """The column of these values."""
    first = values[0]
    if not isinstance(first, np.ndarray):
        return list(values)
    shape, dtype = first.shape, first.dtype
    for value in values:
        if type(value) is not np.ndarray or value.shape != shape or value.dtype is not dtype and value.dtype != dtype:
            return list(values)
    if len(values) == 1:
        return first[None].copy()
    column = np.empty((len(values), *shape), dtype)
    if shape:
        for place, value in enumerate(values):
            column[place] = value
    else:
        column[:] = [value.item() for value in values] if dtype.hasobject else values
    return column


def joined(blocks: Sequence[Block]) -> Block:
    """One block of the elements of several; errors and the end are the last one's."""
    full, last = [block for block in blocks if block.count], blocks[-1]
    if len(full) < 2:
        return Block(full[0].columns if full else (), full[0].count if full else 0, last.error, last.is_over)
    columns = [_joined_column(parts) for parts in zip(*(block.columns for block in full), strict=True)]
    return Block(columns, sum(block.count for block in full), last.error, last.is_over)


def drawn(source: Any, count: int) -> Block:
    """The next `count` elements of an iterator, as one block; fewer only before an error or the end."""
    block = source.block(count)
    if block.count == count or block.error is not None or block.is_over:
        return block
    blocks, left = [block], count - block.count
    while left and blocks[-1].error is None and not blocks[-1].is_over:
        blocks.append(source.block(left))
        left -= blocks[-1].count
    return joined(blocks)


def _joined_column(parts: Sequence[Any]) -> Any:
    if all(isinstance(part, np.ndarray) and part.shape[1:] == parts[0].shape[1:] for part in parts):
        return np.concatenate(parts)
    return [value_at(part, place) for part in parts for place in range(len(part))]


def texts(records: Sequence[bytes]) -> np.ndarray:
    """A column of strings."""
    column = np.empty(len(records), object)
    column[:] = records
    return column
