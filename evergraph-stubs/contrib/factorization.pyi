# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.factorization."""

from evergraph.estimator.experimental import KMeans

KMeansClustering = KMeans
