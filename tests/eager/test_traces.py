"""Functions are traced for as many kinds of arguments as in TensorFlow."""

import pytest

import evergraph as tf
from tests.eager import traces
from tests.harness.recorded import texts


@pytest.fixture(scope="module")
def recorded():
    return texts("eager_traces")


def test_every_row_is_recorded(recorded):
    assert set(recorded) == {*traces.TRACES, "defaults", "after_specs"}


@pytest.mark.parametrize("name", traces.TRACES)
def test_traces(name, recorded):
    assert traces.counted(tf, name) == recorded[name]


def test_traces_with_defaults(recorded):
    assert traces.counted_with_defaults(tf) == recorded["defaults"]


def test_traces_after_specs(recorded):
    assert traces.counted_after_specs(tf) == recorded["after_specs"]
