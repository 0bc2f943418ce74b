"""Recurrent networks have TensorFlow's variables, names, shapes and numbers, in both tiers, and its errors."""

import json
from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from tests.rnn.programs import PROGRAMS, recorded

GOLDENS = Path(__file__).parents[1] / "goldens"
VALUES = np.load(GOLDENS / "rnn.npz")
TEXTS = json.loads((GOLDENS / "rnn.json").read_text())


@pytest.mark.parametrize("tier", ["numpy", "xla"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_recorded(name, tier):
    variables, results, values = recorded(tf, PROGRAMS[name], tier=tier)
    wanted_variables, wanted_results = TEXTS[name]
    assert variables == wanted_variables
    assert results == wanted_results
    for number, value in enumerate(values):
        wanted = VALUES[f"{name}|{number}"]
        assert value.dtype == wanted.dtype
        np.testing.assert_allclose(value, wanted, rtol=2e-5, atol=2e-6)
