"""tf.estimator.inputs: functions that feed arrays to a model through a queue."""
