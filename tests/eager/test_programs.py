"""Whole programs give with eager execution the numbers that they give in TensorFlow."""

import numpy as np
import pytest

import evergraph as tf
from tests.eager import more_programs  # noqa: F401 - adds to PROGRAMS
from tests.eager.programs import PROGRAMS
from tests.harness.recorded import assert_as_recorded, numbers


@pytest.fixture(scope="module")
def recorded():
    return numbers("eager_programs")


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, recorded):
    tf.set_random_seed(1)
    values = [np.asarray(value.numpy() if hasattr(value, "numpy") else value) for value in PROGRAMS[name](tf)]
    assert_as_recorded(recorded, name, values, rtol=2e-5, atol=2e-6)
