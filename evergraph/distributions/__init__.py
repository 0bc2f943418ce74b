"""tf.distributions: random variables with their samples, densities and statistics."""
