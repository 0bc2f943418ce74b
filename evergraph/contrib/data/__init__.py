"""`tf.contrib.data`: what `tf.data.experimental` was called before, and a few functions more."""
