# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.xception."""

from evergraph.keras.applications import Xception as Xception
from evergraph.keras.applications.xception import decode_predictions as decode_predictions
from evergraph.keras.applications.xception import preprocess_input as preprocess_input
