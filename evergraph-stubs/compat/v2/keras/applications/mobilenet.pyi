# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.mobilenet."""

from evergraph.keras.applications import MobileNet as MobileNet
from evergraph.keras.applications.mobilenet import decode_predictions as decode_predictions
from evergraph.keras.applications.mobilenet import preprocess_input as preprocess_input
