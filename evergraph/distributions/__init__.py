"""tf.distributions: probability distributions with samples, densities and statistics."""
