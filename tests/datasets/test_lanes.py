"""Interleaved and chosen datasets: in blocks they have what they have one by one, also where some end or fail early."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.ops.data.choosing import Directed
from evergraph.ops.data.counting import Repeat
from evergraph.ops.data.flattening import Interleave
from evergraph.ops.data.interleaving import InterleaveWithErrors
from evergraph.ops.data.lanes import Lane, calls_functions
from evergraph.ops.data.pipeline import Captured, Scope
from evergraph.ops.data.sources import Rows, Slices
from tests.datasets.test_combining import NODE, Failing, drawn, forever, numbers, pairs


class Made(Scope):
    """Calls the functions of these tests, which make datasets of numbers."""

    def __init__(self):
        super().__init__(None)

    def function(self, captured):
        return lambda number: [captured(int(number))]


def chosen(*choices):
    return Slices((), (), [np.array(choices)])


def uneven(number):
    return Slices((), (), [np.arange(10 * number, 10 * number + 17 * (number + 1) % 23)])


def failing(number):
    return Failing((), ()) if number % 2 else numbers(number)


def odd(number):
    """Elements of different shapes."""
    return Rows((), (), [[np.arange(place)] for place in range(number + 8)])


SEVERAL = {
    "in turn": lambda: Interleave(NODE, numbers(9), uneven, 3, 1),
    "two in a row": lambda: Interleave(NODE, numbers(7), uneven, 2, 2),
    "other shapes": lambda: Interleave(NODE, numbers(5), odd, 2, 1),
    "errors": lambda: Interleave(NODE, numbers(2), failing, 2, 1),
    "errors in place of datasets": lambda: InterleaveWithErrors(NODE, Failing((), ()), uneven, 2, 1),
    "chosen": lambda: Directed(NODE, forever(chosen(0, 1, 1, 0, 2)), [pairs(20), pairs(30), pairs(9)], False),
    "up to the first end": lambda: Directed(NODE, forever(chosen(0, 1)), [numbers(20), numbers(12)], True),
    "few choices": lambda: Directed(NODE, chosen(0, 1, 1, 0, 0, 1), [numbers(20), numbers(12)], False),
    "no such dataset": lambda: Directed(NODE, chosen(0, 1, 2, 0), [numbers(20), numbers(12)], False),
    "errors of chosen ones": lambda: Directed(NODE, forever(chosen(0, 1)), [Failing((), ()), numbers(12)], True),
    "errors of choices": lambda: Directed(NODE, Failing((), ()), [numbers(3)] * 5, False),
}


@pytest.mark.parametrize("make", SEVERAL.values(), ids=SEVERAL)
@pytest.mark.parametrize("counts", [[4], [32], [7, 0], [1, 9]], ids=str)
def test_blocks_have_the_elements_that_are_drawn_one_by_one(make, counts):
    dataset = Repeat(NODE, make(), 3)
    one_by_one = drawn(dataset.iterate(Made()), [0] * 200)
    assert drawn(dataset.iterate(Made()), counts * 200)[:100] == one_by_one[:100]


@pytest.mark.parametrize("make", SEVERAL.values(), ids=SEVERAL)
def test_states_between_blocks(make):
    first, second = make().iterate(Made()), make().iterate(Made())
    drawn(first, [8, 8, 0])
    second.restore(first.state())
    assert drawn(second, [0] * 60)[:40] == drawn(first, [9] * 60)[:40]


def test_what_is_given_back_comes_first():
    lane = Lane(numbers(6).iterate(None))
    block = lane.block(4)
    lane.give_back(block.part(1, 4))
    assert lane.get() == [1] and drawn(lane, [2, 5, 1]) == [[2], [3], [4], [5]]


def test_functions_are_found_wherever_they_are():
    plain = Repeat(NODE, numbers(3), 2)
    function = Captured.__new__(Captured)
    assert not calls_functions(plain) and calls_functions(Interleave(NODE, plain, function))
    assert calls_functions(Directed(NODE, plain, [plain, Interleave(NODE, plain, function)], False))


def test_the_order_of_calls_is_kept(session):
    seen = []
    note = lambda number: tf.py_func(lambda n: seen.append(int(n)) or n, [number], tf.int64)
    dataset = tf.data.Dataset.range(2).interleave(lambda n: tf.data.Dataset.range(10 * n, 10 * n + 6).map(note), 2, 1)
    session.run(tf.data.make_one_shot_iterator(dataset.batch(12)).get_next())
    assert seen == [n for pair in zip(range(6), range(10, 16)) for n in pair]


def test_samples_are_the_same_in_batches(session):
    of = lambda dataset: tf.data.make_one_shot_iterator(dataset).get_next()
    make = lambda: tf.data.experimental.sample_from_datasets(
        [tf.data.Dataset.range(100 * n, 100 * n + 40) for n in range(3)], [0.5, 0.2, 0.3], seed=7)
    alone = of(make())
    assert session.run(of(make().batch(50))).tolist() == [session.run(alone) for _ in range(50)]
