"""Updates of rows on NumPy: in order, whatever the layout of the variable is."""

import numpy as np
import pytest

import evergraph as tf

INDICES = [3, 0, 3, 3, 1]


@pytest.mark.parametrize("scatter, ufunc", [(tf.scatter_add, np.add), (tf.scatter_sub, np.subtract),
                                            (tf.scatter_mul, np.multiply), (tf.scatter_max, np.maximum)])
@pytest.mark.parametrize("shape", [(4,), (4, 3), (4, 3, 2), (4, 0)])
def test_rows_are_updated_in_order(scatter, ufunc, shape):
    generator = np.random.RandomState(0)
    start = generator.randn(*shape).astype(np.float32)
    updates = generator.randn(len(INDICES), *shape[1:]).astype(np.float32)
    variable = tf.get_variable("v", initializer=start)
    with tf.Session(tier="numpy") as session:
        session.run(variable.initializer)
        found = session.run(scatter(variable, INDICES, updates))
    wanted = start.copy()
    for index, update in zip(INDICES, updates, strict=True):
        wanted[index] = ufunc(wanted[index], update)
    np.testing.assert_array_equal(found, wanted)


def test_a_variable_that_is_stored_by_columns():
    value = tf.placeholder(tf.float32, [4, 3])
    variable = tf.get_variable("v", [4, 3])
    with tf.Session(tier="numpy") as session:
        session.run(tf.assign(variable, value), {value: np.asfortranarray(np.zeros((4, 3), np.float32))})
        found = session.run(tf.scatter_add(variable, [[1, 2], [1, 0]], np.ones((2, 2, 3), np.float32)))
    np.testing.assert_array_equal(found, [[1] * 3, [2] * 3, [1] * 3, [0] * 3])
