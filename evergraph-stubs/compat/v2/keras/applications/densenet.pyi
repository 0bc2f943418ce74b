# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications.densenet."""

from evergraph.keras.applications import DenseNet121 as DenseNet121
from evergraph.keras.applications import DenseNet169 as DenseNet169
from evergraph.keras.applications import DenseNet201 as DenseNet201
from evergraph.keras.applications.densenet import decode_predictions as decode_predictions
from evergraph.keras.applications.densenet import preprocess_input as preprocess_input
