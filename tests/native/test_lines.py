"""Sums, maxima and softmax along the last axis in C give what NumPy gives."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.kernel import foreign, recording
from evergraph.kernel.quiet import quietly
from evergraph.ops.math import lines

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
        with pytest.raises(ValueError, match="do not fit"):
            lines.native.lines.call(lines.native.lines.sums, (numbers(8, 6),), result, np.int64(size).tobytes(), 1)


@pytest.mark.parametrize("size", [1, 5, 8, 20, 129, 5001])
@pytest.mark.parametrize("cores", [1, 3])
def test_softmax(size, cores, monkeypatch):
    monkeypatch.setattr(foreign, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(foreign, "_cores", lambda: cores)

    def check(x):
        raised = np.exp(x - x.max(-1, keepdims=True))
        np.testing.assert_array_equal(lines.softmax(x), raised / raised.sum(-1, keepdims=True))

    for x in (numbers(9, size), numbers(30, 40, size)):
        quietly(check, x)  # as kernels are called: all threads take subnormal numbers for zero


def test_softmax_without_the_loops_of_numpy(monkeypatch):
    x = numbers(30, 40)
    want = lines.softmax(x)
    monkeypatch.setattr(recording, "loop_of", lambda ufunc, dtypes: None)
    np.testing.assert_array_equal(lines.softmax(x), want)


@pytest.mark.parametrize("cores", [1, 3])
def test_sums_of_squares(cores, monkeypatch):
    monkeypatch.setattr(foreign, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(foreign, "_cores", lambda: cores)
    for shape in ((1 << 14,), (20001,), (70, 81, 3), (1 << 17,)):
        x = random.randn(*shape).astype(np.float32)
        assert lines.takes_all(x)
        got = lines.sum_of_squares(x)
        assert got.dtype == np.float32 and got.shape == ()
        np.testing.assert_allclose(got, np.square(x, dtype=np.float64).sum(), rtol=1e-6)
    x[77] = np.nan
    assert np.isnan(lines.sum_of_squares(x))


def test_sums_of_squares_that_are_left_to_numpy():
    for x in (numbers(60, 60), numbers(190, 190)[:, ::2], numbers(190, 190).T, numbers(190, 190).astype(np.float64)):
        assert not lines.takes_all(x)
    with pytest.raises(ValueError, match="do not fit"):
        lines.native.lines.call(lines.native.lines.squares, (numbers(80, 60),), (np.empty(3, np.float32),),
                                np.int64(1024).tobytes(), 1)


def slopes_of(slopes, y):
    return (slopes - (slopes * y).sum(-1, keepdims=True)) * y


@pytest.mark.parametrize("size", [1, 5, 8, 20, 129, 5001])
@pytest.mark.parametrize("cores", [1, 3])
def test_gradients_of_softmax(size, cores, monkeypatch):
    monkeypatch.setattr(foreign, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(foreign, "_cores", lambda: cores)
    for shape in ((9, size), (30, 40, size)):
        slopes, y = numbers(*shape), numbers(*shape)
        np.testing.assert_array_equal(lines.softmax_gradient(slopes, y), slopes_of(slopes, y))
    with pytest.raises(ValueError, match="do not fit"):
        lines.native.lines.call(lines.native.lines.softmax_gradient, (slopes, y[1:]), (np.empty_like(y),),
                                np.int64(size).tobytes(), 1)


@pytest.mark.parametrize("rows", [3, 30])
def test_the_nodes_of_a_gradient_of_softmax_run_as_one(rows, monkeypatch):
    x, w = numbers(rows, 50), numbers(rows, 50)
    seen = []
    monkeypatch.setattr(lines, "softmax_gradient", lambda *given, made=lines.softmax_gradient: (
        seen.append(given), made(*given))[1])
    with tf.Graph().as_default(), tf.Session() as session:
        logits, weights = (tf.placeholder(tf.float32, [None, None]) for _ in range(2))
        y = tf.nn.softmax(logits)
        wanted = [tf.gradients(tf.reduce_sum(y * weights * weights), logits)[0], y]
        results = [session.run(wanted, {logits: x, weights: w}) for _ in range(12)]  # the last ones are replayed
    for got, probabilities in results:
        np.testing.assert_allclose(got, slopes_of(w * w, probabilities), rtol=1e-5, atol=1e-6)
    assert 0 < len(seen) < 12 if rows > 8 else not seen


def test_nodes_of_a_gradient_of_softmax_that_are_needed():
    x, w = numbers(30, 50), numbers(30, 50)
    with tf.Graph().as_default() as graph, tf.Session(tier="numpy") as session:
        logits, weights = (tf.placeholder(tf.float32, [None, None]) for _ in range(2))
        y = tf.nn.softmax(logits)
        slopes = tf.gradients(tf.reduce_sum(y * weights), logits)[0]
        total, = (node.outputs[0] for node in graph.get_operations()
                  if node.type == "Sum" and "Softmax_grad" in node.name)
        got, sums, probabilities = session.run([slopes, total, y], {logits: x, weights: w})
    np.testing.assert_allclose(sums, (w * probabilities).sum(-1, keepdims=True), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(got, slopes_of(w, probabilities), rtol=1e-5, atol=1e-5)
