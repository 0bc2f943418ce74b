"""Values that are on the host when a compiled program reads them: moved once, or left there if replaced again."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from evergraph.kernel.storage import put

pytestmark = pytest.mark.cpus


class Reader:
    """A session whose compiled program reads a variable.

    Args:
        rows: the number of rows of the variable.
    """

    def __init__(self, rows):
        self.rows = rows
        v = tf.get_variable("v", [rows, 8], use_resource=False)
        self.total = tf.reduce_sum(tf.square(v))
        self.session = tf.Session(tier="xla")
        self.session.run(v.initializer)
        self.store = self.session._store
        (self.key,) = [key for key in self.store.keys() if self.store.forms([key])[0][0] == (rows, 8)]

    def replace(self, value):
        """Replaces the value by an array on the host, as a stage does that runs on NumPy."""
        put(self.store, {self.key: np.full((self.rows, 8), value, np.float32)})

    def run(self):
        """(the result, whether the variable is on the host now)."""
        found = self.session.run(self.total)
        return float(found), isinstance(self.store.get_all([self.key])[0], np.ndarray)


def test_a_value_that_is_replaced_in_every_step_stays_on_the_host():
    reader = Reader(4)
    reader.run()
    compiled, stays = compilations.count, []
    for value in range(10):
        reader.replace(value)
        found, is_on_host = reader.run()
        stays.append(is_on_host)
        assert found == 32 * value * value
    assert not stays[0] and stays[-1] and compilations.count == compiled


def test_a_value_that_is_no_longer_replaced_is_moved():
    reader = Reader(4)
    for value in range(10):
        reader.replace(value)
        reader.run()
    assert reader.run() == (32 * 81.0, False) == reader.run()
    reader.replace(1.0)
    assert reader.run() == (32.0, True)


def test_a_large_value_is_always_moved():
    reader = Reader(8193)
    for value in range(10):
        reader.replace(value)
        assert reader.run() == (8.0 * 8193 * value * value, False)
