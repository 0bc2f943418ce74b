# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.audio."""

from evergraph.audio import decode_wav as decode_wav
from evergraph.audio import encode_wav as encode_wav
