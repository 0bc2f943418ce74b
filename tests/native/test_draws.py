"""The kernels in C that draw random numbers, in compiled programs and at once, draw what NumPy draws."""

import contextlib

import jax.numpy as jnp
import numpy as np
import pytest

from evergraph import native
from evergraph.compile import backend
from evergraph.kernel import native_draws
from evergraph.ops.math import draws, samplers

pytestmark = [pytest.mark.cpus,
              pytest.mark.skipif(native.draws is None, reason="the C code was not built here, or is turned off")]

jax = backend.jax()  # with integers of 64 bits
STATE = np.array([123, 2**64 - 5, 77], np.uint64)  # the low half of the counter overflows


@pytest.fixture
def plain(monkeypatch):
    """In this context NumPy draws without the kernels."""
    @contextlib.contextmanager
    def without_kernels():
        with monkeypatch.context() as patch:
            patch.setattr(native, "draws", None)
            yield
    return without_kernels


@pytest.mark.parametrize("draw", [draws.normal, draws.truncated_normal])
@pytest.mark.parametrize("count, dtype", [(50_003, np.float32), (1001, np.float16)])
def test_floats(draw, count, dtype, plain):
    compiled = jax.jit(lambda state: draw(jnp, state, (count,), dtype))(STATE)
    at_once = draw(np, STATE, (count,), dtype)
    np.testing.assert_array_equal(at_once, compiled)
    tolerance = 2e-3 if dtype == np.float16 else 1e-6
    with plain():
        np.testing.assert_allclose(at_once, draw(np, STATE, (count,), dtype), rtol=tolerance, atol=1e-6)


@pytest.mark.parametrize("draw", [draws.normal, draws.truncated_normal])
@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (5,), (256,), (7, 41)])
def test_few_floats(draw, shape, plain):
    found = draw(np, STATE, shape, np.float32)
    assert found.shape == shape and found.dtype == np.float32
    with plain():
        np.testing.assert_allclose(found, draw(np, STATE, shape, np.float32), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("draw, parameters", [
    (samplers.gamma, [0.0, 1e-3, 0.3, 1.0, 2.0, 1e4, np.inf, np.nan, -1.0]),
    (samplers.poisson, [0.0, 0.4, 4.0, 9.99, 10.0, 37.5, 1e6, 1e18, np.inf, np.nan, -1.0])])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_variables(draw, parameters, dtype, plain, monkeypatch):
    parameters = np.array(parameters, dtype)
    compiled = jax.jit(lambda state, parameters: draw(jnp, state, parameters, 500, dtype))(STATE, parameters)
    at_once = draw(np, STATE, parameters, 500, dtype)
    exact = {"rtol": 1e-12, "atol": 1e-300} if dtype == np.float64 else {"rtol": 1e-6, "atol": 1e-37}
    with plain():
        for_any_processor = draw(np, STATE, parameters, 500, dtype)
        monkeypatch.setattr(native, "random", None)
        in_python = draw(np, STATE, parameters, 500, dtype)
    for found in (compiled, at_once, for_any_processor):
        np.testing.assert_allclose(found, in_python, **exact)


def test_counts(plain, monkeypatch):
    rates = np.array([4.0, 40.0, np.nan, np.inf], np.float32)
    compiled = jax.jit(lambda state: samplers.poisson(jnp, state, rates, 100, np.int32))(STATE)
    monkeypatch.setattr(native, "random", None)
    with plain():
        np.testing.assert_array_equal(compiled, samplers.poisson(np, STATE, rates, 100, np.int32))


@pytest.mark.parametrize("size", [2, 3, 1003])
def test_permutation(size, plain):
    compiled = jax.jit(lambda state: samplers.permutation(jnp, state, size))(STATE)
    at_once = samplers.permutation(np, STATE, size)
    with plain():
        for found in (compiled, at_once):
            np.testing.assert_array_equal(found, samplers.permutation(np, STATE, size))


def test_classes(plain):
    logits = np.random.RandomState(0).randn(7, 90).astype(np.float32)
    logits[1, ::3], logits[2, 5], logits[3], logits[4] = -np.inf, np.nan, -np.inf, np.inf
    compiled = jax.jit(lambda state, logits: samplers.multinomial(jnp, state, logits, 40))(STATE, logits)
    at_once = samplers.multinomial(np, STATE, logits, 40)
    with plain():
        for found in (compiled, at_once):
            np.testing.assert_array_equal(found, samplers.multinomial(np, STATE, logits, 40))


@pytest.mark.parametrize("quarters, wanted", [(0, np.sin), (1, np.cos)])
def test_sine(quarters, wanted):
    x = np.linspace(-9e4, 9e4, 20_001).astype(np.float32)
    x[:5000] = np.linspace(-7, 7, 5000)
    x[5000:5007] = 0.0, -0.0, np.inf, -np.inf, np.nan, 1e30, -2e5
    found, back = jax.vjp(jax.jit(lambda x: native_draws.sine(x, quarters)), x)
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(found, wanted(x.astype(np.float64)), atol=2e-7)
        slope = np.cos(x.astype(np.float64)) if quarters == 0 else -np.sin(x.astype(np.float64))
    np.testing.assert_allclose(back(np.ones_like(x))[0], slope, atol=2e-7)
    assert np.signbit(found[5001]) == (quarters == 0)
