"""Modules with functions go both ways: each side loads what the other saved, and the answers agree."""

from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER
from tests.eager.saved.modules import MODULES, ask, write
from tests.interop import judge

ROOT = str(Path(__file__).resolve().parents[2])


def tensorflow_writes(tf, root, where):
    import sys

    sys.path.insert(0, root)
    from tests.eager.saved.modules import write

    tf.enable_v2_behavior()
    return write(tf.compat.v2, where, where)


def tensorflow_asks(tf, root, where):
    import sys

    sys.path.insert(0, root)
    from tests.eager.saved.modules import ask

    tf.enable_v2_behavior()
    return ask(tf.compat.v2, tf.compat.v2.saved_model.load, where)


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("theirs"))
    wanted = judge.ask(tensorflow_writes, folder, root=ROOT, where=folder)
    with EAGER.as_default():
        return ask(tf, tf.saved_model.load_v2, folder), wanted


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("ours"))
    with EAGER.as_default():
        wanted = write(tf, folder, folder)
    return judge.ask(tensorflow_asks, folder, root=ROOT, where=folder), wanted


def check(found, wanted):
    assert len(found) == len(wanted)
    for value, other in zip(found, wanted):
        assert value.dtype == other.dtype and value.shape == other.shape
        np.testing.assert_allclose(value, other, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", MODULES)
def test_evergraph_loads_tensorflows(theirs, name):
    check(theirs[0][name], theirs[1][name])


@pytest.mark.parametrize("name", MODULES)
def test_tensorflow_loads_evergraphs(ours, name):
    check(ours[0][name], ours[1][name])
