"""TPUEstimator and what configures it; it runs on whatever device JAX has."""
