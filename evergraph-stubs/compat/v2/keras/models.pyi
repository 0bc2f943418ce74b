# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.models."""

from evergraph.keras import Model as Model
from evergraph.keras import Sequential as Sequential
from evergraph.keras.models import model_from_config as model_from_config
