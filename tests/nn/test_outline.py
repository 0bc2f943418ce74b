"""Formulas that JAX traces once for all arguments of the same shapes."""

import jax
import numpy as np
import pytest

from evergraph.ops.nn.outline import outlined

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def counted():
    """(an outlined formula, the list of the factors that it was traced or called with)."""
    calls = []

    def formula(xp, x, factor, name):
        calls.append((factor, name))
        return xp.sum(x) * factor, x

    return outlined(formula), calls


def test_is_traced_once_for_each_shape_and_known_value():
    formula, calls = counted()

    def program(x):
        given = [(x, 2, "a"), (x, 2, "a"), (x, 2, "a"), (x[0], 2, "a"), (x, 3, "a"), (x, 3, "b")]
        return [formula(jax.numpy, value, np.float32(factor), name)[0] for value, factor, name in given]

    assert [float(value) for value in jax.jit(program)(X)] == [30, 30, 30, 6, 45, 45]
    assert calls == [(2, "a"), (2, "a"), (3, "a"), (3, "b")]


def test_runs_at_once_on_numpy():
    formula, calls = counted()
    for _ in range(2):
        total, same = formula(np, X, np.float32(2), "a")
    assert total == 30 and same is X and len(calls) == 2


def test_a_large_known_value_is_not_compared():
    formula, calls = counted()
    factor = np.ones(1000, np.float32)
    found = jax.jit(lambda x: [formula(jax.numpy, x, factor, "a")[0] for _ in range(2)])(X)
    np.testing.assert_array_equal(found[1], 15 * factor)
    assert len(calls) == 2


@pytest.mark.parametrize("known", [np.zeros((0, 3), np.float32), np.array(True), np.float64(0.1), 7, "same", None])
def test_known_values_arrive_as_they_are(known):
    seen = []
    formula = outlined(lambda xp, x, value: seen.append(value) or (x,))
    jax.jit(lambda x: formula(jax.numpy, x, known))(X)
    assert np.array_equal(seen[0], known) and np.shape(seen[0]) == np.shape(known)
    assert getattr(seen[0], "dtype", type(known)) == getattr(known, "dtype", type(known))
