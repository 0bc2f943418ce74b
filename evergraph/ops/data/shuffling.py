"""Datasets in random order, the same order that TensorFlow gives for the same seeds."""

from __future__ import annotations

import collections
import itertools
import secrets
from collections.abc import Iterable
from typing import Any

import numpy as np

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
    """Draws from the first of the epochs in the buffer: `_epochs` has the [start, end) of each in a ring of slots.

    A slot holds an element, or the number of one in the pool if it came with a block.
    """

    def __init__(self, dataset: Shuffle, scope: Any) -> None:
        super().__init__(dataset.source.iterate(scope))
        self._dataset, self._scope = dataset, scope
        self._slots: dict[int, Element | int] = {}
        self._pool, self._has_loose = _Pool(), False  # whether some slot may hold an element itself
        self._epochs: collections.deque[list[int]] = collections.deque([[0, 0]])
        self._left = dataset.epochs  # epochs that have not ended; negative for ever
        self._is_first, self._is_over = True, dataset.epochs == 0
        self._seeds = scope.kept(dataset, lambda: Words(*dataset.seeds)) if dataset.reshuffles else None
        seeds = (self._seeds.draw(), self._seeds.draw()) if self._seeds else dataset.seeds
        self._words = Words(*seeds)

    def get(self) -> Element | None:
        while not self._is_over and len(self._slots) < self._dataset.size:
            self._fill()
        while self._epochs and self._epochs[0][0] == self._epochs[0][1]:
            if len(self._epochs) == 1:
                return None
            self._epochs.popleft()
        epoch, size = self._epochs[0], self._dataset.size
        start = epoch[0] % size
        chosen = (epoch[0] + self._words.draw() % (epoch[1] - epoch[0])) % size
        element = self._slots[chosen]
        first = self._slots.pop(start)
        if chosen != start:
            self._slots[chosen] = first
        epoch[0] += 1
        if isinstance(element, int):
            self._pool.free(element)
            return self._pool.row(element)
        return element

    def block(self, count: int) -> Block:
        if self._dataset.epochs != 1:
            return super().block(count)
        incoming = Block((), 0)
        if not self._is_over:
            incoming = drawn(self.source, self._dataset.size - len(self._slots) + count - 1)
            self._is_over = incoming.is_over
        self._move_to_pool()
        chosen = self._chosen(count, self._pool.add(incoming) if incoming.count else [], incoming.error is not None)
        if not chosen:
            return Block((), 0, incoming.error, incoming.error is None)
        is_over = len(chosen) < count and incoming.error is None
        return Block(self._pool.take(chosen), len(chosen), incoming.error, is_over)

    def _move_to_pool(self) -> None:
        """Gives the elements numbers that came one by one."""
        if not self._has_loose:
            return
        loose = [slot for slot, held in self._slots.items() if not isinstance(held, int)]
        if loose:
            places = self._pool.add(block_of([self._slots[slot] for slot in loose]))
            self._slots.update(zip(loose, places, strict=True))
        self._has_loose = False

    def _chosen(self, count: int, incoming: list[int], fails: bool) -> list[int]:
        """The numbers of the next elements, each drawn when the buffer is as full as it gets."""
        slots, size, chosen = self._slots, self._dataset.size, []
        start, end = self._epochs[0]
        at = min(len(incoming), size - (end - start))  # so many fill the buffer up
        if at:
            slots.update(zip(_places(end, at, size), incoming))
        end += at
        for word in self._words.upcoming(count):
            while at < len(incoming) and end - start < size:
                slots[end % size] = incoming[at]
                end, at = end + 1, at + 1
            left = end - start
            if not left or fails and left < size:
                break
            first, picked = start % size, (start + word % left) % size
            held = slots.pop(first)
            if picked != first:
                held, slots[picked] = slots[picked], held
            chosen.append(held)
            start += 1
        self._epochs[0][:] = start, end
        self._words.skip(len(chosen))
        return chosen

    def _fill(self) -> None:
        """Takes one more element into the buffer, or begins the next epoch."""
        epoch = self._epochs[-1]
        element = self.source.get()
        if element is not None:
            self._slots[epoch[1] % self._dataset.size] = element
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
        slots = {slot: self._pool.row(held) if isinstance(held, int) else held for slot, held in self._slots.items()}
        return ((slots, [list(epoch) for epoch in self._epochs], self._left, self._is_first,
                 self._is_over, seeds, self._words.state), self.source.state())

    def restore(self, state: Any) -> None:
        (slots, epochs, self._left, self._is_first, self._is_over, seeds, self._words.state), inner = state
        self._slots, self._epochs = dict(slots), collections.deque([list(epoch) for epoch in epochs])
        self._has_loose = True
        if self._seeds is not None:
            self._seeds.state = seeds
        self.source.restore(inner)


def _places(start: int, count: int, size: int) -> Iterable[int]:
    """Consecutive places in a ring: `count` of them, at most `size`, from `start` modulo `size`."""
    first = start % size
    return itertools.chain(range(first, min(first + count, size)), range(first + count - size))


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
