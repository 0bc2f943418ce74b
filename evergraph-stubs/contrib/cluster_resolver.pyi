# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.cluster_resolver."""

from evergraph.distribute.cluster_resolver import TPUClusterResolver as TPUClusterResolver
