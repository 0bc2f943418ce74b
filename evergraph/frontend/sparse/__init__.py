"""tf.sparse and tf.sets."""
