# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tensor_forest.python."""

from evergraph.contrib.tensor_forest.python import tensor_forest as tensor_forest
