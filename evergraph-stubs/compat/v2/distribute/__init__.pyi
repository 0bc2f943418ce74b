# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.distribute."""

from evergraph.compat.v2.distribute import cluster_resolver as cluster_resolver
