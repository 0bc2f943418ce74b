# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tensor_forest.client."""

from evergraph.contrib.tensor_forest.client import eval_metrics as eval_metrics, random_forest as random_forest
