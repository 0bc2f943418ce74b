"""tf.compat.v2: the functions that TensorFlow 2 has under the same names with other parameters."""
