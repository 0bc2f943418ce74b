"""Sums, maxima and softmax along the last axis in C give what NumPy gives."""

import numpy as np
import pytest

from evergraph.kernel import lines

pytestmark = pytest.mark.skipif(lines.native.lines is None, reason="the code is not built")
random = np.random.RandomState(0)


def numbers(*shape):
    return (random.randn(*shape) * 10 ** random.uniform(-3, 3, shape)).astype(np.float32)


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 15, 16, 127, 128, 129, 136, 255, 256, 257, 1000, 5001])
def test_lines_of_all_sizes(size):
    for x in (numbers(9, size), numbers(3, 4, size), -np.zeros((8, size), np.float32)):
        assert lines.takes(x)
        np.testing.assert_array_equal(lines.sums(x, False), np.add.reduce(x, axis=-1))
        np.testing.assert_array_equal(lines.sums(x, True), x.sum(-1, keepdims=True))
        np.testing.assert_array_equal(lines.shifted(x), x - x.max(-1, keepdims=True))
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(lines.scaled(x), x / x.sum(-1, keepdims=True))


@pytest.mark.parametrize("size", [3, 8, 20])
def test_nan_and_infinity(size):
    for odd in (np.nan, np.inf, -np.inf):
        for place in range(size):
            x = numbers(8, size)
            x[2, place] = odd
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(lines.shifted(x), x - x.max(-1, keepdims=True))
                np.testing.assert_array_equal(lines.sums(x, False), x.sum(-1))


def test_what_is_left_to_numpy():
    for x in (numbers(7, 3), numbers(8, 6)[:, ::2], numbers(6, 8).T, np.zeros((9, 0), np.float32),
              np.zeros((0, 3), np.float32), numbers(9, 3).astype(np.float64), np.float32(1)):
        assert not lines.takes(x)


def test_sizes_that_do_not_fit():
    result = (np.empty(8, np.float32),)
    for size in (0, -1, 7, 64):
        with pytest.raises(ValueError, match="another size"):
            lines.native.lines.call(lines.native.lines.sums, (numbers(8, 6),), result, np.int64(size).tobytes(), 1)
