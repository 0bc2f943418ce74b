"""tf.contrib.opt."""
