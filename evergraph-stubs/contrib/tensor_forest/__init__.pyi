# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tensor_forest."""

from evergraph.contrib.tensor_forest import client as client
