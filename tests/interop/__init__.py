"""Real TensorFlow, in an interpreter of its own, reads what evergraph wrote and writes what evergraph reads."""
