"""Mathematical ops: elementwise functions, reductions, linear algebra, FFTs, random numbers, quantization."""
