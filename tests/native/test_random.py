"""Random numbers drawn in C are those that Python draws."""

import numpy as np
import pytest

from evergraph import native
from evergraph.kernel import philox
from evergraph.ops.data.shuffling import choose
from evergraph.ops.image import boxes
from evergraph.ops.math import draws
from evergraph.ops.nn.candidates import Learned, LogUniform, Uniform, Weighted

pytestmark = pytest.mark.skipif(native.random is None, reason="the C code was not built here, or is turned off")

STATES = [philox.initial_state(1, 2), np.array([2**64 - 1, 2**64 - 3, 2**64 - 1], np.uint64)]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("count", [0, 1, 7, philox.CHUNK + 5])
def test_blocks(without, state, count):
    index = np.arange(count, dtype=np.uint64) * np.uint64(2**61 + 3)
    words = philox.rows(state, index)
    assert words.dtype == np.uint32 and words.shape == (count, 4)
    np.testing.assert_array_equal(words, without(philox.rows, state, index))


def test_buffers_of_other_sizes_are_refused():
    state, index, words = STATES[0], np.zeros(3, np.uint64), np.zeros((3, 4), np.uint32)
    for wrong in ((state[:2], index, words), (state, index[:2], words), (state, index, words[:2])):
        with pytest.raises(ValueError):
            native.random.blocks(*wrong)
    with pytest.raises(ValueError):
        native.random.blocks(state, np.zeros(6, np.uint64)[::2], words)
    with pytest.raises(ValueError):
        native.random.candidates(state, 0, 3, True, np.zeros(4, np.int64), b"", b"")
    for kind, shares, others in ((7, [], []), (2, [1, 1], [0, 1, 2]), (2, [1, 1, 1], [0, 1, 3]), (3, [], [1, 2]),
                                 (3, [], [1, 2, 2]), (3, [], [1, 2, 2**33])):
        with pytest.raises(ValueError, match="tables"):
            native.random.candidates(state, kind, 3, False, np.zeros(4, np.int64), np.array(shares, np.float32),
                                     np.array(others, np.int64))
    ones, room = np.ones(3), np.zeros(4)
    for wrong in ((state[:2], ones[:2], room), (state, ones, room), (state, ones[:0], room)):
        with pytest.raises(ValueError):
            native.random.gamma(*wrong)


def _weighted(range_max):
    return Weighted(np.arange(1, range_max + 1, dtype=np.float32))


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("range_max, count", [(1, 1), (10, 10), (1000, 64), (10**9, 500)])
@pytest.mark.parametrize("unique", [False, True])
@pytest.mark.parametrize("make", [LogUniform, Uniform, _weighted, Learned])
def test_classes(without, state, range_max, count, unique, make):
    range_max = range_max if make in (LogUniform, Uniform) else min(range_max, 3000)  # the others have tables
    distribution = make(range_max)
    distribution.learn(np.array([[0], [range_max // 2]]))
    classes, draws = distribution.sample(state, count, unique)
    other_classes, other_draws = without(distribution.sample, state, count, unique)
    np.testing.assert_array_equal(classes, other_classes)
    assert draws == other_draws
    assert not unique or len(set(classes.tolist())) == count


def test_more_numbers_than_fit_one_chunk(without):
    drawn = draws.truncated_normal(np, STATES[0], (5000,), np.float64)  # whose words come from here in any case
    np.testing.assert_array_equal(drawn, without(draws.truncated_normal, np, STATES[0], (5000,), np.float64))


@pytest.mark.parametrize("start, end, size, count", [
    (0, 12, 5, 12), (3, 12, 100, 4), (3, 10, 100, 20), (12, 12, 4, 3), (0, 12, 1, 12), (0, 12, 4, 0), (0, 0, 4, 2)])
def test_elements_of_a_shuffle(without, start, end, size, count):
    words = np.random.RandomState(1).randint(0, 1 << 32, count, np.uint64).astype(np.uint32)
    order, other = np.arange(12), np.arange(12)
    assert choose(order, start, end, size, words) == min(count, end - start)
    assert without(choose, other, start, end, size, words) == min(count, end - start)
    assert order.tolist() == other.tolist() and sorted(order) == list(range(12))


ORDER, WORD = np.arange(2), np.zeros(1, np.uint32)


@pytest.mark.parametrize("order, start, end, size, words, error", [
    (ORDER, 3, 3, 1, WORD, ValueError), (ORDER, -1, 2, 1, WORD, ValueError), (ORDER, 1, 0, 1, WORD, ValueError),
    (ORDER, 0, 3, 1, WORD, ValueError), (ORDER, 0, 2, 0, WORD, ValueError), (ORDER, 0, 2, 2, ORDER, ValueError),
    (ORDER.astype(np.int32), 0, 2, 2, WORD, ValueError), ([1, 2], 0, 2, 2, WORD, TypeError)])
def test_what_is_no_buffer_is_refused(order, start, end, size, words, error):
    with pytest.raises(error):
        native.random.choose(order, start, end, size, words)


@pytest.mark.parametrize("image, covered, ratios, areas", [
    ((200, 300), 0.5, (0.75, 1.33), (0.05, 1.0)), ((1, 1), 0.0, (1.0, 1.0), (1.0, 1.0)),
    ((7, 9), 1.0, (0.5, 2.0), (0.01, 0.2)), ((640, 480), 0.9, (3.0, 3.0), (0.3, 0.3)),
    ((50, 60), 0.1, (9.0, 1.0), (0.9, 0.1))])
def test_crops(without, image, covered, ratios, areas):
    objects = (np.array([[0.1, 0.2, 0.8, 0.7], [0.5, 0.5, 0.5, 0.9]]) * [*image, *image]).astype(np.int32)
    for seed in range(60):
        given = philox.initial_state(seed, 3), image, objects, covered, ratios, areas, 5
        assert boxes._crop(*given) == without(boxes._crop, *given)


def test_crops_of_no_image():
    for image, objects in (((0, 5), np.zeros(4, np.int32)), ((2**40, 5), np.zeros(4, np.int32)),
                           ((5, 5), np.zeros(3, np.int32))):
        with pytest.raises(ValueError, match="an image has"):
            native.random.crop(STATES[0], image, objects, 0.5, (1, 1), (1, 1), 3)
