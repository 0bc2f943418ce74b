"""Canned models train, evaluate and predict as TensorFlow's do, from the same variables and data."""

import os

import numpy as np
import pytest

import evergraph as tf
from tests.estimator.canned_programs import PROGRAMS, trained
from tests.harness.recorded import numbers

# Each takes a few seconds to compile: EVERGRAPH_CANNED=all runs all of them, as `make canned` does.
QUICK = ("BaselineRegressor", "LinearRegressor", "LinearClassifier by SDCA", "DNNLinearCombinedRegressor",
         "Keras DNNClassifier")
CHOSEN = list(PROGRAMS) if os.environ.get("EVERGRAPH_CANNED") == "all" else QUICK


def recorded(name):
    stored = numbers("canned")
    return {key.split("|")[1]: stored[key] for key in stored.files if key.split("|")[0] == name}


@pytest.mark.parametrize("name", CHOSEN)
def test_as_tensorflow(name, tmp_path):
    wanted = recorded(name)
    start = {key.removeprefix("start "): value for key, value in wanted.items() if key.startswith("start ")}
    found = trained(tf, name, str(tmp_path), start)
    assert set(found) == set(wanted)
    np.testing.assert_allclose(found["losses"], wanted["losses"], rtol=1e-4)
    for key, value in found.items():
        np.testing.assert_allclose(value, wanted[key], rtol=1e-5, atol=1e-5, err_msg=key)


def test_a_keras_optimizer_names_the_global_step_after_training(tmp_path):
    """Outside the graph of the training it still knows the variable that counted, and a second training counts on."""
    optimizer = tf.keras.optimizers.SGD(0.1)
    model = tf.compat.v2.estimator.LinearEstimator(
        tf.estimator.RegressionHead(), [tf.feature_column.numeric_column("x")], str(tmp_path), optimizer=optimizer)
    for steps in (2, 4):
        model.train(lambda: ({"x": [[1.0]]}, [[2.0]]), steps=2)
        assert optimizer.iterations.name == "global_step:0"
        assert model.get_variable_value(optimizer.iterations.name) == steps
