# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.data."""

from evergraph.data import experimental as experimental
