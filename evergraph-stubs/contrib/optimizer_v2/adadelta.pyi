# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.optimizer_v2.adadelta."""

from evergraph.contrib.optimizer_v2 import AdadeltaOptimizer as AdadeltaOptimizer
