# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.estimator.experimental."""

from evergraph.estimator.experimental import InMemoryEvaluatorHook as InMemoryEvaluatorHook

from evergraph.estimator.experimental import (
    build_raw_supervised_input_receiver_fn as build_raw_supervised_input_receiver_fn,
)

from evergraph.estimator.experimental import call_logit_fn as call_logit_fn
from evergraph.estimator.experimental import make_early_stopping_hook as make_early_stopping_hook
from evergraph.estimator.experimental import make_stop_at_checkpoint_step_hook as make_stop_at_checkpoint_step_hook
from evergraph.estimator.experimental import stop_if_higher_hook as stop_if_higher_hook
from evergraph.estimator.experimental import stop_if_lower_hook as stop_if_lower_hook
from evergraph.estimator.experimental import stop_if_no_decrease_hook as stop_if_no_decrease_hook
from evergraph.estimator.experimental import stop_if_no_increase_hook as stop_if_no_increase_hook
