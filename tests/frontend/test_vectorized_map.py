"""tf.vectorized_map: a function of rows, applied to all rows."""

import numpy as np

import evergraph as tf
from tests.harness.session import evaluated


def test_results_have_the_structure_and_dtypes_of_the_function():
    calls = []
    rows = (tf.constant([1.0, 2.0, 3.0]), tf.ones([3, 2]))
    factor = tf.Variable(2.0)

    def each(row):
        calls.append(row)
        return {"sum": row[0] * factor + tf.reduce_sum(row[1]), "int": tf.cast(row[0], tf.int32)}

    found = tf.vectorized_map(each, rows)
    values, slopes = evaluated([found, tf.gradients(found["sum"], [factor, rows[0]])])
    assert values["sum"].tolist() == [4.0, 6.0, 8.0] and values["int"].tolist() == [1, 2, 3]
    assert slopes[0] == 6.0 and slopes[1].tolist() == [2.0, 2.0, 2.0]
    assert len(calls) == 1


def test_shapes():
    square = tf.vectorized_map(lambda row: tf.tensordot(row, row, 0), tf.placeholder(tf.float32, [4, 3]))
    assert square.shape.as_list() == [4, 3, 3]


def test_rows_of_a_size_that_is_fed():
    x = tf.placeholder(tf.float32, [None, 2])
    total = tf.vectorized_map(tf.reduce_sum, x)
    np.testing.assert_array_equal(evaluated(total, {x: [[1, 2], [3, 4], [5, 6]]}), [3, 7, 11])
