"""Datasets of several: in blocks they have what they have one by one, and draw as much from their sources."""

from types import SimpleNamespace

import numpy as np
import pytest

from evergraph.base.errors import invalid
from evergraph.ops.data.combining import Concatenate, Zip
from evergraph.ops.data.counting import Repeat, Take
from evergraph.ops.data.pipeline import INFINITE, Dataset, Iterator, Scope
from evergraph.ops.data.shuffling import Shuffle
from evergraph.ops.data.sources import Range, Slices

NODE = SimpleNamespace(attrs={"output_types": (SimpleNamespace(np=np.int64),), "output_shapes": ()})


class Failing(Dataset):
    """Numbers, every fifth of which is an error."""

    class _Iterator(Iterator):
        kept, at = ("at",), 0

        def get(self):
            self.at += 1
            if self.at % 5 == 0:
                raise invalid(f"no {self.at}")
            return [np.array(self.at)]

    def iterate(self, scope):
        return self._Iterator()

    def cardinality(self):
        return INFINITE


def numbers(count):
    return Range(NODE.attrs["output_types"], (), range(count))


def pairs(count):
    return Slices((), (), [np.arange(count), np.arange(2.0 * count).reshape(count, 2)])


def shuffled(source):
    return Shuffle(NODE, source, 4, (1, 2), True)


def forever(source):
    return Repeat(NODE, source, -1)


SEVERAL = {
    "equal": lambda: Zip(NODE, [numbers(20), pairs(20)]),
    "the first is shorter": lambda: Zip(NODE, [numbers(7), pairs(20)]),
    "the second is shorter": lambda: Zip(NODE, [forever(shuffled(numbers(3))), pairs(9), forever(numbers(2))]),
    "without an end": lambda: Take(NODE, Zip(NODE, [forever(numbers(3)), forever(shuffled(pairs(5)))]), 30),
    "nothing": lambda: Zip(NODE, [numbers(0), pairs(3)]),
    "errors": lambda: Zip(NODE, [numbers(20), Failing((), ())]),
    "nested": lambda: Zip(NODE, [Zip(NODE, [numbers(8), pairs(9)]), pairs(20)]),
    "in a row": lambda: Concatenate(NODE, [numbers(5), numbers(0)]),
    "one after another": lambda: Concatenate(NODE, [Concatenate(NODE, [pairs(5), pairs(40)]), pairs(6)]),
}


def drawn(iterate, counts):
    found = []
    for count in counts:
        block = iterate.block(count) if count else Iterator.block(iterate, 1)
        found += [[value.tolist() for value in row] for row in block.rows()]
        found += [] if block.error is None else [str(block.error)]
    return found


@pytest.mark.parametrize("make", SEVERAL.values(), ids=SEVERAL)
@pytest.mark.parametrize("counts", [[4], [32], [3, 0], [1, 9]], ids=str)
def test_blocks_have_the_elements_that_are_drawn_one_by_one(make, counts):
    dataset = Repeat(NODE, make(), 3)  # whose shuffles go on by the seeds that all epochs share
    one_by_one = drawn(dataset.iterate(Scope(None)), [0] * 200)
    assert drawn(dataset.iterate(Scope(None)), counts * 200) == one_by_one
    assert bool(one_by_one) == (make is not SEVERAL["nothing"])


@pytest.mark.parametrize("make", SEVERAL.values(), ids=SEVERAL)
def test_states_between_blocks(make):
    first, second = make().iterate(Scope(None)), make().iterate(Scope(None))
    drawn(first, [3, 0])
    second.restore(first.state())
    assert drawn(second, [0] * 100) == drawn(first, [4] * 100)
