"""tf.contrib.linear_optimizer."""
