"""tf.contrib.distributions: what tf.distributions does not have."""
