# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.layers.encoders."""

from evergraph.contrib.layers import bow_encoder as bow_encoder
from evergraph.contrib.layers import embed_sequence as embed_sequence
