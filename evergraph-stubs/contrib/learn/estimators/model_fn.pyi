# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.estimators.model_fn."""

from evergraph.contrib.learn import ModelFnOps as ModelFnOps
