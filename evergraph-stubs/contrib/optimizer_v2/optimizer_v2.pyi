# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.optimizer_v2.optimizer_v2."""

from evergraph.contrib.optimizer_v2 import OptimizerV2 as OptimizerV2
