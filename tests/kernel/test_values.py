"""Whose a value is, and the arrays that results of kernels become."""

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from evergraph.kernel.values import Hole, array_module, is_traced, settled

CONCRETE = [np.zeros(3), np.zeros(()), np.float32(1), np.bool_(True), 1, 2.5, True, None, b"text", [jnp.zeros(1)],
            np.array([b"text"], object), Hole(np.dtype(np.float32)), jax.ShapeDtypeStruct((3,), np.float32)]


@pytest.mark.parametrize("value", CONCRETE, ids=lambda value: type(value).__name__)
def test_concrete_values_are_not_traced(value):
    assert not is_traced(value)
    assert array_module(value) is np


def test_arrays_of_jax_are_traced():
    assert is_traced(jnp.zeros(3))
    assert array_module(np.zeros(3), 1, jnp.zeros(3)) is jnp


@pytest.mark.parametrize("transform", [jax.jit, jax.vmap, jax.grad, jax.make_jaxpr, lambda f: lambda x: jax.eval_shape(
    f, x)], ids=["jit", "vmap", "grad", "make_jaxpr", "eval_shape"])  # fmt: skip
def test_tracers_of_every_transformation_are_traced(transform):
    seen = []

    def function(x):
        seen.append((is_traced(x), array_module(0.5, x) is jnp))
        return x * 2

    argument = jnp.ones(3) if transform is jax.vmap else jnp.float32(1)
    transform(function)(argument)
    assert set(seen) == {(True, True)}


def test_asking_does_not_load_jax():
    code = ("import sys, numpy as np; from evergraph.kernel.values import array_module, is_traced; "
            "assert not is_traced(np.zeros(3)) and array_module(1, np.float32(2)) is np; "
            "sys.exit('jax' in sys.modules)")
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_no_concrete_value_means_numpy():
    assert array_module() is np


def test_results_settle_to_the_declared_dtype():
    exact = np.arange(3, dtype=np.int64)
    assert settled(exact, np.dtype(np.int64)) is exact
    assert settled(np.float64(2), np.dtype(np.float32)).dtype == np.float32
    assert type(settled(True, np.dtype(bool))) is np.ndarray
    assert settled("text", np.dtype(object)).item() == b"text"
    hole = Hole(np.dtype(np.float32))
    assert settled(hole, np.dtype(np.int32)) is hole
