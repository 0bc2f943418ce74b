"""What a code base asks of TensorFlow, NumPy and Python, read from its sources without running them."""
