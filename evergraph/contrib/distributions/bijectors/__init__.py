"""tf.contrib.distributions.bijectors: invertible functions with the log of the determinant of their Jacobians."""
