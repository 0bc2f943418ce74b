"""tf.losses: what training makes small, and the collection in which a graph keeps it."""
