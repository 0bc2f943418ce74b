"""Conditionals, loops, arrays and functions over rows: in both tiers, the numbers, names and shapes of TensorFlow."""

import json
from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from tests.control.programs import FAILURES, PROGRAMS

GOLDENS = Path(__file__).parents[1] / "goldens"
VALUES = np.load(GOLDENS / "control.npz")
FACTS = json.loads((GOLDENS / "control.json").read_text())


def run(program, tier, steps=None):
    """(fetches, values of all steps)."""
    with tf.Graph().as_default() as graph, tf.Session(graph=graph, tier=tier) as session:
        fetches, feeds = program.build(tf)
        session.run(tf.global_variables_initializer())
        return fetches, [v for _ in range(steps or program.steps) for v in session.run(fetches, feeds)]


def check(name, values):
    for number, value in enumerate(values):
        wanted = VALUES[f"{name}|{number}"]
        found = np.asarray(value)
        assert found.shape == wanted.shape
        if wanted.dtype.kind == "S":
            assert found.tolist() == wanted.tolist()
            continue
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", PROGRAMS)
def test_numpy(name):
    fetches, values = run(PROGRAMS[name], "numpy")
    check(name, values)
    for fetch, (label, shape) in zip(fetches, FACTS[name]):
        if PROGRAMS[name].named and not label.startswith("gradients"):
            assert fetch.name == label
        if shape is not None and fetch.shape.ndims is not None:
            assert fetch.shape.is_compatible_with(shape)


@pytest.mark.parametrize("name", [name for name, program in PROGRAMS.items() if program.compiles])
def test_compiled(name):
    check(name, run(PROGRAMS[name], "xla")[1])


@pytest.mark.parametrize("name", [name for name, program in PROGRAMS.items() if not program.compiles])
def test_what_cannot_be_compiled_runs_all_the_same(name):
    with pytest.raises(tf.errors.UnimplementedError, match="cannot be compiled"):
        run(PROGRAMS[name], "xla")
    _, values = run(PROGRAMS[name], None, steps=6)
    check(name, values[-len(FACTS[name]):])


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_failures(name, tier, monkeypatch):
    class Session(tf.Session):
        def __init__(self):
            super().__init__(tier=tier)

    class Namespace:
        def __getattr__(self, attribute):
            return Session if attribute == "Session" else getattr(tf, attribute)

    wanted = FACTS["failures"][name]
    with tf.Graph().as_default(), pytest.raises(Exception) as caught:
        FAILURES[name](Namespace())
    assert type(caught.value).__name__ == wanted
