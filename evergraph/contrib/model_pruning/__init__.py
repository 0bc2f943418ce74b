"""tf.contrib.model_pruning: training with masks of weights, by magnitude (Zhu and Gupta, 2017)."""
