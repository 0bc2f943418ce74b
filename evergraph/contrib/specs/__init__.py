"""tf.contrib.specs: networks written as short expressions."""
