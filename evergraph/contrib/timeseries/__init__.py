"""tf.contrib.timeseries: names of features, and the matrices and tables that models of time series are made of."""
