"""Datasets and iterators: the ops behind `tf.data`."""
