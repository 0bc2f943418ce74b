"""Ops on numbers: elementwise functions, reductions, matrices, transforms, random numbers, quantization."""
