"""tf.vectorized_map with eager execution."""

import evergraph as tf


def test_rows_of_a_pair():
    sums, numbers = tf.vectorized_map(lambda row: (tf.reduce_sum(row[0]), row[1] + 1),
                                      (tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([5, 6])))
    assert sums.numpy().tolist() == [3.0, 7.0] and numbers.numpy().tolist() == [6, 7]
