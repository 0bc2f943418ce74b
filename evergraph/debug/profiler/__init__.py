"""tf.profiler: what the nodes of a graph cost, by name scope or by type."""
