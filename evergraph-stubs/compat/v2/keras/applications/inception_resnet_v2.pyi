# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.inception_resnet_v2."""

from evergraph.keras.applications import InceptionResNetV2 as InceptionResNetV2
from evergraph.keras.applications.inception_resnet_v2 import decode_predictions as decode_predictions
from evergraph.keras.applications.inception_resnet_v2 import preprocess_input as preprocess_input
