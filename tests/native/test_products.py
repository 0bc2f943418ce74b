"""The kernel in C for matrix products gives what NumPy gives."""

from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.kernel import foreign, native_products, recording
from evergraph.ops.math import matmul

pytestmark = [pytest.mark.cpus,
              pytest.mark.skipif(native.products is None, reason="the C code was not built here, or is turned off")]

TURNS = [(False, False), (False, True), (True, False), (True, True)]
SIZES = [(1, 1, 1), (2, 3, 5), (6, 16, 8), (7, 17, 9), (13, 8, 257), (49, 29, 31), (97, 101, 103), (128, 272, 513),
         (26, 2048, 700), (300, 3, 3), (257, 2, 4), (40000, 4, 2), (5, 3, 1), (300, 1, 4)]


def random(*shape, seed=0):
    return np.random.RandomState(seed).randn(*shape).astype(np.float32)


def sides(batch, rows, columns, depth, turns):
    """Two batches of matrices that can be multiplied, and their product in double precision."""
    left, right = random(*batch, rows, depth), random(*batch, depth, columns, seed=1)
    want = np.matmul(left.astype(np.float64), right.astype(np.float64))
    return *(np.ascontiguousarray(x.swapaxes(-1, -2)) if turn else x for x, turn in zip((left, right), turns)), want


def multiplied(a, b, turns):
    return np.asarray(jax.jit(lambda a, b: native_products.multiply(a, b, *turns))(a, b))


def all_multiplied(pairs, turns):
    """The products of many pairs, by one program."""
    program = jax.jit(lambda pairs: [native_products.multiply(a, b, *turns) for a, b in pairs])
    return [np.asarray(each) for each in program(pairs)]


@pytest.mark.parametrize("turns", TURNS)
def test_products_of_every_size(turns):
    given = [sides((), *sizes, turns) for sizes in SIZES]
    for got, (*_, want), (*_, depth) in zip(all_multiplied([each[:2] for each in given], turns), given, SIZES):
        np.testing.assert_allclose(got, want, rtol=0, atol=8e-6 * depth ** 0.5)


@pytest.mark.parametrize("turns", TURNS)
@pytest.mark.parametrize("batch", [(1,), (3, 5), (200,)])
def test_batches(turns, batch):
    a, b, want = sides(batch, 31, 19, 23, turns)
    np.testing.assert_allclose(multiplied(a, b, turns), want, rtol=0, atol=1e-4)


def test_batches_of_large_products():
    a, b, want = sides((2,), 150, 130, 140, (True, False))
    np.testing.assert_allclose(multiplied(a, b, (True, False)), want, rtol=0, atol=2e-4)


@pytest.mark.parametrize("turns", TURNS)
@pytest.mark.parametrize("batch, rows, columns", [((), 300, 520), ((), 40, 1000), ((), 1000, 40), ((3,), 130, 200)])
def test_the_result_does_not_depend_on_the_number_of_threads(turns, batch, rows, columns):
    a, b, want = sides(batch, rows, columns, 300, turns)
    numbers, kernels = np.asarray(turns, np.int64).tobytes(), native.products
    results = [np.full(want.shape, np.nan, np.float32) for _ in range(4)]
    for threads, result in zip((1, 2, 3, 16), results):
        kernels.call(kernels.multiply, (a, b), (result,), numbers, threads)
    np.testing.assert_allclose(results[0], want, rtol=0, atol=2e-4)
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])


@pytest.mark.parametrize("turns", TURNS)
def test_nothing_to_multiply(turns):
    given = [sides(*sizes, turns) for sizes in (
        ((), 0, 3, 2), ((), 3, 0, 2), ((), 3, 2, 0), ((0,), 3, 2, 4), ((2,), 3, 2, 0))]
    for got, (*_, want) in zip(all_multiplied([each[:2] for each in given], turns), given):
        np.testing.assert_array_equal(got, want)
        assert got.shape == want.shape


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("turns", TURNS)
def test_what_is_not_finite_stays_in_its_row(turns, value):
    a, b, _ = sides((), 13, 21, 10, turns)
    (a.T if turns[0] else a)[4, 3] = value
    got = multiplied(a, b, turns)
    assert not np.isfinite(got[4]).any() and np.isfinite(np.delete(got, 4, 0)).all()
    np.testing.assert_array_equal(np.isnan(got[4]), np.full(21, np.isnan(value)))


def test_zero_times_infinity_is_not_a_number():
    a, b = np.zeros([30, 8], np.float32), np.full([8, 9], np.inf, np.float32)
    assert np.isnan(multiplied(a, b, (False, False))).all()


def test_matrices_that_do_not_fit_are_refused():
    with pytest.raises(Exception, match="sizes that do not fit"):
        multiplied(random(3, 4), random(5, 6), (False, False))


def test_gradients_of_whole_functions():
    a, b, _ = sides((3,), 25, 9, 11, (True, False))
    loss = lambda multiply: lambda a, b: jnp.sum(jnp.sin(multiply(a, b)))
    got = jax.jit(jax.grad(loss(lambda a, b: native_products.multiply(a, b, True, False)), (0, 1)))(a, b)
    want = jax.grad(loss(lambda a, b: jnp.matmul(a.swapaxes(1, 2), b)), (0, 1))(a, b)
    for each, right in zip(got, want):
        np.testing.assert_allclose(each, right, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("a, b, turns, taken", [
    ((32, 784), (32, 64), (True, False), True),
    ((32, 784), (784, 64), (False, False), True),
    ((128, 784), (784, 64), (False, False), True),
    ((1024, 512), (512, 512), (False, False), False),
    ((2, 40, 30), (2, 30, 50), (False, False), False),
    ((1024, 512), (1024, 512), (True, False), True),
    ((8, 64), (64, 64), (False, False), False),
    ((64, 8), (64, 8), (True, False), True),
    ((512, 8), (512, 1000), (True, False), False),
    ((64, 128), (64, 10000), (True, False), False),
    ((64, 64), (64, 1), (False, False), False),
    ((4096, 3), (3, 3), (False, True), True),
    ((4096, 3), (3, 1), (False, False), False),
    ((4096, 5), (5, 3), (False, False), False),
    ((100, 3), (3, 3), (False, False), False),
    ((16, 4, 64, 32), (16, 4, 64, 64), (True, False), True),
    ((16, 4, 64, 32), (4, 64, 64), (True, False), False),
    ((0, 32, 64), (0, 32, 64), (True, False), False),
])
def test_where_the_kernel_is_used(a, b, turns, taken):
    program = jax.jit(lambda a, b: matmul.product(jnp, a, b, *turns))
    text = program.lower(*(jax.ShapeDtypeStruct(shape, np.float32) for shape in (a, b))).as_text()
    assert ("products.multiply" in text) == taken


@pytest.mark.parametrize("dtype", [np.float16, np.int32, np.complex64])
def test_other_dtypes_are_left_to_xla(dtype):
    a, b = random(40, 30).astype(dtype), random(40, 50).astype(dtype)
    assert not native_products.takes(jnp.asarray(a), jnp.asarray(b), True, False)


def test_ops_in_a_compiled_step(session):
    x, w = random(40, 30), random(40, 50, seed=1)
    a, b = tf.Variable(x), tf.Variable(w)
    y = tf.matmul(a, b, transpose_a=True)
    loss = tf.reduce_sum(tf.square(y))
    session.run(tf.global_variables_initializer())
    np.testing.assert_allclose(session.run(y), x.T @ w, rtol=1e-4, atol=1e-4)
    for got, want in zip(session.run(tf.gradients(loss, [a, b])), (2 * w @ (x.T @ w).T, 2 * x @ (x.T @ w))):
        np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-2)


@pytest.mark.parametrize("turns", TURNS)
def test_how_work_is_divided_changes_no_bit(turns):
    a, b, _ = sides((), 300, 290, 300, turns)
    some = a[:, 100:131] if turns[0] else a[100:131]  # one block of few rows, which one thread computes
    np.testing.assert_array_equal(multiplied(a, b, turns)[100:131], multiplied(some, b, turns))


VIEWS = {
    "heads": (lambda: random(8, 50, 4, 16).transpose(0, 2, 1, 3), lambda: random(8, 50, 4, 16).transpose(0, 2, 3, 1)),
    "turned": (lambda: random(300, 70).T, lambda: random(90, 300).T),
    "every other number": (lambda: random(60, 130)[:, ::2], lambda: random(65, 40)),
    "backwards": (lambda: random(4, 60, 65)[::-1, ::-1], lambda: random(4, 65, 40)[:, :, ::-1]),
    "one matrix for all": (lambda: np.broadcast_to(random(60, 65), (4, 60, 65)), lambda: random(4, 65, 40)),
    "parts": (lambda: random(70, 80)[3:63, 5:70], lambda: random(70, 80)[2:67, 4:44]),
}


@pytest.mark.parametrize("views", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_views_on_numpy(views, dtype, monkeypatch):
    monkeypatch.setattr(recording, "_MOST_A_STEP", 1 << 20)
    a, b = (view().astype(dtype, copy=False) for view in views)
    want = np.matmul(a.astype(np.float64), b.astype(np.float64))
    np.testing.assert_allclose(native_products.multiply_now(a, b), want, rtol=0, atol=1e-4)
    assert recording.available()
    recorder = recording.Recorder([a, b])
    replay = recording.player([None, recorder.tape([native_products.multiply_now(*recorder.values)])])
    np.testing.assert_array_equal(replay(None, a, b)[0], native_products.multiply_now(a, b))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("batch, rows, depth, columns", [
    ((), 1, 768, 1003), ((), 7, 301, 777), ((), 3, 9, 40000), ((2, 5), 2, 64, 70), ((), 5, 1, 90), ((), 2, 3000, 8)])
def test_products_of_few_rows(batch, rows, depth, columns, dtype):
    a, b = random(*batch, rows, depth).astype(dtype), random(*batch, depth, columns, seed=1).astype(dtype)
    want = np.matmul(a.astype(np.float64), b.astype(np.float64))
    module = native.products if dtype == np.float32 else native.products64
    for turns in TURNS:
        left, right = (np.ascontiguousarray(x.swapaxes(-1, -2)) if turn else x for x, turn in zip((a, b), turns))
        results = [np.full(want.shape, np.nan, dtype) for _ in range(3)]
        for threads, result in zip((1, 2, 5), results):
            module.call(module.multiply, (left, right), (result,), np.array(turns, np.int64).tobytes(), threads)
            np.testing.assert_array_equal(result, results[0])
        np.testing.assert_allclose(results[0], want, rtol=0, atol=2e-5 * depth ** 0.5)


def test_matrices_of_a_loop_are_multiplied_where_they_are(monkeypatch):
    wide, narrow = random(1000, 600), random(30, 600)
    turned = []
    real = np.ascontiguousarray
    monkeypatch.setattr(np, "ascontiguousarray", lambda x: turned.append(x.shape) or real(x))
    with tf.Graph().as_default(), tf.Session(tier="numpy") as session:
        matrices = [tf.Variable(wide), tf.Variable(narrow)]
        x = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x + tf.add_n(
            [tf.reduce_sum(tf.matmul(x, matrix, transpose_b=True)) for matrix in matrices])),
            (0, tf.ones([1, 600]) / 600))[1]
        session.run(tf.global_variables_initializer())
        got = session.run(x)
    want = np.ones([1, 600]) / 600
    for _ in range(3):
        want = want + (want @ wide.T).sum() + (want @ narrow.T).sum()
    np.testing.assert_allclose(got, want, rtol=1e-3)
    assert turned == []


def test_views_whose_rows_are_not_side_by_side_are_refused():
    a, b, result = random(60, 130)[:, ::2], random(65, 40), np.empty([60, 40], np.float32)
    with pytest.raises(ValueError, match="side by side"):
        native.products.call_on_views(native.products.multiply, (a, b), (result,), bytes(16), 1)
    with pytest.raises(ValueError, match="contiguous"):
        native.products.call(native.products.multiply, (a, b), (result,), bytes(16), 1)


@pytest.mark.parametrize("a, b, taken", [
    ((200, 256), (256, 512), True),
    ((32, 4, 50, 16), (32, 4, 16, 50), True),
    ((32, 4, 50, 16), (4, 16, 50), False),
    ((20, 30), (30, 40), False),
    ((2000, 2000), (2000, 1), False),
    ((1, 2000), (2000, 2000), True),
    ((1, 300), (300, 300), False),
    ((0, 2000), (2000, 2000), False),
])
def test_which_products_of_numpy_the_kernel_takes(monkeypatch, a, b, taken):
    seen = []
    monkeypatch.setattr(native_products, "multiply_now", lambda a, b: seen.append((a, b)) or np.matmul(a, b))
    with tf.Graph().as_default(), tf.Session(tier="numpy") as session:
        session.run(tf.matmul(random(*a), random(*b, seed=1)))
    assert bool(seen) == taken


@pytest.mark.parametrize("dtype", [np.float16, np.int32, np.complex64])
def test_other_dtypes_are_left_to_numpy(dtype):
    a, b = random(200, 200).astype(dtype), random(200, 200, seed=1).astype(dtype)
    assert not native_products.takes_now(a, b)


@pytest.mark.parametrize("turns", TURNS)
@pytest.mark.parametrize("sizes", SIZES)
def test_products_of_doubles(turns, sizes):
    rows, columns, depth = sizes
    a, b = np.random.RandomState(0).randn(rows, depth), np.random.RandomState(1).randn(depth, columns)
    given = tuple(np.ascontiguousarray(x.T) if turn else x for x, turn in zip((a, b), turns))
    results, kernels = [np.full((rows, columns), np.nan) for _ in range(2)], native.products64
    for threads, result in zip((1, 3), results):
        kernels.call(kernels.multiply, given, (result,), np.array(turns, np.int64).tobytes(), threads)
    np.testing.assert_allclose(results[0], a @ b, rtol=0, atol=1e-13 * depth)
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_large_product_on_numpy_is_that_of_matrices(dtype):
    a, b = random(210, 256).astype(dtype), random(256, 512, seed=1).astype(dtype)
    with tf.Graph().as_default(), tf.Session(tier="numpy") as session:
        x, y = tf.placeholder(dtype), tf.placeholder(dtype)
        for turns in TURNS:
            given = {x: a.T if turns[0] else a, y: b.T if turns[1] else b}
            got = session.run(tf.matmul(x, y, transpose_a=turns[0], transpose_b=turns[1]), given)
            np.testing.assert_allclose(got, a.astype(np.float64) @ b, rtol=0, atol=2e-4)


def test_threads_may_multiply_at_the_same_time(monkeypatch):
    monkeypatch.setattr(foreign, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(foreign, "_cores", lambda: 3)
    pairs = [(random(150, 120, seed=at), random(120, 90, seed=at + 50)) for at in range(8)]
    alone = [native_products.multiply_now(a, b) for a, b in pairs]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            for got, want in zip(pool.map(lambda pair: native_products.multiply_now(*pair), pairs), alone):
                np.testing.assert_array_equal(got, want)
