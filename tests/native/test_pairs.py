"""Lists compared in C are compared as in Python."""

import numpy as np
import pytest

from evergraph import native
from evergraph.ops.arrays import search
from evergraph.ops.sparse import sparse

pytestmark = pytest.mark.skipif(native.pairs is None, reason="the C code was not built here, or is turned off")


def rows(count, below, seed):
    return np.unique(np.random.RandomState(seed).randint(0, below, [count, 2]), axis=0)


@pytest.mark.parametrize("a, b", [
    (rows(200, 20, 0), rows(100, 20, 1)), (rows(50, 9, 0), rows(50, 9, 0)), (rows(9, 9, 0), np.zeros([0, 2], np.int64)),
    (np.zeros([0, 2], np.int64), np.zeros([0, 2], np.int64)), (rows(9, 9, 0)[::-1], rows(9, 9, 1)),
    (np.array([[1, 2], [1, 2]]), np.array([[1, 2]])), (np.array([[-5, 2**62], [3, 0]]), np.array([[-5, -2**62]]))])
def test_pairs_of_rows(monkeypatch, a, b):
    found = sparse.pair_up(a, b)
    monkeypatch.setattr(native, "pairs", None)
    for ours, theirs in zip(found, sparse.pair_up(a, b), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("indices", [rows(90, 9, 0)[::-1], np.random.RandomState(0).randint(0, 3, [50, 3]),
                                     np.array([[1, -1], [0, 5]]), np.array([[2**40, 2**40], [3, 0]]),
                                     np.zeros([0, 2], int)])
def test_order_of_rows(indices):
    np.testing.assert_array_equal(sparse.in_order(np, indices), np.lexsort(indices.T[::-1]))


def _distances(normalize, kind):
    random = np.random.RandomState(0)
    places = [np.stack([np.sort(random.randint(0, 12, 60)), random.randint(0, 9, 60)], 1) for _ in range(2)]
    values = [random.randint(0, 4, 60).astype(kind) for _ in range(2)]
    return search.edit_distance.kernel(places[0], values[0], np.array([14, 9]), places[1], values[1], np.array([13, 9]),
                                       normalize)


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("kind", [np.int32, np.float64, object])
def test_distances(monkeypatch, normalize, kind):
    found = _distances(normalize, kind)
    monkeypatch.setattr(native, "pairs", None)
    np.testing.assert_array_equal(found, _distances(normalize, kind))


def test_numbers_that_are_none_differ():
    nan = np.array([np.nan, 1.0])
    places = np.array([[0, 0], [0, 1]])
    found = search.edit_distance.kernel(places, nan, np.array([1, 2]), places, nan.copy(), np.array([1, 2]), False)
    np.testing.assert_array_equal(found, [1.0])


def test_buffers_of_other_sizes_are_refused():
    four, out = np.arange(4), np.zeros(1, np.int64)
    for wrong in ((four, four, 0, four, four), (four, four, 3, four, four), (four, four, 2, four[:3], four),
                  (four, four, 2, four[:3], four[:3])):
        with pytest.raises(ValueError):
            native.pairs.merge(*wrong)
    for starts in ([0, 5], [1, 4], [0, 2], [0, 3, 4]):
        with pytest.raises(ValueError):
            native.pairs.distances(four, np.array(starts), four, np.array([0, 4]), out)
    with pytest.raises(ValueError):
        native.pairs.distances(four, np.array([0, 5, 4]), four, np.array([0, 4, 4]), np.zeros(2, np.int64))
