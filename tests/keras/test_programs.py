"""Each program has the variables, numbers, gradients, losses and moving averages that TensorFlow's has."""

import pytest

import evergraph as tf
from tests.harness.recorded import assert_as_recorded, numbers, texts
from tests.keras.programs import PROGRAMS, recorded

VALUES, TEXTS = numbers("keras"), texts("keras")


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_recorded(name):
    described, values = recorded(tf, name)
    assert described == TEXTS[name]
    assert_as_recorded(VALUES, name, values, rtol=5e-5, atol=5e-5)
