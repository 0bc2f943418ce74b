# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tensor_forest.client."""

from evergraph.contrib.tensor_forest.client import random_forest as random_forest
