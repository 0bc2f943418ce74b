# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.models."""

from evergraph.keras.layers import deserialize

from evergraph.keras import Model as Model
from evergraph.keras import Sequential as Sequential
model_from_config = deserialize
