"""tf.contrib.losses.metric_learning."""
