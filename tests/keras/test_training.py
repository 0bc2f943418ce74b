"""Models train as TensorFlow's do: histories, predictions and weights."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.recorded import texts
from tests.keras.training_programs import PROGRAMS

RECORDED = texts("keras_training")


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_recorded(name):
    found = PROGRAMS[name](tf, tf.keras.layers)
    assert list(found) == list(RECORDED[name])
    for key, values in found.items():
        np.testing.assert_allclose(values, RECORDED[name][key], rtol=1e-5, atol=1e-5, err_msg=key)
