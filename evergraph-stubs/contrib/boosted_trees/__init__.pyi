# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees."""

from evergraph.contrib.boosted_trees import estimator_batch as estimator_batch, lib as lib, proto as proto

import sys
if sys.platform == "":
    del (
        accumulators, derivatives, dnn_combined, ensembles, estimators, export_strategy, features, handlers,
        hooks, losses, messages, model, model_fns, universal,
    )
