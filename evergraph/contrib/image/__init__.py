"""tf.contrib.image: projective transforms and warps."""
