# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.lookup.experimental."""

from evergraph.lookup.experimental import DenseHashTable as DenseHashTable
