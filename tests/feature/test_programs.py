"""Feature columns have TensorFlow's variables, nodes, numbers and training."""

import numpy as np
import pytest

import evergraph as tf
from tests.feature.programs import PROGRAMS, recorded
from tests.harness.recorded import numbers, texts

VALUES, TEXTS = numbers("feature"), texts("feature")


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_recorded(name):
    (variables, nodes), values = recorded(tf, name)
    wanted_variables, wanted_nodes = TEXTS[name]
    assert variables == wanted_variables
    assert nodes == wanted_nodes
    assert len(values) == sum(key.split("|")[0] == name for key in VALUES.files)
    for number, value in enumerate(values):
        value, wanted = np.asarray(value), VALUES[f"{name}|{number}"]
        assert value.shape == wanted.shape
        if wanted.dtype.kind == "S":
            assert value.tolist() == wanted.tolist()
        else:
            assert value.dtype == wanted.dtype
            np.testing.assert_allclose(value, wanted, rtol=2e-5, atol=2e-5, err_msg=f"{name} {number}")
