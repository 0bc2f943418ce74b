# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.datasets.fashion_mnist."""

from evergraph.keras.datasets.fashion_mnist import load_data as load_data
