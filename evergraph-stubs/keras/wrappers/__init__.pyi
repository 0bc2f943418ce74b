# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.wrappers."""

from evergraph.keras.wrappers import scikit_learn as scikit_learn
