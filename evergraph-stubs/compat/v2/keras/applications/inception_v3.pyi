# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.inception_v3."""

from evergraph.keras.applications import InceptionV3 as InceptionV3
from evergraph.keras.applications.inception_v3 import decode_predictions as decode_predictions
from evergraph.keras.applications.inception_v3 import preprocess_input as preprocess_input
