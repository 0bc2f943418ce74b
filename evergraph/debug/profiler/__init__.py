"""tf.profiler: what the nodes of a graph cost, by name scope, data flow, type or line."""
