"""tf.contrib.quantize: graphs for training with simulated quantization."""
