"""tf.layers: functions with variables of their own."""
