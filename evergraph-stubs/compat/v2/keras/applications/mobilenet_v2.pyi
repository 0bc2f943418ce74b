# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.mobilenet_v2."""

from evergraph.keras.applications import MobileNetV2 as MobileNetV2
from evergraph.keras.applications.mobilenet_v2 import decode_predictions as decode_predictions
from evergraph.keras.applications.mobilenet_v2 import preprocess_input as preprocess_input
