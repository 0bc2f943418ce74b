# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.datasets.boston_housing."""

from evergraph.keras.datasets.boston_housing import load_data as load_data
