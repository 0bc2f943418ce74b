"""tf.metrics: numbers over many batches, each with a value and an operation that takes in one more batch."""
