"""tf.distribute: models on several devices, each of which computes a part of the batch."""
