"""Datasets in random order, the same order that TensorFlow gives for the same seeds."""

from __future__ import annotations

import collections
import secrets
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph import native
from evergraph.base import logging
from evergraph.base.errors import invalid
from evergraph.kernel import philox
from evergraph.ops.data.blocks import Block, block_of, drawn, joined, value_at
from evergraph.ops.data.pipeline import (
    INFINITE,
    LATER,
    TYPES,
    UNKNOWN,
    Element,
    Iterator,
    Transformed,
    dataset_op,
    number,
)

_SEEDS = "buffer_size: int64, seed: int64, seed2: int64"
_AT_ONCE = 256  # blocks of random words computed in one call
LONG_FILL = 10  # seconds after which a line in the log says how full the buffer is
_SHARE = 16_384  # elements drawn in one call
_MOST_GAP = 1024  # places of elements that have left a buffer, or as many as it has elements


class Words:
    """Random 32-bit words, one after another, from two seeds.

    The state is the seeds and the number of words drawn.
    """

    def __init__(self, seed: int, seed2: int) -> None:
        self.state = philox.initial_state(seed, seed2), 0

    @property
    def state(self) -> Any:
        return self._start, self._drawn

    @state.setter
    def state(self, state: Any) -> None:
        self._start, self._drawn = state
        self._words: np.ndarray[Any, Any] = np.empty(0, np.uint32)
        self._first = 0

    def draw(self) -> int:
        word: int = self.upcoming(1).item()
        self._drawn += 1
        return word

    def upcoming(self, count: int) -> np.ndarray[Any, Any]:
        """The next words, which are not drawn yet; `skip` draws them."""
        place = self._drawn - self._first
        if not 0 <= place <= len(self._words) - count:
            block = self._drawn // 4
            index = np.arange(block, block + max(_AT_ONCE, count // 4 + 2), dtype=np.uint64)
            self._first, self._words = block * 4, philox.rows(self._start, index).ravel()
            place = self._drawn - self._first
        return self._words[place:place + count]

    def skip(self, count: int) -> None:
        self._drawn += count


class Shuffle(Transformed):
    """Elements drawn at random from a buffer, which is filled up from the source.

    Args:
        size: of the buffer.
        seeds: two seeds.
        reshuffles: whether each iterator gets seeds of its own, drawn from the two.
        epochs: how often the source is gone through; -1 for ever. Where that is not once, the elements of an epoch are
            all drawn before those of the next.
    """

    def __init__(self, node: Any, source: Any, size: int, seeds: tuple[int, int], reshuffles: bool, epochs: int = 1):
        super().__init__(node, source)
        if size <= 0:
            raise invalid("buffer_size must be greater than zero.")
        self.size, self.seeds, self.reshuffles, self.epochs = size, seeds, reshuffles, epochs

    def iterate(self, scope: Any) -> Iterator:
        return _ShuffleIterator(self, scope)

    def cardinality(self) -> int:
        count = self.source.cardinality()
        if self.epochs == 1 or count == 0:
            return count
        if self.epochs < 0 or count == INFINITE:
            return INFINITE if self.epochs else 0
        return UNKNOWN if count == UNKNOWN else count * self.epochs


class _Elements:
    """A buffer of elements in order, which enter and leave one by one.

    What has left leaves a gap at the front, which is cut off now and then.
    """

    def __init__(self, elements: Sequence[Element] = ()) -> None:
        self._order: list[Element | None] = list(elements)
        self._start = 0

    def __len__(self) -> int:
        return len(self._order) - self._start

    def add(self, element: Element) -> None:
        self._order.append(element)

    def take(self, place: int) -> Element:
        """The element in this place, which leaves. The first one moves there."""
        order, start = self._order, self._start
        element, order[start + place], order[start] = order[start + place], order[start], None
        self._start += 1
        if self._start > max(_MOST_GAP, len(order) // 2):
            del order[:self._start]
            self._start = 0
        assert element is not None
        return element

    def elements(self) -> list[Any]:
        return self._order[self._start:]


class _Rows:
    """A buffer of elements in order, whose components are in columns, so that many enter and leave at once.

    `_order` has the numbers of the rows of the columns: from `_free` to `_start` those of rows without an element, from
    there to `_end` those of the elements, in their order.
    """

    def __init__(self, elements: Sequence[Element] = ()) -> None:
        self._columns: list[Any] = []
        self._order: np.ndarray[Any, Any] = np.empty(0, np.int64)
        self._free = self._start = self._end = 0
        if elements:
            self.add(block_of(elements))

    def __len__(self) -> int:
        return self._end - self._start

    def add(self, block: Block) -> None:
        count = block.count
        if not self._columns:
            self._columns = [column.copy() for column in block.columns]
            self._order, self._end = np.arange(2 * count, dtype=np.int64), count
            return
        if self._start - self._free < count or len(self._order) - self._end < count:
            self._make_room(count)
        rows = self._order[self._free:self._free + count]
        self._columns = [_with(column, rows, values)
                         for column, values in zip(self._columns, block.columns, strict=True)]
        self._order[self._end:self._end + count] = rows
        self._free, self._end = self._free + count, self._end + count

    def _make_room(self, count: int) -> None:
        """Moves everything to the front of an order of twice that length; adds rows if too few are free."""
        rows, free = self._end - self._free, self._start - self._free
        more = max(count, rows) if free < count else 0
        if more:
            self._columns = [_longer(column, more) for column in self._columns]
        order = np.arange(rows, 3 * rows + 2 * more, dtype=np.int64)  # of which the first `more` are the new rows
        order[more:more + rows] = self._order[self._free:self._end]
        self._order = order
        self._free, self._start, self._end = 0, more + free, more + rows

    def take(self, words: np.ndarray[Any, Any], count: int, size: int) -> Block:
        """The elements that words choose, each of the first `size` of what is left of the first `count`. They leave."""
        start = self._start
        self._start += choose(self._order, start, start + count, size, words)
        rows = self._order[start:self._start]
        return Block([c.take(rows, 0) if isinstance(c, np.ndarray) else [c[row] for row in rows.tolist()]
                      for c in self._columns], len(rows))

    def elements(self) -> list[Any]:
        rows = self._order[self._start:self._end].tolist()
        return [[value_at(column, row).copy() if isinstance(column, np.ndarray) else column[row]
                 for column in self._columns] for row in rows]


def _longer(column: Any, more: int) -> Any:
    if isinstance(column, np.ndarray):
        return np.concatenate([column, np.empty((more, *column.shape[1:]), column.dtype)])
    return column + [None] * more


def _with(column: Any, rows: np.ndarray[Any, Any], values: Any) -> Any:
    """The column with these values in these rows: a list as soon as they do not fit an array."""
    if isinstance(column, np.ndarray):
        if isinstance(values, np.ndarray) and values.shape[1:] == column.shape[1:]:
            column[rows] = values
            return column
        column = [column[row, ...] for row in range(len(column))]
    for at, row in enumerate(rows.tolist()):
        column[row] = value_at(values, at)
    return column


def choose(order: np.ndarray[Any, Any], start: int, end: int, size: int, words: np.ndarray[Any, Any]) -> int:
    """How many numbers words choose of those from `start` to `end`, each of the first `size` that are left.

    They change places with the first ones, so that they come first, in the order in which they were chosen. There are
    fewer than words only if none is left.
    """
    if native.random is not None:
        return native.random.choose(order, start, end, size, words)
    for first, word in enumerate(words[:end - start].tolist(), start):
        other = first + word % min(end - first, size)
        order[[first, other]] = order[[other, first]]
    return min(len(words), end - start)


class _Filling:
    """Tells the log how full a buffer is, as often as `LONG_FILL` seconds have gone by."""

    def __init__(self, size: int) -> None:
        self._size, self._next = size, time.monotonic() + LONG_FILL

    def has(self, count: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + LONG_FILL
            logging.warn(f"Filling a shuffle buffer: {count:,} of {self._size:,} elements; the first comes after that")


class _ShuffleIterator(Iterator):
    """Draws from the first of the epochs in the buffer: `_epochs` has the [start, end) of each, counted from the first.

    Whoever asks for elements one by one has them in a buffer of such ones; whoever asks for blocks, in columns.
    """

    def __init__(self, dataset: Shuffle, scope: Any) -> None:
        super().__init__(dataset.source.iterate(scope))
        self._dataset, self._scope = dataset, scope
        self._buffer: _Elements | _Rows = _Elements()
        self._epochs: collections.deque[list[int]] = collections.deque([[0, 0]])
        self._left = dataset.epochs  # epochs that have not ended; negative for ever
        self._is_first, self._is_over = True, dataset.epochs == 0
        self._seeds = scope.kept(dataset, lambda: Words(*dataset.seeds)) if dataset.reshuffles else None
        seeds = (self._seeds.draw(), self._seeds.draw()) if self._seeds else dataset.seeds
        self._words = Words(*seeds)

    def get(self) -> Element | None:
        buffer = self._buffer
        if isinstance(buffer, _Rows):
            self._buffer = buffer = _Elements(buffer.elements())
        filling = _Filling(self._dataset.size) if self._dataset.size - len(buffer) > 1 else None
        while not self._is_over and len(buffer) < self._dataset.size:
            self._fill(buffer)
            if filling is not None:
                filling.has(len(buffer))
        epochs = self._epochs
        while epochs[0][0] == epochs[0][1]:
            if len(epochs) == 1:
                return None
            epochs.popleft()
        start, end = epochs[0]
        epochs[0][0] += 1
        return buffer.take(self._words.draw() % (end - start))

    def block(self, count: int) -> Block:
        buffer, size = self._buffer, self._dataset.size
        if isinstance(buffer, _Elements):
            self._buffer = buffer = _Rows(buffer.elements())
        error = None if self._is_over else self._fill_rows(buffer, size + count - 1)
        if error is not None:  # each draw first fills the buffer up to its size
            count = max(0, min(count, len(buffer) - size + 1))
        start, end = self._epochs[0]
        if error is None and end - start >= count:  # most blocks are of one epoch
            return self._taken(buffer, count)
        parts, left = [Block((), 0)], count
        while left and len(buffer):
            if self._epochs[0][0] == self._epochs[0][1]:
                self._epochs.popleft()
            parts.append(self._taken(buffer, left))
            left -= parts[-1].count
        found = joined(parts) if len(parts) > 2 else parts[-1]
        return Block(found.columns, found.count, error, error is None and left > 0)

    def _taken(self, buffer: _Rows, count: int) -> Block:
        """Up to so many elements of the first epoch."""
        epoch, words = self._epochs[0], self._words
        start, end = epoch
        block = buffer.take(words.upcoming(count), end - start, self._dataset.size)
        words.skip(block.count)
        epoch[0] += block.count
        return block

    def _fill_rows(self, buffer: _Rows, size: int) -> Exception | None:
        """Takes elements into the buffer until it has so many; gives the error that comes instead of one."""
        filling = _Filling(size)
        while not self._is_over and len(buffer) < size:
            incoming = drawn(self.source, min(_SHARE, size - len(buffer)))
            if incoming.count:
                buffer.add(incoming)
                self._epochs[-1][1] += incoming.count
                self._is_first = False
                filling.has(len(buffer))
            if incoming.error is not None:
                return incoming.error
            if incoming.is_over:
                self._end_epoch()
        return None

    def _fill(self, buffer: _Elements) -> None:
        """Takes one more element into the buffer, or begins the next epoch."""
        element = self.source.get()
        if element is None:
            self._end_epoch()
            return
        buffer.add(element)
        self._epochs[-1][1] += 1
        self._is_first = False

    def _end_epoch(self) -> None:
        """Begins the next epoch, if there is one."""
        self._left -= 1
        if self._left == 0 or self._is_first:  # a source without elements has none in any epoch
            self._is_over = True
            return
        self.source.close()
        self.sources = [self._dataset.source.iterate(self._scope)]
        end = self._epochs[-1][1]
        self._epochs.append([end, end])

    def state(self) -> Any:
        seeds, first = None if self._seeds is None else self._seeds.state, self._epochs[0][0]
        slots = {(first + at) % self._dataset.size: element for at, element in enumerate(self._buffer.elements())}
        return ((slots, [list(epoch) for epoch in self._epochs], self._left, self._is_first,
                 self._is_over, seeds, self._words.state), self.source.state())

    def restore(self, state: Any) -> None:
        (slots, epochs, self._left, self._is_first, self._is_over, seeds, self._words.state), inner = state
        self._epochs = collections.deque([list(epoch) for epoch in epochs])
        self._buffer = _Elements([slots[place % self._dataset.size] for place in range(epochs[0][0], epochs[-1][1])])
        if self._seeds is not None:
            self._seeds.state = seeds
        self.source.restore(inner)


def seeds_of(seed, seed2):
    """The seeds of a dataset; two zeros ask for an order that nobody knows, the same for all its iterators."""
    seeds = number(seed), number(seed2)
    return seeds if any(seeds) else (secrets.randbits(63), secrets.randbits(63))


@dataset_op(f"ShuffleDataset(input_dataset: variant, {_SEEDS}, *, reshuffle_each_iteration: bool = True, {TYPES})")
def shuffle_dataset(node, input_dataset, buffer_size, seed, seed2, reshuffle_each_iteration):
    """A dataset of the same elements in random order."""
    return Shuffle(node, input_dataset, number(buffer_size), seeds_of(seed, seed2), reshuffle_each_iteration)


@dataset_op(f"ShuffleAndRepeatDataset(input_dataset: variant, {_SEEDS}, count: int64, *, {TYPES})",
            later={**LATER, "reshuffle_each_iteration": True})
def shuffle_and_repeat_dataset(node, input_dataset, buffer_size, seed, seed2, count):
    """A dataset of the same elements several times, each time in another random order."""
    return Shuffle(node, input_dataset, number(buffer_size), seeds_of(seed, seed2), False, number(count))
