"""What every test finds."""

import pytest

import evergraph as tf


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
