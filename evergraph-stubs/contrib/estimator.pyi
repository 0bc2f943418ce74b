# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.estimator."""

from evergraph.estimator.experimental import call_logit_fn as call_logit_fn
