# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.imagenet_utils."""

from evergraph.keras.applications.imagenet_utils import decode_predictions as decode_predictions
from evergraph.keras.applications.imagenet_utils import preprocess_input as preprocess_input
