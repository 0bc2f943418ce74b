# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.datasets.mnist."""

from evergraph.keras.datasets.mnist import load_data as load_data
