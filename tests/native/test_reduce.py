"""The kernels in C for reductions along an axis give what NumPy gives."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.kernel import native_reduce
from evergraph.ops.math import reduce

pytestmark = [pytest.mark.cpus,
              pytest.mark.skipif(native.reduce is None, reason="the C code was not built here, or is turned off")]

NUMBERS = (np.random.RandomState(0).randint(-9, 9, [5, 70, 300]) / 8).astype(np.float32)  # many are equal
NUMBERS[0, ::5], NUMBERS[1, :, ::3] = np.nan, np.inf
NUMBERS[2, :, ::4], NUMBERS[2, :, 1::4], NUMBERS[3, 2], NUMBERS[4] = 0.0, -0.0, -np.inf, np.nan
FACTORS = (1 + np.random.RandomState(1).randn(5, 70, 300) / 100).astype(np.float32)
FACTORS[0, 3, 5], FACTORS[1, 2, 7], FACTORS[2, 1] = 0.0, np.nan, -0.0


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("declared", [reduce.arg_max, reduce.arg_min])
def test_positions(declared, axis):
    run = lambda xp, x: declared.kernel(xp, x, np.int32(axis))
    np.testing.assert_array_equal(jax.jit(lambda x: run(jnp, x))(NUMBERS), run(np, NUMBERS))


@pytest.mark.parametrize("axes", [[0], [2], [0, 1, 2], [0, 2]])
def test_products(axes):
    run = lambda xp, x: reduce.prod.kernel(xp, x, np.array(axes), True)
    np.testing.assert_allclose(jax.jit(lambda x: run(jnp, x))(FACTORS), run(np, FACTORS), rtol=1e-3)


@pytest.mark.parametrize("axis, exclusive, reverse", [(0, False, True), (1, True, False), (2, True, True)])
@pytest.mark.parametrize("declared", [reduce.cumsum, reduce.cumprod])
def test_running(declared, axis, exclusive, reverse):
    run = lambda xp, x: declared.kernel(xp, x, np.int32(axis), exclusive, reverse)
    np.testing.assert_allclose(jax.jit(lambda x: run(jnp, x))(FACTORS), run(np, FACTORS), rtol=1e-3)


def test_gradients_of_whole_functions():
    x = FACTORS[3]
    running = lambda x: reduce.cumprod.kernel(jnp, x, np.int32(1), True, False)
    native_way = lambda x: native_reduce.products(x, [0]).sum() + running(x).sum()
    plain = lambda x: jnp.prod(x, 0).sum() + jnp.cumprod(x[:, :-1], 1).sum()
    np.testing.assert_allclose(jax.jit(jax.grad(native_way))(x), jax.grad(plain)(x), rtol=1e-3, atol=1e-3)


def test_logical_reductions():
    flags = np.random.RandomState(0).rand(20, 30) < 0.1
    flags[3], flags[4] = True, False
    for declared in (reduce.any_, reduce.all_):
        run = lambda xp, x: declared.kernel(xp, x, np.array([1]), False)  # noqa: B023
        np.testing.assert_array_equal(jax.jit(lambda x: run(jnp, x))(flags), run(np, flags))  # noqa: B023


@pytest.mark.parametrize("size", [8, None])
@pytest.mark.parametrize("name", ["sum", "mean", "prod", "min", "max"])
def test_segments_of_computed_rows(name, size):
    rows = np.random.RandomState(0).randn(8, 5).astype(np.float32)
    rows[1, 0], rows[2, 1], rows[4, 2] = np.nan, np.inf, -0.0
    found = []
    for tier in ("numpy", "xla"):
        with tf.Graph().as_default(), tf.Session(tier=tier) as session:
            x, ids = tf.placeholder(tf.float32, [size, 5]), tf.placeholder(tf.int64, [size])
            reduced = getattr(tf, f"segment_{name}")(tf.square(x) - 1, ids)
            fixed = getattr(tf, f"segment_{name}")(tf.square(x) - 1, [0, 0, 0, 2, 2, 3, 5, 5])
            fetches = [reduced, fixed, tf.gradients(reduced, x)[0]]
            found += [session.run(fetches, {x: rows, ids: given})
                      for given in ([0, 0, 0, 0, 1, 1, 4, 4], [1, 1, 1, 1, 1, 2, 2, 6])]
            with pytest.raises(tf.errors.InvalidArgumentError, match="not increasing"):
                session.run(reduced, {x: rows, ids: [0, 0, 0, 2, 1, 1, 4, 4]})
    for numpy, xla in zip(found[:2], found[2:], strict=True):
        for one, other in zip(numpy, xla, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5)


@pytest.mark.parametrize("shape, axes", [((3, 2, 1 << 14), (0, 1)), ((2, 3, 1 << 14), (1,)), ((40, 1 << 14), (0,)),
                                         ((1100, 4), (1,)), ((30, 50, 3), (2,))])
def test_rows_and_channels(shape, axes):
    x = np.random.RandomState(0).randn(*shape).astype(np.float32)
    x[0, ..., :3] = np.nan, np.inf, -np.inf
    for name in ("sum", "mean", "max", "min", "prod"):
        declared = getattr(reduce, name, None) or getattr(reduce, f"{name}_")
        for keep in (False, True):
            run = lambda xp, x, op=declared, keep=keep: op.kernel(xp, x, np.array(axes), keep)
            wanted = getattr(np, name)(x, axis=axes, keepdims=keep)
            np.testing.assert_allclose(run(np, x), wanted, rtol=1e-5, atol=1e-5)
            np.testing.assert_allclose(jax.jit(lambda x, run=run: run(jnp, x))(x), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("op", [reduce.sum_, reduce.max_, reduce.mean])
@pytest.mark.parametrize("shape", [(5003, 1), (1, 5003, 1), (3, 1)])
def test_reductions_of_columns(op, shape):
    column = np.random.RandomState(0).rand(*shape).astype(np.float32)
    for axes in (tuple(range(column.ndim)), (column.ndim - 1,)):
        for keep in (False, True):
            kernel = lambda xp, x, axes=axes, keep=keep: op.kernel(xp, x, np.array(axes), keep)
            found, wanted = jax.jit(lambda x, kernel=kernel: kernel(jnp, x + 1))(column), kernel(np, column + 1)
            assert found.shape == wanted.shape
            np.testing.assert_allclose(found, wanted, rtol=1e-5)
