"""tf.contrib.labeled_tensor: tensors whose axes have names, and labels for their places."""
