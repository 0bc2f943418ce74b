"""What every test of AutoGraph finds."""

import pytest

from evergraph.eager.graph import EAGER


@pytest.fixture(autouse=True)
def eagerly(graph):
    """Eager execution, as after tf.enable_eager_execution()."""
    with EAGER.as_default():
        yield
