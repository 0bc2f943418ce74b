# Written by `python -m evergraph.api.generate`; not edited by hand.
from evergraph.contrib.boosted_trees.estimator_batch.custom_export_strategy import *
