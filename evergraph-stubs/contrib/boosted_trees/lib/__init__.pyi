# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.lib."""

from evergraph.contrib.boosted_trees.lib import learner as learner
