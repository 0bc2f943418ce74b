"""tf.contrib.slim."""
