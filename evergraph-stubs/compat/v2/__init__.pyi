# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2."""

from evergraph.compat.v2 import (
    data as data, estimator as estimator, feature_column as feature_column, image as image, nn as nn,
    saved_model as saved_model, test as test,
)
