# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.decision_trees."""

from evergraph.contrib.decision_trees import proto as proto
