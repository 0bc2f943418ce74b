# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.estimator."""

from evergraph.estimator.experimental import (
    build_raw_supervised_input_receiver_fn as build_raw_supervised_input_receiver_fn,
)

from evergraph.estimator.experimental import call_logit_fn as call_logit_fn
