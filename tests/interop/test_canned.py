"""Canned models of TensorFlow and evergraph go on with each other's training and serve each other's exports."""

import shutil

import numpy as np
import pytest

import evergraph as eg
from tests.estimator.canned_programs import continued
from tests.interop.judge import ask

STEPS = 5


def in_tensorflow(tf, name, model_dir, served):
    from tests.estimator.canned_programs import continued

    return continued(tf, name, model_dir, 5, served)


def judged(tmp_path, name, folder, served=None):
    return ask(in_tensorflow, tmp_path, name=name, model_dir=str(folder), served=served)


def close(ours, theirs):
    assert ours["names"] == theirs["names"]
    np.testing.assert_allclose(ours["predictions"], theirs["predictions"], rtol=1e-4, atol=1e-5)
    assert ours["metrics"] == pytest.approx(theirs["metrics"], rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("name", ["DNNClassifier", "LinearRegressor", "LinearClassifier by SDCA",
                                  "DNNLinearCombinedClassifier"])
def test_either_goes_on_where_the_other_stopped(name, tmp_path):
    theirs, copy = tmp_path / "theirs", tmp_path / "copy"
    first = judged(tmp_path, name, theirs)
    shutil.copytree(theirs, copy)
    ours = continued(eg, name, str(theirs), STEPS, first["exported"])
    np.testing.assert_allclose(ours["answer"], first["predictions"], rtol=1e-5, atol=1e-6)
    close(ours, judged(tmp_path, name, copy))
    back = judged(tmp_path, name, theirs, ours["exported"])
    np.testing.assert_allclose(back["answer"], ours["predictions"], rtol=1e-5, atol=1e-6)
    close(continued(eg, name, str(copy), STEPS), back)
