# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.estimator_batch."""

from evergraph.contrib.boosted_trees.estimator_batch import (
    custom_export_strategy as custom_export_strategy,
    dnn_tree_combined_estimator as dnn_tree_combined_estimator, estimator as estimator,
    trainer_hooks as trainer_hooks,
)
