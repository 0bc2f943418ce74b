# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.estimators."""

from evergraph.contrib.learn.estimators import model_fn as model_fn

from evergraph.contrib.learn import Estimator as Estimator
