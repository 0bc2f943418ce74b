"""`tf.data`: input pipelines."""
