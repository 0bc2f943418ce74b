"""Arithmetic on the elements of large arrays in C gives what NumPy gives."""

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.kernel import foreign, recording
from evergraph.ops.math import elements

pytestmark = pytest.mark.skipif(native.elements is None, reason="the C code was not built here, or is turned off")
random = np.random.RandomState(0)
FUNCTIONS = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
             "squared_difference": lambda x, y: (x - y) * (x - y)}
SHAPES = {
    "the same": ((40, 500, 33), (40, 500, 33)),
    "a number": ((40, 500, 33), ()),
    "an array of one number": ((40, 500, 33), (1, 1, 1)),
    "a number a row": ((40, 50, 33), (40, 50, 1)),
    "a number a column": ((40, 50, 33), (33,)),
    "columns with axes": ((40, 50, 33), (1, 1, 33)),
    "rows and columns": ((3000, 1), (1, 33)),
    "wide rows": ((3, 30001), (3, 1)),
}
OTHERS = {
    "an axis between": ((40, 50, 33), (40, 1, 33)),
    "an axis in front": ((40, 50, 33), (50, 33)),
    "narrow rows": ((40000, 3), (40000, 1)),
    "few numbers": ((40, 33), (33,)),
    "no broadcasting": ((40, 50, 33), (40, 50, 32)),
    "nothing": ((0, 50, 33), (33,)),
}


def numbers(shape, dtype):
    """Numbers of both signs, with zeros, NaN and infinities among them."""
    x = np.asarray(random.randn(*shape), dtype)
    if x.ndim:
        for odd in (0, -0.0, np.nan, np.inf, -np.inf):
            x.flat[random.randint(0, x.size, 5)] = odd
    return x


@pytest.fixture(params=[1, 3])
def _threads(request, monkeypatch):
    monkeypatch.setattr(elements, "_WORTH_THREADS", 1)
    monkeypatch.setattr(foreign, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(foreign, "_cores", lambda: request.param)


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.usefixtures("_threads")
def test_functions_of_two_arrays(shapes, dtype):
    x, y = (numbers(shape, dtype) for shape in shapes)
    with np.errstate(all="ignore"):
        for name, function in FUNCTIONS.items():
            for left, right in ((x, y), (y, x)):
                got, want = elements.combined(name, left, right), function(left, right)
                assert got.dtype == dtype and got.shape == want.shape
                np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("shapes", OTHERS.values(), ids=OTHERS)
def test_what_is_left_to_numpy(shapes):
    x, y = (np.ones(shape, np.float32) for shape in shapes)
    assert elements.combined("add", x, y) is None and elements.combined("add", y, x) is None


def test_arrays_that_are_left_to_numpy():
    x, y = np.ones((400, 330), np.float32), np.ones(330, np.float32)
    assert elements.combined("add", x, y) is not None
    for other in (x.astype(np.float16), x.astype(np.int32), x.astype(np.float64), x[:, ::-1], np.float32(3)):
        assert elements.combined("add", other, y) is None
    assert elements.combined("add", x, x) is None  # NumPy is as fast at so few


@pytest.mark.parametrize("count", [2, 3, 7])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.usefixtures("_threads")
def test_sums_of_arrays(count, dtype):
    arrays = [numbers((70, 1001), dtype) for _ in range(count)]
    want = arrays[0]
    with np.errstate(all="ignore"):
        for each in arrays[1:]:
            want = want + each
    np.testing.assert_array_equal(elements.total(arrays), want)


def test_sums_that_are_left_to_numpy():
    x = np.ones((70, 1001), np.float32)
    for arrays in ([x], [x] * 8, [x, x[1:]], [x, x.astype(np.float64)], [x.astype(int)] * 2, [x[:2], x[:2]],
                   [x.T, x.T]):
        assert elements.total(arrays) is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.usefixtures("_threads")
def test_choices(dtype):
    x, y, test = numbers((130, 257), dtype), numbers((130, 257), dtype), random.rand(130, 257) < 0.5
    np.testing.assert_array_equal(elements.chosen(test, x, y), np.where(test, x, y))
    for given in ((test[0], x, y), (test, x, y[0]), (test.T, x.T, y.T), (test, x, y.astype(np.float16)),
                  (test[:9], x[:9], y[:9]), (test, x.astype(int), y.astype(int))):
        assert elements.chosen(*given) is None


def test_arrays_that_do_not_fit_are_refused():
    x, y, kernels = np.ones((5, 4), np.float32), np.ones(4, np.float32), native.elements
    call = lambda result, *given, operands=(x, y): kernels.call(
        kernels.add, operands, (result,), np.array(given, np.int64).tobytes(), 1)
    call(np.empty_like(x), 5, 4, 4, 1, 0, 1)
    for given in ((5, 4, 4, 1, 0), (4, 4, 4, 1, 0, 1), (5, 4, 5, 1, 0, 1), (5, 4, 4, 1, 1, 0), (5, 4, 4, 1, 4, 1),
                  (-5, -4, 4, 1, 0, 1), (5, 4, 0, 0, 0, 0)):
        with pytest.raises(ValueError, match="do not fit"):
            call(np.empty_like(x), *given)
    with pytest.raises(ValueError, match="do not fit"):
        call(np.empty_like(y), 5, 4, 4, 1, 0, 1)
    with pytest.raises(ValueError, match="do not fit"):
        kernels.call(kernels.add_all, (x, y), (np.empty_like(x),), b"", 1)
    with pytest.raises(ValueError, match="do not fit"):
        kernels.call(kernels.choose, (y > 0, x, x), (np.empty_like(x),), b"", 1)


def test_a_replay_computes_the_same(monkeypatch):
    monkeypatch.setattr(recording, "_MOST_A_STEP", 1 << 20)
    x, y = random.randn(400, 330).astype(np.float32), random.randn(400, 1).astype(np.float32)
    kernel = lambda x, y: elements.total([elements.combined("squared_difference", x, y), x])
    assert recording.available()
    recorder = recording.Recorder([x, y])
    replay = recording.player([None, recorder.tape([kernel(*recorder.values)])])
    np.testing.assert_array_equal(replay(None, x, y)[0], (x - y) * (x - y) + x)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
def test_ops_on_large_arrays(dtype):
    x, y = (random.randint(1, 9, shape).astype(dtype) for shape in ((300, 70, 40), (300, 70, 1)))
    with tf.Graph().as_default(), tf.Session(tier="numpy") as session:
        a, b = (tf.placeholder(dtype, [None] * each.ndim) for each in (x, y))
        made = [a + b, a - b, a * b, tf.add_n([a, a, a]), tf.math.squared_difference(a, b)]
        want = [x + y, x - y, x * y, x + x + x, (x - y) ** 2]
        if dtype != np.int32:
            made, want = [*made, a / b, b / a], [*want, x / y, y / x]
        for got, right in zip(session.run(made, {a: x, b: y}), want):
            np.testing.assert_array_equal(got, right)


def test_sums_over_no_axes_and_over_all_but_the_last():
    x = random.randn(30, 40, 50).astype(np.float32)
    with tf.Graph().as_default(), tf.Session(tier="numpy") as session:
        a, axes = tf.placeholder(tf.float32, [None] * 3), tf.placeholder(tf.int32, [None])
        given = {a: x, axes: np.zeros(0, np.int32)}
        for reduce in (tf.reduce_sum, tf.reduce_max, tf.reduce_mean, tf.reduce_prod):
            np.testing.assert_array_equal(session.run(reduce(a, axes), given), x)
        for keep in (False, True):
            got = session.run(tf.reduce_sum(a, [0, 1], keepdims=keep), given)
            np.testing.assert_allclose(got, x.sum((0, 1), np.float64, keepdims=keep), rtol=1e-4, atol=1e-4)
            assert got.shape == ((1, 1, 50) if keep else (50,))
