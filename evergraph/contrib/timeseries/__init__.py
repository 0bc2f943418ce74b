"""tf.contrib.timeseries: readers and windows of series, state space and autoregressive models, and their Estimators."""
