"""What native/sparse.c computes is what its twins in Python compute."""

import numpy as np
import pytest

from evergraph import native
from evergraph.base import errors
from evergraph.kernel import ids as padded_ids
from evergraph.kernel.context import check_now
from evergraph.ops.arrays import entries, gather, search, segment
from evergraph.ops.sparse import bags, cross, sparse
from evergraph.ops.state import variable_rows
from evergraph.ops.strings import hashing

pytestmark = pytest.mark.skipif(native.sparse is None, reason="the C code was not built here, or is turned off")


def same(found, wanted):
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("count", [0, 1, 500])
def test_distinct_numbers(without, dtype, count):
    x = np.random.RandomState(1).randint(-40, 40, count).astype(dtype)
    same(search.unique.kernel(x, None), without(search.unique.kernel, x, None))
    same(search.unique_with_counts.kernel(x), without(search.unique_with_counts.kernel, x))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("ids", [[], [0], [0, 0, 2, 2, 5], [0, 3, 2], [-1, 0, 1], [7, 7, 2**31 - 1]])
def test_ids_of_programs(without, dtype, ids):
    ids = np.array(ids, dtype)
    for limit in (0, 3, 6, 2**31 - 1, 2**40):
        given = [np.zeros(3, dtype), ids, ids[::2]], [1, limit, limit]
        assert padded_ids.are_below(*given) == without(padded_ids.are_below, *given)
    assert padded_ids.segments([ids, ids[::2]]) == without(padded_ids.segments, [ids, ids[::2]])
    same([padded_ids.filled(ids, 8)], [without(padded_ids.filled, ids, 8)])
    same([padded_ids.filled(ids[::2], 6)], [without(padded_ids.filled, ids[::2], 6)])


def test_ids_of_other_sizes_and_missing_limits_are_refused():
    for call, error in ((lambda: native.sparse.are_below([np.zeros(2, np.int16)], [3]), TypeError),
                        (lambda: native.sparse.are_below([np.zeros(2, np.int64)], []), IndexError),
                        (lambda: native.sparse.are_below([np.zeros(2, np.int64)], ["3"]), TypeError),
                        (lambda: native.sparse.segments([np.zeros(2, np.int16)]), TypeError),
                        (lambda: native.sparse.segments(np.zeros(2, np.int64)), TypeError)):
        with pytest.raises(error):
            call()


@pytest.mark.parametrize("rows", [[], [0, 0, 3], [3, 0, 0], [2, 4, 1, 1]])
def test_empty_rows(without, rows):
    indices = np.array([[row, at] for at, row in enumerate(rows)], np.int64).reshape(-1, 2)
    given = indices, np.arange(len(rows), dtype=np.float32), np.array([5, 9]), np.float32(-1)
    same(sparse.sparse_fill_empty_rows.kernel(*given), without(sparse.sparse_fill_empty_rows.kernel, *given))


@pytest.mark.parametrize("run", [sparse.sparse_fill_empty_rows.kernel, bags.in_bags])
def test_an_entry_outside_of_the_rows(run):
    with pytest.raises(errors.InvalidArgumentError, match=r"indices\(1, 0\) is invalid: 7 >= 5"):
        run(np.array([[0, 0], [7, 0]]), np.array([1, 2]), np.array([5, 1]), np.array(0))


@pytest.mark.parametrize("rows, ids", [([], []), ([0, 0, 3], [8, -1, 8]), ([1, 1, 4], [-1, -2, 5]), ([3, 0], [4, 4])])
def test_bags(rows, ids):
    indices = np.array([[row, at] for at, row in enumerate(rows)], np.int64).reshape(-1, 2)
    given = indices, np.array(ids, np.int64), np.array([5, 9]), np.array(0)
    same(bags.in_bags(*given), bags._one_by_one(*given))


@pytest.mark.parametrize("shape", [(0, 2), (3, 0), (1, 1), (50, 3)])
def test_bags_of_hashed_strings(shape):
    generator = np.random.RandomState(4)
    strings = np.array([b"", b"a", b"bc", b"d" * 70], object)[generator.randint(0, 4, shape)]
    given = strings, np.array(b"", object), np.array(3)
    indices, kept = entries.entries(*given[:2])
    ids = hashing.fingerprints(kept, 11).view(np.int64)
    same(bags.HashedBags(11)(*given), bags._one_by_one(indices, ids, np.array(shape), given[2]))


@pytest.mark.parametrize("counts", [[[1, 1], [1, 1]], [[2, 0, 1], [1, 3, 2], [1, 1, 2]]])
def test_crosses(without, counts):
    generator, rows = np.random.RandomState(2), len(counts[0])
    indices = [np.array([[row, at] for row, count in enumerate(each) for at in range(count)]) for each in counts]
    values = [np.array([b"%d" % n for n in generator.randint(0, 9, len(each))], object) for each in indices]
    values[0] = generator.randint(-9, 9, len(indices[0]))
    given = (indices, values, [np.array([rows, 9])] * len(counts), [np.arange(rows * 2).reshape(rows, 2)],
             True, 100, 0xDECAFCAFFE, np.dtype(np.int64))
    same(cross.sparse_cross.kernel(*given), without(cross.sparse_cross.kernel, *given))


def test_crosses_of_what_is_no_string(without):
    given = [], [], [], [np.array([[b"a"], ["b"]], object)], True, 100, 1, np.dtype(np.int64)
    same(cross.sparse_cross.kernel(*given), without(cross.sparse_cross.kernel, *given))


def test_places_of_crosses_are_nobody_elses():
    dense = [np.arange(6).reshape(3, 2)] * 2
    given = [], [], [], dense, True, 100, 1, np.dtype(np.int64)
    places, _, shape = cross.sparse_cross.kernel(*given)
    assert places.tolist() == [[row, at] for row in range(3) for at in range(4)] and shape.tolist() == [3, 4]
    wanted, places[:] = places.copy(), -1
    np.testing.assert_array_equal(cross.sparse_cross.kernel(*given)[0], wanted)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_of_rows(without, dtype):
    generator = np.random.RandomState(3)
    data, ids = generator.rand(40, 3).astype(dtype), np.sort(generator.randint(0, 9, 40))
    picks = generator.randint(0, 40, 40).astype(np.int32)
    for kernel, *given in ((segment.segment_sum.kernel, data, ids),
                           (segment.sparse_segment_sum.kernel, data, picks, ids, None),
                           (segment.sparse_segment_mean.kernel, data, picks, ids, None),
                           (segment.sparse_segment_mean_grad.kernel, data[:9], picks, ids, np.array(40), None)):
        found, wanted = kernel(*given), without(kernel, *given)
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
        assert found.dtype == wanted.dtype == dtype


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_and_extrema_of_rows(without, dtype):
    generator = np.random.RandomState(4)
    data, ids, sizes = generator.randn(60, 5).astype(dtype), generator.randint(-1, 9, 60), np.array(11)
    data[3, 2], data[9, 1], data[20, 0] = np.nan, -np.inf, np.inf
    for kernel in (segment.unsorted_segment_max, segment.unsorted_segment_min, segment.unsorted_segment_prod):
        given = np, data, ids, sizes, check_now
        same([kernel.kernel(*given)], [without(kernel.kernel, *given)])
    ids = np.sort(np.abs(ids)) * 2  # every other segment is empty
    for kernel in (segment.segment_max, segment.segment_min, segment.segment_prod):
        same([kernel.kernel(data, ids)], [without(kernel.kernel, data, ids)])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_scattered_slices(without, dtype, depth):
    generator = np.random.RandomState(5)
    sizes = np.array([5, 4, 3, 2])
    indices = np.stack([generator.randint(0, size, (6, 7)) for size in sizes[:depth]], -1).astype(np.int32)
    updates = generator.randn(6, 7, *sizes[depth:]).astype(dtype)
    given = np, indices, updates, sizes, np.dtype(dtype), check_now
    np.testing.assert_allclose(gather.scatter_nd.kernel(*given), without(gather.scatter_nd.kernel, *given), rtol=1e-5)
    whole = np.asfortranarray(generator.randn(*sizes)).astype(dtype, order="K")
    for kernel in (gather.tensor_scatter_add, gather.tensor_scatter_update):
        given = np, whole, indices, updates, check_now
        np.testing.assert_allclose(kernel.kernel(*given), without(kernel.kernel, *given), rtol=1e-5)


def test_arrays_that_cannot_be_joined():
    out = np.zeros(3, np.int64)
    assert native.sparse.join([np.array([1, 2]), np.array(3)], out) and out.tolist() == [1, 2, 3]
    for arrays in ([np.arange(3), np.arange(3)], [np.arange(2)], [np.arange(2), object()], [np.arange(6)[::2]], []):
        assert not native.sparse.join(arrays, out)


def test_buffers_of_other_sizes_are_refused():
    numbers, halves = np.zeros(3, np.int64), np.zeros(3, np.int32)
    strings = np.array([b"a", b"b", b"c"], object)
    for call in (lambda: native.sparse.distinct(numbers, True, numbers, numbers[:2].copy()),
                 lambda: native.sparse.fill_empty_rows(numbers, 2, 3, np.zeros(3, bool), numbers, numbers),
                 lambda: native.sparse.bags(numbers, 1, numbers, 0, 2, numbers, numbers, numbers, np.zeros(2, bool)),
                 lambda: native.sparse.cross([(numbers, False, numbers + 2)], 1, 5, numbers),
                 lambda: native.sparse.cross([(numbers, False, numbers[:1] + 3), (numbers, False, numbers + 1)], 1, 5,
                                             numbers),
                 lambda: native.sparse.cross([(strings, True, numbers)], 1, 5, numbers),
                 lambda: native.sparse.hashed_bags(strings, b"", 5, 0, numbers, numbers, numbers, np.zeros(2, bool)),
                 lambda: native.sparse.hashed_bags(strings, b"", 0, 0, halves, numbers, halves, np.zeros(3, bool)),
                 lambda: native.sparse.reduce_rows(np.zeros(6), True, 4, None, False, numbers, True, numbers)):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(IndexError):
        native.sparse.reduce_rows(np.zeros(6), True, 2, None, False, numbers + 9, True, np.zeros(6))


@pytest.mark.parametrize("kind", ["add", "sub"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_that_are_added_to_a_variable(kind, dtype, without):
    whole, updates = np.arange(12, dtype=dtype).reshape(4, 3), np.arange(18, dtype=dtype).reshape(2, 3, 3) / 8
    updates[0, 0, 0], updates[1, 1, 1] = np.nan, np.inf

    def run(at, updates, whole=whole):
        new = whole.copy()
        variable_rows._NOW[kind](new, at, updates)
        return new

    for at in (np.array([[3, 0, 3], [3, 1, 0]]), np.array([[0, 0, 0], [2, 2, 2]], np.int32)):
        same([run(at, updates)], [without(run, at, updates)])
    none = np.zeros([0], np.int32)
    same([run(none, updates[0, :0]), run(np.array([1]), dtype(2))], [whole, without(run, np.array([1]), dtype(2))])
    column = whole[:, 0], np.array([2, 2]), dtype([1, 5])
    same([run(*column[1:], column[0])], [without(run, *column[1:], column[0])])


def test_products_of_sparse_matrices(without):
    indices = np.array([[0, 2], [3, 0], [0, 1], [3, 2]])
    values, b = np.array([1, 2, 3, 4], np.float32), np.arange(15, dtype=np.float32).reshape(3, 5)
    run = lambda chosen: sparse.sparse_tensor_dense_mat_mul.kernel(
        np, check_now, indices[chosen], values[chosen], np.array([4, 3]), b, False, False)
    for chosen in ([0, 1, 2, 3], [], [1]):
        same([run(chosen)], [without(run, chosen)])
    with pytest.raises(errors.InvalidArgumentError, match=r"index\[1,0\] out of bounds \(>=2\)"):
        sparse.sparse_tensor_dense_mat_mul.kernel(
            np, check_now, indices, values, np.array([2, 3]), b, False, False)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("count, width", [(0, 3), (1, 1), (300, 16)])
def test_products_with_dense_matrices(monkeypatch, dtype, adjoint, count, width):
    random = np.random.RandomState(0)
    places = np.stack([random.randint(0, 9, count), random.randint(0, 7, count)], 1)  # many come twice
    values, b = random.randn(count).astype(dtype), random.randn(9 if adjoint else 7, width).astype(dtype)
    values[count // 2:count // 2 + 1] = np.nan
    multiply = lambda: [sparse.sparse_tensor_dense_mat_mul.kernel(
        np, check_now, places, values, np.array([9, 7]), b, adjoint, False)]
    found = multiply()
    monkeypatch.setattr(sparse, "_is_multiplied_in_c", lambda *_: False)
    same(found, multiply())


@pytest.mark.parametrize("place", [[9, 0], [-1, 0], [0, 7], [0, -1]])
@pytest.mark.parametrize("adjoint", [False, True])
def test_places_outside_of_a_sparse_matrix(place, adjoint):
    b = np.ones([9 if adjoint else 7, 2], np.float32)
    with pytest.raises(errors.InvalidArgumentError, match="out of bounds"):
        sparse.sparse_tensor_dense_mat_mul.kernel(
            np, check_now, np.array([[0, 0], place]), np.ones(2, np.float32), np.array([9, 7]), b, adjoint, False)
