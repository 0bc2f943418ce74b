"""tf.contrib.training: buckets, evaluation, the training loop, and strategies of placement."""
