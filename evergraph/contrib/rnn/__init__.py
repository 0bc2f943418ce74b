"""tf.contrib.rnn."""
