"""tf.contrib.learn."""
