"""Elements of several iterators in a given order, drawn many at a time from each.

An interleave that takes one element of each dataset in turn would ask each for blocks of one. It knows the order, so it
asks each for all of its share at once. When one of them ends earlier, the others have given elements that come later:
these are given back, and are drawn first the next time.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.ops.data.blocks import Block, block_of, drawn, joined, value_at
from evergraph.ops.data.pipeline import Captured, Dataset, Element, Iterator


class Lane(Iterator):
    """An iterator to which elements can be given back.

    Args:
        source: the iterator.
        at_once: whether nobody can tell if several elements are drawn before others are drawn from another lane.
    """

    def __init__(self, source: Iterator, at_once: bool = True) -> None:
        super().__init__(source)
        self.at_once = at_once
        self._back: Block | None = None

    def get(self) -> Element | None:
        if self._back is None:
            return self.source.get()
        block = self.block(1)
        if block.count:
            self.give_back(block.part(1, 1))  # what came after it
            return block.row(0)
        if block.error is not None:
            raise block.error
        return None

    def block(self, count: int) -> Block:
        back = self._back
        if back is None:
            return self.source.block(count)
        given = back.part(0, count)
        if given.error is None and not given.is_over and given.count < count:
            self._back = None  # there are no more of them: the source goes on
            return given if given.count else self.source.block(count)
        self._back = None if given.error is not None or given.is_over else back.part(given.count, back.count)
        return given

    def give_back(self, block: Block) -> None:
        """Has the elements of a block drawn again, and what came after them."""
        if block.count or block.error is not None or block.is_over:
            self._back = block if self._back is None else joined([block, self._back])

    def state(self) -> Any:
        back = self._back
        rows = None if back is None else ([list(map(copy.copy, row)) for row in back.rows()], back.error, back.is_over)
        return rows, self.source.state()

    def restore(self, state: Any) -> None:
        rows, inner = state
        self._back = None if rows is None else block_of(*rows)
        self.source.restore(inner)


def interleaved(lanes: Sequence[Lane], order: np.ndarray) -> tuple[Block, int | None]:
    """(the next elements of the lanes in this order, the lane that ended or failed before its turn).

    The elements are those before the first that is missing. An error is in the block.
    """
    shares = [(lane, np.flatnonzero(order == lane)) for lane in np.flatnonzero(np.bincount(order)).tolist()]
    blocks = [drawn(lanes[lane], len(places)) for lane, places in shares]
    missing = [(places[block.count], lane, block) for (lane, places), block in zip(shares, blocks, strict=True)
               if block.count < len(places)]
    if not missing:
        return Block(_mixed(blocks, [places for _, places in shares]), len(order)), None
    count, ended, last = min(missing, key=lambda each: each[0])
    used = [int(np.searchsorted(places, count)) for _, places in shares]
    for (lane, _), block, taken in zip(shares, blocks, used, strict=True):
        if lane != ended:
            lanes[lane].give_back(block.part(taken, block.count))
    parts = [block.part(0, taken) for block, taken in zip(blocks, used, strict=True) if taken]
    places = [places[:taken] for (_, places), taken in zip(shares, used, strict=True) if taken]
    return Block(_mixed(parts, places), int(count), last.error), ended


def _mixed(blocks: Sequence[Block], places: Sequence[np.ndarray]) -> list[Any]:
    """The columns of several blocks as one, in which the elements of each block have these places."""
    return [_mixed_column(columns, places) for columns in zip(*(block.columns for block in blocks), strict=True)]


def _mixed_column(parts: Sequence[Any], places: Sequence[np.ndarray]) -> Any:
    first, count = parts[0], sum(map(len, places))
    if not all(isinstance(part, np.ndarray) and part.shape[1:] == first.shape[1:] for part in parts):
        rows = {place: value_at(part, at) for part, own in zip(parts, places) for at, place in enumerate(own.tolist())}
        return [rows[place] for place in range(count)]
    column = np.empty((count, *first.shape[1:]), first.dtype)
    for part, own in zip(parts, places, strict=True):
        column[own] = part
    return column


def calls_functions(dataset: Dataset) -> bool:
    """Whether a dataset, or one that it is made of, applies a function: then the order of draws may be seen."""
    values = list(vars(dataset).values())
    for value in values:
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], Dataset):
            values.extend(value)
        elif isinstance(value, Captured) or isinstance(value, Dataset) and calls_functions(value):
            return True
    return False
