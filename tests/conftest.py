"""What every test finds."""

import collections
import gc

import pytest

import evergraph as tf
from evergraph.base import logging
from evergraph.compile.shared_programs import programs
from evergraph.kernel import precision
from evergraph.run import mixed_precision

COLLECTING = {"gc", "assert_no_garbage_created", "left_threads"}  # names in modules whose tests collect garbage


def pytest_runtest_setup(item):
    """Skips tests of rules for CPUs on an accelerator. JAX is loaded for such tests alone."""
    if item.get_closest_marker("cpus"):
        import jax

        if jax.default_backend() != "cpu":
            pytest.skip("a rule for CPUs")


@pytest.fixture(autouse=True)
def graph():
    """The test's own default graph."""
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def session(graph):
    """A session with that graph, the default one."""
    with tf.Session() as session:
        yield session


@pytest.fixture(autouse=True)
def no_programs():
    """No compiled programs of earlier tests: what a test compiles does not depend on them."""
    programs.clear()


@pytest.fixture(autouse=True)
def small_heap(request):
    """Collections that look at what the test made alone: thousands of tests leave millions of objects."""
    if not COLLECTING & vars(request.module).keys():
        yield
        return
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def log_counts(monkeypatch):
    """Counts of log_first_n and log_every_n that no earlier test has used up."""
    monkeypatch.setattr(logging, "_log_counts", collections.Counter())


@pytest.fixture(autouse=True)
def waiting(monkeypatch):
    """Steps that wait for the device: the call that fails is the one that raises."""
    monkeypatch.setenv("EVERGRAPH_RETURN_EARLY", "0")


@pytest.fixture(autouse=True)
def full_precision(monkeypatch):
    """Products of float32 on a GPU in full precision: the answers that tests compare with are a CPU's."""
    monkeypatch.setattr(precision.setting, "uses_tf32", False)
    monkeypatch.setattr(mixed_precision.setting, "is_on", False)
    monkeypatch.setattr(mixed_precision.setting, "was_off", False)
