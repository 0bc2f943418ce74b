# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.boosted_trees.estimator_batch.dnn_tree_combined_estimator import *
