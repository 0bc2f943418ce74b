# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.distribute.cluster_resolver."""

from evergraph.distribute.cluster_resolver import TPUClusterResolver as TPUClusterResolver
