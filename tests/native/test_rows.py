"""The kernels in C for rows of matrices, and the fast sine and cosine, give what NumPy gives."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.ops.arrays import search

needs_native = pytest.mark.skipif(native.rows is None, reason="the C code was not built here, or is turned off")

ROWS = np.random.RandomState(0).randint(-9, 9, [7, 300]).astype(np.float32)  # many are equal
ROWS[0, ::5] = np.nan
ROWS[1, ::3], ROWS[1, 1::3] = 0.0, -0.0
ROWS[2, :2] = np.inf, -np.inf
DTYPES = [np.float32, np.float64, np.int32, np.int64]


@pytest.fixture(autouse=True)
def _wide():
    """JAX keeps 64 bits, as in evergraph's programs."""
    with jax.enable_x64(True):
        yield


def rows_of(dtype):
    """Rows with equal elements and the limits of the dtype."""
    if np.dtype(dtype).kind == "f":
        return ROWS.astype(dtype)
    rows = np.nan_to_num(ROWS, posinf=9, neginf=-9).astype(dtype)
    rows[3, :2] = np.iinfo(dtype).min, np.iinfo(dtype).max
    rows[4] *= 2**(8 * np.dtype(dtype).itemsize - 6)
    return rows


@needs_native
@pytest.mark.parametrize("size, count", [
    (300, 300), (300, 40), (300, 7), (300, 1), (300, 0), (37, 37), (37, 5), (1, 1)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_order(size, count, dtype):
    rows = rows_of(dtype)[:, :size]
    found = jax.jit(lambda x: search._top(jnp, x, count))(rows)
    for ours, theirs in zip(found, search._top(np, rows, count), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("kind", [np.float32, np.int32])
def test_few_elements_of_a_long_row(kind):
    rows = np.nan_to_num(ROWS[:2], posinf=9, neginf=-9).astype(kind) if kind == np.int32 else ROWS[:3]
    long = np.tile(rows, 4)
    np.testing.assert_array_equal(search._first_few(long, 70), search._descending(long)[:, :70])


@needs_native
def test_the_first_of_rows_in_order():
    rows = np.stack([np.arange(5000), -np.arange(5000)]).astype(np.float32)
    found = jax.jit(lambda x: search._top(jnp, x, 9))(rows)
    np.testing.assert_array_equal(found[1], [np.arange(4999, 4990, -1), np.arange(9)])


@needs_native
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_nth_element(reverse, dtype):
    rows = rows_of(dtype)
    run = lambda xp, x: search.nth_element.kernel(xp, x, np.int32(17), reverse, lambda *_: None)
    np.testing.assert_array_equal(jax.jit(lambda x: run(jnp, x))(rows), run(np, rows))


@needs_native
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_insertions(side, dtype):
    rows = np.sort(rows_of(dtype)[2:], axis=-1)
    values = np.random.RandomState(1).randint(-12, 12, [5, 30]).astype(dtype)
    found = jax.jit(lambda rows, values: search._places(jnp, rows, values, side))(rows, values)
    np.testing.assert_array_equal(found, search._places(np, rows, values, side))


@needs_native
def test_ranks():
    rows, targets = ROWS[:, :37], np.array([3, -1, 0, 36, 37, 5, 2**40])
    run = lambda xp, x, k: search._is_in_top(xp, x, targets, k)
    for k in (1, 9, 30):
        np.testing.assert_array_equal(jax.jit(lambda x, k=k: run(jnp, x, k))(rows), run(np, rows, k))


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_waves(name):
    x = np.linspace(-9e4, 9e4, 20_001).astype(np.float32)
    x[:5000] = np.linspace(-7, 7, 5000)
    wanted = lambda: getattr(np, name)(x.astype(np.float64))
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        angles = tf.placeholder(tf.float32, x.shape)
        wave = getattr(tf, name)(angles)
        np.testing.assert_allclose(session.run(wave, {angles: x}), wanted(), atol=1.2e-7, rtol=0)
        x[0], x[1] = 3e7, np.nan
        np.testing.assert_allclose(session.run(wave, {angles: x}), wanted(), atol=2e-7, rtol=0)


def test_transposed_matrix_times_column():
    a, b = np.random.RandomState(0).randn(301, 302).astype(np.float32), np.ones([301, 1], np.float32)
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        product = tf.matmul(tf.constant(a), tf.placeholder_with_default(b, b.shape), transpose_a=True)
        np.testing.assert_allclose(session.run(product), a.T @ b, rtol=1e-4, atol=1e-4)


def test_arctangents():
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e-30, 3e38], np.float32)
    y, x = (each.ravel().astype(np.float32) for each in np.meshgrid(special, special))
    some = np.random.RandomState(0).randn(2, 5000).astype(np.float32)
    y, x = np.append(y, some[0]), np.append(x, some[1])
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        a, b = tf.placeholder(tf.float32, y.shape), tf.placeholder(tf.float32, x.shape)
        found = session.run([tf.atan2(a, b), tf.atan(a)], {a: y, b: x})
    for ours, theirs in zip(found, (np.arctan2(y.astype(np.float64), x), np.arctan(y.astype(np.float64))), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=4e-7, atol=1e-37)  # XLA takes smaller numbers for zero
        known = ~np.isnan(theirs)
        np.testing.assert_array_equal(np.signbit(ours[known]), np.signbit(theirs[known]))


def test_arcsines():
    special = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1e-30, -1e-30, 1.0000001, -2.0, np.inf, np.nan]
    x = np.append(special, np.random.RandomState(0).uniform(-1, 1, 5000)).astype(np.float32)
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        a = tf.placeholder(tf.float32, x.shape)
        found = session.run([tf.asin(a), tf.acos(a)], {a: x})
    with np.errstate(invalid="ignore"):
        wanted = np.arcsin(x.astype(np.float64)), np.arccos(x.astype(np.float64))
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=4e-7, atol=1e-37)
    np.testing.assert_array_equal(np.signbit(found[0][:2]), [False, True])


@needs_native
def test_inverse_of_a_permutation():
    order = np.random.RandomState(0).permutation(3000)
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        given = tf.placeholder(tf.int64, [3000])
        inverse = tf.invert_permutation(given)
        np.testing.assert_array_equal(session.run(inverse, {given: order}), np.argsort(order))
        with pytest.raises(tf.errors.InvalidArgumentError, match="not a permutation"):
            session.run(inverse, {given: order - 1})
