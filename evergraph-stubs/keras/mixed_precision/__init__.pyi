# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.mixed_precision."""

from evergraph.keras.mixed_precision import experimental as experimental
