"""tf.contrib.receptive_field: which part of its input an element of a network's output depends on."""
