"""The kernels in C for special functions give what SciPy gives, and TensorFlow's limits."""

import jax
import numpy as np
import pytest
import scipy.special

from evergraph import native
from evergraph.kernel import native_special
from evergraph.kernel.foreign import call_now

pytestmark = [pytest.mark.cpus,
              pytest.mark.skipif(native.special is None, reason="the C code was not built here, or is turned off")]
NAN, INF = np.nan, np.inf


def computed(name, *arrays):
    numbers = np.array([arrays[0].size, arrays[0].dtype == np.float64], np.int64).tobytes()
    return call_now(f"special.{name}", [arrays[0].shape], arrays, numbers, 0, arrays[0].dtype)[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name, reference, count", [
    ("igamma", scipy.special.gammainc, 2), ("igammac", scipy.special.gammaincc, 2),
    ("betainc", scipy.special.betainc, 3), ("lgamma", scipy.special.gammaln, 1),
    ("digamma", scipy.special.digamma, 1)])
def test_numbers(dtype, name, reference, count):
    generator = np.random.RandomState(0)
    given = [(10 ** generator.uniform(-2, 2.5, 5000)).astype(dtype) for _ in range(count)]
    if name == "betainc":
        given[2] = generator.rand(5000).astype(dtype)
    wanted = reference(*(each.astype(np.float64) for each in given))
    tolerances = (2e-7, 1e-9) if dtype == np.float32 else (1e-10, 1e-14)  # logarithms in the thousands cancel
    np.testing.assert_allclose(computed(name, *given), wanted, *tolerances)


@pytest.mark.parametrize("a, x, lower, upper", [
    (1, 0, 0, 1), (0, 0, 0, NAN), (0, 1, NAN, NAN), (-1, 1, NAN, NAN), (1, -1, NAN, NAN), (NAN, 1, NAN, NAN),
    (1, NAN, NAN, NAN), (1, INF, 1, 0), (INF, 1, 0, 1), (INF, INF, 0, 0), (1e-30, 1e-30, 1, 0)])
def test_limits_of_incomplete_gamma_functions(a, x, lower, upper):
    given = np.float64([a]), np.float64([x])
    np.testing.assert_allclose([computed("igamma", *given)[0], computed("igammac", *given)[0]], [lower, upper],
                               rtol=0, atol=1e-14)


@pytest.mark.parametrize("a, b, x, wanted", [
    (1, 1, 0, 0), (1, 1, 1, 1), (1, 1, 0.25, 0.25), (0, 1, 0.5, NAN), (1, -1, 0.5, NAN), (1, 1, -0.1, NAN),
    (1, 1, 1.1, NAN), (NAN, 1, 0, 0), (NAN, 1, 0.5, NAN), (INF, 1, 0.5, NAN), (1, 1, NAN, NAN)])
def test_limits_of_the_incomplete_beta_function(a, b, x, wanted):
    np.testing.assert_allclose(computed("betainc", *np.float64([[a], [b], [x]])), [wanted], rtol=1e-15)


def test_digamma_below_zero():
    x = np.array([-0.5, -3.25, 0, -2, -INF, INF, NAN, 1e-300])
    np.testing.assert_allclose(computed("digamma", x), [
        *scipy.special.digamma(x[:2]), NAN, NAN, NAN, INF, NAN, -1e300], rtol=1e-13)


def test_in_a_program_with_a_gradient():
    x = np.linspace(0.5, 5, 300, dtype=np.float32)
    program = jax.jit(jax.value_and_grad(lambda x: native_special.computed(
        "igamma", jax.lax.igamma, jax.numpy.full_like(x, 2), x).sum()))
    value, slope = program(x)
    np.testing.assert_allclose(value, scipy.special.gammainc(2, x).sum(), rtol=1e-5)
    np.testing.assert_allclose(slope, x * np.exp(-x), rtol=1e-4)


def test_sizes_that_differ():
    with pytest.raises(ValueError, match="sizes that do not fit"):
        computed("igamma", np.zeros(3), np.zeros(2))
