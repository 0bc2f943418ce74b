"""tf.contrib: what TensorFlow 1 had beside its core."""
