# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.layers.normalization."""

from evergraph.contrib.layers import group_norm as group_norm
from evergraph.contrib.layers import instance_norm as instance_norm
