"""What every test of eager execution finds."""

import pytest

from evergraph.eager.graph import EAGER


@pytest.fixture(autouse=True)
def eagerly(graph):
    """Eager execution, as after tf.enable_eager_execution(), with random streams and names that begin anew."""
    EAGER.seed = None
    EAGER.forget_plain()
    with EAGER.as_default():
        yield EAGER
