"""tf.reverse_sequence along any two axes."""

import numpy as np
import pytest

import evergraph as tf


@pytest.mark.parametrize("seq_axis, batch_axis", [(1, 0), (0, 1), (2, 0), (1, 2), (2, 1)])
@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_the_beginning_of_each_sequence_is_reversed(tier, seq_axis, batch_axis):
    x = np.random.RandomState(0).randn(3, 4, 5).astype(np.float32)
    lengths = np.arange(x.shape[batch_axis]) % (x.shape[seq_axis] + 1)
    with tf.Session(tier=tier) as session:
        fed = tf.placeholder(tf.float32, x.shape)
        found = session.run(tf.reverse_sequence(fed, lengths, seq_axis=seq_axis, batch_axis=batch_axis), {fed: x})
    wanted = np.moveaxis(x, (batch_axis, seq_axis), (0, 1)).copy()
    for row, length in zip(wanted, lengths, strict=True):
        row[:length] = row[:length][::-1].copy()
    np.testing.assert_array_equal(found, np.moveaxis(wanted, (0, 1), (batch_axis, seq_axis)))
