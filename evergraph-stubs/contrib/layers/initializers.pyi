# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.layers.initializers."""

from evergraph.contrib.layers import xavier_initializer as _xavier_initializer

from evergraph.contrib.layers import variance_scaling_initializer as variance_scaling_initializer
from evergraph.contrib.layers import xavier_initializer as xavier_initializer
xavier_initializer_conv2d = _xavier_initializer
