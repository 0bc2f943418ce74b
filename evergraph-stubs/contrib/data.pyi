# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.data."""

AUTOTUNE: int
