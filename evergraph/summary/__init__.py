"""tf.summary: values for TensorBoard, and the event files that hold them."""
