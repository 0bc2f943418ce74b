"""`tf.data.experimental`: functions for `Dataset.apply`, and more sources of datasets."""
