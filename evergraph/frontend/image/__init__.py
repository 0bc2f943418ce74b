"""tf.image."""
