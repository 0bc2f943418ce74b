# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.resnet."""

from evergraph.keras.applications import ResNet101 as ResNet101
from evergraph.keras.applications import ResNet152 as ResNet152
from evergraph.keras.applications import ResNet50 as ResNet50
from evergraph.keras.applications.resnet import decode_predictions as decode_predictions
from evergraph.keras.applications.resnet import preprocess_input as preprocess_input
