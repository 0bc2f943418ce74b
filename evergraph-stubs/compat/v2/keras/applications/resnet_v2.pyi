# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.resnet_v2."""

from evergraph.keras.applications import ResNet101V2 as ResNet101V2
from evergraph.keras.applications import ResNet152V2 as ResNet152V2
from evergraph.keras.applications import ResNet50V2 as ResNet50V2
from evergraph.keras.applications.resnet_v2 import decode_predictions as decode_predictions
from evergraph.keras.applications.resnet_v2 import preprocess_input as preprocess_input
