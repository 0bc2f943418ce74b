# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.distribute."""

from evergraph.distribute import cluster_resolver as cluster_resolver
