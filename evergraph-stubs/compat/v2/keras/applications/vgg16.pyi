# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.vgg16."""

from evergraph.keras.applications import VGG16 as VGG16
from evergraph.keras.applications.vgg16 import decode_predictions as decode_predictions
from evergraph.keras.applications.vgg16 import preprocess_input as preprocess_input
