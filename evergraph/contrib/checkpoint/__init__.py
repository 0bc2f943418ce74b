"""tf.contrib.checkpoint: objects that checkpoints of objects hold, and a picture of what is in one."""
