"""Each program has the variables, numbers, gradients, losses and moving averages that TensorFlow's has."""

import json
from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from tests.keras.programs import PROGRAMS, recorded

GOLDENS = Path(__file__).parents[1] / "goldens"
VALUES = np.load(GOLDENS / "keras.npz")
TEXTS = json.loads((GOLDENS / "keras.json").read_text())


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_recorded(name):
    texts, values = recorded(tf, name)
    assert texts == TEXTS[name]
    assert len(values) == sum(key.split("|")[0] == name for key in VALUES.files)
    for number, value in enumerate(values):
        wanted = VALUES[f"{name}|{number}"]
        assert value.dtype == wanted.dtype and value.shape == wanted.shape
        np.testing.assert_allclose(value, wanted, rtol=5e-5, atol=5e-5, err_msg=str(number))
