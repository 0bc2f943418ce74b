"""tf.contrib.metrics: what tf.metrics does not have."""
