"""Datasets in random order, the same order that TensorFlow gives for the same seeds."""

from __future__ import annotations

import collections
import secrets
from typing import Any

import numpy as np

from evergraph.base.errors import invalid
from evergraph.kernel import philox
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
            self._words = philox.rows(self._start, np.arange(block, block + _AT_ONCE, dtype=np.uint64)).ravel().tolist()
            place = self._drawn - self._first
        self._drawn += 1
        return self._words[place]


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


class _ShuffleIterator(Iterator):
    """Draws from the first of the epochs in the buffer: `_epochs` has the [start, end) of each in a ring of slots."""

    def __init__(self, dataset: Shuffle, scope: Any) -> None:
        super().__init__(dataset.source.iterate(scope))
        self._dataset, self._scope = dataset, scope
        self._slots: dict[int, Element] = {}
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
        return element

    def _fill(self) -> None:
        """Takes one more element into the buffer, or begins the next epoch."""
        epoch = self._epochs[-1]
        element = self.source.get()
        if element is not None:
            self._slots[epoch[1] % self._dataset.size] = element
            epoch[1] += 1
            self._is_first = False
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
        return ((dict(self._slots), [list(epoch) for epoch in self._epochs], self._left, self._is_first,
                 self._is_over, seeds, self._words.state), self.source.state())

    def restore(self, state: Any) -> None:
        (slots, epochs, self._left, self._is_first, self._is_over, seeds, self._words.state), inner = state
        self._slots, self._epochs = dict(slots), collections.deque([list(epoch) for epoch in epochs])
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
