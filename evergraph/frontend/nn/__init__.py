"""tf.nn."""
