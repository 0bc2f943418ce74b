"""Maps whose calls for many elements are divided among threads, which begin with the next block ahead."""

import itertools
import threading

import numpy as np
import pytest

from evergraph.ops.data.blocks import block_of
from evergraph.ops.data.mapping import _DividedMapIterator
from evergraph.ops.data.pipeline import Iterator

BAD = (9, 23)


class Numbers(Iterator):
    """0, 1, 2, ..."""

    kept = ("at",)

    def __init__(self, count=40, gate=None):
        super().__init__()
        self.at, self._count, self._gate = 0, count, gate

    def get(self):
        if self._gate is not None and self.at == 8:
            self._gate.wait(20)
        if self.at >= self._count:
            return None
        self.at += 1
        return [np.array(self.at - 1)]

    def stop(self):
        if self._gate is not None:
            self._gate.set()


def doubled(number):
    if number in BAD:
        raise ValueError(f"{number} is bad")
    return [number * 2]


def all_doubled(count, columns):
    return block_of([doubled(number) for number in columns[0]]).columns


@pytest.fixture
def divided():
    """Makes iterators, and closes them in the end."""
    made = []

    def make(source=None, batched=all_doubled):
        made.append(_DividedMapIterator(source or Numbers(), doubled, batched, True, 2))
        return made[-1]
    yield make
    for iterator in made:
        iterator.close()


def drawn(iterator, sizes, after=lambda iterator: iterator):
    """What blocks of these sizes hold, a size of 0 for a single element; each from the iterator that `after` gives."""
    for size in sizes:
        try:
            if size:
                block = iterator.block(size)
                yield from (int(number) for column in block.columns for number in column)
                if block.error is not None:
                    yield str(block.error)
                if block.is_over:
                    return
            else:
                element = iterator.get()
                if element is None:
                    return
                yield int(element[0])
        except ValueError as error:
            yield str(error)
        iterator = after(iterator)


WANTED = [f"{number} is bad" if number in BAD else 2 * number for number in range(40)]


@pytest.mark.parametrize("sizes", [[4], [5], [4, 4, 4, 3], [4, 4, 0], [1], [0], [50], [3, 3, 3, 8]])
def test_all_elements_come_in_order(divided, sizes):
    assert list(drawn(divided(), itertools.cycle(sizes))) == WANTED


@pytest.mark.parametrize("sizes", [[4], [4, 4, 0], [3, 3, 3, 8]])
def test_states_hold_what_was_drawn_ahead(divided, sizes):
    def moved(iterator):
        other = divided()
        other.restore(iterator.state())
        return other
    assert list(drawn(divided(), itertools.cycle(sizes), moved)) == WANTED

    def looked_at(iterator):
        iterator.state()
        return iterator
    assert list(drawn(divided(), itertools.cycle(sizes), looked_at)) == WANTED


def test_the_next_block_is_begun_before_it_is_asked_for(divided):
    seen, third = [], threading.Event()

    def batched(count, columns):
        seen.extend(int(number) for number in columns[0])
        if {6, 7, 8} <= set(seen):
            third.set()
        return all_doubled(count, columns)
    source = Numbers()
    iterator = divided(source, batched)
    iterator.block(3)
    assert source.at == 3  # nobody has asked for a second one yet
    iterator.block(3)
    assert third.wait(20) and source.at == 9


def test_a_source_that_waits_holds_up_neither_the_block_before_nor_the_end(divided):
    iterator = divided(Numbers(gate=threading.Event()))
    assert [iterator.block(4).count for _ in range(2)] == [4, 4]
    iterator.close()  # while a thread waits for the ninth number


def test_a_source_that_fails_does_so_once(divided):
    class Failing(Numbers):
        def block(self, count):
            if self.at == 8 and not failures:
                failures.append(self.at)
                raise OSError("once")
            return super().block(count)
    failures = []
    iterator = divided(Failing())
    assert [iterator.block(4).count for _ in range(2)] == [4, 4]
    with pytest.raises(OSError, match="once"):
        iterator.block(4)
    assert iterator.get()[0] == 16
