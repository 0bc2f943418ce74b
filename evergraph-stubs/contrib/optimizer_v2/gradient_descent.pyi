# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.optimizer_v2.gradient_descent."""

from evergraph.contrib.optimizer_v2 import GradientDescentOptimizer as GradientDescentOptimizer
