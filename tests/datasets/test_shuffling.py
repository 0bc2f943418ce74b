"""The buffer of a shuffle: what is drawn one by one, in blocks, and in both ways."""

from types import SimpleNamespace

import numpy as np
import pytest

from evergraph.base.errors import invalid
from evergraph.ops.data import shuffling
from evergraph.ops.data.pipeline import Iterator, Scope
from evergraph.ops.data.shuffling import Shuffle
from evergraph.ops.data.sources import Rows, Slices

NODE = SimpleNamespace(attrs={"output_types": (), "output_shapes": ()})


def slices(count):
    return Slices((), (), [np.arange(count), np.arange(3.0 * count).reshape(count, 3)])


def ragged(count):
    return Rows((), (), [[np.arange(place % 4), np.array(place)] for place in range(count)])


def iterator(source, size, epochs=1):
    return Shuffle(NODE, source, size, (3, 4), False, epochs).iterate(Scope(None))


def shown(rows):
    return [[np.asarray(value).tolist() for value in row] for row in rows]


def drawn(iterate, counts):
    """What draws of so many elements give, each in one block; 0 is one element by `get`."""
    rows = []
    for count in counts:
        if count:
            block = iterate.block(count)
            assert block.count == count or block.is_over
            rows += block.rows()
        else:
            element = iterate.get()
            rows += [] if element is None else [element]
    return shown(rows)


@pytest.mark.parametrize("make", [slices, ragged])
@pytest.mark.parametrize("total, size", [(0, 4), (1, 4), (100, 1), (100, 7), (100, 100), (100, 1000), (300, 50)])
@pytest.mark.parametrize("counts", [[32], [1], [5, 0], [0, 0, 40], [3, 64, 1]], ids=str)
@pytest.mark.parametrize("epochs", [0, 1, 3])
def test_blocks_have_the_elements_that_are_drawn_one_by_one(make, total, size, counts, epochs):
    one_by_one = drawn(iterator(make(total), size, epochs), [0] * (epochs * total + 1))
    assert drawn(iterator(make(total), size, epochs), counts * (epochs * total + 1)) == one_by_one
    assert sorted(one_by_one) == sorted(epochs * drawn(make(total).iterate(None), [0] * (total + 1)))


@pytest.mark.parametrize("counts", [[32], [1], [5, 0], [7, 7, 1]], ids=str)
@pytest.mark.parametrize("size", [1, 7, 20])
def test_an_error_comes_at_its_place(size, counts):
    """As often as elements are asked for, and after those that were drawn from a full buffer before."""
    class Failing(Slices):
        def iterate(self, scope):
            iterate = super().iterate(scope)
            iterate.get = lambda: invalid_at(iterate, 50)
            iterate.block = lambda count: Iterator.block(iterate, count)
            return iterate

    def invalid_at(iterate, place):
        if iterate.at == place:
            raise invalid("no such element")
        return type(iterate).get(iterate)

    def until_the_error(counts):
        shuffled, rows = iterator(Failing((), (), [np.arange(100)]), size, 2), []
        for count in counts:
            block = shuffled.block(count) if count else Iterator.block(shuffled, 1)
            rows += block.rows()
            if block.error is not None:
                return shown(rows)

    assert until_the_error(counts * 60) == until_the_error([0] * 60) and len(until_the_error(counts * 60)) == 51 - size


@pytest.mark.parametrize("before, after", [([8, 8], [8] * 20), ([0] * 5, [8] * 20), ([8, 8, 1], [0] * 100)], ids=str)
def test_a_shuffle_goes_on_from_its_state(before, after):
    first = iterator(slices(100), 30)
    drawn(first, before)
    state = first.state()
    rest = drawn(first, after)
    second = iterator(slices(100), 30)
    second.restore(state)  # which later draws have not changed
    assert drawn(second, after) == rest != []


@pytest.mark.parametrize("draw", [lambda each: each.get(), lambda each: each.block(3)])
def test_the_log_says_how_full_a_buffer_is(monkeypatch, draw):
    lines, clock = [], iter(range(0, 10**6, 6))
    monkeypatch.setattr(shuffling.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(shuffling, "_SHARE", 2)
    monkeypatch.setattr(shuffling.logging, "warn", lines.append)
    each = iterator(slices(20), 9)
    draw(each)
    assert lines and all("of " in line and "shuffle buffer" in line for line in lines)
    counts = [int(line.split()[4]) for line in lines]
    assert counts == sorted(set(counts)) and counts[-1] <= 11
    lines.clear()
    each.get()
    assert not lines  # one element that takes the place of another is no filling
