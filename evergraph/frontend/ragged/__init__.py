"""tf.ragged and tf.RaggedTensor."""
