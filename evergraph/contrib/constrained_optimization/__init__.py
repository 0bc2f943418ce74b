"""tf.contrib.constrained_optimization: training under constraints (Cotter, Jiang and Sridharan, 2019)."""
