"""evergraph and TensorFlow side by side: the same programs, one run, ratios. `python -m benchmarks [ROW ...]`."""
