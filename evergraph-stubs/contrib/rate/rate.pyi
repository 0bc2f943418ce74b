# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.rate.rate."""

from evergraph.contrib.rate import Rate as Rate
