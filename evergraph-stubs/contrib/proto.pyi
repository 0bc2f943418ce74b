# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.proto."""

from evergraph.io import decode_proto as decode_proto
from evergraph.io import encode_proto as encode_proto
