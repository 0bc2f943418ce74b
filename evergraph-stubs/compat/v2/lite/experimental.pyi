# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.lite.experimental."""

from evergraph.lite.experimental import load_delegate as load_delegate
