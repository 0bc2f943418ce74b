# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.ops.losses_ops."""

from evergraph.contrib.learn.ops import mean_squared_error_regressor as mean_squared_error_regressor
from evergraph.contrib.learn.ops import softmax_classifier as softmax_classifier
