"""Scatters into a variable that the same step has just set."""

import numpy as np

import evergraph as tf
from tests.harness.session import TIERS, run


@TIERS
def test_the_value_set_is_scattered_into(tier):
    variable = tf.Variable(np.zeros((2, 2), "float32"))
    rows = tf.placeholder(tf.float32, [3, 2])
    with tf.control_dependencies([variable.initializer]):
        changed = tf.scatter_max(variable, [0, 1, 1], rows)
    fed = np.array([[1, -1], [np.nan, 3], [7, np.nan]], "float32")
    np.testing.assert_array_equal(run(changed, {rows: fed}, tier), [[1, 0], [7, 3]])
