"""Special functions run on both tiers, with the same results."""

import numpy as np
import pytest
from scipy import special

import evergraph as tf
from evergraph.compile.policy import compilations
from tests.harness.session import TIERS

VALUES = [-np.inf, -170.5, -2.5, -2.0, -1.0, -0.5, -0.0, 0.0, 1e-30, 0.3, 1.0, 2.0, 5.0, 50.0, 171.0, np.inf, np.nan]
FUNCTIONS = (tf.lgamma, tf.digamma, tf.erf, tf.erfc, tf.math.bessel_i0e, tf.math.bessel_i1e)


@pytest.mark.parametrize("dtype, tolerance", [(tf.float64, 1e-9), (tf.float32, 2e-5), (tf.bfloat16, 2e-2)])
def test_tiers_agree(dtype, tolerance):
    x = tf.placeholder(dtype, [None])
    ys = [function(x) for function in FUNCTIONS]
    given = np.array(VALUES).astype(dtype.as_numpy_dtype)
    on_numpy, compiled = (tf.Session(tier=tier).run(ys, {x: given}) for tier in ("numpy", "xla"))
    for y, mine, other in zip(ys, on_numpy, compiled, strict=True):
        assert mine.dtype == given.dtype
        np.testing.assert_allclose(mine.astype(float), other.astype(float), tolerance, tolerance, err_msg=y.op.type)


def test_a_light_step_with_them_is_not_compiled():
    x, before = tf.placeholder(tf.float32, [4096]), compilations.count
    with tf.Session() as session:
        session.run([function(x) for function in FUNCTIONS] + tf.gradients(tf.lgamma(x) + tf.erf(x), x),
                    {x: np.ones(4096)})
    assert compilations.count == before


# Of gamma distributions, by SciPy's functions: values at the mean and some standard deviations beside it.
@TIERS
@pytest.mark.parametrize("dtype, shapes, tolerance", [
    (np.float32, [2e4, 1e6, 2e7, 1e10], 1e-6), (np.float64, [2e6, 2e7, 1e10], 1e-10)])
def test_incomplete_gamma_functions_of_large_shapes_are_right_and_end(tier, dtype, shapes, tolerance):
    a, x = np.array([(a, a + d * a ** 0.5) for a in shapes for d in (-30, -3, -1, 0, 0.5, 3, 30)], dtype).T
    shape, at = tf.placeholder(dtype, [None]), tf.placeholder(dtype, [None])
    fetches = [tf.igamma(shape, at), tf.igammac(shape, at), tf.raw_ops.IgammaGradA(a=shape, x=at),
               tf.raw_ops.RandomGammaGrad(alpha=shape, sample=at)]
    with tf.Session(tier=tier) as session:
        lower, upper, slope, sample_slope = session.run(fetches, {shape: a, at: x})
    a, x = a.astype(float), x.astype(float)
    np.testing.assert_allclose(lower, special.gammainc(a, x), 0, tolerance)
    np.testing.assert_allclose(upper, special.gammaincc(a, x), 0, tolerance)
    step = 1e-3 * a ** 0.5
    wanted = (special.gammainc(a + step, x) - special.gammainc(a - step, x)) / (2 * step)
    np.testing.assert_allclose(slope * a ** 0.5, wanted * a ** 0.5, 0, 1e-5)
    beside = (x - a) / a
    np.testing.assert_allclose(sample_slope, 1 + beside / 2, 0, 1e-4 + np.max(beside ** 2))


@TIERS
def test_incomplete_gamma_functions_of_shapes_without_digits(tier):
    """The shape plus one is the shape: the terms of a series stay as large as they are."""
    shape, at = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    with tf.Session(tier=tier) as session:
        lower, upper = session.run([tf.igamma(shape, at), tf.igammac(shape, at)], {
            shape: [1e30] * 6, at: [0, 1e29, 1e30, 1e31, np.inf, -1]})
    np.testing.assert_array_equal(lower, [0, 0, 0.5, 1, 1, np.nan])
    np.testing.assert_array_equal(upper, [1, 1, 0.5, 0, 0, np.nan])


@TIERS
@pytest.mark.parametrize("function, rows", [  # TensorFlow's: first argument, second argument, value
    (tf.igamma, [(0, 0, 0), (0, 1, np.nan), (-1, 0, 0), (-1, 1, np.nan), (np.inf, 3, 0), (np.inf, np.inf, 0),
                 (2, np.inf, 1), (np.nan, 0, 0), (2, -1, np.nan)]),
    (tf.igammac, [(0, 0, np.nan), (0, 1, np.nan), (-1, 1, np.nan), (np.inf, 3, 1), (np.inf, np.inf, 0),
                  (2, np.inf, 0)]),
    (tf.math.zeta, [(2, np.inf, 0), (1, 3, np.inf), (0, 0, np.nan), (np.inf, 3, 0), (np.inf, 1, 1), (1e30, 3, 0),
                    (1e30, 0.5, np.inf), (1.5, np.inf, 0)]),
    (tf.polygamma, [(1, np.inf, 0), (3, np.inf, 0), (1.5, np.inf, np.nan), (1, 0, np.inf)]),
], ids=["igamma", "igammac", "zeta", "polygamma"])
def test_limits(tier, function, rows):
    first, second, wanted = np.array(rows, float).T
    x, y = tf.placeholder(tf.float64, [None]), tf.placeholder(tf.float64, [None])
    with tf.Session(tier=tier) as session:
        np.testing.assert_array_equal(session.run(function(x, y), {x: first, y: second}), wanted)
