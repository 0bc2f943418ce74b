"""tf.contrib.boosted_trees: accumulators of quantiles and of statistics, the splits made of them, and losses."""
