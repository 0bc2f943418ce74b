"""Canned models: tf.estimator's linear, deep, combined, recurrent and baseline models, and k-means."""
