"""tf.contrib.estimator."""
