# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.estimator."""

from evergraph.estimator import model_to_estimator as model_to_estimator
