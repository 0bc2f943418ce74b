# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.nasnet."""

from evergraph.keras.applications import NASNetLarge as NASNetLarge
from evergraph.keras.applications import NASNetMobile as NASNetMobile
from evergraph.keras.applications.nasnet import decode_predictions as decode_predictions
from evergraph.keras.applications.nasnet import preprocess_input as preprocess_input
