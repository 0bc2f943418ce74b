"""Variables: tf.Variable, scopes, initializers, regularizers, partitioners."""
