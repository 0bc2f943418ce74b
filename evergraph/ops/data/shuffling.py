"""Datasets in random order, the same order that TensorFlow gives for the same seeds."""

from __future__ import annotations

import collections
import secrets
from typing import Any

import numpy as np

from evergraph import native
from evergraph.base.errors import invalid
from evergraph.kernel import philox
from evergraph.ops.data.blocks import Block, block_of, drawn, value_at
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
        self._words: list[int] = []
        self._first = 0

    def draw(self) -> int:
        place = self._drawn - self._first
        if not 0 <= place < len(self._words):
            block = self._drawn // 4
            self._first = block * 4
            self._words = self._computed(block, _AT_ONCE)
            place = self._drawn - self._first
        self._drawn += 1
        return self._words[place]

    def upcoming(self, count: int) -> list[int]:
        """The next words, which are not drawn yet; `skip` draws them."""
        place = self._drawn - self._first
        if not 0 <= place <= len(self._words) - count:
            block = self._drawn // 4
            self._first = block * 4
            self._words = self._computed(block, max(_AT_ONCE, count // 4 + 2))
            place = self._drawn - self._first
        return self._words[place:place + count]

    def skip(self, count: int) -> None:
        self._drawn += count

    def _computed(self, block: int, count: int) -> list[int]:
        return philox.rows(self._start, np.arange(block, block + count, dtype=np.uint64)).ravel().tolist()


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


class _Pool:
    """Elements by number, their components in columns, so that many enter and leave at once."""

    def __init__(self) -> None:
        self._columns: list[Any] = []
        self._free: list[int] = []
        self._room = 0

    def add(self, block: Block) -> list[int]:
        """Takes elements in; returns their numbers."""
        if len(self._free) < block.count:
            self._grow(block)
        places = self._free[-block.count:]
        del self._free[-block.count:]
        numbers = np.array(places, np.intp)
        pairs = zip(self._columns, block.columns, strict=True)
        self._columns = [_with(column, numbers, values) for column, values in pairs]
        return places

    def _grow(self, block: Block) -> None:
        more = max(block.count, self._room)
        if not self._columns:
            self._columns = [np.empty((0, *c.shape[1:]), c.dtype) if isinstance(c, np.ndarray) else []
                             for c in block.columns]
        self._columns = [np.concatenate([c, np.empty((more, *c.shape[1:]), c.dtype)]) if isinstance(c, np.ndarray)
                         else c + [None] * more for c in self._columns]
        self._free += range(self._room, self._room + more)
        self._room += more

    def take(self, places: list[int]) -> list[Any]:
        """The columns of these elements, which leave."""
        numbers = np.array(places, np.intp)
        columns = [c.take(numbers, axis=0) if isinstance(c, np.ndarray) else [c[place] for place in places]
                   for c in self._columns]
        self._free += places
        return columns

    def row(self, place: int) -> Element:
        """One element."""
        return [value_at(column, place).copy() if isinstance(column, np.ndarray) else column[place]
                for column in self._columns]

    def free(self, place: int) -> None:
        self._free.append(place)


def _with(column: Any, places: np.ndarray[Any, Any], values: Any) -> Any:
    """The column with these values in these places: a list as soon as they do not fit an array."""
    if isinstance(column, np.ndarray):
        if isinstance(values, np.ndarray) and values.shape[1:] == column.shape[1:]:
            column[places] = values
            return column
        column = [column[place, ...] for place in range(len(column))]
    for at, place in enumerate(places.tolist()):
        column[place] = value_at(values, at)
    return column


class _ShuffleIterator(Iterator):
    """Draws from the first of the epochs in the buffer: `_epochs` has the [start, end) of each, counted from the first.

    `_order` has the elements of the buffer from `_start` on, in the order of these places: an element itself, or its
    number in the pool if it came with a block. What was drawn leaves a gap at the front, which is cut off now and then.
    """

    def __init__(self, dataset: Shuffle, scope: Any) -> None:
        super().__init__(dataset.source.iterate(scope))
        self._dataset, self._scope = dataset, scope
        self._order: list[Element | int | None] = []
        self._start = 0
        self._pool, self._has_loose = _Pool(), False  # whether an element itself may be in the buffer
        self._epochs: collections.deque[list[int]] = collections.deque([[0, 0]])
        self._left = dataset.epochs  # epochs that have not ended; negative for ever
        self._is_first, self._is_over = True, dataset.epochs == 0
        self._seeds = scope.kept(dataset, lambda: Words(*dataset.seeds)) if dataset.reshuffles else None
        seeds = (self._seeds.draw(), self._seeds.draw()) if self._seeds else dataset.seeds
        self._words = Words(*seeds)

    def get(self) -> Element | None:
        while not self._is_over and len(self._order) - self._start < self._dataset.size:
            self._fill()
        while self._epochs and self._epochs[0][0] == self._epochs[0][1]:
            if len(self._epochs) == 1:
                return None
            self._epochs.popleft()
        start, end = self._epochs[0]
        element, = self._taken([self._words.draw()], end - start)
        if isinstance(element, int):
            self._pool.free(element)
            return self._pool.row(element)
        return element

    def block(self, count: int) -> Block:
        if self._dataset.epochs != 1:
            return super().block(count)
        incoming = Block((), 0)
        if not self._is_over:
            incoming = drawn(self.source, self._dataset.size - (len(self._order) - self._start) + count - 1)
            self._is_over = incoming.is_over
        self._move_to_pool()
        if incoming.count:
            self._order += self._pool.add(incoming)
            self._epochs[0][1] += incoming.count
        chosen = self._taken(self._words.upcoming(count), self._dataset.size, incoming.error is not None)
        self._words.skip(len(chosen))
        if not chosen:
            return Block((), 0, incoming.error, incoming.error is None)
        is_over = len(chosen) < count and incoming.error is None
        return Block(self._pool.take(chosen), len(chosen), incoming.error, is_over)

    def _taken(self, words: list[int], size: int, fails: bool = False) -> list[Any]:
        """The elements that words choose of the buffer, which leave it; see `_chosen`."""
        chosen = _chosen(self._order, self._start, size, words, fails)
        self._start += len(chosen)
        self._epochs[0][0] += len(chosen)
        if self._start > max(_MOST_GAP, len(self._order) // 2):
            del self._order[:self._start]
            self._start = 0
        return chosen

    def _move_to_pool(self) -> None:
        """Gives the elements numbers that came one by one."""
        if not self._has_loose:
            return
        loose = [(at, held) for at, held in enumerate(self._order) if held is not None and not isinstance(held, int)]
        if loose:
            for (at, _), number in zip(loose, self._pool.add(block_of([held for _, held in loose])), strict=True):
                self._order[at] = number
        self._has_loose = False

    def _fill(self) -> None:
        """Takes one more element into the buffer, or begins the next epoch."""
        epoch = self._epochs[-1]
        element = self.source.get()
        if element is not None:
            self._order.append(element)
            epoch[1] += 1
            self._is_first, self._has_loose = False, True
            return
        self._left -= 1
        if self._left == 0 or self._is_first:  # a source without elements has none in any epoch
            self._is_over = True
            return
        self.source.close()
        self.sources = [self._dataset.source.iterate(self._scope)]
        self._epochs.append([epoch[1], epoch[1]])

    def state(self) -> Any:
        seeds = None if self._seeds is None else self._seeds.state
        kept, first = self._order[self._start:], self._epochs[0][0]
        slots = {(first + at) % self._dataset.size: self._pool.row(held) if isinstance(held, int) else held
                 for at, held in enumerate(kept)}
        return ((slots, [list(epoch) for epoch in self._epochs], self._left, self._is_first,
                 self._is_over, seeds, self._words.state), self.source.state())

    def restore(self, state: Any) -> None:
        (slots, epochs, self._left, self._is_first, self._is_over, seeds, self._words.state), inner = state
        self._epochs = collections.deque([list(epoch) for epoch in epochs])
        self._order = [slots[place % self._dataset.size] for place in range(epochs[0][0], epochs[-1][1])]
        self._start, self._has_loose = 0, True
        if self._seeds is not None:
            self._seeds.state = seeds
        self.source.restore(inner)


def _chosen(order: list[Any], start: int, size: int, words: list[int], fails: bool) -> list[Any]:
    """The elements that words choose, each of the first `size` that a buffer then has; they leave it.

    Args:
        order: the elements from `start` on. The first moves to where one was taken, and leaves a gap.
        start: where they start.
        size: how many there are to choose from, if there are as many.
        words: random numbers.
        fails: whether to end as soon as there are fewer.
    """
    if native.random is not None:
        return native.random.chosen(order, start, size, words, fails)
    chosen = []
    for word in words:
        left = min(len(order) - start, size)
        if not left or fails and left < size:
            break
        at = start + word % left
        chosen.append(order[at])
        order[at], order[start] = order[start], None
        start += 1
    return chosen


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
