# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.lib.learner.batch."""

from evergraph.contrib.boosted_trees.lib.learner.batch import (
    base_split_handler as base_split_handler, categorical_split_handler as categorical_split_handler,
    ordinal_split_handler as ordinal_split_handler,
)
