# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.lib.learner."""

from evergraph.contrib.boosted_trees.lib.learner import batch as batch
