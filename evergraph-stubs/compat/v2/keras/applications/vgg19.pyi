# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.vgg19."""

from evergraph.keras.applications import VGG19 as VGG19
from evergraph.keras.applications.vgg19 import decode_predictions as decode_predictions
from evergraph.keras.applications.vgg19 import preprocess_input as preprocess_input
