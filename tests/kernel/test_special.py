"""Special functions of one argument run on both tiers, with the same results."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations

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
