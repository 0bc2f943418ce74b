# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.datasets.cifar10."""

from evergraph.keras.datasets.cifar10 import load_data as load_data
